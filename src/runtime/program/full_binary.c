/* SPDX-License-Identifier: MIT
 *
 * Full binaries. That of a program with quick code is linked from the object that the program carries, by the first query that
 * needs it; the build keeps it.
 */
#include "program/full_binary.h"

#include "alloc.h"
#include "compiler/cache.h"
#include "compiler/compiler_library.h"
#include "compiler/program_binary.h"
#include "device/device.h"
#include "log.h"
#include "program/deferred_codegen.h"

/* What the program had when it was asked. */
struct full_binary_source {
	struct weft_program_binary *binary;    /* retained; NULL: there is none */
	struct weft_deferred_codegen *codegen; /* retained; NULL: the binary has its code */
	/* Of a program with quick code; owned; else NULL. */
	void *object;
	size_t object_size; /* bytes */
};

static bool is_quick(const struct weft_program_build *build)
{
	for (uint32_t i = 0; build->desc && i < build->desc->num_kernels; i++) {
		if (build->desc->kernels[i].flags & WEFT_KERNEL_QUICK)
			return true;
	}
	return false;
}

static enum weft_status look(cl_program program, cl_uint device, struct full_binary_source *source)
	WEFT_REQUIRES(&program->lock)
{
	const struct weft_program_build *build = &program->builds[device];

	if (!build->binary)
		return WEFT_OK;
	source->binary = weft_program_binary_get(build->full ? build->full : build->binary);
	if (build->full)
		return WEFT_OK;
	if (!is_quick(build)) {
		source->codegen = build->codegen ? weft_deferred_codegen_get(build->codegen) : NULL;
		return WEFT_OK;
	}
	source->object = weft_memdup(build->desc->object, build->desc->object_size);
	source->object_size = build->desc->object_size;
	return source->object ? WEFT_OK : WEFT_OUT_OF_MEMORY;
}

static void release(struct full_binary_source *source)
{
	weft_program_binary_put(source->binary);
	weft_deferred_codegen_put(source->codegen);
	weft_free(source->object);
}

static enum weft_status keep(const struct full_binary_source *source,
			     const struct weft_output *output, struct weft_program_binary **full)
{
	const struct weft_program_binary_desc desc = {
		.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
		.options = source->binary->options,
		.bytes = output->data,
		.size = output->size,
	};

	*full = weft_program_binary_create(&desc);
	return *full ? WEFT_OK : WEFT_OUT_OF_MEMORY;
}

static enum weft_status compile(const struct full_binary_source *source,
				const struct weft_link_desc *desc, const struct weft_cache_key *key,
				struct weft_program_binary **full)
{
	const bool begun = weft_compiler_library_begin();
	const struct weft_compiler *compiler = weft_compiler_library();
	struct weft_output output = {0};
	enum weft_status status = WEFT_UNSUPPORTED;

	if (compiler) {
		status = compiler->link(desc, &output);
		if (status == WEFT_OK) {
			weft_cache_store(key, NULL, &output);
			status = keep(source, &output, full);
		} else {
			weft_log(WEFT_LOG_ERROR, "compiler", "no full code for a program: %s",
				 output.log ? output.log : "");
		}
		compiler->release(&output);
	}
	if (begun)
		weft_compiler_library_end();
	return status;
}

static enum weft_status make(cl_device_id device, const struct full_binary_source *source,
			     struct weft_program_binary **full)
{
	const struct weft_target target = weft_device_target(device);
	const struct weft_bytes object = {source->object, source->object_size};
	const struct weft_link_desc desc = {
		.inputs = &object, .num_inputs = 1, .options = "", .target = &target};
	const struct weft_cache_key key =
		weft_cache_key_link(&desc, weft_device_properties(device)->cpu_key);
	struct weft_output output = {0};

	if (!weft_cache_load(&key, NULL, &output))
		return compile(source, &desc, &key, full);
	enum weft_status status = keep(source, &output, full);
	weft_cache_release(&output);
	return status;
}

/* For later queries, unless the program has been built again since. Another thread may have been quicker: then all get what that
 * thread has made. */
static void publish(cl_program program, cl_uint device, const struct full_binary_source *source,
		    struct weft_program_binary **full)
{
	struct weft_program_binary *unused = NULL;

	weft_mutex_lock(&program->lock);
	struct weft_program_build *build = &program->builds[device];
	if (build->full && build->binary == source->binary) {
		unused = *full;
		*full = weft_program_binary_get(build->full);
	} else if (build->binary == source->binary) {
		build->full = weft_program_binary_get(*full);
	}
	weft_mutex_unlock(&program->lock);
	weft_program_binary_put(unused);
}

enum weft_status weft_full_binary(cl_program program, cl_uint device,
				  struct weft_program_binary **binary)
{
	struct full_binary_source source = {0};

	weft_mutex_lock(&program->lock);
	enum weft_status status = look(program, device, &source);
	weft_mutex_unlock(&program->lock);
	if (status == WEFT_OK && source.object) {
		status = make(program->devices[device], &source, binary);
		if (status == WEFT_OK)
			publish(program, device, &source, binary);
	} else if (status == WEFT_OK && source.codegen) {
		status = weft_deferred_codegen_binary(source.codegen, binary);
	} else if (status == WEFT_OK) {
		*binary = source.binary;
		source.binary = NULL;
	}
	release(&source);
	return status;
}
