/* SPDX-License-Identifier: MIT
 *
 * Programs whose kernels are compiled when their code is wanted: that they are, that they become what they are in the whole program, and
 * that no error of a build is put off.
 */
#include "compile.h"

#include "kernel_abi.h"
#include "kernel_archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A kernel that is worth its own unit. */
#define LARGE(name, extra)                                                                         \
	"kernel void " name "(global float *d, local float *t, int n)\n"                           \
	"{\n"                                                                                      \
	"	size_t l = get_local_id(0), s = get_local_size(0);\n"                                    \
	"	float x = d[get_global_id(0)];\n"                                                        \
	"	t[l] = fmin(x, 2) + fmax(x, 3);\n"                                                       \
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"                                                         \
	"	x += fma(t[(l + n) % s], mad(x, 3, 4), clamp(x, 0.0f, 1.0f));\n"                         \
	"	d[get_global_id(0)] = fmin(fmax(x, 1), 99);\n" extra "}\n"
/* Four kernels with different properties. */
#define KERNELS 4
#define PROGRAM                                                                                    \
	LARGE("first", "")                                                                         \
	"__attribute__((reqd_work_group_size(4, 2, 1))) " LARGE("sized", "d[1] += n;")             \
		LARGE("prints", "printf(\"%d %s\\n\", n, \"text\");")                              \
			LARGE("variable", "local int v; v = n; barrier(1); d[0] += v;")

/* So many that a build makes nothing of their bodies: each unit reads them. */
#define MANY_KERNELS 12
#define SUM "x = fma(x, t[l], 3) + fmax(x, t[(l + n) % s]) * clamp(x, 0.0f, 9.0f);\n"
#define SUMS SUM SUM SUM SUM SUM SUM SUM SUM
#define LARGER(name, extra) LARGE(name, SUMS "d[get_global_id(0)] = x;" extra)
#define MANY                                                                                       \
	"constant float table[4] = {1, 2, 3, 4};\n"                                                \
	"typedef struct { float a; int b; } pair;\n"                                               \
	"static float twice(float x) { return x + x; }\n"                                          \
	"float helper(int n) { pair p = {n, 1}; return twice(p.a) * table[p.b & 3]; }\n"           \
	"static float with_line(float x)\n{\n#define LINES 3\n\treturn x * LINES;\n}\n" LARGER(    \
		"first",                                                                           \
		"") "__attribute__((reqd_work_group_size(4, 2, 1))) " LARGER("sized",              \
									     "d[1] += n;")         \
		LARGER("variable", "local int v; v = n; barrier(1); d[0] += v;")                   \
			LARGER("calls", "d[0] = helper(n);")                                       \
				LARGER("also", "d[0] = helper(n) + with_line(x);") LARGER("a", "") \
					LARGER("b", "") LARGER("c", "") LARGER("d", "")            \
						LARGER("e", "") LARGER("f", "") LARGER("g", "")

/* Larger programs are compiled quickly. Folders that nothing is included from are of no account. */
static enum weft_status build_as(const char *source, bool late, bool quick,
				 struct weft_output *output)
{
	struct weft_target target = test_target;
	const struct weft_compile_desc desc = {
		.source = source,
		.source_size = strlen(source),
		.options = "-cl-std=CL3.0 -I /usr/include -I nowhere",
		.target = &target,
		.late = late,
	};

	target.quick = quick;
	memset(output, 0, sizeof(*output));
	return weft_compiler.build(&desc, output);
}

static enum weft_status build(const char *source, bool late, struct weft_output *output)
{
	return build_as(source, late, false, output);
}

static enum weft_status generate(const struct weft_output *archive, uint32_t unit,
				 struct weft_output *output)
{
	const struct weft_generate_desc desc = {{archive->data, archive->size}, unit, &test_target};

	memset(output, 0, sizeof(*output));
	return weft_compiler.generate(&desc, output);
}

