/* SPDX-License-Identifier: MIT
 *
 * Stacks of threads: their bounds are read once per thread. Invariant: `own` has the bounds of the stack with which the
 * thread was started, or of the one to which weft_stack_call has moved it.
 */
#include "stack.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif
#ifdef ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

/* Bytes that must be left: entry points take 64 KiB for variables (private_variables.h), functions that they call up to
 * 16 KiB each, without a limit of their depth. Those that call themselves leave WEFT_CALL_ROOM (kernel_abi.h). */
#define ROOM_BYTES (WEFT_STACK_BYTES / 2)
/* The size of the main thread's stack if it has no limit. */
#define UNLIMITED_BYTES ((size_t)64 << 20)

struct bounds {
	uintptr_t low;
	uintptr_t high; /* 0: not known yet */
};

static _Thread_local struct bounds own;

extern void *__libc_stack_end; /* NOLINT(bugprone-reserved-identifier): glibc's */

/* pthread_getattr_np would read all of /proc/self/maps for the main thread. */
static struct bounds bounds_of_main(void)
{
	struct rlimit limit = {0, 0};
	uintptr_t high = (uintptr_t)__libc_stack_end;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > UNLIMITED_BYTES)
		limit.rlim_cur = UNLIMITED_BYTES;
	return (struct bounds){high - limit.rlim_cur, high};
}

static bool has(const struct bounds *bounds, uintptr_t address)
{
	return address > bounds->low && address < bounds->high;
}

/* A thread that has forked is the main thread of the child, but still on its old stack. */
static struct bounds find_bounds(uintptr_t here)
{
	struct bounds bounds = {0, 1};
	pthread_attr_t attributes;
	void *low = NULL;
	size_t size = 0;

	if (syscall(SYS_gettid) == getpid()) {
		bounds = bounds_of_main();
		if (has(&bounds, here))
			return bounds;
	}
	if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
		pthread_attr_getstack(&attributes, &low, &size);
		pthread_attr_destroy(&attributes);
		bounds = (struct bounds){(uintptr_t)low, (uintptr_t)low + size};
	}
	return bounds;
}

bool weft_stack_has_room(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (own.high == 0)
		own = find_bounds(here);
	return has(&own, here) && here - own.low >= ROOM_BYTES;
}

uintptr_t weft_stack_low(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (own.high == 0)
		own = find_bounds(here);
	return has(&own, here) ? own.low : SIZE_MAX / 2;
}

/* ---- another stack --------------------------------------------------------------------------- */

struct visit {
	void (*run)(void *data);
	void *data;
	ucontext_t here;
	ucontext_t there;
	void *fake_stack; /* for AddressSanitizer: the stack that the thread comes from */
};

static void leave_for(struct visit *visit, const void *low, size_t size)
{
#ifdef ADDRESS_SANITIZER
	__sanitizer_start_switch_fiber(&visit->fake_stack, low, size);
#else
	(void)visit;
	(void)low;
	(void)size;
#endif
}

static void arrive(void *fake_stack, const void **low, size_t *size)
{
#ifdef ADDRESS_SANITIZER
	__sanitizer_finish_switch_fiber(fake_stack, low, size);
#else
	(void)fake_stack;
	(void)low;
	(void)size;
#endif
}

/* makecontext passes ints. */
static void be_there(unsigned upper, unsigned lower)
{
	struct visit *visit = (struct visit *)((uintptr_t)upper << 32 | lower);
	const void *low = NULL;
	size_t size = 0;

	arrive(NULL, &low, &size);
	visit->run(visit->data);
#ifdef ADDRESS_SANITIZER
	__sanitizer_start_switch_fiber(NULL, low, size); /* the thread leaves this stack */
#endif
}

/* A stack with a page below it to which any access faults. */
static char *map_stack(size_t guard)
{
	char *memory = mmap(NULL, guard + WEFT_STACK_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	(void)mprotect(memory, guard, PROT_NONE);
	return memory + guard;
}

bool weft_stack_call(void (*run)(void *data), void *data)
{
	if (weft_stack_has_room()) {
		run(data);
		return true;
	}
	const size_t guard = (size_t)sysconf(_SC_PAGESIZE);
	struct visit visit = {.run = run, .data = data};
	char *low = map_stack(guard);
	if (!low)
		return false;
	if (getcontext(&visit.there) != 0) {
		munmap(low - guard, guard + WEFT_STACK_BYTES);
		return false;
	}
	const struct bounds before = own;
	visit.there.uc_stack.ss_sp = low;
	visit.there.uc_stack.ss_size = WEFT_STACK_BYTES;
	visit.there.uc_link = &visit.here;
	makecontext(&visit.there, (void (*)(void))be_there, 2, (unsigned)((uintptr_t)&visit >> 32),
		    (unsigned)(uintptr_t)&visit);
	own = (struct bounds){(uintptr_t)low, (uintptr_t)low + WEFT_STACK_BYTES};
	leave_for(&visit, low, WEFT_STACK_BYTES);
	(void)swapcontext(&visit.here, &visit.there);
	arrive(visit.fake_stack, NULL, NULL);
	own = before;
	munmap(low - guard, guard + WEFT_STACK_BYTES);
	return true;
}
