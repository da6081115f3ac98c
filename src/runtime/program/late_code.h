/* SPDX-License-Identifier: MIT
 *
 * Code of a program's kernels that is made after its build has returned: in units (kernel_archive.h), in the background,
 * what a launch waits for before the rest. A unit is a node of the task graph: commands that need its code wait by an edge.
 */
#ifndef WEFT_RUNTIME_LATE_CODE_H
#define WEFT_RUNTIME_LATE_CODE_H

#include "compiler/cache.h"
#include "compiler/program_binary.h"
#include "driver.h"
#include "graph/upcalls.h"
#include "node/node.h"

#include <stdbool.h>

/* Of one build, for one or more devices of a kind. */
struct weft_late_code;
/* Some of its kernels; lives as long. */
struct weft_late_unit;

struct weft_late_desc {
	struct weft_program_binary *archive; /* retained by it */
	const struct weft_cache_key *key;    /* of the build; copied */
	cl_uint max_devices;
};

/* Its owner's is the one reference. WEFT_INVALID_BINARY, WEFT_OUT_OF_MEMORY. */
enum weft_status weft_late_code_create(const struct weft_late_desc *desc,
				       struct weft_late_code **late) WEFT_MUST_CHECK;
/* One owner more, or less; NULL is fine. Without any, what is not being made yet is not made. */
struct weft_late_code *weft_late_code_get(struct weft_late_code *late);
void weft_late_code_put(struct weft_late_code *late);

/* Before it is started: code will be loaded for this device too, on which `module` is the archive's binary, borrowed while it
 * has owners. */
enum weft_status weft_late_code_add(struct weft_late_code *late, cl_device_id device,
				    struct weft_module *module) WEFT_MUST_CHECK;
/* Begins to make code. Once; without a thread to be had, it is made when this returns. */
void weft_late_code_start(struct weft_late_code *late);

/* The unit of a kernel of the program, by its place. */
struct weft_late_unit *weft_late_code_unit(struct weft_late_code *late, uint32_t kernel);

/* Waits for all code. The whole program's binary, retained, or why there is none. */
enum weft_status weft_late_code_binary(struct weft_late_code *late,
				       struct weft_program_binary **binary) WEFT_MUST_CHECK;

/* Somebody will wait for its code: before that of others. */
void weft_late_unit_want(struct weft_late_unit *unit);
/* For an event that launches its kernel. */
struct weft_event_code *weft_late_unit_code(struct weft_late_unit *unit);
/* Adds an edge that is met when the code is there, or will never be; false: so it is by now. */
bool weft_late_unit_wait(struct weft_late_unit *unit, struct weft_edge *edge) WEFT_MUST_CHECK;
/* Once that is met: puts the kernel's code in place of what only describes it; or says why there is none. */
enum weft_status weft_late_unit_take(const struct weft_late_unit *unit,
				     struct weft_launch *launch) WEFT_MUST_CHECK;

#endif
