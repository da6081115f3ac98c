/* SPDX-License-Identifier: MIT
 *
 * What full code looks like: a section of a kernel binary, and IR as code generation gets it.
 */
#include "compile.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* 0: there is none. */
static uint64_t alignment_of_code(const char *binary)
{
	Elf64_Ehdr header;
	Elf64_Shdr names;

	memcpy(&header, binary, sizeof(header));
	memcpy(&names, binary + header.e_shoff + header.e_shstrndx * sizeof(names), sizeof(names));
	for (size_t i = 0; i < header.e_shnum; i++) {
		Elf64_Shdr section;

		memcpy(&section, binary + header.e_shoff + i * sizeof(section), sizeof(section));
		if (strcmp(binary + names.sh_offset + section.sh_name, ".text") == 0)
			return section.sh_addralign;
	}
	return 0;
}

/* The source is built, and its assembly or IR has that text; "": any. */
static void expect_text(const char *source, enum weft_emit emit, const char *text)
{
	struct weft_output output;

	assert_int_equal(test_build_text(source, emit, &output), WEFT_OK);
	assert_non_null(memmem(output.data, output.size, text, strlen(text)));
	weft_compiler.release(&output);
}

static unsigned count_text(const struct weft_output *output, const char *text)
{
	const char *at = output->data, *end = at + output->size;
	unsigned count = 0;

	while ((at = memmem(at, (size_t)(end - at), text, strlen(text)))) {
		at += strlen(text);
		count++;
	}
	return count;
}

/* How many products and powers the source has behind the front end. */
static void expect_products(const char *expression, unsigned products, unsigned powers)
{
	struct weft_output output;
	char source[160];

	snprintf(source, sizeof(source),
		 "kernel void k(global float *d, global double4 *v, int n) { %s; }\n", expression);
	assert_int_equal(test_build_text(source, WEFT_EMIT_SOURCE_IR, &output), WEFT_OK);
	assert_int_equal(count_text(&output, " fmul "), products);
	assert_int_equal(count_text(&output, " @_Z3pow") + count_text(&output, " @_Z4pown"),
			 powers);
	weft_compiler.release(&output);
}

static void squares_and_cubes_are_products(void **state)
{
	(void)state;
	expect_products("*d = pow(*d, 2)", 1, 0);
	expect_products("*d = pow(*d, 3.0f)", 2, 0);
	expect_products("*d = pown(*d, 2)", 1, 0);
	expect_products("*v = pow(*v, 2.0)", 1, 0);
	expect_products("*d = pow(*d, 2.5f)", 0, 2); /* a call and a declaration */
	expect_products("*d = pown(*d, n)", 0, 2);
}

/* A section is aligned as what is in it is. */
static void loops_begin_at_lines_of_the_cache(void **state)
{
	struct weft_output output;

	(void)state;
	assert_int_equal(test_build("kernel void k(global int *d, int n) { int s = 0;\n"
				    "  while (n > 0) { s ^= n; n = d[n]; } d[0] = s; }\n",
				    "", &output),
			 WEFT_OK);
#if defined(__x86_64__)
	assert_int_equal(alignment_of_code(output.data), 64);
#else
	assert_true(alignment_of_code(output.data) > 0);
#endif
	weft_compiler.release(&output);
}

/* Else it would be set byte by byte. */
static void much_memory_is_set_by_the_c_library(void **state)
{
	static const char call[] = "memset";
	struct weft_output output;

	(void)state;
	assert_int_equal(
		test_build("kernel void k(global int *d, int n) { int s[4096] = {0};\n"
			   "  s[d[0] & 4095] = n; s[d[1] & 4095] = d[2]; d[0] = s[n & 4095]; }\n",
			   "", &output),
		WEFT_OK);
	assert_non_null(memmem(output.data, output.size, call, sizeof(call)));
	weft_compiler.release(&output);
}

/* Instruction selection makes subtractions of them. */
static void comparisons_have_no_difference(void **state)
{
	static const char source[] = "kernel void k(global int *d, int n) { int s = 0;\n"
				     "  for (int i = d[0]; i != n; i++) s = s * 3 ^ d[s & 7];\n"
				     "  d[0] = s; }\n";

	(void)state;
#if defined(__x86_64__)
	expect_text(source, WEFT_EMIT_ASSEMBLY, "\tcmp");
#else
	expect_text(source, WEFT_EMIT_ASSEMBLY, "");
#endif
}

/* A row's vector is the same for all lanes, so its elements are scalars until LLVM makes a vector of them. */
static void shared_vectors_are_computed_as_vectors(void **state)
{
	static const char source[] =
		"kernel void k(global const float4 *a, global float4 *b, int n) {\n"
		"  size_t y = get_global_id(1); float4 v = a[y];\n"
		"  for (int i = 0; i < n; i++) v = v * 0.5f + sqrt(a[y + i]);\n"
		"  b[y * get_global_size(0) + get_global_id(0)] = v; }\n";

	(void)state;
	expect_text(source, WEFT_EMIT_IR, "@llvm.sqrt.v4f32(");
}

/* Else what the registers do not hold of a loop's vectors may lie in two lines of the cache each. */
static void much_vector_code_has_an_aligned_stack(void **state)
{
	static const char source[] =
		"kernel void k(global const float *a, global float *b, int n) {\n"
		"  size_t x = get_global_id(0); float8 p = a[x], q = p * p, r = p * q, s = q * q, "
		"t = r;\n"
		"  for (int i = 0; i < n; i++) {\n"
		"    p = p * q + a[i]; q = q * r + p; r = r * s + q; s = s * t + r; t = t * p + s; "
		"}\n"
		"  p += q + r + s + t; b[x] = p.s0 + p.s1 * p.s2 + p.s3 * p.s4 + p.s5 * p.s6 + "
		"p.s7; }\n";
	const char *alignment = "";

	(void)state;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		alignment = "\tandq\t$-";
#endif
	expect_text(source, WEFT_EMIT_ASSEMBLY, alignment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_begin_at_lines_of_the_cache),
		cmocka_unit_test(squares_and_cubes_are_products),
		cmocka_unit_test(much_memory_is_set_by_the_c_library),
		cmocka_unit_test(comparisons_have_no_difference),
		cmocka_unit_test(shared_vectors_are_computed_as_vectors),
		cmocka_unit_test(much_vector_code_has_an_aligned_stack),
	};

	return cmocka_run_group_tests_name("machine code", tests, NULL, NULL);
}
