/* SPDX-License-Identifier: MIT
 *
 * WEFT_TRACE: what fresh processes leave in their traces, however they end. Each line of a trace is an event.
 */
#include "child.h"
#include "fixture.h"
#include "images.h"
#include "latch.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <malloc.h>

static char trace_path[64];

/* ---- what the fresh processes do ------------------------------------------------------------- */

static void CL_CALLBACK nothing(void *argument)
{
	(void)argument;
}

static void write_number(struct fixture *f, cl_mem mem)
{
	const int number = 7;

	assert_int_equal(clEnqueueWriteBuffer(f->queue, mem, CL_TRUE, 0, sizeof(number), &number, 0,
					      NULL, NULL),
			 CL_SUCCESS);
}

static void enqueue_native(struct fixture *f, cl_uint num_waits, const cl_event *waits,
			   cl_event *event)
{
	assert_int_equal(clEnqueueNativeKernel(f->queue, nothing, NULL, 0, 0, NULL, NULL, num_waits,
					       waits, event),
			 CL_SUCCESS);
}

static void build_program(struct fixture *f)
{
	const char *source = "";
	cl_program program = clCreateProgramWithSource(f->context, 1, &source, NULL, NULL);

	assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	clReleaseProgram(program);
}

/* A build, a copy, a chain, and a command that does not begin. */
static int do_everything(struct fixture *f)
{
	cl_mem mem = fixture_buffer(f, 0, sizeof(int), NULL);
	cl_event gate = clCreateUserEvent(f->context, NULL);
	cl_event failed = fixture_failed_event(f);

	build_program(f);
	write_number(f, mem);
	enqueue_native(f, 1, &gate, NULL);
	enqueue_native(f, 0, NULL, NULL);
	clSetUserEventStatus(gate, CL_COMPLETE);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	enqueue_native(f, 1, &failed, NULL);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	clReleaseEvent(gate);
	clReleaseEvent(failed);
	clReleaseMemObject(mem);
	return 0;
}

/* More than a thread's memory for records holds, of a size that a limit on files can stop. */
static int do_much(struct fixture *f)
{
	cl_mem mem = fixture_buffer(f, 0, sizeof(int), NULL);

	for (int i = 0; i < 5000; i++)
		write_number(f, mem);
	clReleaseMemObject(mem);
	return 0;
}

/* Two fills of a buffer, one behind the other, at once. */
static int fill_twice(struct fixture *f)
{
	cl_mem mem = fixture_buffer(f, 0, sizeof(int), NULL);
	const int pattern = 7;

	for (int i = 0; i < 2; i++)
		assert_int_equal(clEnqueueFillBuffer(f->queue, mem, &pattern, sizeof(pattern), 0,
						     sizeof(pattern), 0, NULL, NULL),
				 CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	clReleaseMemObject(mem);
	return 0;
}

/* A kernel with an image as its argument. */
static int launch_on_image(struct fixture *f)
{
	const cl_image_desc desc = IMAGE_2D(4, 3);
	const char *source = "";
	const size_t size = 1;
	cl_mem image = make_image(f->context, 0, &rgba8, &desc, NULL);
	cl_program program = clCreateProgramWithSource(f->context, 1, &source, NULL, NULL);

	assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	cl_kernel kernel = clCreateKernel(program, "picture", NULL);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &image), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseMemObject(image);
	return 0;
}

static struct latch begun = LATCH_INITIALIZER;

static void CL_CALLBACK stay(void *argument)
{
	(void)argument;
	latch_raise(&begun);
	for (;;)
		pause();
}

static void *begin_to_stay(void *data)
{
	struct fixture *f = data;

	clEnqueueNativeKernel(f->queue, stay, NULL, 0, 0, NULL, NULL, 0, NULL, NULL);
	clFinish(f->queue);
	return NULL;
}

/* One command runs, one waits for an event that does not come. */
static int leave_work(struct fixture *f)
{
	static cl_event gate; /* so that it is not lost */
	pthread_t thread;

	gate = clCreateUserEvent(f->context, NULL);
	assert_int_equal(clEnqueueMarkerWithWaitList(f->out_of_order, 1, &gate, NULL), CL_SUCCESS);
	assert_int_equal(pthread_create(&thread, NULL, begin_to_stay, f), 0);
	(void)latch_wait(&begun, 1);
	return 0;
}

static int leave_work_quickly(struct fixture *f)
{
	(void)leave_work(f);
	quick_exit(0);
}

static void *write_once(void *data)
{
	struct fixture *f = data;
	cl_mem mem = fixture_buffer(f, 0, sizeof(int), NULL);

	write_number(f, mem);
	clReleaseMemObject(mem);
	return NULL;
}

static size_t allocated(struct fixture *f, int threads)
{
	for (int i = 0; i < threads; i++) {
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL, write_once, f), 0);
		pthread_join(thread, NULL);
	}
	struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

/* What each of them needs to be traced is more than a kilobyte. */
static int begin_many_threads(struct fixture *f)
{
	size_t before = allocated(f, 10);

	return allocated(f, 400) > before + (size_t)390 * 1024;
}

