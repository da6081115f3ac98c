/* SPDX-License-Identifier: MIT
 *
 * Each call of OpenCL that can fail does so, one after the other: an error is told, kernels that do not need the one that failed run
 * all the same, and a schedule ends without a leak.
 */
#include <weft/schedule.h>

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT 4096

static char folder[] = "/tmp/weft-faults-XXXXXX";
static char spec_path[64];
static char source_path[64];

static bool write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

/* Two chains that know nothing of each other. The compiler does not know where the kernel writes. */
static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return 1;
	snprintf(spec_path, sizeof(spec_path), "%s/s.json", folder);
	snprintf(source_path, sizeof(source_path), "%s/k.cl", folder);
#define FROM(id) ", \"from\": {\"kernel\": \"" id "\", \"pos\": 1}"
#define KERNEL(id, from)                                                                           \
	"{\"id\": \"" id "\", \"name\": \"k\", \"src\": \"k.cl\", \"globalWorkSize\": 4096,"       \
	"\"inputBuffers\": [{\"pos\": 0, \"type\": \"int\", \"size\": 4096, \"fill\": "            \
	"\"index\"" from "}],"                                                                     \
	"\"outputBuffers\": [{\"pos\": 1, \"type\": \"int\", \"size\": 4096}]}"
#define LARGE_KERNEL                                                                               \
	"{\"id\": \"c\", \"name\": \"large\", \"src\": \"k.cl\", \"globalWorkSize\": 4096,"        \
	"\"inputBuffers\": [{\"pos\": 0, \"type\": \"int\", \"size\": 4096, \"fill\": "            \
	"\"index\"}],"                                                                             \
	"\"outputBuffers\": [{\"pos\": 1, \"type\": \"int\", \"size\": 4096}],"                    \
	"\"localArguments\": [{\"pos\": 2, \"type\": \"int\", \"size\": 1000000000}]}"
#define BAD_SPEC                                                                                   \
	"[" KERNEL("a", "") "," KERNEL("b", FROM("a")) "," LARGE_KERNEL                            \
						       "," KERNEL("d", FROM("c")) "]"
	return !write_text(source_path,
			   "kernel void k(global const int *a, global int *b)\n"
			   "{ const int i = get_global_id(0) ^ 1; b[i] = 3 * a[i] + 1; }\n"
			   "kernel void large(global const int *a, global int *b, local int *l)\n"
			   "{ const int i = get_global_id(0); l[i] = a[i]; b[i] = l[i]; }\n") ||
	       !write_text(spec_path, "[" KERNEL("a", "") "," KERNEL("b", FROM("a")) "," KERNEL(
					      "c", "") "," KERNEL("d", FROM("c")) "]");
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(spec_path);
	unlink(source_path);
	return rmdir(folder);
}

/* The loader in which a call fails: failing_opencl.c has what these are. */
struct failing {
	void *library;
	const char **call;
	_Atomic int *after;
	_Atomic int *stays;
	_Atomic int *gpus;
	_Atomic int *events;
};

static struct failing open_failing(void)
{
	void *library = dlopen(FAILING_OPENCL, RTLD_NOW);

	assert_non_null(library);
	const struct failing failing = {
		.library = library,
		.call = (const char **)dlsym(library, "weft_failing_call"),
		.after = (_Atomic int *)dlsym(library, "weft_failing_after"),
		.stays = (_Atomic int *)dlsym(library, "weft_failing_stays"),
		.gpus = (_Atomic int *)dlsym(library, "weft_failing_gpus"),
		.events = (_Atomic int *)dlsym(library, "weft_failing_events"),
	};
	assert_true(failing.call && failing.after && failing.stays && failing.gpus &&
		    failing.events);
	return failing;
}

/* No call fails any more. */
static void mend(const struct failing *failing)
{
	*failing->call = "";
	atomic_store(failing->stays, 0);
	atomic_store(failing->gpus, 0);
}

static void close_failing(const struct failing *failing)
{
	mend(failing);
	assert_int_equal(atomic_load(failing->events), 0);
	dlclose(failing->library);
}

