/* SPDX-License-Identifier: MIT
 *
 * How children end: those that do as they are asked, and those that hang, crash, and leave processes behind.
 */
#include "child.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE 600 /* seconds, which no test waits for */

static struct weft_strbuf said;

static int clean(void **state)
{
	(void)state;
	weft_strbuf_destroy(&said);
	return 0;
}

static int speak(const void *data)
{
	fputs(data, stdout);
	fputs("!", stderr);
	return 3;
}

static void status_and_words(void **state)
{
	char ending[WEFT_CHILD_ENDING];

	(void)state;
	assert_int_equal(weft_child_run(speak, "words", PATIENCE, &said), 3);
	assert_string_equal(said.data, "!words");
	weft_child_ending(3, ending);
	assert_non_null(strstr(ending, "status 3"));
	weft_child_ending(WEFT_CHILD_NOT_STARTED, ending);
	assert_non_null(strstr(ending, "started"));
}

static int speak_at_length(const void *data)
{
	for (int i = 0; i < 100000; i++)
		fputs(data, stdout);
	return 0;
}

static void more_than_a_pipe_holds(void **state)
{
	(void)state;
	assert_int_equal(weft_child_run(speak_at_length, "words", PATIENCE, &said), 0);
	assert_int_equal(said.size, 500000);
}

static int be_killed(const void *data)
{
	(void)data;
	raise(SIGKILL);
	return 0;
}

static void signal_ends_it(void **state)
{
	char ending[WEFT_CHILD_ENDING];

	(void)state;
	const int status = weft_child_run(be_killed, NULL, PATIENCE, &said);
	assert_int_equal(status, WEFT_CHILD_SIGNAL + SIGKILL);
	weft_child_ending(status, ending);
	assert_non_null(strstr(ending, "signal 9"));
}

/* exit(-1), for example. */
static int fail_with_highest_status(const void *data)
{
	(void)data;
	return -1;
}

static void highest_status_is_no_signal(void **state)
{
	char ending[WEFT_CHILD_ENDING];

	(void)state;
	const int status = weft_child_run(fail_with_highest_status, NULL, PATIENCE, &said);
	assert_int_equal(status, 255);
	weft_child_ending(status, ending);
	assert_non_null(strstr(ending, "status 255"));
}

static int hang(const void *data)
{
	(void)data;
	while (pause() < 0)
		;
	return 0;
}

/* Out of reach of its group's signals, too. */
static int close_all_and_hang(const void *data)
{
	setpgid(0, getpgid(getppid()));
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	return hang(data);
}

static int stop(const void *data)
{
	raise(SIGSTOP);
	return hang(data);
}

/* The time of two is over before they begin; that of the other one, whose output ends before it does, is a second. */
static void late(void **state)
{
	char ending[WEFT_CHILD_ENDING];

	(void)state;
	assert_int_equal(weft_child_run(hang, NULL, 0, &said), WEFT_CHILD_LATE);
	assert_int_equal(weft_child_run(close_all_and_hang, NULL, 1, &said), WEFT_CHILD_LATE);
	assert_int_equal(weft_child_run(stop, NULL, 0, &said), WEFT_CHILD_LATE);
	weft_child_ending(WEFT_CHILD_LATE, ending);
	assert_non_null(strstr(ending, "does not end"));
}

/* Leaves a process that holds all that it has open, and speaks while that one lives. */
static int leave_process(const void *data)
{
	if (fork() == 0)
		hang(NULL);
	return speak(data);
}

/* The end of the child counts, and the other process is killed: none is left that could write to the test's pipe. */
static void process_left_behind(void **state)
{
	int ends[2];
	char byte;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(weft_child_run(leave_process, "words", PATIENCE, &said), 3);
	assert_string_equal(said.data, "!words");
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

static int read_input(const void *data)
{
	(void)data;
	return getchar() == EOF ? 0 : 1;
}

static void input_is_empty(void **state)
{
	(void)state;
	assert_int_equal(weft_child_run(read_input, NULL, PATIENCE, &said), 0);
}

static int hidden_words(const void *data)
{
	FILE *words = weft_child_words();

	if (!words)
		return 1;
	puts("a driver's");
	fputs(data, words);
	return 0;
}

static void words_of_drivers_are_hidden(void **state)
{
	(void)state;
	assert_int_equal(weft_child_run(hidden_words, "own", PATIENCE, &said), 0);
	assert_string_equal(said.data, "own");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(status_and_words, clean),
		cmocka_unit_test_teardown(more_than_a_pipe_holds, clean),
		cmocka_unit_test_teardown(signal_ends_it, clean),
		cmocka_unit_test_teardown(highest_status_is_no_signal, clean),
		cmocka_unit_test_teardown(late, clean),
		cmocka_unit_test_teardown(process_left_behind, clean),
		cmocka_unit_test_teardown(input_is_empty, clean),
		cmocka_unit_test_teardown(words_of_drivers_are_hidden, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
