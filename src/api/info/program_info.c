/* SPDX-License-Identifier: MIT
 *
 * clGetProgramInfo and clGetProgramBuildInfo (specification 5.8.9). What a build may replace during the query is copied
 * under the program's lock.
 */
#include "alloc.h"
#include "check.h"
#include "compiler/program_binary.h"
#include "entry_points.h"
#include "info/info.h"
#include "program/kernel.h"
#include "strbuf.h"

#include <string.h>

/* Const only for the application: the query takes the program's lock. */
static cl_program program_of(const void *object)
{
	return (cl_program)(uintptr_t)object;
}

static void release_binaries(cl_program program, struct weft_program_binary **binaries)
{
	for (cl_uint i = 0; i < program->num_devices; i++)
		weft_program_binary_put(binaries[i]);
	weft_free(binaries);
}

static cl_int get_retained_binary(cl_program program, cl_uint device,
				  struct weft_program_binary **binary)
{
	const enum weft_status status = weft_program_application_binary(program, device, binary);

	if (status == WEFT_OUT_OF_MEMORY)
		return CL_OUT_OF_HOST_MEMORY;
	return status == WEFT_OK ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

/* The retained binary of each device, NULL where there is none; *binaries is the caller's. */
static cl_int get_retained_binaries(cl_program program, struct weft_program_binary ***binaries_ret)
{
	struct weft_program_binary **binaries =
		weft_calloc(program->num_devices, sizeof(*binaries));
	cl_int err = CL_SUCCESS;

	if (!binaries)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < program->num_devices && err == CL_SUCCESS; i++)
		err = get_retained_binary(program, i, &binaries[i]);
	if (err == CL_SUCCESS)
		*binaries_ret = binaries;
	else
		release_binaries(program, binaries);
	return err;
}

static cl_int get_binary_sizes(const void *object, struct weft_info_answer *answer)
{
	cl_program program = program_of(object);
	struct weft_program_binary **binaries;
	size_t *sizes = weft_calloc(program->num_devices, sizeof(*sizes));

	if (!sizes)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = get_retained_binaries(program, &binaries);
	if (err != CL_SUCCESS) {
		weft_free(sizes);
		return err;
	}
	for (cl_uint i = 0; i < program->num_devices; i++)
		sizes[i] = weft_program_binary_export_size(binaries[i]);
	release_binaries(program, binaries);
	answer->owned = sizes;
	return weft_info_answer_data(answer, sizes, program->num_devices * sizeof(*sizes));
}

/* The one query that reads its value: an array of pointers to where the binaries go. NULL pointers
 * are skipped. */
static cl_int get_binaries(cl_program program, size_t size, void *value, size_t *size_ret)
{
	size_t needed = program->num_devices * sizeof(unsigned char *);
	struct weft_program_binary **binaries;
	unsigned char *const *places = value;

	if (value && size < needed)
		return CL_INVALID_VALUE;
	if (value) {
		cl_int err = get_retained_binaries(program, &binaries);
		if (err != CL_SUCCESS)
			return err;
		for (cl_uint i = 0; i < program->num_devices; i++) {
			if (binaries[i] && places[i])
				weft_program_binary_export(binaries[i], program->devices[i],
							   places[i]);
		}
		release_binaries(program, binaries);
	}
	if (size_ret)
		*size_ret = needed;
	return CL_SUCCESS;
}

/* What was built for the first device that has a program; NULL when none has. */
static const struct weft_program_desc *any_desc(cl_program program) WEFT_REQUIRES(&program->lock)
{
	const struct weft_program_desc *desc = NULL;

	for (cl_uint i = 0; i < program->num_devices && !desc; i++) {
		if (program->builds[i].status == CL_BUILD_SUCCESS)
			desc = program->builds[i].desc;
	}
	return desc;
}

