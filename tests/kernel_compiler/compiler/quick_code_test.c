/* SPDX-License-Identifier: MIT
 *
 * Code that is made quickly: which programs have it, that they carry what full code is made of, and that it runs.
 */
#include "compile.h"
#include "kernel_archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PLAIN "kernel void k(global float *d) { d[get_global_id(0)] += sin(d[0]) * d[1] + 1; }\n"

static enum weft_status build(const char *source, const char *options, bool late,
			      struct weft_output *output)
{
	struct weft_target target = test_target;
	const struct weft_compile_desc desc = {
		.source = source,
		.source_size = strlen(source),
		.options = options,
		.target = &target,
		.late = late,
	};

	target.quick = true;
	memset(output, 0, sizeof(*output));
	return weft_compiler.build(&desc, output);
}

/* Either all kernels of a program are quick or none is. */
static void test_which_are_quick(void **state)
{
	static const struct {
		const char *source, *options;
		bool isQuick;
	} cases[] = {
		{PLAIN, "", true},
		{PLAIN "kernel void l(global int *d) { barrier(1); d[get_local_id(0)] /= 3; }", "",
		 true},
		{PLAIN "constant float c[2] = {1, 2};\n"
		       "kernel void l(global float *d) { d[0] = c[(int)d[0]]; }",
		 "", true},
		{PLAIN, "-cl-denorms-are-zero -cl-single-precision-constant", true},
		{PLAIN, "-cl-opt-disable", false},
		{PLAIN, "-cl-fast-relaxed-math", true},
		{PLAIN, "-cl-unsafe-math-optimizations -cl-no-signed-zeros", true},
		{PLAIN "global int v;\nkernel void l(void) { v++; }", "-cl-std=CL3.0", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_output output;

		assert_int_equal(build(cases[i].source, cases[i].options, false, &output), WEFT_OK);
		const struct weft_program_desc *desc = test_load(output.data, output.size);
		for (uint32_t k = 0; k < desc->num_kernels; k++) {
			if (!(desc->kernels[k].flags & WEFT_KERNEL_QUICK) == cases[i].isQuick)
				fail_msg("case %zu: kernel %s", i, desc->kernels[k].name);
		}
		assert_true(!cases[i].isQuick || desc->object_size > 0);
		weft_compiler.release(&output);
	}
}

static void test_replacement(void **state)
{
	float quick[2] = {3, 5}, full[2] = {3, 5};
	struct weft_target target = test_target;
	struct weft_output output, replacement = {0};

	(void)state;
	target.quick = true; /* of no meaning to specialise */
	assert_int_equal(build(PLAIN, "", false, &output), WEFT_OK);
	const struct weft_program_desc *desc = test_load(output.data, output.size);
	const struct weft_specialise_desc wanted = {
		.object = {desc->object, desc->object_size}, .kernel = "k", .target = &target};
	assert_int_equal(weft_compiler.specialise(&wanted, &replacement), WEFT_OK);
	const struct weft_program_desc *other = test_load(replacement.data, replacement.size);
	assert_int_equal(other->num_kernels, 1);
	assert_int_equal(desc->kernels[0].flags & ~other->kernels[0].flags,
			 WEFT_KERNEL_QUICK | (desc->kernels[0].flags & WEFT_KERNEL_GAINS_BY_SIZE));
	assert_int_equal(desc->kernels[0].vector_width, other->kernels[0].vector_width);
	test_run(&desc->kernels[0], quick);
	test_run(&other->kernels[0], full);
	assert_true(quick[0] != 3);
	assert_memory_equal(quick, full, sizeof(full));
	weft_compiler.release(&replacement);
	weft_compiler.release(&output);
}

static struct weft_compile_desc assembly_of(const char *source, const struct weft_target *target)
{
	return (struct weft_compile_desc){
		.source = source,
		.source_size = strlen(source),
		.target = target,
		.emit = WEFT_EMIT_ASSEMBLY,
	};
}

/* The compiler keeps what it knows of a CPU. This one divides long numbers slowly, so full code tries short ones first. */
static void test_full_after_quick(void **state)
{
	static const char source[] = "kernel void k(global ulong *d) { d[0] /= d[1]; }";
	struct weft_target target = test_target;
	const struct weft_compile_desc desc = assembly_of(source, &target);

	(void)state;
	target.cpu = "haswell";
	for (int i = 0; i < 4; i++) {
		struct weft_output output = {0};

		target.quick = i % 2 == 0;
		assert_int_equal(weft_compiler.build(&desc, &output), WEFT_OK);
		assert_true(target.quick == !memmem(output.data, output.size, "divl", 4));
		weft_compiler.release(&output);
	}
}

/* In assembly for AVX-512. */
static bool stores_vectors_on_stack(const char *text, size_t size)
{
	for (const char *line = text, *end; (end = memchr(line, '\n', size)); line = end + 1) {
		const size_t length = (size_t)(end - line);

		if (memmem(line, length, "%zmm", 4) && memmem(line, length, "(%rsp)", 6))
			return true;
		size -= length + 1;
	}
	return false;
}

/* Sums in a loop do not go through memory, nor do those between barriers, whose function is mostly other loops over the work-items of
 * a group. Where loops have large blocks, few values go from one to the next, and these are stored. */
static void test_registers(void **state)
{
	static const struct {
		const char *body;
		bool isOnStack;
	} cases[] = {
		{"for (int j = 0; j < n; j++) s += a[j * 64 + i];", false},
		{"if (i < n) for (int j = 0; j < n; j++) s += a[j * 64 + i] * a[j];", false},
		{"local float t[16]; size_t l = get_local_id(0) % 16;\n"
		 "  for (int j = 0; j < n; j += 16) {\n"
		 "    t[l] = a[i * 64 + j + l]; barrier(CLK_LOCAL_MEM_FENCE);\n"
		 "    for (int k = 0; k < 16; k++) s += t[k] * t[l];\n"
		 "    barrier(CLK_LOCAL_MEM_FENCE); }",
		 false},
		{"for (int j = 0; j < n; j++) {\n"
		 "    float x = a[j * 64 + i];\n"
		 "#define F x = x * x + 1.5f;\n"
		 "#define G F F F F F F F F F F F F\n"
		 "    G G G G G G G G G G G G\n"
		 "    s += x; }",
		 true},
		{"s = a[i];\n"
		 "#define F s = s * s + 1.5f;\n"
		 "#define G F F F F F F F F F F F F\n"
		 "  if (n > 1) { G G G G G G }\n"
		 "  if (n > 2) { G G G G G G }",
		 true},
	};
	struct weft_target target = test_target;
	char source[1000];

	(void)state;
	target.cpu = "x86-64-v4";
	target.quick = true;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_output output = {0};

		snprintf(source, sizeof(source),
			 "kernel void k(global float *d, global const float *a, int n) {\n"
			 "  size_t i = get_global_id(0); float s = 0;\n"
			 "  %s\n  d[i] = s; }\n",
			 cases[i].body);
		const struct weft_compile_desc desc = assembly_of(source, &target);
		assert_int_equal(weft_compiler.build(&desc, &output), WEFT_OK);
		if (stores_vectors_on_stack(output.data, output.size) != cases[i].isOnStack)
			fail_msg("case %zu", i);
		weft_compiler.release(&output);
	}
}

