/* SPDX-License-Identifier: MIT
 *
 * Program objects: made from source, SPIR-V or binaries, and destroyed. Building is in program_build.c.
 */
#include "program/program.h"

#include "alloc.h"
#include "compiler/program_binary.h"
#include "device/context.h"
#include "device/device.h"
#include "list.h"
#include "node/completion.h"
#include "overflow.h"
#include "program/deferred_codegen.h"
#include "program/specialisations.h"

#include <string.h>

void weft_program_build_destroy(struct weft_program_build *build, cl_device_id device)
{
	weft_specialisations_close(build->specialisations);
	weft_deferred_codegen_put(build->codegen);
	if (build->module)
		device->impl->driver->program->unload(device->impl, build->module);
	weft_program_binary_put(build->binary);
	weft_free(build->options);
	weft_free(build->log);
	*build = (struct weft_program_build){.status = CL_BUILD_NONE};
}

/* There is no other reference to the program: no lock. */
static void end_program(cl_program program) WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_release_callback callback;

	for (cl_uint i = 0; i < program->num_devices; i++) {
		if (program->builds)
			weft_program_build_destroy(&program->builds[i], program->devices[i]);
		weft_object_put(&program->devices[i]->base);
	}
	/* "after destructors (if any) for program scope global variables … and before the program object is deleted" (5.8) */
	while (weft_release_callbacks_take(&program->releases, &callback))
		((weft_program_release)callback.function)(program, callback.user_data);
	weft_free(program->builds);
	weft_free(program->devices);
	weft_free(program->source);
	weft_il_module_destroy(&program->il);
	if (program->context)
		weft_object_put(&program->context->base);
	weft_mutex_destroy(&program->lock);
	weft_object_free(&program->base);
}

static void run_end(struct weft_callback *callback)
{
	end_program(WEFT_CONTAINER_OF(callback, struct _cl_program, end));
}

/* A driver that ends a command must not be kept waiting by the application. No lock, as above. */
static void destroy_program(struct weft_object *object) WEFT_TSA(no_thread_safety_analysis)
{
	cl_program program = WEFT_CONTAINER_OF(object, struct _cl_program, base);

	if (!program->releases || !weft_completion_is_under_way()) {
		end_program(program);
		return;
	}
	program->end.run = run_end;
	weft_callbacks_post(&program->end);
}

cl_int weft_program_add_release(cl_program program, weft_program_release function, void *user_data)
{
	return weft_release_callbacks_add(&program->lock, &program->releases,
					  (weft_release_function)function, user_data);
}

static cl_int fill_devices(cl_program program, cl_uint num, const cl_device_id *devices)
	WEFT_TSA(no_thread_safety_analysis)
{
	program->devices = weft_calloc(num, sizeof(cl_device_id));
	program->builds = weft_calloc(num, sizeof(*program->builds));
	if (!program->devices || !program->builds)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < num; i++) {
		if (weft_program_device_index(program, devices[i]) < program->num_devices)
			continue;
		weft_object_get(&devices[i]->base);
		program->builds[program->num_devices].status = CL_BUILD_NONE;
		program->devices[program->num_devices++] = devices[i];
	}
	return CL_SUCCESS;
}

cl_int weft_program_create(cl_context context, enum weft_program_origin origin, cl_uint num_devices,
			   const cl_device_id *devices, cl_program *program_ret)
{
	cl_program program = weft_object_alloc(sizeof(*program));

	if (!program)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_init(&program->base, WEFT_OBJECT_PROGRAM, destroy_program);
	weft_mutex_init(&program->lock, WEFT_RANK_PROGRAM);
	weft_object_get(&context->base);
	program->context = context;
	program->origin = origin;
	cl_int err = fill_devices(program, num_devices, devices);
	if (err != CL_SUCCESS) {
		weft_object_put(&program->base);
		return err;
	}
	*program_ret = program;
	return CL_SUCCESS;
}

static size_t string_length(const char **strings, const size_t *lengths, cl_uint i)
{
	return lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
}

/* Specification 5.8.9, CL_PROGRAM_SOURCE: "The concatenation strips any nulls". */
static size_t append(char *to, const char *from, size_t length)
{
	size_t kept = 0;

	for (size_t i = 0; i < length; i++) {
		if (from[i])
			to[kept++] = from[i];
	}
	return kept;
}

