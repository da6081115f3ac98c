/* SPDX-License-Identifier: MIT
 *
 * Making code of one unit, and the whole program when all units have theirs.
 */
#include "program/codegen_unit.h"

#include "alloc.h"
#include "compiler/compiler_library.h"
#include "log.h"
#include "program/kernel_description.h"
#include "program/tier.h"
#include "trace/trace.h"

static struct weft_cache_key unit_key(const struct weft_codegen_unit *unit,
				      const struct weft_target *target)
{
	const struct weft_deferred_codegen *codegen = unit->owner;

	return weft_cache_key_unit(target, &codegen->digest, unit->number,
				   weft_device_properties(codegen->places[0].device)->cpu_key);
}

/* Units of a program that are made of its source, which is read for each; more are made of the module, for which all of it is read once:
 * as much work as reading it for some thirty units. */
#define MOST_FROM_SOURCE 8

struct weft_program_binary *weft_codegen_archive(const struct weft_deferred_codegen *codegen)
{
	struct weft_program_binary *expanded =
		atomic_load_explicit(&codegen->expanded, memory_order_acquire);

	return expanded ? expanded : codegen->binary;
}

static enum weft_status keep_expanded(struct weft_deferred_codegen *codegen,
				      const struct weft_output *output)
{
	const struct weft_program_binary_desc desc = {
		.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
		.options = codegen->binary->options,
		.bytes = output->data,
		.size = output->size,
		.is_archive = true,
	};
	struct weft_program_binary *expanded = weft_program_binary_create(&desc);
	struct weft_program_binary *none = NULL;

	if (!expanded)
		return WEFT_OUT_OF_MEMORY;
	if (!atomic_compare_exchange_strong_explicit(&codegen->expanded, &none, expanded,
						     memory_order_acq_rel, memory_order_acquire))
		weft_program_binary_put(expanded);
	return WEFT_OK;
}

static enum weft_status expand(struct weft_deferred_codegen *codegen,
			       const struct weft_compiler *compiler)
{
	const struct weft_target target = weft_first_target(codegen->places[0].device);
	const struct weft_generate_desc desc = {
		.archive = {codegen->binary->bytes, codegen->binary->size},
		.unit = WEFT_UNIT_ALL,
		.target = &target,
	};
	struct weft_output output = {0};

	if (weft_codegen_is_expanded(codegen))
		return WEFT_OK;
	enum weft_status status = compiler->generate(&desc, &output);
	if (status == WEFT_OK)
		status = keep_expanded(codegen, &output);
	compiler->release(&output);
	return status;
}

/* By the first thread that finds many units begun. Until it has made it, and if it fails, units are made of the source. */
static void expand_if_many(struct weft_deferred_codegen *codegen,
			   const struct weft_compiler *compiler)
{
	weft_mutex_lock(&codegen->lock);
	const bool many = codegen->num_posted > MOST_FROM_SOURCE;
	weft_mutex_unlock(&codegen->lock);
	if (many && !weft_codegen_is_expanded(codegen) &&
	    !atomic_exchange_explicit(&codegen->expanding, true, memory_order_relaxed) &&
	    expand(codegen, compiler) != WEFT_OK)
		weft_log(WEFT_LOG_WARN, "runtime", "a program's source could not be read at once");
}

static enum weft_status keep_object(struct weft_codegen_unit *unit,
				    const struct weft_output *output)
{
	unit->object = weft_memdup(output->data, output->size);
	unit->object_size = output->size;
	return unit->object ? WEFT_OK : WEFT_OUT_OF_MEMORY;
}

/* By the compiler, or from the cache, where another process may have left it that ended before the whole was made. */
static enum weft_status generate(struct weft_codegen_unit *unit,
				 const struct weft_compiler *compiler)
{
	const struct weft_program_binary *binary = weft_codegen_archive(unit->owner);
	const struct weft_target target = weft_first_target(unit->owner->places[0].device);
	const struct weft_generate_desc desc = {
		.archive = {binary->bytes, binary->size},
		.unit = unit->number,
		.target = &target,
	};
	const struct weft_cache_key key = unit_key(unit, &target);
	struct weft_output output = {0};

	if (weft_cache_load(&key, NULL, &output)) {
		enum weft_status status = keep_object(unit, &output);
		weft_cache_release(&output);
		return status;
	}
	enum weft_status status = compiler->generate(&desc, &output);
	if (status == WEFT_OK)
		status = keep_object(unit, &output);
	if (status == WEFT_OK && unit->owner->archive.num_units > 1)
		weft_cache_store(&key, NULL, &output);
	if (status != WEFT_OK)
		weft_log(WEFT_LOG_ERROR, "compiler", "no code for a kernel: %s",
			 output.log ? output.log : "");
	compiler->release(&output);
	return status;
}

/* Whether the binary is of the unit's kernels; then they are described. */
static bool is_of_unit(const struct weft_codegen_unit *unit, const struct weft_program_desc *desc,
		       const struct weft_codegen_place *place)
{
	if (!place->completed)
		return desc->num_kernels == unit->owner->archive.num_kernels;
	return desc->num_kernels == unit->num_kernels &&
	       weft_kernel_descriptions_complete(place->completed, unit->first_kernel, desc);
}

static enum weft_status load(struct weft_codegen_unit *unit, const struct weft_output *binary)
{
	struct weft_deferred_codegen *codegen = unit->owner;
	enum weft_status status = WEFT_OK;

	for (cl_uint d = 0; d < codegen->num_devices && status == WEFT_OK; d++) {
		struct weft_device *impl = codegen->places[d].device->impl;
		struct weft_unit_code *code = &unit->codes[d];

		status = impl->driver->program->load(impl, binary->data, binary->size,
						     &code->module);
		if (status != WEFT_OK)
			break;
		code->desc = impl->driver->program->describe(code->module);
		if (!is_of_unit(unit, code->desc, &codegen->places[d]))
			status = WEFT_INVALID_BINARY;
	}
	return status;
}

