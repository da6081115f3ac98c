/* SPDX-License-Identifier: MIT
 *
 * What kernels print: complete, in the order of the groups, and written before the command ends.
 */
#include "suite.h"

#include "captured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_lines(const char *text, uint64_t groups, uint64_t lines)
{
	for (uint64_t group = 0; group < groups; group++) {
		for (uint64_t line = 0; line < lines; line++) {
			char *end;
			assert_int_equal(strtoull(text, &end, 10), group);
			assert_int_equal(strtoull(end, &end, 10), line);
			assert_int_equal(*end, '\n');
			text = end + 1;
		}
	}
	assert_int_equal(*text, '\0');
}

static void print_in_order(void **state)
{
	static const uint64_t sizes[][2] = {{1, 1}, {1, 1000}, {1000, 3}, {200000, 1}};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		_Atomic uint64_t failures = 0;
		struct print_args args = {sizes[i][1], &failures};
		const struct capture output = capture_begin(STDOUT_FILENO);
		enum weft_status status =
			node_run(new_simple_launch(KERNEL_PRINT, &args, sizes[i][0]));
		char *text = capture_end(&output);
		assert_int_equal(status, WEFT_OK);
		assert_int_equal(atomic_load(&failures), 0);
		check_lines(text, sizes[i][0], sizes[i][1]);
		free(text);
	}
}

/* The output of ordered commands is in that order, and none is mixed into another's. */
static void print_of_a_chain(void **state)
{
	enum { LENGTH = 20 };
	struct node *nodes[LENGTH];
	_Atomic uint64_t failures = 0;
	struct print_args args = {2, &failures};
	char *expected = NULL;
	size_t size = 0;

	(void)state;
	const struct capture output = capture_begin(STDOUT_FILENO);
	for (int i = 0; i < LENGTH; i++) {
		nodes[i] = new_simple_launch(KERNEL_PRINT, &args, 3);
		if (i > 0)
			node_depend(nodes[i], nodes[i - 1]);
		node_submit(nodes[i]);
	}
	enum weft_status status = node_wait(nodes[LENGTH - 1]);
	char *text = capture_end(&output);
	assert_int_equal(status, WEFT_OK);
	FILE *stream = open_memstream(&expected, &size);
	for (int i = 0; i < LENGTH; i++) {
		fputs("0 0\n0 1\n1 0\n1 1\n2 0\n2 1\n", stream);
		node_free(nodes[i]);
	}
	fclose(stream);
	assert_string_equal(text, expected);
	free(text);
	free(expected);
}

int run_print_tests(void)
{
	const struct CMUnitTest tests[] = {
		SUITE_TEST(print_in_order),
		SUITE_TEST(print_of_a_chain),
	};

	return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
