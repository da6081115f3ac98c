/* SPDX-License-Identifier: MIT
 *
 * Runs a build: from the cache or by the compiler, once per kind of device, then loads the result
 * for each device. Touches nothing that another thread can see.
 */
#include "program/build_job.h"

#include "alloc.h"
#include "compiler/compiler_library.h"
#include "device/context.h"
#include "device/device.h"
#include "kernel_archive.h"
#include "options.h"
#include "program/deferred_codegen.h"
#include "program/specialisations.h"
#include "program/tier.h"
#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Whether what was made for one device serves the other as well. */
static bool same_target(const struct weft_device_job *a, const struct weft_device_job *b)
{
	if (!same_text(weft_device_properties(a->device)->cpu_key,
		       weft_device_properties(b->device)->cpu_key) ||
	    !same_text(a->device->extensions, b->device->extensions) ||
	    !same_text(a->device->opencl_c_features, b->device->opencl_c_features) ||
	    a->num_inputs != b->num_inputs)
		return false;
	for (size_t i = 0; i < a->num_inputs; i++) {
		if (a->inputs[i] != b->inputs[i])
			return false;
	}
	return true;
}

/* ---- the compiler, or the cache in its place ------------------------------------------------- */

/* Keeps what was made as the device's result. */
static enum weft_status take_output(const struct weft_build_job *job,
				    struct weft_device_job *device,
				    const struct weft_output *output)
{
	static const cl_program_binary_type types[] = {
		[WEFT_OUTPUT_NONE] = CL_PROGRAM_BINARY_TYPE_NONE,
		[WEFT_OUTPUT_OBJECT] = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
		[WEFT_OUTPUT_LIBRARY] = CL_PROGRAM_BINARY_TYPE_LIBRARY,
		[WEFT_OUTPUT_KERNELS] = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
		[WEFT_OUTPUT_ARCHIVE] = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
		[WEFT_OUTPUT_UNIT] = CL_PROGRAM_BINARY_TYPE_NONE,
	};
	const struct weft_program_binary_desc desc = {
		.type = types[output->kind],
		.options = job->options,
		.bytes = output->data,
		.size = output->size,
		.is_archive = output->kind == WEFT_OUTPUT_ARCHIVE,
	};

	if (desc.type == CL_PROGRAM_BINARY_TYPE_NONE)
		return WEFT_INTERNAL;
	device->result.binary = weft_program_binary_create(&desc);
	return device->result.binary ? WEFT_OK : WEFT_OUT_OF_MEMORY;
}

/* The log is kept whatever became of the build. */
static enum weft_status keep_log(struct weft_device_job *device, const char *log)
{
	if (!log || !*log)
		return WEFT_OK;
	device->result.log = weft_strdup(log);
	return device->result.log ? WEFT_OK : WEFT_OUT_OF_MEMORY;
}

static enum weft_status finish(const struct weft_build_job *job, struct weft_device_job *device,
			       enum weft_status status, const struct weft_output *output)
{
	enum weft_status kept = keep_log(device, output->log);

	if (status == WEFT_OK)
		status = kept;
	if (status == WEFT_OK)
		status = take_output(job, device, output);
	return status;
}

/* An archive that another process left is of use only to a build that may give back an archive. */
static bool load_cached(const struct weft_build_job *job, const struct weft_cache_key *key,
			struct weft_output *output)
{
	bool hit = weft_cache_load(key, job->folder, output);

	if (hit && output->kind == WEFT_OUTPUT_ARCHIVE && !weft_options()->late_code) {
		weft_cache_release(output);
		return false;
	}
	return hit;
}

/* NULL, and a line in the log, when there is none. */
static const struct weft_compiler *use_compiler(struct weft_device_job *device)
{
	const struct weft_compiler *compiler = weft_compiler_library();

	if (!compiler)
		device->result.log =
			weft_strdup("the kernel compiler, libweft-compiler.so, is not available");
	return compiler;
}

/* `target` is borrowed with the description. */
static struct weft_compile_desc describe_source(const struct weft_build_job *job,
						const struct weft_target *target)
{
	const cl_bitfield initialized = job->program->context->initialize;

	return (struct weft_compile_desc){
		.source = job->program->source,
		.source_size = job->program->source_size,
		.il = job->il.bytes ? &job->il : NULL,
		.options = job->options,
		.headers = job->headers,
		.num_headers = job->num_headers,
		.target = target,
		.folder = job->folder,
		.late = weft_options()->late_code,
		.leaves = weft_archives_leave(),
		.zero_private = initialized & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR,
		.zero_local = initialized & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR,
	};
}

static struct weft_cache_key source_key(const struct weft_build_job *job,
					const struct weft_device_job *device,
					const struct weft_compile_desc *desc)
{
	enum weft_cache_stage stage =
		job->stage == WEFT_BUILD_EXECUTABLE ? WEFT_CACHE_BUILD : WEFT_CACHE_COMPILE;

	return weft_cache_key_source(stage, desc, weft_device_properties(device->device)->cpu_key);
}

