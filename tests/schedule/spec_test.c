/* SPDX-License-Identifier: MIT
 *
 * Specifications: expressions, and what is said of files that are wrong.
 */
#include "spec/arithmetic.h"
#include "spec/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- expressions --------------------------------------------------------------------------------- */

static void test_values(void **state)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{"dataset", 10},
		{"dataset**2", 100},
		{" 2 * ( 3+4 ) ", 14},
		{"7/2", 3},
		{"-7/2", -4},
		{"7.0/2", 3.5},
		{"7//2.0", 3},
		{"-7%3", 2},
		{"7%-3", -2},
		{"(0-9223372036854775807-1)%3", 1},
		{"-2**2", -4},
		{"2**3**2", 512},
		{"2**-1", 0.5},
		{"1e-8", 1e-8},
		{"1-1-1", -1},
		{"32 *  32", 1024},
		{"--1", 1},
		{"max(1,dataset,3)", 10},
		{"min(2.5, 3)", 2.5},
		{"int(2.9)", 2},
		{"abs(-3)", 3},
		{"float(3)/2", 1.5},
		{"9223372036854775807", 0x1p63},
		{"partition_round(dataset, 100)", 10},
		{"partition_round(1001, 100)", 1001},
		{"partition_round(1001, 0)", 0},
		{"partition_round(1000, 30)", 300},
		{"partition_round(1000, 70)", 700},
		{"partition_round(1001, 50)", 501},
	};
	struct weft_variables variables = {0};

	(void)state;
	assert_true(weft_variables_set(&variables, "dataset", 10));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct weft_expression expression = {.text = rows[i].text, .variables = &variables};
		struct weft_number number;

		if (!weft_expression_number(&expression, &number))
			fail_msg("%s: %s", rows[i].text, expression.problem);
		if (weft_number_real(&number) != rows[i].value)
			fail_msg("%s is %g", rows[i].text, weft_number_real(&number));
	}
	weft_variables_destroy(&variables);
}

static void test_wrong_expressions(void **state)
{
	static const char *const rows[][2] = {
		{"", "has no end"},
		{"1+", "has no end"},
		{"(1", "has no end"},
		{"1 1", "does not continue"},
		{"1)", "does not continue"},
		{"x", "no variable 'x'"},
		{"f(1)", "no such function"},
		{"1/0", "division by 0"},
		{"1%0", "division by 0"},
		{"1.0//0", "division by 0"},
		{"2**64", "too large"},
		{"9223372036854775807+1", "too large"},
		{"(0-9223372036854775807-1)/(0-1)", "too large"},
		{"99999999999999999999", "too large"},
		{"10.0**400", "too large"},
		{"1e999", "too large"},
		{"int(1e300)", "too large"},
		{"abs(1,2)", "one number is wanted"},
		{"min(1,2,3,4,5)", "too many arguments"},
		{"partition_round(1)", "two whole numbers"},
		{"partition_round(-1, 50)", "negative"},
	};
	char deep[4096];

	(void)state;
	for (size_t i = 0; i <= sizeof(rows) / sizeof(*rows); i++) {
		const bool is_deep = i == sizeof(rows) / sizeof(*rows);
		struct weft_expression expression = {.text = is_deep ? deep : rows[i][0]};
		struct weft_number number;

		memset(deep, '(', sizeof(deep) - 1);
		deep[sizeof(deep) - 1] = 0;
		assert_false(weft_expression_number(&expression, &number));
		if (!strstr(expression.problem, is_deep ? "too deep" : rows[i][1]))
			fail_msg("%s: %s", expression.text, expression.problem);
	}
}

/* ---- files --------------------------------------------------------------------------------------- */

/* A folder with a kernel's source, and room for one specification. */
static char folder[] = "/tmp/weft-spec-XXXXXX";
static char spec_path[64];
static char source_path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return 1;
	snprintf(spec_path, sizeof(spec_path), "%s/s.json", folder);
	snprintf(source_path, sizeof(source_path), "%s/k.cl", folder);
	FILE *file = fopen(source_path, "w");
	return !file || fputs("kernel void k(global float *a) {}\n", file) < 0 || fclose(file) != 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(spec_path);
	unlink(source_path);
	return rmdir(folder);
}