/* Accesses under one guard ask once whether all lanes run. */
static void test_guards(void **state)
{
	static const char source[] =
		"kernel void k(global float *d, global const float *a, int n) {\n"
		"  int i = get_global_id(0), j = get_global_id(1);\n"
		"  if (j < n - 1 && i < n) d[n * (j + 1) + i] -= a[j] * d[n + i]; }\n";
	struct weft_target target = test_target;
	struct weft_compile_desc desc = assembly_of(source, &target);
	struct weft_output output = {0};
	char branch[40];

	(void)state;
	target.cpu = "x86-64-v4";
	target.quick = true;
	desc.emit = WEFT_EMIT_IR;
	assert_int_equal(weft_compiler.build(&desc, &output), WEFT_OK);
	char *text = strndup(output.data, output.size);
	assert_non_null(text);
	const char *question = strstr(text, " = icmp eq i16 %");
	assert_non_null(question);
	while (*question != '%')
		question--;
	snprintf(branch, sizeof(branch), "br i1 %.*s,", (int)strcspn(question, " "), question);
	const char *first = strstr(question, branch);
	assert_non_null(first);
	assert_null(strstr(first + 1, branch));
	free(text);
	weft_compiler.release(&output);
}

/* Instruction selection would take roots of halves apart, and do one lane after the other. */
static void test_halves(void **state)
{
	static const char source[] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
				     "kernel void k(global half *d) { size_t i = get_global_id(0); "
				     "d[i] = sqrt(d[i]); }\n";
	struct weft_target target = test_target;
	const struct weft_compile_desc desc = assembly_of(source, &target);
	struct weft_output output = {0};

	(void)state;
	target.extensions = "cl_khr_fp16";
	target.cpu = "x86-64-v4";
	target.quick = true;
	assert_int_equal(weft_compiler.build(&desc, &output), WEFT_OK);
	assert_non_null(memmem(output.data, output.size, "vsqrtps\t%zmm", 12));
	weft_compiler.release(&output);
}

