/* SPDX-License-Identifier: MIT
 *
 * Binaries of programs whose code is made later. Most applications that keep binaries ask for them right after the build, before a kernel
 * has run, and bring them back in another process. They get what there is then, an archive; the code is the kernel cache's to keep.
 */
#include "alloc.h"
#include "options.h"
#include "program/codegen_unit.h"
#include "program/tier.h"

/* In the place of a unit's number. */
#define WHOLE_PROGRAM UINT32_MAX

static _Atomic bool archives_leave;

bool weft_archives_leave(void)
{
	return atomic_load_explicit(&archives_leave, memory_order_relaxed);
}

static struct weft_cache_key key_of(cl_device_id device, const struct weft_digest *digest)
{
	const struct weft_target target = weft_first_target(device);

	return weft_cache_key_unit(&target, digest, WHOLE_PROGRAM,
				   weft_device_properties(device)->cpu_key);
}

struct weft_cache_key weft_deferred_codegen_key(cl_device_id device,
						const struct weft_program_binary *archive)
{
	struct weft_archive parts = {0};

	/* Of what is no archive the build says so later. */
	(void)weft_archive_open(archive->bytes, archive->size, &parts);
	const struct weft_digest digest = {parts.identity[0], parts.identity[1]};
	return key_of(device, &digest);
}

void weft_codegen_keep_for_binary(const struct weft_deferred_codegen *codegen)
{
	const struct weft_program_binary *whole =
		atomic_load_explicit(&codegen->whole, memory_order_seq_cst);
	const struct weft_program_binary *answer =
		atomic_load_explicit(&codegen->answer, memory_order_seq_cst);

	if (!whole || !answer || !answer->is_archive)
		return;
	const struct weft_cache_key key = key_of(codegen->places[0].device, &codegen->digest);
	const struct weft_output output = {
		.kind = WEFT_OUTPUT_KERNELS,
		.data = (void *)(uintptr_t)whole->bytes,
		.size = whole->size,
	};
	weft_cache_store(&key, NULL, &output);
}

/* Without the cache, binaries are the only place where code is kept. Full code is asked for to be in them. */
static bool may_answer_archive(const struct weft_deferred_codegen *codegen)
{
	return !weft_codegen_is_prepared(codegen) && codegen->archive.flags & WEFT_ARCHIVE_QUICK &&
	       weft_cache_usable(codegen->binary->size);
}

static enum weft_status make_all(struct weft_deferred_codegen *codegen)
{
	for (uint32_t i = 0; i < codegen->archive.num_units; i++)
		weft_codegen_unit_want(&codegen->units[i]);
	for (uint32_t i = 0; i < codegen->archive.num_units; i++)
		weft_codegen_unit_sleep(&codegen->units[i]);
	enum weft_status status = weft_codegen_state(codegen);
	if (status == WEFT_OK)
		status = weft_deferred_codegen_make_whole(codegen);
	return status;
}

/* Borrowed from `codegen`. */
static enum weft_status find_answer(struct weft_deferred_codegen *codegen,
				    struct weft_program_binary **answer)
{
	const bool archive = may_answer_archive(codegen) &&
			     !atomic_load_explicit(&codegen->whole, memory_order_acquire);
	const enum weft_status status = archive ? weft_codegen_expand(codegen) : make_all(codegen);

	if (status == WEFT_OK)
		*answer = archive ? weft_codegen_archive(codegen)
				  : atomic_load_explicit(&codegen->whole, memory_order_acquire);
	return status;
}

enum weft_status weft_deferred_codegen_binary(struct weft_deferred_codegen *codegen,
					      struct weft_program_binary **binary)
{
	struct weft_program_binary *answer =
		atomic_load_explicit(&codegen->answer, memory_order_acquire);
	struct weft_program_binary *none = NULL;

	if (!answer) {
		enum weft_status status = find_answer(codegen, &answer);
		if (status != WEFT_OK)
			return status;
		weft_program_binary_get(answer);
		if (!atomic_compare_exchange_strong_explicit(&codegen->answer, &none, answer,
							     memory_order_seq_cst,
							     memory_order_seq_cst)) {
			weft_program_binary_put(answer);
			answer = none;
		}
		weft_codegen_keep_for_binary(codegen);
		if (answer->is_archive) {
			atomic_store_explicit(&archives_leave, true, memory_order_relaxed);
			weft_codegen_make_at_leisure(codegen);
		}
	}
	*binary = weft_program_binary_get(answer);
	return WEFT_OK;
}