static bool read_text(const char *text, struct weft_spec *spec, struct weft_error *error)
{
	const struct weft_spec_settings settings = {0};
	FILE *file = fopen(spec_path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	return weft_spec_read(spec, spec_path, &settings, error) && weft_spec_link(spec, error);
}

#define KERNEL "\"name\": \"k\", \"src\": \"k.cl\", \"globalWorkSize\": [64]"
#define BUFFER "\"pos\": 0, \"type\": \"float\", \"size\": 64"

/* A file, and a part of what is said of it. */
static const char *const wrong_files[][2] = {
	{"", "s.json:1: column 0"},
	{"{", "s.json:1: column 1"},
	{"{\n\"name\": \"k\",\n\"name\": \"k\"}", "s.json:3: column"},
	{"[1]", "s.json:1: [0]: an object is wanted, this is a number"},
	{"{\"nmae\": 1}", "s.json:1: nmae: there is no such member"},
	{"{\n\n\"src\": \"k.cl\"}", "s.json:1: name: the name of a kernel"},
	{"{\n\"name\": \"\"}", "s.json:2: name: the name of a kernel"},
	{"{\"name\": \"k\", \"src\": \"no.cl\"}", "src: there is no file 'no.cl'"},
	{"{\"name\": \"k\", \"src\": \"k.cl\"}",
	 "globalWorkSize: a text is wanted, this is missing"},
	{"{\"name\": \"k\", \"src\": \"k.cl\",\n\"globalWorkSize\": \"[x]\"}",
	 "s.json:2: globalWorkSize: there is no variable 'x'"},
	{"{\"name\": \"k\", \"src\": \"k.cl\", \"globalWorkSize\": [1,\n2,\n[]]}",
	 "s.json:3: globalWorkSize[2]: a text is wanted, this is an array"},
	{"{\"name\": \"k\", \"src\": \"k.cl\", \"globalWorkSize\": [0]}", "no whole number from 1"},
	{"{\"name\": \"k\", \"src\": \"k.cl\", \"globalWorkSize\": [1,1,1,1]}", "1 to 3 numbers"},
	{"{\"name\": \"k\", \"src\": \"k.cl\", \"globalWorkSize\": [1099511627776, "
	 "1099511627776]}",
	 "too many work-items"},
	{"{\"name\": \"k\", \"src\": \"k.cl\", \"globalWorkSize\": [8, 8], "
	 "\"workDimension\": 1}",
	 "more sizes than workDimension"},
	{"{" KERNEL ", \"localWorkSize\": [7]}", "localWorkSize: 64 is not divisible by 7"},
	{"{" KERNEL ", \"localWorkSize\": [8, 8]}", "longer than globalWorkSize"},
	{"{" KERNEL ", \"partition\": 11}", "partition: 11 is not from 0 to 10"},
	{"{" KERNEL ", \"split\": 1}", "split: true or false"},
	{"{" KERNEL ", \"macros_values\": {\"A B\": 1}}",
	 "macros_values.A B: a name and one number"},
	{"{" KERNEL ", \"macros_values\": {\"\": 1}}", "a name and one number"},
	{"{" KERNEL ", \"macros_values\": {\"1A\": 1}}", "a name and one number"},
	{"{" KERNEL ", \"inputBuffers\": {}}", "inputBuffers: an array is wanted"},
	{"{" KERNEL ",\n\"inputBuffers\": [\n{\"pos\": 0,\n\"type\": \"flaot\"}]}",
	 "s.json:4: inputBuffers[0].type: there is no type 'flaot'"},
	{"{" KERNEL ",\"inputBuffers\": [{\"pos\": 0, \"type\": \"float\", \"size\": \"2**60\"}]}",
	 "inputBuffers[0].size: 1152921504606846976 is not from 1"},
	{"{" KERNEL ",\"inputBuffers\": [{\"pos\": 0, \"type\": \"float\", \"size\": \"1.5\"}]}",
	 "a whole number is wanted, this is 1.5"},
	{"{" KERNEL ",\"inputBuffers\": [{\"pos\": 999}]}", "pos: 999 is not from 0 to 255"},
	{"{" KERNEL ",\"inputBuffers\": [{" BUFFER "}, {" BUFFER "}]}",
	 "two arguments have the pos 0"},
	{"{" KERNEL ",\"varArguments\": [{\"pos\": 1, \"type\": \"int\", \"value\": 1}]}",
	 "no argument has the pos 0"},
	{"{" KERNEL ",\"varArguments\": [{\"pos\": 0, \"type\": \"char\", \"value\": 128}]}",
	 "varArguments[0].value: the number does not fit"},
	{"{" KERNEL ",\"varArguments\": [{\"pos\": 0, \"type\": \"int4\", \"value\": [1, 2]}]}",
	 "as many numbers as the type has lanes"},
	{"{" KERNEL ",\"inputBuffers\": [{" BUFFER ", \"break\": 2}]}",
	 "break: 2 is not from 0 to 1"},
	{"{" KERNEL ",\"inputBuffers\": [{" BUFFER ", \"halo\": 1}]}", "only a buffer with"},
	{"{" KERNEL ",\"inputBuffers\": [{" BUFFER ", \"fill\": \"ones\"}]}", "none of random"},
	{"{" KERNEL ",\"inputBuffers\": [{" BUFFER ", \"tolerance\": -1}]}", "at least 0"},
	{"{" KERNEL ",\"outputBuffers\": [{" BUFFER ", \"file\": \"x\"}]}", "no content at first"},
	{"{" KERNEL ",\"outputBuffers\": [{" BUFFER ", \"from\": {\"kernel\": 1, \"pos\": 0}}]}",
	 "no content at first"},
	{"{" KERNEL ", \"depends\": [7]}", "there is no kernel '7'"},
	{"[{" KERNEL ", \"id\": 1}, {" KERNEL ", \"id\": \"1\"}]", "the id '1' is that of another"},
	{"[{" KERNEL ", \"id\": 1, \"depends\": [2]}, {" KERNEL ", \"id\": 2, \"depends\": [1]}]",
	 "by a circle of kernels"},
	/* those before it and behind it are not named */
	{"[{" KERNEL ", \"id\": 1}, {" KERNEL ", \"id\": 2, \"depends\": [1, 3]}, {" KERNEL
	 ", \"id\": 3, \"depends\": [2]}, {" KERNEL ", \"id\": 4, \"depends\": [3]}]",
	 "kernel '3' waits for itself"},
	{"{" KERNEL ", \"inputBuffers\": [{" BUFFER ", \"from\": {\"kernel\": 9, \"pos\": 0}}]}",
	 "there is no kernel '9'"},
	{"[{" KERNEL ", \"id\": 1}, {" KERNEL ", \"inputBuffers\": [{" BUFFER
	 ", \"from\": {\"kernel\": 1, \"pos\": 3}}]}]",
	 "argument 3 of kernel '1' is no buffer"},
	{"[{" KERNEL ", \"id\": 1, \"outputBuffers\": [{\"pos\": 0, \"type\": \"char\", "
	 "\"size\": 1}]}, {" KERNEL ", \"inputBuffers\": [{" BUFFER
	 ", \"from\": {\"kernel\": 1, \"pos\": 0}}]}]",
	 "has 1 bytes, 256 are wanted"},
};

static void test_wrong_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrong_files) / sizeof(*wrong_files); i++) {
		struct weft_spec spec = {0};
		struct weft_error error = {0};

		if (read_text(wrong_files[i][0], &spec, &error))
			fail_msg("%s is taken", wrong_files[i][0]);
		if (!strstr(error.text, wrong_files[i][1]))
			fail_msg("%s: %s", wrong_files[i][0], error.text);
		weft_spec_destroy(&spec);
	}
}