static bool file_has(const char *text);

/* Killed as soon as the trace has what it did. */
static int be_killed(struct fixture *f)
{
	enqueue_native(f, 0, NULL, NULL);
	clFinish(f->queue);
	while (!file_has("\"native\""))
		sched_yield();
	raise(SIGKILL);
	return 1;
}

/* The child's own end is no end of the trace, and what it does is no part of it. */
static int fork_within(struct fixture *f)
{
	int status = -1;

	write_once(f);
	pid_t child = fork_limited();
	if (child == 0) {
		build_program(f);
		exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	write_once(f);
	return status;
}

static const struct {
	const char *name;
	int (*run)(struct fixture *f);
} roles[] = {
	{"tr\"ace", do_everything},      {"much", do_much},
	{"leave", leave_work},           {"leave quickly", leave_work_quickly},
	{"threads", begin_many_threads}, {"killed", be_killed},
	{"fork", fork_within},           {"accelerator", fill_twice},
	{"image", launch_on_image},
};

/* ---- running them ---------------------------------------------------------------------------- */

static char errors_path[64];

/* How it ended. */
static int run(const char *role)
{
	int status = -1;
	pid_t child = fork_limited();

	if (child == 0) {
		int errors = open(errors_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		dup2(errors, STDERR_FILENO);
		execl("/proc/self/exe", role, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static int play(const char *role)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		void *state;

		if (strcmp(roles[i].name, role) != 0)
			continue;
		strcpy(trace_path, getenv("WEFT_TRACE"));
		pthread_setname_np(pthread_self(), "\"\\\n\xC3\xA4\xFF\xE2\x82"); /* hardly text */
		fixture_set_up(&state);
		return roles[i].run(state);
	}
	return -1;
}

static char text[8 << 20];

static const char *contents(const char *path)
{
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

static unsigned count(const char *haystack, const char *needle)
{
	unsigned found = 0;

	for (; (haystack = strstr(haystack, needle)); haystack++)
		found++;
	return found;
}

static bool file_has(const char *needle)
{
	return strstr(contents(trace_path), needle) != NULL;
}

/* A line with both. */
static bool has_event(const char *one, const char *other)
{
	static char copy[sizeof(text)];

	strcpy(copy, contents(trace_path));
	for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
		if (strstr(line, one) && strstr(line, other))
			return true;
	}
	return false;
}

/* As strict readers of JSON ask for. `end` is what the file lacks, if anything. */
static void check_json(const char *end)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "(cat %s; echo '%s') | python3 -c 'import json, sys; "
		 "json.loads(sys.stdin.buffer.read().decode())'",
		 trace_path, end);
	assert_int_equal(system(command), 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static int set_up(void **state)
{
	(void)state;
	snprintf(trace_path, sizeof(trace_path), "/tmp/weft-trace-%d.json", getpid());
	snprintf(errors_path, sizeof(errors_path), "/tmp/weft-trace-%d.txt", getpid());
	setenv("WEFT_TRACE", trace_path, 1);
	setenv("WEFT_LOG", "warn", 1);
	setenv("WEFT_COMPILER", FAKE_COMPILER, 1);
	setenv("WEFT_CACHE", "0", 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(trace_path);
	unlink(errors_path);
	return 0;
}

static void has_all_that_happened(void **state)
{
	(void)state;
	assert_int_equal(run("tr\"ace"), 0);
	check_json("");
	assert_true(has_event("process_name", "\"tr\\\"ace\""));
	assert_true(has_event("thread_name", "\"\\\"\\\\?\xC3\xA4???\""));
	assert_true(has_event("process_name", "queue 1, in order"));
	assert_true(has_event("process_name", "queue 2, out of order"));
	assert_true(has_event("\"B\"", "build program"));
	assert_true(has_event("\"B\"", "copy"));
	assert_true(has_event("\"b\"", "native"));
	contents(trace_path);
	assert_int_equal(count(text, "{\"ph\":\"B\""), count(text, "{\"ph\":\"E\""));
	assert_int_equal(count(text, "{\"ph\":\"b\""), count(text, "{\"ph\":\"e\""));
	/* one native function follows from the other */
	assert_int_equal(count(text, "{\"ph\":\"s\""), 1);
	assert_int_equal(count(text, "{\"ph\":\"f\""), 1);
}

static void has_rows_of_simulated_time(void **state)
{
	(void)state;
	setenv("WEFT_DEVICES", "accel", 1);
	setenv("WEFT_ACCEL", "clock=1000,channels=3", 1);
	assert_int_equal(run("accelerator"), 0);
	unsetenv("WEFT_DEVICES");
	unsetenv("WEFT_ACCEL");
	check_json("");
	assert_true(has_event("process_name", "accel 0, simulated time"));
	assert_true(has_event("thread_name", "\"cluster 3\""));
	assert_true(has_event("thread_name", "\"channel 2\""));
	assert_true(has_event("\"X\"", "\"fill\""));
	contents(trace_path);
	assert_int_equal(count(text, "\"dur\":0.301,"), 2);
	assert_int_equal(count(text, "\"cat\":\"follows\""), 2); /* the ends of an arrow */
}

static void counts_images(void **state)
{
	(void)state;
	assert_int_equal(run("image"), 0);
	check_json("");
	assert_true(has_event("\"B\"", "\"name\":\"picture\""));
	assert_true(has_event("\"name\":\"picture\"", ",\"images\":1}}"));
	assert_int_equal(count(contents(trace_path), "\"images\""), 1);
}

static void says_once_that_the_disk_is_full(void **state)
{
	(void)state;
	setenv("WEFT_TRACE", "/dev/full", 1);
	assert_int_equal(run("much"), 0);
	assert_int_equal(count(contents(errors_path), "trace"), 1);
	assert_int_equal(count(text, "No space left"), 1);
}

static void has_what_still_runs_and_waits(void **state)
{
	const char *const ends[] = {"leave", "leave quickly"};

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(run(ends[i]), 0);
		check_json("");
		assert_true(has_event("\"B\"", "native"));
		contents(trace_path);
		assert_int_equal(count(text, "\"ph\":\"b\""), 3); /* two wait, one runs */
		assert_int_equal(count(text, "\"ph\":\"e\""), 1);
	}
}

static void keeps_nothing_of_threads_that_ended(void **state)
{
	(void)state;
	assert_int_equal(run("threads"), 0);
	check_json("");
}

static void is_of_use_when_the_process_is_killed(void **state)
{
	(void)state;
	int status = run("killed");
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	check_json("]");
}

/* ThreadSanitizer supports no threads in the child of a process with threads. */
static void is_not_the_child_s(void **state)
{
	(void)state;
#if defined(__SANITIZE_THREAD__)
	skip();
#endif
	assert_int_equal(run("fork"), 0);
	check_json("");
	assert_false(file_has("build program"));
	contents(trace_path);
	assert_int_equal(count(text, "{\"ph\":\"B\""), 2);
}

static void go_to(const char *path)
{
	setenv("WEFT_TRACE", path, 1);
	assert_int_equal(run("tr\"ace"), 0);
}

/* Through a link of another user's nothing is written; links of one's own, and /dev/stdout's kind, serve. */
static void follows_no_foreign_link(void **state)
{
	char link[96], command[256];
	(void)state;

	snprintf(link, sizeof(link), "%s.link", trace_path);
	unlink(link);
	assert_int_equal(symlink(trace_path, link), 0);
	go_to(link);
	check_json("");
	if (geteuid() == 0) { /* other users cannot make a link for another one */
		snprintf(command, sizeof(command), "echo precious >%s", trace_path);
		assert_int_equal(system(command), 0);
		assert_int_equal(lchown(link, 12345, 12345), 0);
		go_to(link);
		assert_string_equal(contents(trace_path), "precious\n");
		assert_int_equal(count(contents(errors_path), "another user"), 1);
		/* not into a file of another's either */
		assert_int_equal(chown(trace_path, 12345, 12345), 0);
		go_to(trace_path);
		assert_string_equal(contents(trace_path), "precious\n");
		assert_int_equal(chown(trace_path, 0, 0), 0);
	}
	unlink(link);
	int file = open(trace_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	snprintf(link, sizeof(link), "/dev/fd/%d", file);
	go_to(link);
	check_json("");
	close(file);
}

/* A pipe that is read gets it all; one without a reader holds up nothing. */
static void goes_into_a_pipe(void **state)
{
	char pipe_path[96], command[256];
	(void)state;

	snprintf(pipe_path, sizeof(pipe_path), "%s.pipe", trace_path);
	unlink(pipe_path);
	assert_int_equal(mkfifo(pipe_path, 0600), 0);
	go_to(pipe_path);
	assert_int_equal(count(contents(errors_path), "cannot write the trace"), 1);
	pid_t reader = fork_limited();
	if (reader == 0) {
		snprintf(command, sizeof(command), "cat %s >%s", pipe_path, trace_path);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	int writer = open(pipe_path, O_WRONLY); /* until there is a reader */
	assert_true(writer >= 0);
	go_to(pipe_path);
	close(writer);
	int status;
	assert_int_equal(waitpid(reader, &status, 0), reader);
	assert_int_equal(status, 0);
	check_json("");
	unlink(pipe_path);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(has_all_that_happened, set_up, tear_down),
		cmocka_unit_test_setup_teardown(has_rows_of_simulated_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(counts_images, set_up, tear_down),
		cmocka_unit_test_setup_teardown(says_once_that_the_disk_is_full, set_up, tear_down),
		cmocka_unit_test_setup_teardown(has_what_still_runs_and_waits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(keeps_nothing_of_threads_that_ended, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(is_of_use_when_the_process_is_killed, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(is_not_the_child_s, set_up, tear_down),
		cmocka_unit_test_setup_teardown(follows_no_foreign_link, set_up, tear_down),
		cmocka_unit_test_setup_teardown(goes_into_a_pipe, set_up, tear_down),
	};
	int status = argc > 0 ? play(argv[0]) : -1;

	return status >= 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}