/* Counts and names the kernels that can be created; either may be NULL. */
static cl_int list_kernels(cl_program program, size_t *count, struct weft_strbuf *names)
{
	weft_mutex_lock(&program->lock);
	const struct weft_program_desc *desc = any_desc(program);
	for (uint32_t i = 0; desc && i < desc->num_kernels; i++) {
		if (!weft_kernel_creatable(program, &desc->kernels[i]))
			continue;
		if (names && names->size)
			weft_strbuf_puts(names, ";");
		if (names)
			weft_strbuf_puts(names, desc->kernels[i].name);
		if (count)
			(*count)++;
	}
	weft_mutex_unlock(&program->lock);
	return desc ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
}

static cl_int get_num_kernels(const void *object, struct weft_info_answer *answer)
{
	size_t count = 0;

	cl_int err = list_kernels(program_of(object), &count, NULL);
	return err == CL_SUCCESS ? weft_info_answer_size(answer, count) : err;
}

static cl_int get_kernel_names(const void *object, struct weft_info_answer *answer)
{
	struct weft_strbuf names = {0};

	cl_int err = list_kernels(program_of(object), NULL, &names);
	if (err == CL_SUCCESS && names.failed)
		err = CL_OUT_OF_HOST_MEMORY;
	answer->owned = names.data;
	return err == CL_SUCCESS ? weft_info_answer_string(answer, names.data) : err;
}

/* Of objects at program scope, which only C++ has. */
static cl_int answer_hook(cl_program program, enum weft_program_hook hook,
			  struct weft_info_answer *answer)
{
	const struct weft_program_desc *desc = NULL;
	bool has = false;

	weft_mutex_lock(&program->lock);
	desc = any_desc(program);
	has = desc && desc->hooks & hook;
	weft_mutex_unlock(&program->lock);
	return desc ? weft_info_answer_u32(answer, has) : CL_INVALID_PROGRAM_EXECUTABLE;
}

static cl_int get_constructors(const void *object, struct weft_info_answer *answer)
{
	return answer_hook(program_of(object), WEFT_PROGRAM_CONSTRUCTS, answer);
}

static cl_int get_destructors(const void *object, struct weft_info_answer *answer)
{
	return answer_hook(program_of(object), WEFT_PROGRAM_DESTROYS, answer);
}

static cl_int get_il(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_program *program = object;

	return weft_info_answer_data(answer, program->il.bytes, program->il.size);
}

static const struct weft_info_row program_rows[] = {
	WEFT_INFO_GETTER(CL_PROGRAM_REFERENCE_COUNT, weft_info_get_reference_count),
	WEFT_INFO_FIELD(CL_PROGRAM_CONTEXT, struct _cl_program, context),
	WEFT_INFO_FIELD(CL_PROGRAM_NUM_DEVICES, struct _cl_program, num_devices),
	WEFT_INFO_LIST(CL_PROGRAM_DEVICES, struct _cl_program, devices, num_devices),
	WEFT_INFO_STRING(CL_PROGRAM_SOURCE, struct _cl_program, source),
	WEFT_INFO_GETTER(CL_PROGRAM_IL, get_il),
	WEFT_INFO_GETTER(CL_PROGRAM_BINARY_SIZES, get_binary_sizes),
	WEFT_INFO_GETTER(CL_PROGRAM_NUM_KERNELS, get_num_kernels),
	WEFT_INFO_GETTER(CL_PROGRAM_KERNEL_NAMES, get_kernel_names),
	WEFT_INFO_GETTER(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, get_constructors),
	WEFT_INFO_GETTER(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, get_destructors),
};

static const struct weft_info_table program_table =
	WEFT_INFO_OBJECT_TABLE(program_rows, WEFT_OBJECT_PROGRAM);

cl_int CL_API_CALL weft_clGetProgramInfo(cl_program program, cl_program_info param, size_t size,
					 void *value, size_t *size_ret)
{
	if (param != CL_PROGRAM_BINARIES)
		return weft_info_query_object(&program_table, program, param, size, value,
					      size_ret);
	cl_int err = weft_check_program(program);
	return err == CL_SUCCESS ? get_binaries(program, size, value, size_ret) : err;
}

/* ---- builds ---------------------------------------------------------------------------------- */

/* The object of the getters. */
struct build_view {
	cl_program program;
	cl_uint device;
};

