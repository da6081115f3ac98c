/* SPDX-License-Identifier: MIT
 *
 * Tests of option strings: what each option makes a source see, and what is refused
 * (specification 5.8.6, 5.8.7).
 */
#include "compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A source that compiles if the preprocessor agrees. */
static void expect_condition(const char *options, const char *condition)
{
	char source[512];

	snprintf(source, sizeof(source), "#if !(%s)\n#error no\n#endif\n", condition);
	expect_compile(source, options, WEFT_OK, NULL);
}

static void accepted_options(void **state)
{
	static const char *const rows[][2] = {
		{"", "1"},
		{" \t\n ", "1"},
		{"-D A", "A == 1"},
		{"-DA", "A == 1"},
		{"-D A=2", "A == 2"},
		{"-D A=2 -D A=3 -w", "A == 3"},
		{"-D A=", "A 1"},
		{"-D A=1+1", "A * 2 == 3"},
		{"-D \"A=(1 + 2)\"", "A == 3"},
		{"-D A=\"(1 + 2)\"", "A == 3"},
		{"-D 'A=(1 + 2)'", "A == 3"},
		{"-D A=(1\\ +\\ 2)", "A == 3"},
		{"  -D   A=1   -D\tB=2  ", "A == 1 && B == 2"},
		{"-D F(x)=((x)+1)", "F(2) == 3"},
		{"-D \"A=1\n2\"", "A == 1"},
		{"-I /nowhere", "1"},
		{"-I\"/no where\"", "1"},
		{"-I \"/no where\" -D A", "A"},
		{"", "__OPENCL_C_VERSION__ == 120"},
		{"-cl-std=CL1.0", "__OPENCL_C_VERSION__ == 100"},
		{"-cl-std=CL1.1", "__OPENCL_C_VERSION__ == 110"},
		{"-cl-std=CL1.2", "__OPENCL_C_VERSION__ == CL_VERSION_1_2"},
		{"-cl-std=CL2.0", "__OPENCL_C_VERSION__ == CL_VERSION_2_0"},
		{"-cl-std=CL3.0", "__OPENCL_C_VERSION__ == CL_VERSION_3_0"},
		{"-cl-std=CL1.2", "__OPENCL_VERSION__ == 300"},
		{"-cl-single-precision-constant", "1"},
		{"-cl-denorms-are-zero", "1"},
		{"-cl-fp32-correctly-rounded-divide-sqrt", "1"},
		{"-cl-opt-disable", "1"},
		{"-cl-strict-aliasing -Werror", "1"},
		{"-cl-uniform-work-group-size", "1"},
		{"-cl-uniform-work-group-size -cl-std=CL3.0", "1"},
		{"-cl-no-subgroup-ifp", "1"},
		{"-cl-mad-enable", "1"},
		{"-cl-no-signed-zeros", "1"},
		{"-cl-unsafe-math-optimizations", "!defined(__FAST_RELAXED_MATH__)"},
		{"-cl-finite-math-only", "!defined(__FAST_RELAXED_MATH__)"},
		{"-cl-fast-relaxed-math", "__FAST_RELAXED_MATH__ == 1"},
		{"-cl-kernel-arg-info", "1"},
		{"-cl-access-ranges-weft", "1"},
		{"-w -Werror -g", "1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect_condition(rows[i][0], rows[i][1]);
	expect_compile("", NULL, WEFT_OK, NULL);
}

static void refused_options(void **state)
{
	static const char *const rows[][2] = {
		{"-x spir", "'-x'"},
		{"-xspir", "'-xspir'"},
		{"-spir-std=1.2", "'-spir-std=1.2'"},
		{"-cl-no-such-thing", "'-cl-no-such-thing'"},
		{"-cl-std=", "'-cl-std='"},
		{"-cl-std", "'-cl-std'"},
		{"-cl-std=CL9.9", "'-cl-std=CL9.9'"},
		{"-cl-std=CLC++9", "'-cl-std=CLC++9'"},
		{"-cl-std=C99", "'-cl-std=C99'"},
		{"-D", "'-D'"},
		{"-I", "'-I'"},
		{"-D A -D", "'-D'"},
		{"-I \"\"", "'-I'"},
		{"-D =1", "'-D =1'"},
		{"-D 1A", "'-D 1A'"},
		{"-D -w", "'-D -w'"},
		{"-D A=\"x", "quote"},
		{"'", "quote"},
		{"\"-I /a", "quote"},
		{"-create-library", "'-create-library'"},
		{"-enable-link-options", "'-enable-link-options'"},
		{"-w stray", "'stray'"},
		{"-O3", "'-O3'"},
		{"-o /tmp/x", "'-o'"},
		{"-include /etc/passwd", "'-include'"},
		{"-Xclang -load", "'-Xclang'"},
		{"-mllvm -help", "'-mllvm'"},
		{"@/etc/passwd", "'@/etc/passwd'"},
		{"--version", "'--version'"},
		{"-cl-ext=+cl_khr_fp16", "'-cl-ext=+cl_khr_fp16'"},
		{"-Wall", "'-Wall'"},
		{"-", "'-'"},
		{"\\", "'\\'"},
		{"\xff\xfe", "\xff\xfe"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect_compile("", rows[i][0], WEFT_INVALID_OPTIONS, rows[i][1]);
}

/* Specification 5.8.6.5: a version that the device lacks fails to compile, the option is valid. */
static void newer_version_fails_to_compile(void **state)
{
	const struct weft_target old = {
		.extensions = "", .features = "", .opencl_c_version = "1.2"};
	const struct weft_compile_desc desc = {
		.source = "", .source_size = 0, .options = "-cl-std=CL2.0", .target = &old};
	struct weft_output output = {0};

	(void)state;
	expect_compile("", "-cl-std=CL3.1", WEFT_BUILD_FAILED, "not offered");
	assert_int_equal(weft_compiler.compile(&desc, &output), WEFT_BUILD_FAILED);
	weft_compiler.release(&output);
}

static void link_options(void **state)
{
	static const struct {
		const char *options;
		enum weft_status status;
	} rows[] = {
		{"-create-library", WEFT_OK},
		{" -create-library  -enable-link-options ", WEFT_OK},
		{"-create-library -cl-denorms-are-zero -cl-no-signed-zeros "
		 "-cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math "
		 "-cl-no-subgroup-ifp",
		 WEFT_OK},
		{"-enable-link-options", WEFT_INVALID_OPTIONS},
		{"-create-library -D A", WEFT_INVALID_OPTIONS},
		{"-create-library -I /x", WEFT_INVALID_OPTIONS},
		{"-create-library -w", WEFT_INVALID_OPTIONS},
		{"-create-library -cl-std=CL1.2", WEFT_INVALID_OPTIONS},
		{"-create-library -cl-mad-enable", WEFT_INVALID_OPTIONS},
		{"-create-librar", WEFT_INVALID_OPTIONS},
	};
	struct weft_output object;
	const struct weft_output *objects[] = {&object};

	(void)state;
	assert_int_equal(test_compile("int f(int x) { return x; }", "", &object), WEFT_OK);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct weft_output output;

		enum weft_status status = test_link(objects, 1, rows[i].options, &output);
		if (status != rows[i].status)
			print_error("%s: %s\n", rows[i].options, output.log ? output.log : "");
		assert_int_equal(status, rows[i].status);
		assert_int_equal(output.kind,
				 status == WEFT_OK ? WEFT_OUTPUT_LIBRARY : WEFT_OUTPUT_NONE);
		weft_compiler.release(&output);
	}
	weft_compiler.release(&object);
}

/* Long words, many words, and every prefix of a string with everything in it. */
static void absurd_options(void **state)
{
	char *word = repeated("-D A=", "1", 1 << 20, "");
	char *words = repeated("", "-D A ", 20000, "");
	char *dirs = repeated("", "-I /a/b ", 5000, "");
	const char all[] = "-D \"A=1 \\\" \" -I'/a b' -cl-std=CL2.0 -w \\\"-g";

	(void)state;
	expect_compile("", word, WEFT_OK, NULL);
	expect_compile("", words, WEFT_OK, NULL);
	expect_compile("", dirs, WEFT_OK, NULL);
	for (size_t length = 0; length < sizeof(all); length++) {
		char *prefix = strndup(all, length);
		struct weft_output output;

		enum weft_status status = test_compile("", prefix, &output);
		assert_true(status == WEFT_OK || status == WEFT_INVALID_OPTIONS);
		weft_compiler.release(&output);
		free(prefix);
	}
	free(word);
	free(words);
	free(dirs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepted_options),
		cmocka_unit_test(refused_options),
		cmocka_unit_test(newer_version_fails_to_compile),
		cmocka_unit_test(link_options),
		cmocka_unit_test(absurd_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
