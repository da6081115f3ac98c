/* SPDX-License-Identifier: MIT
 *
 * What slabs of the examples need and write, as the compiler knows it: what the files say is forgotten.
 */
#include "engine/engine.h"
#include "spec/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 128 /* "dataset", the length of a side */
#define CUBE 16  /* of a side in three dimensions */

struct row {
	const char *file;
	const char *label;
	unsigned pos;
	struct weft_slabs slabs; /* counted in work-items along the dimension of the split */
	size_t needed[2];        /* elements: the first, and the one behind the last */
	size_t own[2];           /* of outputs and io buffers */
};

static const struct row rows[] = {
	/* Neighbours' rows, without the places that the border's work-items would use. */
	{"convolution_2d", "convolution", 0, {32, 32}, {31 * SIDE, 65 * SIDE}, {0, 0}},
	{"convolution_2d",
	 "convolution",
	 1,
	 {32, 32},
	 {32 * SIDE + 1, 64 * SIDE - 1},
	 {32 * SIDE + 1, 64 * SIDE - 1}},
	{"convolution_2d", "convolution", 0, {0, 32}, {0, 33 * SIDE}, {0, 0}},
	{"convolution_3d",
	 "convolution",
	 0,
	 {4, 4},
	 {3 * CUBE * CUBE + CUBE + 1, 9 * CUBE * CUBE - CUBE - 1},
	 {0, 0}},
	{"gemm", "gemm", 0, {32, 32}, {32 * SIDE, 64 * SIDE}, {0, 0}},
	{"gemm", "gemm", 1, {32, 32}, {0, SIDE * SIDE}, {0, 0}},
	{"gemm", "gemm", 2, {32, 32}, {32 * SIDE, 64 * SIDE}, {32 * SIDE, 64 * SIDE}},
	{"matrix_vector", "product", 0, {16, 16}, {16 * SIDE, 32 * SIDE}, {0, 0}},
	{"matrix_vector", "product", 2, {16, 16}, {16, 32}, {16, 32}},
};

struct opened {
	struct weft_opencl cl;
	struct weft_devices devices;
	struct weft_spec spec;
	struct weft_engine engine;
};

static void forget_files(struct weft_spec *spec)
{
	for (size_t t = 0; t < spec->count; t++) {
		for (size_t i = 0; i < spec->kernels[t].num_buffers; i++) {
			spec->kernels[t].buffers[i].is_broken = false;
			spec->kernels[t].buffers[i].halo = WEFT_HALO_UNKNOWN;
		}
	}
}

static void open_example(const char *name, struct opened *opened)
{
	struct weft_variables variables = {0};
	const struct weft_spec_settings settings = {.variables = &variables};
	struct weft_error error = {0};
	char path[512];

	*opened = (struct opened){0};
	snprintf(path, sizeof(path), EXAMPLES "/%s.json", name);
	assert_true(weft_variables_set(&variables, "dataset", SIDE));
	const bool is_read = weft_spec_read(&opened->spec, path, &settings, &error);
	forget_files(&opened->spec);
	if (!is_read || !weft_spec_link(&opened->spec, &error) ||
	    !weft_opencl_open(&opened->cl, NULL, &error) ||
	    !weft_devices_find(&opened->cl, "weft", &opened->devices, &error) ||
	    !weft_devices_open(&opened->cl, &opened->devices, &error) ||
	    !weft_engine_create(&opened->engine, &opened->cl, &opened->devices, &opened->spec,
				&error))
		fail_msg("%s", error.text);
	weft_variables_destroy(&variables);
}

static void close_example(struct opened *opened)
{
	weft_engine_destroy(&opened->engine);
	weft_devices_destroy(&opened->cl, &opened->devices);
	weft_spec_destroy(&opened->spec);
}

static size_t find_task(const struct weft_spec *spec, const char *label)
{
	size_t t = 0;

	while (t < spec->count && strcmp(spec->kernels[t].label, label) != 0)
		t++;
	assert_true(t < spec->count);
	return t;
}

static void check_range(const struct row *row, const char *what, const size_t expected[2],
			struct weft_range got)
{
	if (got.begin != expected[0] * sizeof(float) || got.end != expected[1] * sizeof(float))
		fail_msg("%s, argument %u, %s: elements %zu to %zu, expected %zu to %zu", row->file,
			 row->pos, what, got.begin / sizeof(float), got.end / sizeof(float),
			 expected[0], expected[1]);
}

static void check_row(const struct row *row)
{
	struct opened opened;
	size_t i = 0;

	open_example(row->file, &opened);
	const size_t task = find_task(&opened.spec, row->label);
	const struct weft_spec_kernel *kernel = &opened.spec.kernels[task];
	const struct weft_split *split = &opened.engine.splits[task];
	const struct weft_slabs slabs = {row->slabs.first / split->items_per_slab,
					 row->slabs.count / split->items_per_slab};
	while (i < kernel->num_buffers && kernel->buffers[i].pos != row->pos)
		i++;
	assert_true(i < kernel->num_buffers);
	const struct weft_spec_buffer *buffer = &kernel->buffers[i];
	check_range(row, "needed", row->needed, weft_slice_needed(kernel, split, buffer, slabs));
	if (buffer->direction != WEFT_INPUT)
		check_range(row, "own", row->own, weft_slice_own(kernel, split, buffer, slabs));
	close_example(&opened);
}

static void test_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