static enum weft_status join(const struct weft_output *archive, const struct weft_output *units,
			     size_t num_units, struct weft_output *output)
{
	struct weft_bytes parts[MANY_KERNELS];
	const struct weft_join_desc desc = {{archive->data, archive->size}, parts, num_units};

	for (size_t i = 0; i < num_units; i++)
		parts[i] = (struct weft_bytes){units[i].data, units[i].size};
	memset(output, 0, sizeof(*output));
	return weft_compiler.join(&desc, output);
}

static void expect_same_signature(const struct weft_kernel_desc *a,
				  const struct weft_kernel_desc *b)
{
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->attributes, b->attributes);
	assert_int_equal(a->num_args, b->num_args);
	assert_int_equal(a->args_size, b->args_size);
	assert_memory_equal(a->reqd_local_size, b->reqd_local_size, sizeof(a->reqd_local_size));
	for (uint32_t i = 0; i < a->num_args; i++) {
		assert_string_equal(a->args[i].name, b->args[i].name);
		assert_string_equal(a->args[i].type_name, b->args[i].type_name);
		assert_int_equal(a->args[i].kind, b->args[i].kind);
		assert_int_equal(a->args[i].size, b->args[i].size);
		assert_int_equal(a->args[i].offset, b->args[i].offset);
		assert_int_equal(a->args[i].qualifiers, b->args[i].qualifiers);
	}
}

static void expect_same(const struct weft_kernel_desc *a, const struct weft_kernel_desc *b)
{
	expect_same_signature(a, b);
	assert_non_null(a->entry);
	assert_int_equal(a->local_size, b->local_size);
	assert_int_equal(a->private_size, b->private_size);
	assert_int_equal(a->spill_per_item, b->spill_per_item);
	assert_int_equal(a->vector_width, b->vector_width);
	assert_int_equal(a->flags, b->flags);
	assert_int_equal(a->scratch_size, b->scratch_size);
	assert_int_equal(a->first_dimension, b->first_dimension);
	assert_int_equal(a->second_dimension, b->second_dimension);
	for (uint32_t i = 0; i < a->num_args; i++)
		assert_int_equal(a->args[i].access, b->args[i].access);
}

static uint32_t flags_of(const struct weft_output *archive)
{
	struct weft_archive parts = {.num_units = 0};

	assert_int_equal(archive->kind, WEFT_OUTPUT_ARCHIVE);
	assert_true(weft_archive_open(archive->data, archive->size, &parts));
	return parts.flags;
}

static const struct weft_program_desc *load(const struct weft_output *binary)
{
	assert_int_equal(binary->kind, WEFT_OUTPUT_KERNELS);
	return test_load(binary->data, binary->size);
}

/* The first kernel leaves the same in a unit, in all units and in a program that was made at once. */
static void expect_same_result(const struct weft_kernel_desc *a, const struct weft_kernel_desc *b)
{
	float results[2] = {0.5f, 0.5f};

	test_run(a, &results[0]);
	test_run(b, &results[1]);
	assert_true(results[0] != 0.5f);
	assert_memory_equal(&results[0], &results[1], sizeof(results[0]));
}