cl_int weft_program_create_source(cl_context context, cl_uint count, const char **strings,
				  const size_t *lengths, cl_program *program_ret)
{
	cl_program program;
	size_t total = 1;

	for (cl_uint i = 0; i < count; i++) {
		if (weft_add_overflows(total, string_length(strings, lengths, i), &total))
			return CL_OUT_OF_HOST_MEMORY;
	}
	char *source = weft_calloc(total, 1);
	if (!source)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = weft_program_create(context, WEFT_PROGRAM_SOURCE, context->num_devices,
					 context->devices, &program);
	if (err != CL_SUCCESS) {
		weft_free(source);
		return err;
	}
	for (cl_uint i = 0; i < count; i++) {
		program->source_size += append(source + program->source_size, strings[i],
					       string_length(strings, lengths, i));
	}
	program->source = source;
	*program_ret = program;
	return CL_SUCCESS;
}

cl_int weft_program_create_il(cl_context context, const void *il, size_t size,
			      cl_program *program_ret)
{
	struct weft_il_module module;
	cl_program program;

	enum weft_status status = weft_il_module_read(il, size, &module);
	cl_int err = status == WEFT_INVALID_BINARY ? CL_INVALID_VALUE : weft_status_to_cl(status);
	if (err == CL_SUCCESS)
		err = weft_program_create(context, WEFT_PROGRAM_IL, context->num_devices,
					  context->devices, &program);
	if (err != CL_SUCCESS) {
		weft_il_module_destroy(&module);
		return err;
	}
	program->il = module;
	*program_ret = program;
	return CL_SUCCESS;
}

cl_int weft_program_set_constant(cl_program program, uint32_t id, size_t size, const void *value)
{
	struct weft_il_constant *constant = weft_il_module_find(&program->il, id);
	uint64_t bits = 0;

	if (!constant)
		return CL_INVALID_SPEC_ID;
	if (!value || size != constant->value.size)
		return CL_INVALID_VALUE;
	memcpy(&bits, value, size); /* the host has the lowest byte first */
	weft_mutex_lock(&program->lock);
	constant->value.bits = bits;
	constant->is_set = true;
	weft_mutex_unlock(&program->lock);
	return CL_SUCCESS;
}

/* Imports each binary; all are looked at, for their statuses. No other thread has the program yet. */
static cl_int import_binaries(cl_program program, const struct weft_program_binaries *binaries)
	WEFT_TSA(no_thread_safety_analysis)
{
	cl_int err = CL_SUCCESS;

	for (cl_uint i = 0; i < binaries->num_devices; i++) {
		struct weft_program_binary *binary = NULL;
		cl_uint place = weft_program_device_index(program, binaries->devices[i]);

		cl_int status = weft_status_to_cl(
			weft_program_binary_import(binaries->binaries[i], binaries->lengths[i],
						   binaries->devices[i], &binary));
		if (status == CL_SUCCESS) {
			weft_program_binary_put(program->builds[place].binary);
			program->builds[place].binary = binary;
		}
		if (binaries->status)
			binaries->status[i] = status;
		if (err == CL_SUCCESS)
			err = status;
	}
	return err;
}

cl_int weft_program_create_binary(cl_context context, const struct weft_program_binaries *binaries,
				  cl_program *program_ret)
{
	cl_program program;

	cl_int err = weft_program_create(context, WEFT_PROGRAM_BINARY, binaries->num_devices,
					 binaries->devices, &program);
	if (err != CL_SUCCESS)
		return err;
	err = import_binaries(program, binaries);
	if (err != CL_SUCCESS) {
		weft_object_put(&program->base);
		return err;
	}
	*program_ret = program;
	return CL_SUCCESS;
}

cl_uint weft_program_device_index(cl_program program, cl_device_id device)
{
	cl_uint i = 0;

	while (i < program->num_devices && program->devices[i] != device)
		i++;
	return i;
}

cl_uint weft_program_executable(cl_program program, cl_device_id device)
{
	for (; device; device = device->parent) {
		cl_uint i = weft_program_device_index(program, device);

		if (i < program->num_devices && program->builds[i].desc &&
		    program->builds[i].status == CL_BUILD_SUCCESS)
			return i;
	}
	return program->num_devices;
}

const struct weft_kernel_desc *weft_program_find_kernel(const struct weft_program_build *build,
							const char *name)
{
	if (!build->desc || build->status != CL_BUILD_SUCCESS)
		return NULL;
	return weft_program_desc_find(build->desc, name);
}

enum weft_status weft_program_application_binary(cl_program program, cl_uint device,
						 struct weft_program_binary **binary)
{
	enum weft_status status = WEFT_OK;

	weft_mutex_lock(&program->lock);
	const struct weft_program_build *build = &program->builds[device];
	struct weft_deferred_codegen *codegen =
		build->codegen ? weft_deferred_codegen_get(build->codegen) : NULL;
	if (!codegen)
		*binary = build->binary ? weft_program_binary_get(build->binary) : NULL;
	weft_mutex_unlock(&program->lock);
	if (codegen)
		status = weft_deferred_codegen_binary(codegen, binary);
	weft_deferred_codegen_put(codegen);
	return status;
}