/* The archive with the code of `count` units from `first` on. */
static enum weft_status join(const struct weft_deferred_codegen *codegen, uint32_t first,
			     uint32_t count, const struct weft_compiler *compiler,
			     struct weft_output *output)
{
	struct weft_bytes *units = weft_calloc(count, sizeof(*units));
	const struct weft_program_binary *archive = weft_codegen_archive(codegen);
	const struct weft_join_desc desc = {
		.archive = {archive->bytes, archive->size},
		.units = units,
		.num_units = count,
	};

	if (!units)
		return WEFT_OUT_OF_MEMORY;
	for (uint32_t i = 0; i < count; i++)
		units[i] = (struct weft_bytes){codegen->units[first + i].object,
					       codegen->units[first + i].object_size};
	enum weft_status status = compiler->join(&desc, output);
	weft_free(units);
	return status;
}

/* Keeps the whole program, in the process and on disk, where units by themselves are not needed any more. */
static enum weft_status keep_whole(struct weft_deferred_codegen *codegen,
				   const struct weft_output *output)
{
	const struct weft_target target = weft_first_target(codegen->places[0].device);
	const struct weft_bytes archive = {codegen->binary->bytes, codegen->binary->size};
	const struct weft_program_binary_desc desc = {
		.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
		.options = codegen->binary->options,
		.bytes = output->data,
		.size = output->size,
	};
	struct weft_program_binary *whole = weft_program_binary_create(&desc);
	struct weft_program_binary *none = NULL;

	if (!whole)
		return WEFT_OUT_OF_MEMORY;
	weft_cache_complete(&codegen->key, &archive, output);
	for (uint32_t i = 0; i < codegen->archive.num_units && codegen->archive.num_units > 1;
	     i++) {
		const struct weft_cache_key key = unit_key(&codegen->units[i], &target);
		weft_cache_drop(&key);
	}
	if (!atomic_compare_exchange_strong_explicit(&codegen->whole, &none, whole,
						     memory_order_seq_cst, memory_order_acquire))
		weft_program_binary_put(whole);
	weft_codegen_keep_for_binary(codegen);
	return WEFT_OK;
}

static enum weft_status join_all(struct weft_deferred_codegen *codegen,
				 const struct weft_compiler *compiler)
{
	struct weft_output output = {0};

	enum weft_status status = expand(codegen, compiler);
	if (status == WEFT_OK)
		status = join(codegen, 0, codegen->archive.num_units, compiler, &output);
	if (status == WEFT_OK)
		status = keep_whole(codegen, &output);
	compiler->release(&output);
	return status;
}

/* A program of one unit is whole with it. Without owners, nothing is loaded. */
static enum weft_status make_code(struct weft_codegen_unit *unit,
				  const struct weft_compiler *compiler)
{
	struct weft_deferred_codegen *codegen = unit->owner;
	struct weft_output output = {0};

	bool unowned = atomic_load_explicit(&codegen->unowned, memory_order_relaxed);

	expand_if_many(codegen, compiler);
	enum weft_status status = generate(unit, compiler);
	if (status != WEFT_OK || (unowned && codegen->archive.num_units > 1))
		return status;
	status = join(codegen, unit->number, 1, compiler, &output);
	if (status == WEFT_OK && !unowned)
		status = load(unit, &output);
	if (status == WEFT_OK && codegen->archive.num_units == 1)
		status = keep_whole(codegen, &output);
	compiler->release(&output);
	return status;
}

enum weft_status weft_codegen_state(const struct weft_deferred_codegen *codegen)
{
	for (uint32_t i = 0; i < codegen->archive.num_units; i++) {
		const struct weft_codegen_unit *unit = &codegen->units[i];

		if (!weft_edges_closed(&unit->node.waiters))
			return WEFT_NOT_FOUND;
		if (unit->status != WEFT_OK)
			return unit->status;
	}
	return WEFT_OK;
}

enum weft_status weft_codegen_unit_make(struct weft_codegen_unit *unit)
{
	struct weft_deferred_codegen *codegen = unit->owner;
	enum weft_status status = WEFT_UNSUPPORTED;

	if (atomic_load_explicit(&codegen->dropped, memory_order_relaxed))
		return status;
	bool begun = weft_compiler_library_begin();
	const struct weft_compiler *compiler = weft_compiler_library();
	if (compiler) {
		weft_trace_enter(unit->name);
		status = make_code(unit, compiler);
		weft_trace_leave();
	}
	if (begun)
		weft_compiler_library_end();
	return status;
}

enum weft_status weft_deferred_codegen_make_whole(struct weft_deferred_codegen *codegen)
{
	if (atomic_load_explicit(&codegen->whole, memory_order_acquire))
		return WEFT_OK;
	bool begun = weft_compiler_library_begin();
	const struct weft_compiler *compiler = weft_compiler_library();
	enum weft_status status = compiler ? join_all(codegen, compiler) : WEFT_UNSUPPORTED;
	if (begun)
		weft_compiler_library_end();
	return status;
}

enum weft_status weft_codegen_expand(struct weft_deferred_codegen *codegen)
{
	if (weft_codegen_is_expanded(codegen))
		return WEFT_OK;
	bool begun = weft_compiler_library_begin();
	const struct weft_compiler *compiler = weft_compiler_library();
	enum weft_status status = compiler ? expand(codegen, compiler) : WEFT_UNSUPPORTED;
	if (begun)
		weft_compiler_library_end();
	return status;
}