/* As units_are_as_in_the_whole; `from`: what units are made of, if not of the archive. */
static void expect_units(const struct weft_output *archive, const struct weft_output *from,
			 const struct weft_program_desc *expected)
{
	struct weft_archive parts = {.num_units = 0};
	struct weft_output units[MANY_KERNELS], binary;

	assert_true(weft_archive_open(archive->data, archive->size, &parts));
	const uint32_t kernels = expected->num_kernels;
	assert_int_equal(parts.num_units, kernels);
	const struct weft_program_desc *signatures = test_load(parts.binary, parts.binary_size);
	assert_int_equal(signatures->num_kernels, kernels);
	for (uint32_t i = 0; i < kernels; i++) {
		assert_null(signatures->kernels[i].entry);
		expect_same_signature(&signatures->kernels[i], &expected->kernels[i]);
		assert_int_equal(generate(from, i, &units[i]), WEFT_OK);
		assert_int_equal(join(from, &units[i], 1, &binary), WEFT_OK);
		const struct weft_program_desc *unit = load(&binary);
		assert_int_equal(unit->num_kernels, 1);
		expect_same(&unit->kernels[0], &expected->kernels[i]);
		if (i == 0)
			expect_same_result(&unit->kernels[0], &expected->kernels[0]);
		weft_compiler.release(&binary);
	}
	assert_int_equal(join(archive, units, 2, &binary), WEFT_INVALID_BINARY);
	weft_compiler.release(&binary);
	assert_int_equal(join(archive, units, kernels, &binary), WEFT_OK);
	const struct weft_program_desc *joined = load(&binary);
	assert_int_equal(joined->num_kernels, kernels);
	assert_int_equal(joined->object_size, expected->object_size);
	assert_memory_equal(joined->object, expected->object, expected->object_size);
	for (uint32_t i = 0; i < kernels; i++) {
		expect_same(&joined->kernels[i], &expected->kernels[i]);
		weft_compiler.release(&units[i]);
	}
	expect_same_result(&joined->kernels[0], &expected->kernels[0]);
	weft_compiler.release(&binary);
}

static void units_are_as_in_the_whole(void **state)
{
	struct weft_output archive, whole;

	(void)state;
	assert_int_equal(build(PROGRAM, true, &archive), WEFT_OK);
	assert_int_equal(build(PROGRAM, false, &whole), WEFT_OK);
	assert_int_equal(flags_of(&archive), WEFT_ARCHIVE_UNPREPARED);
	expect_units(&archive, &archive, load(&whole));
	weft_compiler.release(&archive);
	weft_compiler.release(&whole);
}

static void expect_same_identity(const struct weft_output *a, const struct weft_output *b)
{
	struct weft_archive archives[2];

	assert_true(weft_archive_open(a->data, a->size, &archives[0]));
	assert_true(weft_archive_open(b->data, b->size, &archives[1]));
	assert_memory_equal(archives[0].identity, archives[1].identity,
			    sizeof(archives[0].identity));
	assert_int_not_equal(archives[0].identity[0], 0);
}

/* Each unit reads the source, or all read the module that was made of it in between. */
static void units_are_made_of_the_source(void **state)
{
	struct weft_output archive, expanded, whole, output;

	(void)state;
	assert_int_equal(build_as(MANY, true, true, &archive), WEFT_OK);
	assert_int_equal(build_as(MANY, false, true, &whole), WEFT_OK);
	assert_int_equal(flags_of(&archive),
			 WEFT_ARCHIVE_UNPREPARED | WEFT_ARCHIVE_QUICK | WEFT_ARCHIVE_SOURCE);
	assert_int_equal(generate(&archive, WEFT_UNIT_ALL, &expanded), WEFT_OK);
	assert_int_equal(flags_of(&expanded), WEFT_ARCHIVE_UNPREPARED | WEFT_ARCHIVE_QUICK);
	expect_same_identity(&archive, &expanded);
	expect_units(&expanded, &archive, load(&whole));
	expect_units(&expanded, &expanded, load(&whole));
	assert_int_equal(generate(&expanded, WEFT_UNIT_ALL, &output), WEFT_INVALID_BINARY);
	weft_compiler.release(&output);
	weft_compiler.release(&expanded);
	weft_compiler.release(&archive);
	weft_compiler.release(&whole);
}

