/* SPDX-License-Identifier: MIT
 *
 * Ranges of work-groups, where a better version of the kernel appears while a command runs.
 */
#include "kernel/work.h"

#include "clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define GROUPS 8

static int ran_by[GROUPS];

static void run_groups(uint64_t first, uint64_t end, int version)
{
	for (uint64_t i = first; i < end; i++)
		ran_by[i] = version;
}

static void entry_1(const struct weft_ndrange *range, const void *args,
		    struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)range;
	(void)args;
	(void)context;
	run_groups(first, end, 1);
}

static void entry_2(const struct weft_ndrange *range, const void *args,
		    struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)range;
	(void)args;
	(void)context;
	run_groups(first, end, 2);
}

static const struct weft_kernel_desc kernel = {.name = "kernel",
					       .entry = entry_1,
					       .local_size = 256,
					       .spill_per_item = 16,
					       .scratch_size = 64};

static uint64_t noted;

static void note(struct weft_replacement *replacement, uint64_t time)
{
	(void)replacement;
	noted += time;
}

/* Runs half of the groups, then the others when the version has appeared; which version they ran. */
static int second_half(const struct weft_kernel_desc *version)
{
	struct weft_replacement replacement = {.kernel = NULL, .ran = note};
	const struct weft_launch launch = {
		.kernel = &kernel,
		.range = {.global_size = {GROUPS, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {GROUPS, 1, 1},
			  .work_dim = 1},
		.local_bytes = kernel.local_size,
		.replacement = &replacement,
	};
	struct weft_arena arena = {0};
	struct weft_work work;

	assert_int_equal(weft_work_start(&work, &launch), WEFT_OK);
	assert_int_equal(weft_work_prepare(&work, &arena), WEFT_OK);
	weft_work_run(&work, &arena, 0, GROUPS / 2);
	assert_int_equal(ran_by[0], 1);
	atomic_store(&replacement.kernel, version);
	weft_work_run(&work, &arena, GROUPS / 2, GROUPS);
	assert_int_equal(weft_work_finish(&work), WEFT_OK);
	weft_arena_destroy(&arena);
	assert_int_equal(ran_by[GROUPS / 2], ran_by[GROUPS - 1]);
	return ran_by[GROUPS - 1];
}

static void test_newer_version(void **state)
{
	struct weft_kernel_desc version = kernel;
	(void)state;

	version.entry = entry_2;
	assert_int_equal(second_half(NULL), 1);
	assert_int_equal(second_half(&version), 2);
	version.spill_per_item = version.scratch_size = 0;
	assert_int_equal(second_half(&version), 2);
	/* Its groups have other numbers: it would run some again, and others never. */
	version.first_dimension = 1;
	assert_int_equal(second_half(&version), 1);
	version.first_dimension = kernel.first_dimension;
	version.second_dimension = 2;
	assert_int_equal(second_half(&version), 1);
}

/* What it needs has to be there: memory was prepared, and local arguments placed, for the first version. */
static void test_needs_other_memory(void **state)
{
	struct weft_kernel_desc version = kernel;
	(void)state;

	version.entry = entry_2;
	version.local_size = 128;
	assert_int_equal(second_half(&version), 1);
	version.local_size = kernel.local_size;
	version.spill_per_item = kernel.spill_per_item + 1;
	assert_int_equal(second_half(&version), 1);
	version.spill_per_item = kernel.spill_per_item;
	version.scratch_size = kernel.scratch_size + 1;
	assert_int_equal(second_half(&version), 1);
}

/* ---- posted calls ---------------------------------------------------------------------------- */

static const uint32_t sizes[] = {4, 8};
static const struct weft_host_function_desc function = {"function", sizes, 2, 8, 16};

/* What a kernel posts. */
static struct {
	uint64_t key, args_size, result_size;
	void *result;
} posted;
static int made;

static void post(const struct weft_ndrange *range, const void *args,
		 struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const uint64_t block[2] = {0};

	(void)range;
	(void)args;
	(void)first;
	(void)end;
	context->await_call(context,
			    context->post_call(context, posted.key, block, posted.args_size,
					       posted.result, posted.result_size));
}

static int32_t make(void *user_data, const void *args, void *result)
{
	(void)user_data;
	(void)args;
	*(uint64_t *)result = 7;
	made++;
	return 0;
}

static bool find_function(struct weft_launch_context *context, uint64_t key,
			  struct weft_host_function *found)
{
	(void)context;
	(void)key;
	*found = (struct weft_host_function){.call = make};
	return true;
}

static void run_posted(bool is_made)
{
	static const struct weft_kernel_desc poster = {
		.name = "poster",
		.entry = post,
		.flags = WEFT_KERNEL_CALLS_HOST,
		.host_functions = &function,
		.num_host_functions = 1,
	};
	struct weft_launch_context context = {.find_function = find_function};
	const struct weft_launch launch = {
		.kernel = &poster,
		.range = {.global_size = {1, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {1, 1, 1},
			  .work_dim = 1},
		.context = &context,
	};
	struct weft_arena arena = {0};

	made = 0;
	assert_int_equal(weft_work_run_alone(&launch, &arena, NULL, 0, NULL),
			 is_made ? WEFT_OK : WEFT_CALL_FAILED);
	assert_int_equal(made, is_made);
	weft_arena_destroy(&arena);
}

/* A call is made of a function that the kernel has, with that one's sizes, and a result that the function may store. */
static void test_posted_calls(void **state)
{
	uint64_t result[2] = {0};
	const uint64_t key = weft_host_function_key(&function);

	(void)state;
	posted.key = key;
	posted.args_size = 16;
	posted.result_size = 8;
	posted.result = result;
	run_posted(true);
	assert_int_equal(result[0], 7);
	posted.result_size = 4;
	run_posted(false);
	posted.result_size = 8;
	posted.args_size = 8;
	run_posted(false);
	posted.args_size = 16;
	posted.result = (char *)result + 4;
	run_posted(false);
	posted.result = result;
	posted.key = key + 1;
	run_posted(false);
}

/* Time is told of by the millisecond, until there is something better: the processor's, from the first look at it on. */
static void test_time(void **state)
{
	struct weft_replacement replacement = {.kernel = NULL, .ran = note};
	const struct weft_launch launch = {.kernel = &kernel, .replacement = &replacement};
	const struct weft_work work = {.launch = &launch};
	const uint64_t now = weft_clock_now();
	struct weft_work_time time = weft_work_time_begin(&work, now);
	(void)state;

	noted = 0;
	assert_int_equal(time.since, now);
	assert_int_equal(time.begin, 0);
	time.since = now - 2000000;
	weft_work_time_note(&work, &time);
	assert_true(time.since >= now);
	assert_int_equal(noted, 0);
	const uint64_t first = time.reported;
	assert_true(first > 0);
	time.since = now - 2000000;
	weft_work_time_note(&work, &time);
	assert_int_equal(noted, time.reported - first);
	atomic_store(&replacement.kernel, &kernel);
	time.since = now - 2000000;
	weft_work_time_note(&work, &time);
	assert_int_equal(time.since, 0);
	weft_work_time_note(&work, &time);
	assert_int_equal(noted, time.reported - first);
}

/* What a launch took is what the thread took that computed for longest. */
static void test_took(void **state)
{
	const uint64_t hour = UINT64_C(3600000000000);
	struct weft_replacement replacement = {.kernel = NULL, .took = note};
	struct weft_launch launch = {.kernel = &kernel, .replacement = &replacement};
	struct weft_work work;
	(void)state;

	noted = 0;
	assert_int_equal(weft_work_start(&work, &launch), WEFT_OK);
	struct weft_work_time time = weft_work_time_begin(&work, 0);
	weft_work_time_end(&work, &time);
	assert_int_equal(weft_work_finish(&work), WEFT_OK);
	assert_int_equal(noted, 0);
	launch.timed = true;
	assert_int_equal(weft_work_start(&work, &launch), WEFT_OK);
	time = weft_work_time_begin(&work, 0);
	weft_work_time_end(&work, &time);
	assert_true(atomic_load(&work.took) > 0 && atomic_load(&work.took) < hour);
	atomic_store(&work.took, hour);
	weft_work_time_end(&work, &time);
	assert_int_equal(weft_work_finish(&work), WEFT_OK);
	assert_true(noted == hour);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_newer_version), cmocka_unit_test(test_needs_other_memory),
		cmocka_unit_test(test_posted_calls),  cmocka_unit_test(test_time),
		cmocka_unit_test(test_took),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
