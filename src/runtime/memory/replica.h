/* SPDX-License-Identifier: MIT
 *
 * Where the contents of a buffer are, in a context whose devices have memories of their own. The buffer has a replica
 * on the host, number 0, where its `address` leads, and one in each memory in which a command has used it, numbered as
 * the context numbers its memories. Of each byte it is known in which replicas it is valid; the others are stale.
 * Sub-buffers are parts of their parents' replicas.
 */
#ifndef WEFT_RUNTIME_REPLICA_H
#define WEFT_RUNTIME_REPLICA_H

#include "memory/mem.h"
#include "memory/range.h"

/* Bytes from `begin` to where the next extent begins, or to the buffer's end. */
struct weft_extent {
	struct weft_extent *next;
	size_t begin;
	uint32_t valid; /* a bit per replica */
};

struct weft_transfer;

/* Of a buffer without a parent; what has no comment is guarded by its lock. */
struct weft_replicas {
	struct weft_extent first;
	/* Where the last change began, or NULL: look-ups behind that begin there. */
	struct weft_extent *cursor;
	struct weft_transfer *pending; /* under way: see migration.h */
	_Atomic(char *)
		addresses[]; /* in the context's memories: replica 1 and on; NULL: there is none */
};

/* For a buffer in such a context; `defined`: the host has its contents, which are undefined otherwise. */
cl_int weft_replicas_create(cl_mem buffer, bool defined) WEFT_MUST_CHECK;
/* Without replicas, nothing. */
void weft_replicas_destroy(cl_mem buffer);

/* The buffer, or the sub-buffer's parent, has the replica, not the host's, afterwards. CL_MEM_OBJECT_ALLOCATION_FAILURE, also
 * of an allocation (allocation.h) that does not move, or whose address that memory cannot have, and of what lies in one. */
cl_int weft_replica_allocate(cl_mem mem, unsigned replica) WEFT_MUST_CHECK;
/* Where the memory object is in a replica that is there: for the host, or for the devices of that memory. */
char *weft_replica_address(cl_mem mem, unsigned replica);

/* The same of any replica, in any context. */
static inline WEFT_MUST_CHECK cl_int weft_mem_allocate(cl_mem mem, unsigned replica)
{
	return replica == 0 ? CL_SUCCESS : weft_replica_allocate(mem, replica);
}

static inline char *weft_mem_address(cl_mem mem, unsigned replica)
{
	return replica == 0 ? mem->address : weft_replica_address(mem, replica);
}

/* The first bytes of a range that are stale in the replica, as many as are valid in the same others, which *valid
 * says; false: there are none. */
bool weft_replica_find_stale(cl_mem buffer, unsigned replica, const struct weft_range *range,
			     struct weft_range *stale, uint32_t *valid)
	WEFT_REQUIRES(&buffer->lock);

/* The replicas that are there in which all of the range is valid, a bit for each. */
uint32_t weft_replica_find_valid(cl_mem buffer, const struct weft_range *range)
	WEFT_REQUIRES(&buffer->lock);

/* Puts what the record of a range may take in front of a list; false: out of memory. */
bool weft_replica_reserve(cl_mem buffer, const struct weft_range *range,
			  struct weft_extent **spare) WEFT_MUST_CHECK;
void weft_replica_unreserve(struct weft_extent *spare);
/* The bytes are valid in the replica from now on; `alone`: and in no other. Takes of what was reserved. */
void weft_replica_validate(cl_mem buffer, unsigned replica, const struct weft_range *range,
			   bool alone, struct weft_extent **spare) WEFT_REQUIRES(&buffer->lock);

#endif