/* A specialisation is made of what the archive has in its module's place. */
static void source_is_specialised(void **state)
{
	struct weft_output archive, whole, output = {0};
	struct weft_archive parts = {.num_units = 0};

	(void)state;
	assert_int_equal(build_as(MANY, true, true, &archive), WEFT_OK);
	assert_int_equal(build_as(MANY, false, true, &whole), WEFT_OK);
	assert_true(weft_archive_open(archive.data, archive.size, &parts));
	struct weft_specialise_desc desc = {
		.object = {parts.module, parts.module_size},
		.kernel = "first",
		.target = &test_target,
	};
	assert_int_equal(weft_compiler.specialise(&desc, &output), WEFT_OK);
	const struct weft_program_desc *one = load(&output);
	assert_int_equal(one->num_kernels, 1);
	expect_same_result(&one->kernels[0], &load(&whole)->kernels[0]);
	weft_compiler.release(&output);
	desc.kernel = "none";
	assert_int_equal(weft_compiler.specialise(&desc, &output), WEFT_INVALID_BINARY);
	weft_compiler.release(&output);
	weft_compiler.release(&archive);
	weft_compiler.release(&whole);
}

/* What may read otherwise the next time, or is not known to be plain, is not read again. */
static void some_sources_are_not_kept(void **state)
{
	static const char *const programs[] = {
		PROGRAM,
		"#if __has_include(\"nothing.h\")\n#endif\n" MANY,
		MANY LARGE("k", "constant char *at = __TIME__; d[0] = at[n];"),
		MANY LARGE("k", "printf(\"%d\", n);"),
		"global int v;\n" MANY,
		MANY "int k(void) __attribute__((weak)); int k(void) { return 1; }\n",
		MANY LARGE("k",
			   "typedef int of __attribute__((vector_size(32))); of v; v[0] = n; d[0] "
			   "= v[0];"),
		MANY LARGE("k", "d[0] = __builtin_popcount(n);"),
		/* What stands in a function acts on those behind it. */
		LARGE("k", "d[0] = __COUNTER__;") MANY,
		LARGE("k", "\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n") MANY,
		LARGE("k", "\n#pragma pack(1)\n") MANY,
		"#define M 1\n" LARGE("k", "_Pragma(\"push_macro(\\\"M\\\")\")") MANY,
		/* Not a kernel, when nothing else declares it. */
		"inline " LARGE("k", "") MANY,
		"float old(x) float x; { return x; }\n" MANY,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct weft_output output;

		if (build_as(programs[i], true, true, &output) != WEFT_OK)
			fail_msg("program %zu: %s", i, output.log);
		if (output.kind == WEFT_OUTPUT_ARCHIVE && flags_of(&output) & WEFT_ARCHIVE_SOURCE)
			fail_msg("program %zu", i);
		weft_compiler.release(&output);
	}
}

/* More than 64 MiB. */
#define BIG "constant char B(__LINE__)[1 << 20] = {1};\n"
#define BIG8 BIG BIG BIG BIG BIG BIG BIG BIG
#define BIGS                                                                                       \
	"#define C(a, b) a##b\n#define D(a, b) C(a, b)\n#define B(n) D(big, n)\n" BIG8 BIG8 BIG8   \
		BIG8 BIG8 BIG8 BIG8 BIG8 BIG8

#define FAULTY(program)                                                                            \
	"int again(int n) { return n ? again(n - 1) : 0; }\n" program LARGE("k",                   \
									    "d[0] = again(n);"),   \
		"float missing(float x);\n" program LARGE("k", "d[0] = missing(x);"),              \
		"extern constant int missing;\n" program LARGE("k", "d[0] = missing;"),            \
		program LARGE("k", "constant char *f = n ? \"a\" : \"b\"; printf(f, n);"),         \
		program "__attribute__((intel_reqd_sub_group_size(3)))\n" LARGE("k", ""),          \
		program LARGE("k", "__asm__(\"no such statement\");"),                             \
		program LARGE(                                                                     \
			"k",                                                                       \
			"int __attribute__((aligned(4096))) v = n; *(volatile int *)&v = 1;"),     \
		"typedef int far __attribute__((aligned(4096)));\n" program LARGE(                 \
			"k", "far v = n; *(volatile int *)&v = 1;"),                               \
		BIGS program