/* Members of PySchedCL's files that say nothing here, and its ways to write numbers. */
static void test_published_form(void **state)
{
	struct weft_spec spec = {0};
	struct weft_error error = {0};

	(void)state;
	if (!read_text("[{\"src\": \"k.cl\", \"name\": \"k\", \"id\": 1, \"workDimension\": 2, "
		       "\"partition\": \"8\",\n"
		       "\"globalWorkSize\": \"[dataset, 2]\", \"localWorkSize\": \"[32]\", "
		       "\"ecos\": {\"512\": 2.5},\n"
		       "\"symbolicVariables\": {\"dataset\": 512}, \"macros_values\": {\"TS\": "
		       "\"dataset/2\", \"R\": 1.0},\n"
		       "\"inputBuffers\": [], \"cpuArguments\": [], \"task\": 0,\n"
		       "\"ioBuffers\": [{\"break\": 0, \"type\": \"float\", \"pos\": 0, \"size\": "
		       "\"dataset**2\",\n"
		       "\"chunk\": 4, \"create\": true, \"enq_read\": true}],\n"
		       "\"localArguments\": [{\"type\": \"float3\", \"pos\": 1, \"size\": "
		       "\"dataset\"}],\n"
		       "\"varArguments\": [{\"pos\": 2, \"type\": \"uint\", \"value\": "
		       "\"partition_round(dataset, size_percent)\"},\n"
		       "{\"pos\": 3, \"type\": \"float\", \"value\": \"0.5\"}]},\n"
		       "{\"src\": \"k.cl\", \"name\": \"k\", \"globalWorkSize\": 4, \"depends\": "
		       "[1],\n"
		       "\"inputBuffers\": [{\"pos\": 0, \"type\": \"float\", \"size\": 4, "
		       "\"from\": {\"kernel\": \"1\", \"pos\": 0}}]}]",
		       &spec, &error))
		fail_msg("%s", error.text);
	const struct weft_spec_kernel *first = &spec.kernels[0];
	assert_int_equal(spec.count, 2);
	assert_int_equal(first->partition, 8);
	assert_int_equal(first->global[0], 512);
	assert_int_equal(first->local[0], 32);
	assert_true(first->eco == 2.5);
	assert_string_equal(first->options, "-D TS=256 -D R=1.0000000000000000e+00 ");
	assert_int_equal(first->buffers[0].bytes, 512 * 512 * 4);
	assert_int_equal(first->locals[0].bytes, 512 * 16);
	assert_int_equal(first->values[0].bytes[1], 2);
	assert_int_equal(first->values[1].bytes[3], 0x3f);
	assert_string_equal(spec.kernels[1].id, "2");
	assert_int_equal(spec.kernels[1].num_depends, 1);
	assert_int_equal(spec.kernels[1].buffers[0].from_kernel, 0);
	weft_spec_destroy(&spec);
}

/* As many kernels as a program makes: what is done for each does not grow with their number. */
static void test_many_kernels(void **state)
{
	enum { COUNT = 8000 };
	static char text[COUNT * 80 + 16] = "[";
	struct weft_spec spec = {0};
	struct weft_error error = {0};
	size_t size = 1;

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size, "%s\n{%s}",
					 i > 0 ? "," : "", KERNEL);
	snprintf(text + size, sizeof(text) - size, "]");
	if (!read_text(text, &spec, &error))
		fail_msg("%s", error.text);
	assert_int_equal(spec.count, COUNT);
	assert_string_equal(spec.kernels[COUNT - 1].id, "8000");
	assert_non_null(strstr(spec.kernels[COUNT - 1].place, "s.json:8001"));
	weft_spec_destroy(&spec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),       cmocka_unit_test(test_wrong_expressions),
		cmocka_unit_test(test_wrong_files),  cmocka_unit_test(test_published_form),
		cmocka_unit_test(test_many_kernels),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
