/* SPDX-License-Identifier: MIT
 *
 * A table of queries.
 */
#include "info_device.h"

#include "alloc.h"
#include "entry_points.h"
#include "strbuf.h"

#include <inttypes.h>
#include <stdio.h>

enum value_kind {
	TEXT,
	WORDS,
	NUMBER, /* of the size that the query returns: 4 or 8 bytes */
	BYTES,  /* a number of these */
	FLAG,
	SIZES,    /* three of size_t */
	VERSIONS, /* cl_name_version: the versions alone */
	NAMES,    /* cl_name_version: the names alone */
};

static const struct {
	const char *key;
	cl_device_info query;
	enum value_kind kind;
} rows[] = {
	{"vendor", CL_DEVICE_VENDOR, TEXT},
	{"version", CL_DEVICE_VERSION, TEXT},
	{"driver_version", CL_DRIVER_VERSION, TEXT},
	{"opencl_c_versions", CL_DEVICE_OPENCL_C_ALL_VERSIONS, VERSIONS},
	{"spirv_versions", CL_DEVICE_ILS_WITH_VERSION, VERSIONS},
	{"compiler_available", CL_DEVICE_COMPILER_AVAILABLE, FLAG},
	{"compute_units", CL_DEVICE_MAX_COMPUTE_UNITS, NUMBER},
	{"clock_mhz", CL_DEVICE_MAX_CLOCK_FREQUENCY, NUMBER},
	{"global_memory", CL_DEVICE_GLOBAL_MEM_SIZE, BYTES},
	{"largest_allocation", CL_DEVICE_MAX_MEM_ALLOC_SIZE, BYTES},
	{"cache", CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, BYTES},
	{"local_memory", CL_DEVICE_LOCAL_MEM_SIZE, BYTES},
	{"constant_buffer", CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, BYTES},
	{"kernel_arguments", CL_DEVICE_MAX_PARAMETER_SIZE, BYTES},
	{"work_group_size", CL_DEVICE_MAX_WORK_GROUP_SIZE, NUMBER},
	{"work_item_sizes", CL_DEVICE_MAX_WORK_ITEM_SIZES, SIZES},
	{"native_vector_float", CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, NUMBER},
	{"images", CL_DEVICE_IMAGE_SUPPORT, FLAG},
	{"image_2d_width", CL_DEVICE_IMAGE2D_MAX_WIDTH, NUMBER},
	{"image_2d_height", CL_DEVICE_IMAGE2D_MAX_HEIGHT, NUMBER},
	{"image_3d_depth", CL_DEVICE_IMAGE3D_MAX_DEPTH, NUMBER},
	{"image_buffer_texels", CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, NUMBER},
	{"printf_buffer", CL_DEVICE_PRINTF_BUFFER_SIZE, BYTES},
	{"device_queue", CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, BYTES},
	{"opencl_c_features", CL_DEVICE_OPENCL_C_FEATURES, NAMES},
	{"extensions", CL_DEVICE_EXTENSIONS, WORDS},
};

static void add_versions(struct weft_strbuf *words, const cl_name_version *versions, size_t count,
			 bool names)
{
	for (size_t i = 0; i < count; i++) {
		const cl_version version = versions[i].version;

		if (names)
			weft_strbuf_printf(words, " %s", versions[i].name);
		else
			weft_strbuf_printf(words, " %u.%u", CL_VERSION_MAJOR(version),
					   CL_VERSION_MINOR(version));
	}
}

static uint64_t number_of(const void *value, size_t size)
{
	return size == sizeof(cl_uint) ? *(const cl_uint *)value : *(const cl_ulong *)value;
}

/* `value` has `size` bytes. False: out of memory. */
static bool report_value(struct weft_report *report, size_t row, const void *value, size_t size)
{
	const char *key = rows[row].key;
	const size_t *sizes = value;
	struct weft_strbuf words = {0};

	switch (rows[row].kind) {
	case TEXT:
		weft_report_text(report, key, value);
		break;
	case WORDS:
		weft_report_words(report, key, value);
		break;
	case NUMBER:
		weft_report_number(report, key, number_of(value, size));
		break;
	case BYTES:
		weft_report_bytes(report, key, number_of(value, size));
		break;
	case FLAG:
		weft_report_flag(report, key, number_of(value, size) != 0);
		break;
	case SIZES:
		weft_strbuf_printf(&words, "%zu %zu %zu", sizes[0], sizes[1], sizes[2]);
		break;
	case VERSIONS:
	case NAMES:
		add_versions(&words, value, size / sizeof(cl_name_version),
			     rows[row].kind == NAMES);
		break;
	}
	const bool done = !words.failed;
	if (words.data)
		weft_report_words(report, key, words.data);
	weft_strbuf_destroy(&words);
	return done;
}

bool weft_info_device(struct weft_report *report, cl_device_id device)
{
	bool done = true;

	for (size_t row = 0; row < sizeof(rows) / sizeof(*rows) && done; row++) {
		size_t size = 0;

		if (weft_clGetDeviceInfo(device, rows[row].query, 0, NULL, &size) != CL_SUCCESS)
			continue;
		void *value = weft_zalloc(size + 1);
		done = value && weft_clGetDeviceInfo(device, rows[row].query, size, value, NULL) ==
					CL_SUCCESS;
		done = done && report_value(report, row, value, size);
		weft_free(value);
	}
	return done;
}
