/* SPDX-License-Identifier: MIT
 *
 * How workers sleep and are woken (src/devices/pthread/crew.c, pool.c, runner.c), step by step; every step is one
 * sequentially consistent access, as it is there. Two workers, and two threads of the application that add a native
 * function each; these end only when as many have begun as there are places, so each must find a worker. With GUEST, one such thread,
 * which also adds a command that anybody may run, quietly at first, and one that helps.
 *
 * Property: when nothing can go on any more, every command has run. MISTAKE chooses a mistake that breaks it.
 */
#define WORKERS 2
#ifndef LIMIT
#define LIMIT 2 /* places */
#endif

#define UNREADY 1 /* a worker announces its sleep without looking again */
#define EARLY 2   /* who adds looks for sleepers before it adds */
#define SILENT 3  /* who takes something wakes nobody for what else there is */
#define PLACES 4  /* who leaves a place free tells nobody */
#define FORGETFUL 5 /* a worker forgets that it was woken when it begins to sleep */
#ifndef MISTAKE
#define MISTAKE 0
#endif

#ifdef GUEST
#define NATIVES 1
#define OTHERS 1
#else
#define NATIVES 2
#define OTHERS 0
#endif

byte natives, others;    /* in the inboxes */
byte quiet;              /* in the one that guests alone look into */
byte begun, run_others;  /* commands that ran */
byte busy;               /* crew->busy, and pool->busy, which is the same with one pool */
bool spinning[WORKERS];  /* crew->spinning */
bool sleeping[WORKERS];  /* crew->sleeping */
bool woken[WORKERS];     /* worker->woken, the futex */
bool in_kernel[WORKERS]; /* waits in the futex */

#define IS_SPINNING (spinning[0] || spinning[1])
#define ANY_SLEEPS (sleeping[0] || sleeping[1])
#define HAS_WORK (natives + others > 0)

/* pool_wake(pool, 1) and crew_wake: the claim is one atomic operation, the wake-up follows it. */
inline pool_wake(unit)
{
	if
	:: busy >= LIMIT /* pool_has_place: who leaves a place looks for work */
	:: busy < LIMIT ->
		if
		:: IS_SPINNING
		:: !IS_SPINNING ->
			if
			:: atomic { sleeping[0] -> sleeping[0] = false; unit = 0 }
			:: atomic { !sleeping[0] && sleeping[1] -> sleeping[1] = false; unit = 1 }
			:: !ANY_SLEEPS -> unit = WORKERS
			fi;
			if
			:: unit < WORKERS -> woken[unit] = true; in_kernel[unit] = false
			:: else
			fi;
			unit = 0 /* fewer states */
		fi
	fi
}

/* runner_offer */
inline offer(queue, unit)
{
#if MISTAKE == EARLY
	pool_wake(unit);
	queue++
#else
	queue++;        /* pool_put */
	pool_wake(unit)
#endif
}

/* runner_announce: what was quiet is nowhere for a moment, as this thread has it. */
inline announce(unit)
{
	byte taken;

	if
	:: atomic { quiet > 0 -> taken = quiet; quiet = 0 }
		others = others + taken;
		pool_wake(unit)
	:: quiet == 0
	fi;
	taken = 0
}

/* pool_leave */
inline leave(unit)
{
	busy--;
#if MISTAKE != PLACES
	if /* pool_wake_for_all */
	:: HAS_WORK -> pool_wake(unit)
	:: else
	fi
#endif
}

/* wake_next */
inline tell_next(unit)
{
#if MISTAKE != SILENT
	if
	:: ANY_SLEEPS && HAS_WORK -> pool_wake(unit)
	:: else
	fi
#else
	skip
#endif
}

/* crew_idle. How long it spins is anything. */
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
	sleeping[me] = false
}

/* runner_work */
active [WORKERS] proctype worker()
{
	byte unit;

again:
	do
	:: HAS_WORK -> /* work_for */
		if
		:: atomic { busy < LIMIT -> busy++ } /* pool_enter */
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

#ifdef GUEST
/* runner_lend: it takes no native functions, and may leave at any time, as its wait may be over. */
active proctype guest()
{
	byte unit;

	if
	:: atomic { busy < LIMIT -> busy++ }
		if
		:: atomic { quiet > 0 -> quiet-- }
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
	byte unit;

	offer(natives, unit);
	quiet++; /* pool_put_quietly */
	announce(unit)
}
#else
active [2] proctype application()
{
	byte unit;

	offer(natives, unit)
}
#endif

/* Nothing else can go on. */
active proctype monitor()
{
	timeout -> assert(begun == NATIVES && run_others == OTHERS)
}
