/* SPDX-License-Identifier: MIT
 *
 * How workers sleep and are woken (src/devices/pthread/worker_pool.c, scheduler.c, runner.c), step by step; every step is
 * one sequentially consistent access, as it is there. Two workers, and two threads of the application that push a native
 * function each; a function ends only when as many have begun as there are permits, so each must find a worker. With
 * HELPER, one such thread, which also pushes a deferred command that all runners may take, and a thread that helps.
 *
 * Property: when no process can go on, every command has run. MISTAKE chooses a mistake that breaks it.
 */
#define WORKERS 2
#ifndef LIMIT
#define LIMIT 2 /* permits */
#endif

#define UNREADY 1 /* a worker sleeps without looking again */
#define EARLY 2   /* a thread looks for sleepers before it pushes */
#define SILENT 3  /* a runner that takes a command wakes no other for what is left */
#define PERMITS 4 /* a runner that releases a permit wakes no other */
#define FORGETFUL 5 /* a worker forgets that it was woken when it begins to sleep */
#define PROMISED 6 /* a worker that is awake counts as one that is about to wake */
#ifndef MISTAKE
#define MISTAKE 0
#endif

#ifdef HELPER
#define NATIVES 1
#define OTHERS 1
#else
#define NATIVES 2
#define OTHERS 0
#endif

byte natives, others;    /* in the queues */
byte deferred;           /* in the queue that only helpers take from */
byte begun, run_others;  /* commands that ran */
byte busy;               /* permits taken: pool->num_active, and scheduler->num_active, which is the same with one scheduler */
bool spinning[WORKERS];  /* pool->spinning */
bool sleeping[WORKERS];  /* pool->sleeping */
bool waking[WORKERS];    /* pool->waking */
bool woken[WORKERS];     /* worker->woken, the futex */
bool in_kernel[WORKERS]; /* waits in the futex */

#define IS_SPINNING (spinning[0] || spinning[1])
#define ANY_SLEEPS (sleeping[0] || sleeping[1])
#define HAS_WORK (natives + others > 0)
#define ARE_PROMISED (waking[0] + waking[1]) /* permits that workers take soon */

/* scheduler_wake(scheduler, 1) and worker_pool_wake: the claim is one atomic operation, the wake-up follows it. Cores are left
 * out: a worker that spins on the waker's core is not counted, so that one more is woken than here. Of permits and of workers that are about
 * to wake there are two looks, one after the other. */
inline scheduler_wake(unit)
{
	if
	:: busy >= LIMIT /* scheduler_has_permit: a runner that releases one looks for work */
	:: busy < LIMIT -> permits = LIMIT - busy;
		if
		:: ARE_PROMISED >= permits || IS_SPINNING
		:: ARE_PROMISED < permits && !IS_SPINNING ->
			if
			:: atomic { sleeping[0] -> sleeping[0] = false; unit = 0 }
			:: atomic { !sleeping[0] && sleeping[1] -> sleeping[1] = false; unit = 1 }
			:: !ANY_SLEEPS -> unit = WORKERS
			fi;
			if
			:: unit < WORKERS -> waking[unit] = true; woken[unit] = true;
				in_kernel[unit] = false
			:: else
			fi;
			unit = 0 /* fewer states */
		fi;
		permits = 0 /* fewer states */
	fi
}

/* runner_push_shared */
inline offer(queue, unit)
{
#if MISTAKE == EARLY
	scheduler_wake(unit);
	queue++
#else
	queue++;        /* scheduler_push */
	scheduler_wake(unit)
#endif
}

/* runner_publish_deferred: for a moment, what was deferred is in no queue. */
inline announce(unit)
{
	byte taken;

	if
	:: atomic { deferred > 0 -> taken = deferred; deferred = 0 }
		others = others + taken;
		scheduler_wake(unit)
	:: deferred == 0
	fi;
	taken = 0
}

/* scheduler_release_permit */
inline leave(unit)
{
	busy--;
#if MISTAKE != PERMITS
	if /* scheduler_wake_all */
	:: HAS_WORK -> scheduler_wake(unit)
	:: else
	fi
#endif
}

/* wake_next */
inline tell_next(unit)
{
#if MISTAKE != SILENT
	if
	:: ANY_SLEEPS && HAS_WORK -> scheduler_wake(unit)
	:: else
	fi
#else
	skip
#endif
}

/* worker_idle. How long it spins is anything. */
inline idle(me)
{
	spinning[me] = true;
	do
	:: busy < LIMIT && HAS_WORK -> spinning[me] = false; goto again
	:: break
	od;
	spinning[me] = false;
#if MISTAKE != FORGETFUL
	woken[me] = false;
#endif
	sleeping[me] = true;
#if MISTAKE == FORGETFUL
	woken[me] = false;
#endif
	if
#if MISTAKE != UNREADY
	:: busy < LIMIT && HAS_WORK
	:: else ->
#else
	:: true ->
#endif
		atomic { /* weft_futex_wait: the kernel compares and sleeps at once */
			if
			:: !woken[me] -> in_kernel[me] = true
			:: else
			fi
		}
		!in_kernel[me]
	fi;
	if
	:: atomic { sleeping[me] -> sleeping[me] = false }
	:: !sleeping[me] -> woken[me]; /* weft_futex_wait: the thread that has claimed this one wakes it */
#if MISTAKE != PROMISED
		waking[me] = false
#else
		skip
#endif
	fi
}

/* runner_work */
active [WORKERS] proctype worker()
{
	byte unit, permits;

again:
	do
	:: HAS_WORK -> /* work_for */
		if
		:: atomic { busy < LIMIT -> busy++ } /* scheduler_acquire_permit */
		:: busy >= LIMIT -> break
		fi;
		do
		:: atomic { natives > 0 -> natives-- }
			tell_next(unit);
			begun++;
			begun == NATIVES || begun >= LIMIT /* the function itself */
		:: atomic { others > 0 -> others-- }
			tell_next(unit);
			run_others++
		:: !HAS_WORK -> break
		od;
		leave(unit)
	:: !HAS_WORK -> break
	od;
	idle(_pid);
	goto again
}

#ifdef HELPER
/* runner_run_while_waiting: it takes no native functions, and may leave at any time, as its wait may be over. */
active proctype helper()
{
	byte unit, permits;

	if
	:: atomic { busy < LIMIT -> busy++ }
		if
		:: atomic { deferred > 0 -> deferred-- }
			run_others++
		:: atomic { others > 0 -> others-- }
			tell_next(unit);
			run_others++
		:: true
		fi;
		leave(unit)
	:: true
	fi
}

active proctype application()
{
	byte unit, permits;

	offer(natives, unit);
	deferred++; /* scheduler_push_deferred */
	announce(unit)
}
#else
active [2] proctype application()
{
	byte unit, permits;

	offer(natives, unit)
}
#endif

/* Nothing else can go on. */
active proctype monitor()
{
	timeout -> assert(begun == NATIVES && run_others == OTHERS)
}