static enum weft_status compile(const struct weft_build_job *job, struct weft_device_job *device)
{
	const struct weft_target target = weft_first_target(device->device);
	const struct weft_compile_desc desc = describe_source(job, &target);
	bool whole = job->stage == WEFT_BUILD_EXECUTABLE;
	struct weft_output output = {0};

	device->key = source_key(job, device, &desc);
	if (load_cached(job, &device->key, &output)) {
		enum weft_status status = finish(job, device, WEFT_OK, &output);
		weft_cache_release(&output);
		device->made_before = true;
		return status;
	}
	const struct weft_compiler *compiler = use_compiler(device);
	if (!compiler)
		return WEFT_UNSUPPORTED;
	enum weft_status status =
		whole ? compiler->build(&desc, &output) : compiler->compile(&desc, &output);
	if (status == WEFT_OK)
		weft_cache_store(&device->key, job->folder, &output);
	status = finish(job, device, status, &output);
	compiler->release(&output);
	return status;
}

static enum weft_status link_inputs(const struct weft_build_job *job,
				    struct weft_device_job *device)
{
	const struct weft_target target = weft_first_target(device->device);
	struct weft_link_desc desc = {
		.num_inputs = device->num_inputs,
		.options = job->options,
		.target = &target,
		.late = weft_options()->late_code,
	};
	struct weft_bytes *inputs = weft_calloc(device->num_inputs, sizeof(*inputs));
	struct weft_output output = {0};
	enum weft_status status = WEFT_UNSUPPORTED;

	if (!inputs)
		return WEFT_OUT_OF_MEMORY;
	for (size_t i = 0; i < device->num_inputs; i++)
		inputs[i] = (struct weft_bytes){device->inputs[i]->bytes, device->inputs[i]->size};
	desc.inputs = inputs;
	device->key = weft_cache_key_link(&desc, weft_device_properties(device->device)->cpu_key);
	if (load_cached(job, &device->key, &output)) {
		status = finish(job, device, WEFT_OK, &output);
		weft_cache_release(&output);
		device->made_before = true;
	} else {
		const struct weft_compiler *compiler = use_compiler(device);
		if (compiler) {
			status = compiler->link(&desc, &output);
			if (status == WEFT_OK)
				weft_cache_store(&device->key, job->folder, &output);
			status = finish(job, device, status, &output);
			compiler->release(&output);
		}
	}
	weft_free(inputs);
	return status;
}

/* ---- devices --------------------------------------------------------------------------------- */

/* Code that is made later is made once for all devices of a kind. */
static enum weft_status share_codegen(struct weft_build_job *job, struct weft_device_job *device)
{
	struct weft_program_build *result = &device->result;
	const bool given = job->program->origin == WEFT_PROGRAM_BINARY;
	const struct weft_deferred_codegen_desc desc = {result->binary, &device->key,
							job->num_devices, given};
	enum weft_status status = WEFT_OK;

	for (struct weft_device_job *other = job->devices; other < device && !result->codegen;
	     other++) {
		if (other->result.codegen && other->result.binary == result->binary)
			result->codegen = weft_deferred_codegen_get(other->result.codegen);
	}
	if (!result->codegen)
		status = weft_deferred_codegen_create(&desc, &result->codegen);
	if (status == WEFT_OK)
		status = weft_deferred_codegen_add(result->codegen, device->device, result->module);
	return status;
}

/* Specification 5.10: groups may differ in size only where all that was linked allows it. */
static bool is_uniform(const struct weft_program_desc *desc)
{
	bool uniform = false;

	for (uint32_t i = 0; i < desc->num_kernels; i++)
		uniform = uniform || (desc->kernels[i].flags & WEFT_KERNEL_UNIFORM_SIZE);
	return uniform;
}

/* An executable is loaded at once: what is wrong with it shows in the build. */
static enum weft_status load(struct weft_build_job *job, struct weft_device_job *device)
{
	const struct weft_program_binary *binary = device->result.binary;
	struct weft_bytes image = {binary->bytes, binary->size};
	struct weft_device *impl = device->device->impl;
	struct weft_archive archive;

	if (binary->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
		return WEFT_OK;
	if (binary->is_archive) {
		if (!weft_archive_open(binary->bytes, binary->size, &archive))
			return WEFT_INVALID_BINARY;
		image = (struct weft_bytes){archive.binary, archive.binary_size};
	}
	enum weft_status status =
		impl->driver->program->load(impl, image.data, image.size, &device->result.module);
	if (status == WEFT_OK && binary->is_archive)
		status = share_codegen(job, device);
	if (status != WEFT_OK)
		return status;
	device->result.desc = device->result.codegen
				      ? weft_deferred_codegen_describe(device->result.codegen,
								       device->result.module)
				      : impl->driver->program->describe(device->result.module);
	device->result.uniform = is_uniform(device->result.desc);
	device->result.specialisations = weft_specialisations_create(
		device->device, device->result.desc, device->made_before);
	return WEFT_OK;
}

/* Otherwise the log would be empty. */
static void explain_load(struct weft_device_job *device)
{
	if (device->result.log)
		return;
	if (device->status == WEFT_CALL_FAILED)
		(void)keep_log(device,
			       "error: a constructor of a program-scope object called a function "
			       "of the application, or a pointer that leads to no function\n");
	if (device->status == WEFT_CALLS_TOO_DEEP)
		(void)keep_log(device, "error: functions that a constructor of a program-scope "
				       "object called have called themselves too deep\n");
}

/* What another device of the same kind got. */
static enum weft_status copy_result(struct weft_device_job *to, const struct weft_device_job *from)
{
	enum weft_status status = keep_log(to, from->result.log);

