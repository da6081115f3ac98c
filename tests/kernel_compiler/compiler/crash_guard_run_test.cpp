/* SPDX-License-Identifier: MIT
 *
 * Tests of crash_guard.h by itself: every way in which code can fail to come back.
 */
#include "support/crash_guard.h"

#include "llvm/Support/ErrorHandling.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <thread>
#include <unistd.h>

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
}

namespace
{

volatile int zero = 0;
volatile size_t huge = size_t{1} << 50;
int *volatile nowhere = nullptr;
char *volatile sink;

/* A frame is smaller than the guard, and touches few of its pages, which would take most of the test's time. */
int overflow(int depth)
{
	char frame[1 << 18];

	frame[0] = static_cast<char>(depth);
	asm volatile("" : : "r"(frame) : "memory"); /* all of it is there */
	return depth < 0 ? 0 : overflow(depth + 1) + frame[0];
}

struct Way {
	const char *reason;
	weft_status status;
	void (*go)();
};

const Way ways[] = {
	{"stack overflowed", WEFT_BUILD_FAILED, [] { overflow(zero); }},
	{"crashed (SEGV)", WEFT_BUILD_FAILED, [] { *nowhere = 1; }},
	{"crashed (FPE)", WEFT_BUILD_FAILED, [] { zero = 100 / zero; }},
	{"crashed (ILL)", WEFT_BUILD_FAILED, [] { __builtin_trap(); }},
	{"crashed (BUS)", WEFT_BUILD_FAILED, [] { raise(SIGBUS); }},
	{"gave up", WEFT_BUILD_FAILED, [] { abort(); }},
	{"gave up", WEFT_BUILD_FAILED, [] { exit(3); }},
	{"gave up", WEFT_BUILD_FAILED, [] { _exit(3); }},
	{"out of order", WEFT_BUILD_FAILED, [] { llvm::report_fatal_error("out of order"); }},
	{"", WEFT_OUT_OF_MEMORY, [] { llvm::report_bad_alloc_error("none left"); }},
	{"", WEFT_OUT_OF_MEMORY, [] { sink = new char[huge]; }},
};

std::atomic<int> destroyed;

struct Counted {
	~Counted()
	{
		destroyed++;
	}
};

struct Broken {
	~Broken()
	{
		*nowhere = 1;
	}
};

bool comesBack(const Way &way)
{
	std::string log = "before\n";
	weft_status status = weft::runGuarded(
		[&] {
			way.go();
			return WEFT_OK;
		},
		log);

	if (status != way.status || log.find(way.reason) == std::string::npos)
		print_error("%s: status %d, %s\n", way.reason, static_cast<int>(status),
			    log.c_str());
	return status == way.status && log.find(way.reason) != std::string::npos &&
	       log.rfind("before\n", 0) == 0;
}

void test_every_way_comes_back(void **)
{
	for (const Way &way : ways)
		assert_true(comesBack(way));
}

/* Once, whether the job comes to its end or is left, and whatever the destructors do. */
void test_kept_objects_are_destroyed(void **)
{
	std::string log;

	destroyed = 0;
	weft::runGuarded(
		[] {
			weft::JobOwned<Counted> one, two;
			return WEFT_OK;
		},
		log);
	assert_int_equal(destroyed, 2);
	for (const Way &way : ways) {
		destroyed = 0;
		weft::runGuarded(
			[&] {
				weft::JobOwned<Counted> one;
				weft::JobOwned<Counted> two;
				way.go();
				return WEFT_OK;
			},
			log);
		/* In the middle of the C library's code memory cannot be freed. */
		assert_true(destroyed == 2 || strstr(way.reason, "BUS"));
	}
	destroyed = 0;
	weft::runGuarded(
		[] {
			weft::JobOwned<Counted> lost;
			weft::JobOwned<Broken> broken;
			weft::JobOwned<Counted> found;
			*nowhere = 1;
			return WEFT_OK;
		},
		log);
	assert_int_equal(destroyed, 1);
}

void test_results_pass(void **)
{
	std::string log;
	bool otherThread = false;
	pthread_t caller = pthread_self();

	for (weft_status status : {WEFT_OK, WEFT_BUILD_FAILED, WEFT_INVALID_OPTIONS})
		assert_int_equal(weft::runGuarded([=] { return status; }, log), status);
	weft_status inner = weft::runGuarded(
		[&] {
			otherThread = !pthread_equal(caller, pthread_self());
			return weft::runGuarded([] { return WEFT_NOT_FOUND; }, log);
		},
		log);
	assert_int_equal(inner, WEFT_NOT_FOUND);
	assert_true(otherThread);
	assert_true(log.empty());
}

void test_a_lock_is_given_back(void **)
{
	std::mutex mutex;
	std::string log;

	for (int i = 0; i < 3; i++) {
		weft::runGuarded(
			[&] {
				weft::GuardedLock guard(mutex);
				if (i > 0)
					*nowhere = 1;
				return WEFT_OK;
			},
			log);
		assert_true(mutex.try_lock());
		mutex.unlock();
	}
}

void test_threads_fail_apart(void **)
{
	std::thread threads[8];
	bool fine[8] = {};

	for (size_t i = 0; i < 8; i++) {
		threads[i] = std::thread([&fine, i] {
			fine[i] = true;
			for (size_t j = 0; j < 15; j++)
				fine[i] = comesBack(ways[(i + j) % std::size(ways)]) && fine[i];
		});
	}
	for (std::thread &thread : threads)
		thread.join();
	for (bool one : fine)
		assert_true(one);
}

} // namespace

int main()
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_way_comes_back),
		cmocka_unit_test(test_kept_objects_are_destroyed),
		cmocka_unit_test(test_results_pass),
		cmocka_unit_test(test_a_lock_is_given_back),
		cmocka_unit_test(test_threads_fail_apart),
	};

	return cmocka_run_group_tests(tests, nullptr, nullptr);
}
