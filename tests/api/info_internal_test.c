/* SPDX-License-Identifier: MIT
 *
 * The tables behind the queries: each kind of row, sizes, and that a failed query writes nothing.
 */
#include "alloc.h"
#include "info/info.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct thing {
	cl_uint number;
	const char *text;
	const char *no_text;
};

static cl_int get_owned(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	answer->owned = weft_strdup("owned");
	return weft_info_answer_string(answer, answer->owned);
}

static cl_int get_failure(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	answer->owned = weft_strdup("owned");
	return CL_OUT_OF_HOST_MEMORY;
}

static const cl_uint numbers[] = {4, 5, 6};

static const struct weft_info_row rows[] = {
	WEFT_INFO_FIELD(1, struct thing, number),
	WEFT_INFO_STRING(2, struct thing, text),
	WEFT_INFO_STRING(3, struct thing, no_text),
	WEFT_INFO_VALUE(4, cl_ulong, 77),
	WEFT_INFO_ARRAY(5, numbers),
	WEFT_INFO_NONE(6),
	WEFT_INFO_GETTER(7, get_owned),
	WEFT_INFO_GETTER(8, get_failure),
};
static const struct weft_info_table table = WEFT_INFO_TABLE(rows);
static const struct thing thing = {9, "text", NULL};

static void check(cl_uint param, const void *expected, size_t expected_size)
{
	char value[64];
	size_t size = 99;

	memset(value, 0x55, sizeof(value));
	assert_int_equal(weft_info_query(&table, &thing, param, sizeof(value), value, &size),
			 CL_SUCCESS);
	assert_int_equal(size, expected_size);
	if (expected_size)
		assert_memory_equal(value, expected, expected_size);
	assert_int_equal(value[expected_size], 0x55);
	assert_int_equal(weft_info_query(&table, &thing, param, 0, NULL, &size), CL_SUCCESS);
	assert_int_equal(size, expected_size);
	assert_int_equal(weft_info_query(&table, &thing, param, expected_size, value, NULL),
			 CL_SUCCESS);
	if (!expected_size)
		return;
	size = 99;
	memset(value, 0x55, sizeof(value));
	assert_int_equal(weft_info_query(&table, &thing, param, expected_size - 1, value, &size),
			 CL_INVALID_VALUE);
	assert_int_equal(size, 99);
	assert_int_equal(value[0], 0x55);
}

static void every_kind_of_row(void **state)
{
	const cl_ulong value = 77;

	(void)state;
	check(1, &thing.number, sizeof(cl_uint));
	check(2, "text", 5);
	check(3, "", 1);
	check(4, &value, sizeof(value));
	check(5, numbers, sizeof(numbers));
	check(6, NULL, 0);
	check(7, "owned", 6);
}

static void failures_write_nothing(void **state)
{
	size_t size = 99;

	(void)state;
	assert_int_equal(weft_info_query(&table, &thing, 8, 0, NULL, &size), CL_OUT_OF_HOST_MEMORY);
	assert_int_equal(weft_info_query(&table, &thing, 1000, 0, NULL, &size), CL_INVALID_VALUE);
	assert_int_equal(size, 99);
	assert_false(weft_info_has(&table, 1000));
	assert_true(weft_info_has(&table, 8));
}

static void answers_of_getters(void **state)
{
	struct weft_info_answer answer = {0};

	(void)state;
	assert_int_equal(weft_info_answer_u32(&answer, 5), CL_SUCCESS);
	assert_int_equal(*(const cl_uint *)answer.data, 5);
	assert_int_equal(answer.size, sizeof(cl_uint));
	assert_int_equal(weft_info_answer_u64(&answer, 6), CL_SUCCESS);
	assert_int_equal(answer.size, sizeof(cl_ulong));
	assert_int_equal(weft_info_answer_size(&answer, 7), CL_SUCCESS);
	assert_int_equal(answer.size, sizeof(size_t));
	assert_int_equal(weft_info_answer_pointer(&answer, &thing), CL_SUCCESS);
	assert_ptr_equal(*(const void *const *)answer.data, &thing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_row),
		cmocka_unit_test(failures_write_nothing),
		cmocka_unit_test(answers_of_getters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