/* Splits each kernel in two, for both devices: results have to be merged. */
static bool decide_halves(const struct weft_schedule_view *view,
			  struct weft_schedule_decision *decision)
{
	for (size_t t = 0; t < view->num_tasks; t++) {
		const size_t slabs = view->tasks[t].slabs;

		if (!view->tasks[t].is_ready || view->tasks[t].unclaimed < slabs)
			continue;
		*decision = (struct weft_schedule_decision){
			.num_parts = 2, .parts = {{t, 0, slabs / 2}, {t, 1, slabs - slabs / 2}}};
		return true;
	}
	return false;
}

static const struct weft_schedule_strategy halves = {.name = "halves", .decide = decide_halves};

static bool is_right(weft_schedule *schedule, const char *label, int first)
{
	size_t bytes = 0;
	const int *numbers = (const int *)weft_schedule_buffer(schedule, label, 1, &bytes);
	const int factor = first == 4 ? 9 : 3;

	for (size_t i = 0; numbers && i < COUNT; i++)
		assert_int_equal(numbers[i], factor * (int)i + first);
	return numbers != NULL;
}

/* Returns whether the run succeeded. */
static bool run_file(const struct weft_schedule_strategy *strategy, const char *path, size_t *ended)
{
	const struct weft_schedule_options options = {
		.devices = "weft", .own_strategy = strategy, .opencl_library = FAILING_OPENCL};
	weft_schedule *schedule = weft_schedule_create(&options);

	assert_non_null(schedule);
	const bool done = weft_schedule_read(schedule, path) && weft_schedule_run(schedule);
	assert_int_equal(done, weft_schedule_error(schedule)[0] == 0);
	*ended = (size_t)is_right(schedule, "a", 1) + is_right(schedule, "b", 4) +
		 is_right(schedule, "c", 1) + is_right(schedule, "d", 4);
	weft_schedule_destroy(schedule);
	return done;
}

static bool run(size_t *ended)
{
	return run_file(&halves, spec_path, ended);
}

static void test_each_call_fails(void **state)
{
	static const struct {
		const char *name;
		bool runs; /* kernels run before it is called */
	} calls[] = {
		{"clCreateContext", false},       {"clCreateCommandQueue", false},
		{"clBuildProgram", false},        {"clCreateBuffer", true},
		{"clSetKernelArg", true},         {"clSetKernelArgSVMPointer", true},
		{"clEnqueueMapBuffer", true},     {"clEnqueueWriteBuffer", true},
		{"clEnqueueNDRangeKernel", true}, {"clWaitForEvents", true},
		{"clEnqueueReadBuffer", true},    {"clFlush", true},
	};
	const struct failing failing = open_failing();
	size_t ended = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		int failed = 0;

		*failing.call = calls[i].name;
		/* A result that cannot be read is asked for again at the end. */
		atomic_store(failing.stays, strcmp(*failing.call, "clEnqueueReadBuffer") == 0);
		for (int n = 0; n < 8; n++) {
			atomic_store(failing.after, n);
			const bool done = run(&ended);
			/* All calls before the one that fails succeed; none fails if there are not so many. */
			assert_int_equal(done, atomic_load(failing.after) >= 0);
			if (done)
				break;
			failed++;
			assert_true(ended < 4 &&
				    (!calls[i].runs || ended >= 2 ||
				     strcmp(calls[i].name, "clEnqueueReadBuffer") == 0));
		}
		assert_true(failed > 0);
	}
	mend(&failing);
	assert_true(run(&ended));
	assert_int_equal(ended, 4);
	close_failing(&failing);
}

/* Host memory that a GPU's driver allocates; if it does not, other memory serves. */
static void test_memory_of_a_gpu(void **state)
{
	const struct failing failing = open_failing();
	size_t ended = 0;

	(void)state;
	atomic_store(failing.gpus, 1);
	for (int first = 0; first < 3; first++) {
		*failing.call = first == 0   ? ""
				: first == 1 ? "clCreateBuffer"
					     : "clEnqueueMapBuffer";
		atomic_store(failing.after, first);
		assert_true(run(&ended));
		assert_int_equal(ended, 4);
		assert_true(first == 0 || atomic_load(failing.after) < 0);
	}
	close_failing(&failing);
}

/* With each strategy of the library: a launch fails once; all launches fail; a buffer cannot be had; a kernel wants more local memory than
 * there is. The chain that needs nothing of it runs to its end. */
