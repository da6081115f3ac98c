/* SPDX-License-Identifier: MIT
 *
 * What a command does to memory: one list of accesses, made once, when the command is enqueued or recorded, by the same
 * code for both. Everything that depends on it reads this list: the order of commands (graph/hazards.h), transfers
 * between memories (migration/migration.h), and what an update of a recorded command changes.
 *
 * An image is accessed as bytes of its storage, a memory object without a parent. A command on a rectangle accesses its
 * rows alone, so that what is between them, other columns, layers or slices, may be accessed at the same time.
 *
 * Where devices have memories, transfers copy the ranges that rectangles span, with what is between the rows. No other
 * command may write that at the same time, unless it comes after such transfers, too: because it works in the same memory,
 * and reads what it does not write. Accesses of other commands are spans (region.h).
 *
 * Memory that is given by its address is an allocation's, if it lies in one (allocation.h), and else the application's.
 */
#ifndef WEFT_RUNTIME_ACCESS_H
#define WEFT_RUNTIME_ACCESS_H

#include "memory/mem.h"
#include "memory/region.h"

/* Bits. */
enum weft_access_kind {
	WEFT_ACCESS_READ = 1,  /* any byte may be read */
	WEFT_ACCESS_WRITE = 2, /* all bytes are written, or undefined afterwards */
	WEFT_ACCESS_READ_WRITE =
		WEFT_ACCESS_READ | WEFT_ACCESS_WRITE, /* any byte may be read or written */
};

struct weft_access {
	cl_mem buffer; /* without a parent; or an allocation; NULL: the application's memory */
	struct weft_region
		region; /* counted from the buffer's start; of the application's memory, addresses */
	enum weft_access_kind kind;
};

/* Of one buffer, regions in it do not overlap. What the application can reach through a mapping or its own pointer, a
 * buffer's bytes, is listed as the buffer's. */
struct weft_accesses {
	bool anything; /* the command may access memory beside what is listed */
	/* The list lacks accesses, for want of memory. Transfers need them all, so the command fails. `anything` is set, too. */
	bool truncated;
	uint32_t count;
	struct weft_access *items;
};

/* More accesses than this set `anything`: such a command is ordered with everything. */
#define WEFT_ACCESSES_MOST 32

/* A list in the making. */
struct weft_access_builder {
	struct weft_accesses list;
	bool list_all; /* there are memories: accesses are listed even when `anything` is set */
	bool is_elsewhere; /* the command works in another memory than its queue's device: accesses are spans */
	cl_context context; /* borrowed: of the command */
	bool unsettled;     /* accesses in the list may overlap */
	uint32_t room;
	struct weft_access few[WEFT_ACCESSES_MOST]; /* `list.items`, unless those are owned */
};

/* For a command of the context. Where its devices share the host's memory, only the order of commands needs the list,
 * and it ends when `anything` is set. */
void weft_access_builder_init(struct weft_access_builder *builder, cl_context context);
void weft_access_builder_destroy(struct weft_access_builder *builder);
/* Bytes `begin` to `end` of a memory object. */
void weft_accesses_add(struct weft_access_builder *builder, cl_mem mem, size_t begin, size_t end,
		       enum weft_access_kind kind);
/* A region of a memory object, counted from its start; or if that is NULL, of addresses. */
void weft_accesses_add_region(struct weft_access_builder *builder, cl_mem mem,
			      const struct weft_region *region, enum weft_access_kind kind);
/* By their address. */
void weft_accesses_add_host(struct weft_access_builder *builder, const void *memory, size_t size,
			    enum weft_access_kind kind);
/* Those of another command, which runs as a part of this one, in any order with the other parts. After the last of them,
 * weft_accesses_settle is called: what overlaps may be listed several times before. */
void weft_accesses_add_all(struct weft_access_builder *builder,
			   const struct weft_accesses *accesses);
/* Takes n log n of time; where it has something to do, regions may become the ranges that they span. */
void weft_accesses_settle(struct weft_access_builder *builder);

bool weft_accesses_equal(const struct weft_accesses *a, const struct weft_accesses *b);

#endif