static cl_int get_status(const void *object, struct weft_info_answer *answer)
{
	const struct build_view *view = object;
	cl_program program = view->program;

	weft_mutex_lock(&program->lock);
	cl_build_status status = program->builds[view->device].status;
	weft_mutex_unlock(&program->lock);
	return weft_info_answer_u32(answer, (cl_uint)status);
}

static cl_int get_type(const void *object, struct weft_info_answer *answer)
{
	const struct build_view *view = object;
	cl_program program = view->program;

	weft_mutex_lock(&program->lock);
	const struct weft_program_binary *binary = program->builds[view->device].binary;
	cl_program_binary_type type = binary ? binary->type : CL_PROGRAM_BINARY_TYPE_NONE;
	weft_mutex_unlock(&program->lock);
	return weft_info_answer_u32(answer, type);
}

static cl_int get_variables_size(const void *object, struct weft_info_answer *answer)
{
	const struct build_view *view = object;
	cl_program program = view->program;

	weft_mutex_lock(&program->lock);
	const struct weft_program_desc *desc = program->builds[view->device].desc;
	size_t size = desc ? desc->global_variable_size : 0;
	weft_mutex_unlock(&program->lock);
	return weft_info_answer_size(answer, size);
}

/* Copies one of the build's texts. While a build is in progress the texts are of the build before, and the answer is
 * empty. */
static cl_int answer_text(const struct build_view *view, bool log, struct weft_info_answer *answer)
{
	cl_program program = view->program;

	weft_mutex_lock(&program->lock);
	const struct weft_program_build *build = &program->builds[view->device];
	const char *text = log ? build->log : build->options;
	bool known = build->status == CL_BUILD_SUCCESS || build->status == CL_BUILD_ERROR;
	char *copy = weft_strdup(known && text ? text : "");
	weft_mutex_unlock(&program->lock);
	answer->owned = copy;
	return copy ? weft_info_answer_string(answer, copy) : CL_OUT_OF_HOST_MEMORY;
}

static cl_int get_options(const void *object, struct weft_info_answer *answer)
{
	return answer_text(object, false, answer);
}

static cl_int get_log(const void *object, struct weft_info_answer *answer)
{
	return answer_text(object, true, answer);
}

static const struct weft_info_row build_rows[] = {
	WEFT_INFO_GETTER(CL_PROGRAM_BUILD_STATUS, get_status),
	WEFT_INFO_GETTER(CL_PROGRAM_BUILD_OPTIONS, get_options),
	WEFT_INFO_GETTER(CL_PROGRAM_BUILD_LOG, get_log),
	WEFT_INFO_GETTER(CL_PROGRAM_BINARY_TYPE, get_type),
	WEFT_INFO_GETTER(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, get_variables_size),
};

static const struct weft_info_table build_table = WEFT_INFO_TABLE(build_rows);

/* The index of the build to report for a device: if nothing was built for a sub-device, it uses the code of its parent
 * (the note at the end of 5.8.9). */
static cl_uint build_place(cl_program program, cl_device_id device)
{
	cl_uint own = weft_program_device_index(program, device);
	cl_uint place = program->num_devices;

	weft_mutex_lock(&program->lock);
	for (; device && place == program->num_devices; device = device->parent) {
		cl_uint i = weft_program_device_index(program, device);

		if (i < program->num_devices && program->builds[i].status != CL_BUILD_NONE)
			place = i;
	}
	weft_mutex_unlock(&program->lock);
	return place < program->num_devices ? place : own;
}

cl_int CL_API_CALL weft_clGetProgramBuildInfo(cl_program program, cl_device_id device,
					      cl_program_build_info param, size_t size, void *value,
					      size_t *size_ret)
{
	cl_int err = weft_check_program(program);

	if (err != CL_SUCCESS)
		return err;
	if (weft_program_device_index(program, device) == program->num_devices)
		return CL_INVALID_DEVICE;
	const struct build_view view = {program, build_place(program, device)};
	return weft_info_query(&build_table, &view, param, size, value, size_ret);
}
