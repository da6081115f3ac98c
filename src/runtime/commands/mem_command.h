/* SPDX-License-Identifier: MIT
 *
 * The commands on memory objects: what they check, and how each comes down to a copy, a fill or nothing
 * but an order. The checks are to be called in the order of each command's error table.
 */
#ifndef WEFT_RUNTIME_MEM_COMMAND_H
#define WEFT_RUNTIME_MEM_COMMAND_H

#include "graph/event.h"
#include "memory/access.h"
#include "memory/rect.h"
#include "object/shared_memory_ext.h"

/* Where a copy or a fill has one side: in a memory object, or at an address of the host's. */
struct weft_mem_place {
	cl_mem mem; /* borrowed for the call; NULL for an address */
	/* Only read when it is the source; borrowed until the command ends, but for an allocation, which is kept alive. */
	void *host;
	struct weft_rect rect;
};

struct weft_mem_copy {
	struct weft_mem_place source;
	struct weft_mem_place destination;
	size_t region[3]; /* bytes per row, rows, slices; nothing is copied when the first is 0 */
};

struct weft_mem_fill {
	struct weft_mem_place destination;
	size_t region[3]; /* bytes per row, rows, slices; nothing is filled when the first is 0 */
	const void *pattern; /* borrowed for the call */
	size_t pattern_size; /* bytes */
};

struct weft_mem_map {
	cl_mem mem; /* borrowed for the call */
	cl_map_flags flags;
	struct weft_rect rect;
	size_t region[3]; /* bytes per row, rows, slices */
};

/* ---- checks ---------------------------------------------------------------------------------- */

/* CL_INVALID_COMMAND_QUEUE; CL_INVALID_MEM_OBJECT; CL_INVALID_CONTEXT when it is not the queue's. */
cl_int weft_mem_check_use(cl_command_queue queue, cl_mem mem) WEFT_MUST_CHECK;
/* The same; CL_INVALID_MEM_OBJECT: it is not a buffer. */
cl_int weft_mem_check_buffer(cl_command_queue queue, cl_mem mem) WEFT_MUST_CHECK;
/* What clEnqueueCopyBuffer and clEnqueueCopyBufferRect check first: the queue, both buffers, and
 * CL_MISALIGNED_SUB_BUFFER_OFFSET. */
cl_int weft_mem_check_copy_use(cl_command_queue queue, cl_mem source,
			       cl_mem destination) WEFT_MUST_CHECK;
/* CL_INVALID_VALUE */
cl_int weft_mem_check_bounds(cl_mem mem, const struct weft_rect *rect) WEFT_MUST_CHECK;
/* Fill in what a copy between two buffers, which are there already, is to move. CL_INVALID_VALUE */
cl_int weft_mem_place_linear(size_t source_offset, size_t destination_offset, size_t size,
			     struct weft_mem_copy *copy) WEFT_MUST_CHECK;
cl_int weft_mem_place_rects(const struct weft_rect_desc *source,
			    const struct weft_rect_desc *destination, const size_t *region,
			    struct weft_mem_copy *copy) WEFT_MUST_CHECK;
/* CL_MISALIGNED_SUB_BUFFER_OFFSET */
cl_int weft_mem_check_alignment(cl_command_queue queue, cl_mem mem) WEFT_MUST_CHECK;
/* CL_INVALID_OPERATION when the memory object was created with one of the flags in `forbidden`: CL_MEM_HOST_*, or
 * CL_MEM_IMMUTABLE_EXT. */
cl_int weft_mem_check_flags(cl_mem mem, cl_mem_flags forbidden) WEFT_MUST_CHECK;
/* Of a fill: CL_INVALID_OPERATION, too. */
static inline WEFT_MUST_CHECK cl_int weft_mem_check_mutable(cl_mem mem)
{
	return weft_mem_check_flags(mem, CL_MEM_IMMUTABLE_EXT);
}
/* CL_MEM_COPY_OVERLAP; CL_INVALID_OPERATION: the destination is immutable. */
cl_int weft_mem_check_copy(const struct weft_mem_copy *copy) WEFT_MUST_CHECK;
/* Fills in the region of a fill whose buffer and pattern are there already. CL_INVALID_VALUE */
cl_int weft_mem_place_fill(size_t offset, size_t size, struct weft_mem_fill *fill) WEFT_MUST_CHECK;
/* CL_INVALID_VALUE */
cl_int weft_mem_check_map_flags(cl_map_flags flags) WEFT_MUST_CHECK;
/* Fills in the region of a map whose buffer is there already. CL_INVALID_VALUE */
cl_int weft_mem_place_map(size_t offset, size_t size, struct weft_mem_map *map) WEFT_MUST_CHECK;

/* ---- commands: everything has been checked --------------------------------------------------- */

/* What the driver gets of a copy or fill, whose memory objects it borrows, of a device that works at `locus`; a command
 * that is NOTHING stays that when there is nothing to do. */
void weft_mem_fill_in_copy(const struct weft_mem_copy *copy, const struct weft_locus *locus,
			   struct weft_command *command);
/* `pattern`: room for it, which lives as long as the command. */
void weft_mem_fill_in_fill(const struct weft_mem_fill *fill, const struct weft_locus *locus,
			   void *pattern, struct weft_command *command);
/* What they do to memory. */
void weft_mem_copy_accesses(const struct weft_mem_copy *copy, struct weft_access_builder *accesses);
void weft_mem_fill_accesses(const struct weft_mem_fill *fill, struct weft_access_builder *accesses);

/* `event` is the application's or NULL. */
cl_int weft_mem_enqueue_copy(const struct weft_enqueue *enqueue, const struct weft_mem_copy *copy,
			     bool blocking, cl_event *event);
cl_int weft_mem_enqueue_fill(const struct weft_enqueue *enqueue, const struct weft_mem_fill *fill,
			     cl_event *event);

/* *pointer is the mapped region. CL_INVALID_OPERATION: it is mapped for writing already. */
cl_int weft_mem_enqueue_map(const struct weft_enqueue *enqueue, const struct weft_mem_map *map,
			    bool blocking, cl_event *event, void **pointer);
/* CL_INVALID_VALUE when `pointer` is not mapped. */
cl_int weft_mem_enqueue_unmap(const struct weft_enqueue *enqueue, cl_mem mem, const void *pointer,
			      cl_event *event);

struct weft_mem_migration {
	cl_uint num_mems;
	const cl_mem *mems; /* borrowed for the call */
	cl_mem_migration_flags flags;
};

/* Where all devices work in the host's space, only the order matters. */
cl_int weft_mem_enqueue_migrate(const struct weft_enqueue *enqueue,
				const struct weft_mem_migration *migration, cl_event *event);

#endif
