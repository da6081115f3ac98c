/* SPDX-License-Identifier: MIT
 *
 * Code generation left for later, of programs whose kernels have been through the passes, since they have a variable: what a build gives
 * back then, how its kernels come in units, and that binaries of the units, and of all of them, are what they say.
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
	"	for (int i = 0; i < n; i++) {\n"                                                         \
	"		t[l] = sin(x) + tan(x);\n"                                                              \
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"                                                        \
	"		x += pow(t[(l + i) % s], cos(x));\n"                                                    \
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"                                                        \
	"	}\n"                                                                                     \
	"	d[get_global_id(0)] = x;\n" extra "}\n"

#define VARIABLE "global int variable;\n"

#define SMALL(name) "kernel void " name "(global float *d) { d[get_global_id(0)] += 1; }\n"

static struct weft_archive build_archive(const char *source, struct weft_output *output)
{
	const struct weft_compile_desc desc = {
		.source = source,
		.source_size = strlen(source),
		.options = "-cl-std=CL3.0",
		.target = &test_target,
		.late = true,
	};
	struct weft_archive archive;

	memset(output, 0, sizeof(*output));
	assert_int_equal(weft_compiler.build(&desc, output), WEFT_OK);
	assert_int_equal(output->kind, WEFT_OUTPUT_ARCHIVE);
	assert_true(weft_archive_open(output->data, output->size, &archive));
	assert_int_equal(archive.flags, 0);
	return archive;
}

static enum weft_status generate(const struct weft_output *archive, uint32_t unit,
				 struct weft_output *output)
{
	const struct weft_generate_desc desc = {
		.archive = {archive->data, archive->size},
		.unit = unit,
		.target = &test_target,
	};

	memset(output, 0, sizeof(*output));
	return weft_compiler.generate(&desc, output);
}

static enum weft_status join(const struct weft_output *archive, const struct weft_output *units,
			     size_t num_units, struct weft_output *output)
{
	struct weft_bytes parts[16];
	const struct weft_join_desc desc = {
		.archive = {archive->data, archive->size},
		.units = parts,
		.num_units = num_units,
	};

	for (size_t i = 0; i < num_units; i++)
		parts[i] = (struct weft_bytes){units[i].data, units[i].size};
	memset(output, 0, sizeof(*output));
	return weft_compiler.join(&desc, output);
}

static void descriptors_are_complete_without_code(void **state)
{
	struct weft_output output;
	const struct weft_archive archive =
		build_archive(VARIABLE LARGE("first", "") LARGE("second", ""), &output);
	struct weft_output whole;

	(void)state;
	assert_int_equal(test_build(VARIABLE LARGE("first", "") LARGE("second", ""),
				    "-cl-std=CL3.0", &whole),
			 WEFT_OK);
	assert_int_equal(whole.kind, WEFT_OUTPUT_KERNELS);
	const struct weft_program_desc *desc = test_load(archive.binary, archive.binary_size);
	const struct weft_program_desc *same = test_load(whole.data, whole.size);
	assert_int_equal(archive.num_kernels, 2);
	assert_int_equal(desc->num_kernels, 2);
	assert_int_equal(desc->object_size, same->object_size);
	for (int i = 0; i < 2; i++) {
		const struct weft_kernel_desc *a = &desc->kernels[i];
		const struct weft_kernel_desc *b = &same->kernels[i];

		assert_null(a->entry);
		assert_non_null(b->entry);
		assert_string_equal(a->name, b->name);
		assert_int_equal(a->num_args, b->num_args);
		assert_string_equal(a->args[1].type_name, b->args[1].type_name);
		assert_int_equal(a->args[0].access, b->args[0].access);
		assert_int_equal(a->private_size, b->private_size);
		assert_int_equal(a->spill_per_item, b->spill_per_item);
		assert_int_equal(a->flags, b->flags);
	}
	weft_compiler.release(&whole);
	weft_compiler.release(&output);
}

static void units_have_their_kernels_code(void **state)
{
	struct weft_output output;
	const struct weft_archive archive = build_archive(
		VARIABLE LARGE("first", "") LARGE("second", "") LARGE("third", ""), &output);
	struct weft_output units[3];
	struct weft_output binary;
	float results[2][3];

	(void)state;
	assert_int_equal(archive.num_units, 3);
	for (uint32_t unit = 0; unit < 3; unit++) {
		assert_int_equal(generate(&output, unit, &units[unit]), WEFT_OK);
		assert_int_equal(units[unit].kind, WEFT_OUTPUT_UNIT);
		assert_int_equal(join(&output, &units[unit], 1, &binary), WEFT_OK);
		assert_int_equal(binary.kind, WEFT_OUTPUT_KERNELS);
		const struct weft_program_desc *desc = test_load(binary.data, binary.size);
		for (uint32_t i = 0; i < 3; i++)
			assert_int_equal(desc->kernels[i].entry != NULL,
					 weft_archive_unit(&archive, i) == unit);
		results[0][unit] = 0.5f;
		test_run(&desc->kernels[unit], &results[0][unit]);
		weft_compiler.release(&binary);
	}
	assert_int_equal(join(&output, units, 3, &binary), WEFT_OK);
	const struct weft_program_desc *desc = test_load(binary.data, binary.size);
	for (uint32_t i = 0; i < 3; i++) {
		results[1][i] = 0.5f;
		test_run(&desc->kernels[i], &results[1][i]);
		weft_compiler.release(&units[i]);
	}
	assert_true(results[0][0] != 0.5f);
	assert_memory_equal(results[0], results[1], sizeof(results[0]));
	weft_compiler.release(&binary);
	weft_compiler.release(&output);
}

static void what_kernels_share_is_in_one_unit(void **state)
{
	struct weft_output output;
	const struct weft_archive archive = build_archive(
		"global int count;\n"
		"constant int table[4] = {1, 2, 3, 4};\n" LARGE("first",
								"count++; d[0] += table[n];")
			LARGE("second", "d[0] += table[n];") LARGE("third", "d[0] += count;"),
		&output);
	struct weft_output unit;
	struct weft_output binary;
	float value = 0;

	(void)state;
	assert_int_equal(archive.num_units, 2);
	assert_int_equal(weft_archive_unit(&archive, 0), weft_archive_unit(&archive, 2));
	assert_int_not_equal(weft_archive_unit(&archive, 0), weft_archive_unit(&archive, 1));
	assert_int_equal(generate(&output, weft_archive_unit(&archive, 0), &unit), WEFT_OK);
	assert_int_equal(join(&output, &unit, 1, &binary), WEFT_OK);
	const struct weft_program_desc *desc = test_load(binary.data, binary.size);
	test_run(&desc->kernels[0], &value);
	value = 0;
	test_run(&desc->kernels[2], &value);
	assert_true(value != 0);
	weft_compiler.release(&binary);
	weft_compiler.release(&unit);
	weft_compiler.release(&output);
}

/* What takes no time is done at once, and small kernels keep each other company. */
static void small_ones_are_not_alone(void **state)
{
	struct weft_output output;
	const struct weft_compile_desc small = {
		.source = SMALL("a"),
		.source_size = strlen(SMALL("a")),
		.target = &test_target,
		.late = true,
	};

	(void)state;
	memset(&output, 0, sizeof(output));
	assert_int_equal(weft_compiler.build(&small, &output), WEFT_OK);
	assert_int_equal(output.kind, WEFT_OUTPUT_KERNELS);
	weft_compiler.release(&output);
	const struct weft_archive archive = build_archive(
		VARIABLE SMALL("a") SMALL("b") LARGE("large", "") SMALL("c"), &output);
	assert_in_range(archive.num_units, 1, 2);
	assert_int_equal(weft_archive_unit(&archive, 0), weft_archive_unit(&archive, 1));
	weft_compiler.release(&output);
}

