/* SPDX-License-Identifier: MIT
 *
 * Between the files of deferred code generation: its state, and making one unit's code.
 */
#ifndef WEFT_RUNTIME_CODEGEN_UNIT_H
#define WEFT_RUNTIME_CODEGEN_UNIT_H

#include "kernel_archive.h"
#include "mutex.h"
#include "program/deferred_codegen.h"
#include "threads/background.h"

/* A unit's code on one device. */
struct weft_unit_code {
	struct weft_module *module; /* owned; NULL: not made */
	const struct weft_program_desc *desc;
};

struct weft_codegen_unit {
	struct weft_event_code base;
	/* Makes the code. While it is posted or runs, it has a reference to the owner. */
	struct weft_task task;
	struct weft_deferred_codegen *owner;
	uint32_t number;
	char name[48]; /* for the trace */
	/* Its first kernel and how many there are, in a program that is not prepared (WEFT_ARCHIVE_UNPREPARED). */
	uint32_t first_kernel, num_kernels;
	/* A thread has asked for what is known of its kernels. */
	_Atomic bool asked;
	/* The process that makes the code. Guarded by owner->lock, as are the next four. */
	uint32_t generation;
	/* The task has been posted. */
	bool posted;
	/* A thread or a command waits for the code. */
	bool wanted;
	/* The code has been made, or never will be. */
	bool made;
	/* An exit waits for the code. */
	bool claimed;
	/* It counts among what is to come for the cache (weft_compiler_library_expect); when it has been made, another one is made at
	 * leisure. Set before the task is posted. */
	bool expected, has_next;
	/* Ends when the code has been made, or never will be. From then on, what follows is there, and constant. */
	struct weft_node node;
	enum weft_status status;
	/* Code that is not linked. Owned. */
	void *object;
	size_t object_size;           /* bytes */
	struct weft_unit_code *codes; /* owner->num_devices */
};

/* A device that code is made for. */
struct weft_codegen_place {
	cl_device_id device; /* retained */
	/* What describes the kernels. Borrowed; only owners may use it. */
	struct weft_module *module;
	const struct weft_program_desc *desc;
	/* Owned: of a program that is not prepared, what `desc` is (kernel_description.h). */
	struct weft_program_desc *completed;
};

struct weft_deferred_codegen {
	/* Of units in the making, and one of all owners together. */
	weft_refcount refs;
	weft_refcount owners;
	/* There are no owners. */
	_Atomic bool unowned;
	/* There are no owners, and a unit that is not begun is not made. */
	_Atomic bool dropped;
	/* There are no owners, and all units are made, for the cache. */
	bool for_cache;
	struct weft_program_binary *binary; /* the archive; retained */
	struct weft_archive archive;        /* its parts */
	struct weft_digest digest;          /* of the archive: weft_archive_header.identity */
	/* The archive with the module in the place of its source (WEFT_ARCHIVE_SOURCE); retained; or NULL. */
	_Atomic(struct weft_program_binary *) expanded;
	/* A thread makes that, or has. */
	_Atomic bool expanding;
	struct weft_cache_key key;
	struct weft_mutex lock; /* WEFT_RANK_DEFERRED_CODEGEN */
	/* Of a program that is not prepared, units that were posted; those of them whose kernels were asked for, and the last of these.
	 * Guarded by the lock. */
	uint32_t num_posted, num_asked, last_asked;
	cl_uint num_devices;
	struct weft_codegen_place *places; /* owned */
	struct weft_unit_code *codes;      /* of all units; owned */
	/* A unit has been the last, and has seen to the whole program. */
	_Atomic bool joined;
	/* The whole program; retained; or NULL. */
	_Atomic(struct weft_program_binary *) whole;
	/* What the application has got as the binary, or has given; retained; or NULL. It stays the same. */
	_Atomic(struct weft_program_binary *) answer;
	/* Units are made at leisure. */
	_Atomic bool fills;
	struct weft_codegen_unit units[];
};

static inline bool weft_codegen_is_prepared(const struct weft_deferred_codegen *codegen)
{
	return !(codegen->archive.flags & WEFT_ARCHIVE_UNPREPARED);
}

/* What is left to do for the whole program, when all units have code, is to join them. */
static inline bool weft_codegen_is_expanded(const struct weft_deferred_codegen *codegen)
{
	return !(codegen->archive.flags & WEFT_ARCHIVE_SOURCE) ||
	       atomic_load_explicit(&codegen->expanded, memory_order_acquire);
}

/* WEFT_OK: all units have code. WEFT_NOT_FOUND: not yet. */
enum weft_status weft_codegen_state(const struct weft_deferred_codegen *codegen);

/* Until the unit has been made, or never will be. It has been asked for. */
void weft_codegen_unit_sleep(struct weft_codegen_unit *unit);

/* Begins to make those units that were not asked for, for the cache. The caller is an owner. */
void weft_codegen_make_at_leisure(struct weft_deferred_codegen *codegen);

/* Makes the archive with the program's module, where there is one with its source; weft_codegen_is_expanded from then on. */
enum weft_status weft_codegen_expand(struct weft_deferred_codegen *codegen) WEFT_MUST_CHECK;

/* The archive of most use. */
struct weft_program_binary *weft_codegen_archive(const struct weft_deferred_codegen *codegen);

/* If the application has an archive as the program's binary, and the whole program is there: the cache gets it for those who bring that
 * binary. */
void weft_codegen_keep_for_binary(const struct weft_deferred_codegen *codegen);

/* Makes the unit's code; WEFT_UNSUPPORTED: it is not to be made any more. */
enum weft_status weft_codegen_unit_make(struct weft_codegen_unit *unit) WEFT_MUST_CHECK;

/* Makes `whole`, unless it is there. All units have code. */
enum weft_status
weft_deferred_codegen_make_whole(struct weft_deferred_codegen *codegen) WEFT_MUST_CHECK;

#endif