/* A program of many kernels, whose object is larger than what specialisations for a size are made of. */
static void test_archive(void **state)
{
	enum { KERNELS = 40 };
	struct weft_output output, unit = {0}, binary = {0};
	struct weft_archive archive = {0};
	char *source = calloc(KERNELS, 400), *end = source;

	(void)state;
	for (int i = 0; i < KERNELS; i++)
		end += sprintf(
			end,
			"kernel void k%d(global float *d) { size_t i = get_global_id(0); "
			"d[i] = sin(d[i]) + cos(d[i] * %d) + pow(d[i], %d.5f) + tan(d[i]); }\n",
			i, i, i);
	assert_int_equal(build(source, "", true, &output), WEFT_OK);
	assert_int_equal(output.kind, WEFT_OUTPUT_ARCHIVE);
	assert_true(weft_archive_open(output.data, output.size, &archive));
	const struct weft_program_desc *frame = test_load(archive.binary, archive.binary_size);
	assert_int_equal(frame->num_kernels, KERNELS);
	assert_true(frame->kernels[KERNELS - 1].flags & WEFT_KERNEL_QUICK);
	assert_int_equal(archive.flags, WEFT_ARCHIVE_UNPREPARED | WEFT_ARCHIVE_QUICK);
	/* what the archive says counts, not this target */
	const struct weft_generate_desc wanted = {
		.archive = {output.data, output.size}, .unit = 0, .target = &test_target};
	assert_int_equal(weft_compiler.generate(&wanted, &unit), WEFT_OK);
	const struct weft_bytes parts[] = {{unit.data, unit.size}};
	const struct weft_join_desc joined = {
		.archive = wanted.archive, .units = parts, .num_units = 1};
	assert_int_equal(weft_compiler.join(&joined, &binary), WEFT_OK);
	const struct weft_program_desc *desc = test_load(binary.data, binary.size);
	float value[1] = {2};
	test_run(&desc->kernels[0], value);
	assert_true(value[0] != 2);
	weft_compiler.release(&binary);
	weft_compiler.release(&unit);
	weft_compiler.release(&output);
	free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which_are_quick), cmocka_unit_test(test_replacement),
		cmocka_unit_test(test_archive),         cmocka_unit_test(test_full_after_quick),
		cmocka_unit_test(test_registers),       cmocka_unit_test(test_guards),
		cmocka_unit_test(test_halves),
	};

	return cmocka_run_group_tests_name("quick code", tests, NULL, NULL);
}