/* Which shows only when code is made, and is the build's fault. */
static void assembler_is_not_left_for_later(void **state)
{
	static const char source[] = LARGE("first", "__asm__(\"no such statement\");");
	const struct weft_compile_desc desc = {
		.source = source,
		.source_size = sizeof(source) - 1,
		.target = &test_target,
		.late = true,
	};
	struct weft_output output = {0};

	(void)state;
	assert_int_equal(weft_compiler.build(&desc, &output), WEFT_BUILD_FAILED);
	assert_non_null(output.log);
	weft_compiler.release(&output);
}

static void damaged_archives_are_refused(void **state)
{
	struct weft_output archive;
	struct weft_output output;

	(void)state;
	(void)build_archive(VARIABLE LARGE("first", "") LARGE("second", ""), &archive);
	assert_int_equal(generate(&archive, 7, &output), WEFT_INVALID_BINARY);
	weft_compiler.release(&output);
	size_t size = archive.size;
	for (size_t cut = 1; cut < size; cut = cut * 3 + 1) {
		archive.size = size - cut;
		assert_int_equal(generate(&archive, 0, &output), WEFT_INVALID_BINARY);
		weft_compiler.release(&output);
		assert_int_equal(join(&archive, NULL, 0, &output), WEFT_INVALID_BINARY);
		weft_compiler.release(&output);
	}
	archive.size = size;
	((char *)archive.data)[size - 1000]++;
	assert_int_equal(generate(&archive, 0, &output), WEFT_INVALID_BINARY);
	weft_compiler.release(&output);
	weft_compiler.release(&archive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_are_complete_without_code),
		cmocka_unit_test(units_have_their_kernels_code),
		cmocka_unit_test(what_kernels_share_is_in_one_unit),
		cmocka_unit_test(small_ones_are_not_alone),
		cmocka_unit_test(assembler_is_not_left_for_later),
		cmocka_unit_test(damaged_archives_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