static void test_each_strategy(void **state)
{
	static const struct {
		const char *call;
		int stays;
		bool is_bad_kernel;
		size_t least; /* kernels that end */
		size_t most;
	} faults[] = {
		{"clEnqueueNDRangeKernel", 0, false, 2, 3},
		{"clEnqueueNDRangeKernel", 1, false, 0, 0},
		{"clCreateBuffer", 0, false, 2, 3},
		{"", 0, true, 2, 2},
	};
	const struct weft_schedule_strategy *const *strategy = weft_schedule_strategies();
	const struct failing failing = open_failing();
	char bad_path[96];
	size_t ended = 0;

	(void)state;
	snprintf(bad_path, sizeof(bad_path), "%s/bad.json", folder);
	assert_true(write_text(bad_path, BAD_SPEC));
	for (; *strategy; strategy++) {
		for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
			*failing.call = faults[i].call;
			atomic_store(failing.after, 0);
			atomic_store(failing.stays, faults[i].stays);
			const bool done = run_file(
				*strategy, faults[i].is_bad_kernel ? bad_path : spec_path, &ended);
			/* A CPU alone needs no buffers. */
			const bool failed =
				faults[i].is_bad_kernel || atomic_load(failing.after) < 0;
			assert_int_equal(done, !failed);
			if (ended < faults[i].least || ended > (failed ? faults[i].most : 4))
				fail_msg("%s, fault %zu: %zu kernels have ended", (*strategy)->name,
					 i, ended);
		}
	}
	unlink(bad_path);
	close_failing(&failing);
}

/* Each chain on both accelerators, which have memories of their own. */
static bool decide_apart(const struct weft_schedule_view *view,
			 struct weft_schedule_decision *decision)
{
	for (size_t t = 0; t < view->num_tasks; t++) {
		if (!view->tasks[t].is_ready || view->tasks[t].unclaimed == 0)
			continue;
		*decision = (struct weft_schedule_decision){
			.num_parts = 1,
			.parts = {{t, view->num_devices - 1 - t % 2, view->tasks[t].unclaimed}}};
		return true;
	}
	return false;
}

/* A copy from one accelerator's memory to the other's fails: with it the kernel that needs it, and no other one. */
static void test_copies_between_devices(void **state)
{
	static const struct weft_schedule_strategy apart = {.name = "apart",
							    .decide = decide_apart};
	const struct failing failing = open_failing();
	size_t ended = 0;

	(void)state;
	*failing.call = "clEnqueueCopyBuffer";
	for (int n = 0; n < 3; n++) {
		atomic_store(failing.after, n);
		assert_int_equal(run_file(&apart, spec_path, &ended), n == 2);
		assert_int_equal(ended, n == 2 ? 4 : 3);
	}
	assert_int_equal(atomic_load(failing.after), 0);
	close_failing(&failing);
}

/* Each kernel as a whole, on the last accelerator. */
static bool decide_last(const struct weft_schedule_view *view,
			struct weft_schedule_decision *decision)
{
	for (size_t t = 0; t < view->num_tasks; t++) {
		if (!view->tasks[t].is_ready || view->tasks[t].unclaimed == 0)
			continue;
		*decision = (struct weft_schedule_decision){
			.num_parts = 1,
			.parts = {{t, view->num_devices - 1, view->tasks[t].unclaimed}}};
		return true;
	}
	return false;
}

static const struct weft_schedule_strategy last = {.name = "last", .decide = decide_last};