	if (from->status != WEFT_OK || status != WEFT_OK)
		return from->status != WEFT_OK ? from->status : status;
	to->result.binary = weft_program_binary_get(from->result.binary);
	to->key = from->key;
	to->made_before = from->made_before;
	return WEFT_OK;
}

/* The application's, or what has been made of it since it left. */
static enum weft_status take_executable(struct weft_build_job *job, struct weft_device_job *device)
{
	struct weft_program_binary *given = device->inputs[0];
	struct weft_output whole = {0};

	device->made_before = true;
	if (given->is_archive) {
		device->key = weft_deferred_codegen_key(device->device, given);
		if (weft_cache_load(&device->key, NULL, &whole)) {
			enum weft_status status = take_output(job, device, &whole);
			weft_cache_release(&whole);
			return status;
		}
	}
	device->result.binary = weft_program_binary_get(given);
	return WEFT_OK;
}

static enum weft_status make_binary(struct weft_build_job *job, struct weft_device_job *device)
{
	if (job->stage == WEFT_BUILD_EXECUTABLE && job->program->origin == WEFT_PROGRAM_BINARY)
		return take_executable(job, device);
	for (struct weft_device_job *other = job->devices; other < device; other++) {
		if (!other->skipped && same_target(other, device))
			return copy_result(device, other);
	}
	return job->stage == WEFT_BUILD_LINK ? link_inputs(job, device) : compile(job, device);
}

static bool is_cached(const struct weft_build_job *job, const struct weft_device_job *device)
{
	const struct weft_target target = weft_first_target(device->device);
	const struct weft_compile_desc desc = describe_source(job, &target);
	const struct weft_cache_key key = source_key(job, device, &desc);
	struct weft_output output = {0};
	bool hit = job->stage != WEFT_BUILD_LINK && load_cached(job, &key, &output);

	weft_cache_release(&output);
	return hit;
}

enum weft_status weft_build_job_check(struct weft_build_job *job)
{
	struct weft_device_job *device = &job->devices[0];
	bool link = job->stage == WEFT_BUILD_LINK;
	struct weft_output output = {0};

	if (job->program->origin == WEFT_PROGRAM_BINARY || is_cached(job, device))
		return WEFT_OK;
	if (!weft_compiler_library_present())
		return WEFT_UNSUPPORTED;
	if (!*job->options)
		return WEFT_OK;
	bool begun = weft_compiler_library_begin();

	const struct weft_compiler *compiler = use_compiler(device);
	enum weft_status status = WEFT_UNSUPPORTED;
	if (compiler) {
		status = compiler->check_options(job->options, link, &output);
		if (status != WEFT_OK)
			(void)keep_log(device, output.log);
		compiler->release(&output);
	}
	if (begun)
		weft_compiler_library_end();
	return status;
}

static const char *const stage_names[] = {
	[WEFT_BUILD_EXECUTABLE] = "build program",
	[WEFT_BUILD_OBJECT] = "compile program",
	[WEFT_BUILD_LINK] = "link program",
};

/* When all its devices have been added; once. */
static void start_codegen(const struct weft_build_job *job)
{
	for (cl_uint i = 0; i < job->num_devices; i++) {
		struct weft_deferred_codegen *codegen = job->devices[i].result.codegen;
		bool begun = job->devices[i].status != WEFT_OK;

		for (cl_uint k = 0; k < i; k++)
			begun = begun || (job->devices[k].result.codegen == codegen &&
					  job->devices[k].status == WEFT_OK);
		if (codegen && !begun)
			weft_deferred_codegen_start(codegen);
	}
}

void weft_build_job_run(struct weft_build_job *job)
{
	bool begun = weft_compiler_library_begin();

	for (cl_uint i = 0; i < job->num_devices; i++) {
		struct weft_device_job *device = &job->devices[i];

		if (device->skipped)
			continue;
		weft_trace_enter(stage_names[job->stage]);
		device->status = make_binary(job, device);
		weft_trace_leave();
		if (device->status == WEFT_OK) {
			device->status = load(job, device);
			explain_load(device);
		}
		device->result.options = weft_strdup(job->options);
		if (!device->result.options && device->status == WEFT_OK)
			device->status = WEFT_OUT_OF_MEMORY;
		device->result.status =
			device->status == WEFT_OK ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
	}
	start_codegen(job);
	if (begun)
		weft_compiler_library_end();
}