/* Each is an error, or a warning, of the whole program, which a build finds that leaves the rest for later. */
static void no_error_is_put_off(void **state)
{
	static const char *const programs[] = {FAULTY(PROGRAM), FAULTY(MANY)};

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct weft_output late, whole;
		const enum weft_status status = build_as(programs[i], false, true, &whole);

		assert_non_null(whole.log);
		if (build_as(programs[i], true, true, &late) != status)
			fail_msg("program %zu: another status", i);
		assert_non_null(late.log);
		assert_string_equal(late.log, whole.log);
		weft_compiler.release(&late);
		weft_compiler.release(&whole);
	}
}

/* Kernels that have to do with each other are compiled together. */
static void some_programs_are_prepared(void **state)
{
	static const char *const programs[] = {
		"global int v;\n" PROGRAM,
		PROGRAM "kernel void k(void) { enqueue_kernel(get_default_queue(), 0, "
			"ndrange_1D(1), ^{ printf(\"block\"); }); }",
		PROGRAM "kernel void k(void) { enqueue_marker(get_default_queue(), 0, 0, 0); }",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct weft_target target = test_target;
		const struct weft_compile_desc desc = {
			.source = programs[i],
			.source_size = strlen(programs[i]),
			.options = "-cl-std=CL3.0",
			.target = &target,
			.late = true,
		};
		struct weft_archive archive = {.num_units = 0};
		struct weft_output output = {0};

		target.features = "__opencl_c_fp64 __opencl_c_int64 __opencl_c_device_enqueue "
				  "__opencl_c_generic_address_space "
				  "__opencl_c_program_scope_global_variables";
		if (weft_compiler.build(&desc, &output) != WEFT_OK)
			fail_msg("program %zu: %s", i, output.log);
		if (weft_archive_open(output.data, output.size, &archive) &&
		    archive.flags & WEFT_ARCHIVE_UNPREPARED)
			fail_msg("program %zu", i);
		weft_compiler.release(&output);
	}
}

static void small_kernels_share_a_unit(void **state)
{
	struct weft_output output;
	struct weft_archive archive = {.num_units = 0};

	(void)state;
	assert_int_equal(build("kernel void a(global int *d) { d[0]++; }\n"
			       "kernel void b(global int *d) { d[0]--; }\n" PROGRAM,
			       true, &output),
			 WEFT_OK);
	assert_true(weft_archive_open(output.data, output.size, &archive));
	assert_int_equal(weft_archive_unit(&archive, 0), weft_archive_unit(&archive, 1));
	assert_int_equal(archive.num_units, KERNELS);
	weft_compiler.release(&output);
}

static void damaged_archives_are_refused(void **state)
{
	struct weft_output archive, output;

	(void)state;
	for (int many = 0; many < 2; many++) {
		assert_int_equal(build_as(many ? MANY : PROGRAM, true, many, &archive), WEFT_OK);
		assert_int_equal(generate(&archive, MANY_KERNELS, &output), WEFT_INVALID_BINARY);
		weft_compiler.release(&output);
		((char *)archive.data)[archive.size - 1000]++;
		assert_int_equal(generate(&archive, 0, &output), WEFT_INVALID_BINARY);
		weft_compiler.release(&output);
		weft_compiler.release(&archive);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_are_as_in_the_whole),
		cmocka_unit_test(units_are_made_of_the_source),
		cmocka_unit_test(source_is_specialised),
		cmocka_unit_test(some_sources_are_not_kept),
		cmocka_unit_test(no_error_is_put_off),
		cmocka_unit_test(some_programs_are_prepared),
		cmocka_unit_test(small_kernels_share_a_unit),
		cmocka_unit_test(damaged_archives_are_refused),
	};

	return cmocka_run_group_tests_name("kernel units", tests, NULL, NULL);
}