/* A result that cannot be read is none; the others are there. A run that does not begin has none. */
static void test_results_after_failures(void **state)
{
	const struct weft_schedule_options options = {
		.devices = "weft", .own_strategy = &last, .opencl_library = FAILING_OPENCL};
	const struct failing failing = open_failing();
	size_t bytes = 0;

	(void)state;
	*failing.call = "clEnqueueReadBuffer";
	atomic_store(failing.stays, 1);
	for (int n = 0; n < 4; n++) {
		weft_schedule *schedule = weft_schedule_create(&options);

		atomic_store(failing.after, n);
		assert_true(weft_schedule_read(schedule, spec_path));
		assert_false(weft_schedule_run(schedule));
		assert_int_equal(is_right(schedule, "a", 1) + is_right(schedule, "b", 4) +
					 is_right(schedule, "c", 1) + is_right(schedule, "d", 4),
				 n);
		weft_schedule_destroy(schedule);
	}
	close_failing(&failing);

	assert_true(write_text(spec_path,
			       "{\"name\": \"k\", \"src\": \"k.cl\", \"globalWorkSize\": 1,"
			       "\"inputBuffers\": [{\"pos\": 0, \"type\": \"int\", "
			       "\"size\": 1, \"file\": \"none\"}],"
			       "\"outputBuffers\": [{\"pos\": 1, \"type\": \"int\", "
			       "\"size\": 1}]}"));
	weft_schedule *schedule = weft_schedule_create(&options);
	assert_true(weft_schedule_read(schedule, spec_path));
	assert_false(weft_schedule_run(schedule));
	assert_null(weft_schedule_buffer(schedule, "1", 1, &bytes));
	weft_schedule_destroy(schedule);
}

/* A schedule runs twice, with the same results; one without files, or with a wrong name, says so. */
static void test_runs_again(void **state)
{
	const struct weft_schedule_options options = {.devices = "weft"};
	struct weft_schedule_options wrong = options;
	weft_schedule *schedule = weft_schedule_create(&options);

	(void)state;
	assert_true(weft_schedule_read(schedule, spec_path));
	for (unsigned i = 0; i < 2; i++) {
		if (!weft_schedule_run(schedule) || !weft_schedule_verify(schedule))
			fail_msg("%s", weft_schedule_error(schedule));
		assert_true(is_right(schedule, "d", 4));
	}
	assert_false(weft_schedule_read(schedule, spec_path));
	weft_schedule_destroy(schedule);

	wrong.strategy = "none";
	schedule = weft_schedule_create(&wrong);
	assert_false(weft_schedule_run(schedule));
	assert_string_equal(weft_schedule_error(schedule), "there is no strategy 'none'");
	weft_schedule_destroy(schedule);
	schedule = weft_schedule_create(&options);
	assert_false(weft_schedule_verify(schedule));
	weft_schedule_destroy(schedule);
	schedule = weft_schedule_create(NULL);
	assert_false(weft_schedule_run(schedule));
	assert_string_equal(weft_schedule_error(schedule), "there is no kernel to run");
	weft_schedule_destroy(schedule);
}

/* Options of an older header, with others' bytes behind them, and of a newer one; a summary of an older header. */
static void test_other_headers(void **state)
{
	struct {
		struct weft_schedule_options options;
		void *later;
	} given = {.options = {.devices = "weft"}};
	struct weft_schedule_summary summary;
	const size_t older = offsetof(struct weft_schedule_options, progress);

	(void)state;
	memset(&given.options.progress, 0x5a, sizeof(given) - older);
	weft_schedule *schedule = weft_schedule_create_sized(&given.options, older);
	assert_true(weft_schedule_read(schedule, spec_path));
	assert_true(weft_schedule_run(schedule));
	memset(&summary, 0x5a, sizeof(summary));
	weft_schedule_summarise_sized(schedule, &summary, sizeof(summary.kernels));
	assert_int_equal(summary.kernels, 4);
	assert_int_equal(summary.parts, 0x5a5a5a5a5a5a5a5a);
	weft_schedule_destroy(schedule);

	given.options.progress = NULL;
	given.options.progress_data = NULL;
	given.options.warn = NULL;
	given.options.warn_data = NULL;
	for (size_t unknown = 0; unknown < 2; unknown++) {
		given.later = unknown ? &given : NULL;
		schedule = weft_schedule_create_sized(&given.options, sizeof(given));
		assert_int_equal(weft_schedule_read(schedule, spec_path), !unknown);
		assert_int_equal(!!strstr(weft_schedule_error(schedule), "too old"), unknown);
		weft_schedule_destroy(schedule);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_call_fails),
					   cmocka_unit_test(test_memory_of_a_gpu),
					   cmocka_unit_test(test_each_strategy),
					   cmocka_unit_test(test_copies_between_devices),
					   cmocka_unit_test(test_runs_again),
					   cmocka_unit_test(test_other_headers),
					   cmocka_unit_test(test_results_after_failures)};

	/* before the driver is loaded */
	setenv("WEFT_ACCEL", "clusters=2;clusters=2", 1);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
