/* SPDX-License-Identifier: MIT
 *
 * Deferred code generation: the code of a program's kernels is made after its build has returned, in units
 * (kernel_archive.h), in the background. A unit that a launch waits for is made before the others. A unit is a node of the
 * task graph: commands that need its code wait for that node. Of a program that is not prepared, a unit is made when one of its kernels
 * is asked for.
 */
#ifndef WEFT_RUNTIME_DEFERRED_CODEGEN_H
#define WEFT_RUNTIME_DEFERRED_CODEGEN_H

#include "compiler/cache.h"
#include "compiler/program_binary.h"
#include "driver.h"
#include "graph/upcalls.h"
#include "node/node.h"

#include <stdbool.h>

/* The units of one build, for one or more devices of a kind. */
struct weft_deferred_codegen;
/* Some of the program's kernels; lives as long. */
struct weft_codegen_unit;

struct weft_deferred_codegen_desc {
	struct weft_program_binary *archive; /* retained by it */
	const struct weft_cache_key *key;    /* of the build; copied */
	cl_uint max_devices;
	bool given; /* the archive is a binary of the application */
};

/* The caller is its owner. WEFT_INVALID_BINARY, WEFT_OUT_OF_MEMORY. */
enum weft_status
weft_deferred_codegen_create(const struct weft_deferred_codegen_desc *desc,
			     struct weft_deferred_codegen **codegen) WEFT_MUST_CHECK;
/* One owner more, or less; NULL is fine. Without an owner, units that are not begun are made for the cache alone. */
struct weft_deferred_codegen *weft_deferred_codegen_get(struct weft_deferred_codegen *codegen);
void weft_deferred_codegen_put(struct weft_deferred_codegen *codegen);

/* Before it is started: code will be loaded for this device too. There, `module` is the archive's binary; borrowed while
 * there are owners. */
enum weft_status weft_deferred_codegen_add(struct weft_deferred_codegen *codegen,
					   cl_device_id device,
					   struct weft_module *module) WEFT_MUST_CHECK;
/* What describes the kernels there, as far as that is known; lives as long as `module`. */
const struct weft_program_desc *
weft_deferred_codegen_describe(const struct weft_deferred_codegen *codegen,
			       const struct weft_module *module);
/* Begins to make code, unless the program is not prepared. Called once. Where no thread can be started, all code has been made when this
 * returns. */
void weft_deferred_codegen_start(struct weft_deferred_codegen *codegen);

/* The unit of a kernel of the program, by its place. */
struct weft_codegen_unit *weft_deferred_codegen_unit(struct weft_deferred_codegen *codegen,
						     uint32_t kernel);

/* What the application gets as the program's binary, retained, or why there is none: always the same. An archive of a program whose
 * kernels are compiled when they are asked for, if the kernel cache is on, which then gets the code of all of them in time; else waits for
 * all code. */
enum weft_status weft_deferred_codegen_binary(struct weft_deferred_codegen *codegen,
					      struct weft_program_binary **binary) WEFT_MUST_CHECK;

/* Whether the application has got an archive as a binary before: then it will ask for those of other programs, too. */
bool weft_archives_leave(void);

/* Under which the cache has the whole program of an archive that is the application's binary. */
struct weft_cache_key weft_deferred_codegen_key(cl_device_id device,
						const struct weft_program_binary *archive);

/* A launch of a kernel of it may come: its code is made now. */
void weft_codegen_unit_expect(struct weft_codegen_unit *unit);
/* Returns when all is known of the unit's kernels; of a program that is not prepared, when they have been compiled. */
enum weft_status weft_codegen_unit_describe(struct weft_codegen_unit *unit) WEFT_MUST_CHECK;
/* A command or a thread will wait for the unit's code: it is made before that of others. */
void weft_codegen_unit_want(struct weft_codegen_unit *unit);
/* For an event that launches one of the unit's kernels. */
struct weft_event_code *weft_codegen_unit_code(struct weft_codegen_unit *unit);
/* Adds an edge that is met when the code is there, or will never be; false: so it is by now. */
bool weft_codegen_unit_wait(struct weft_codegen_unit *unit, struct weft_edge *edge) WEFT_MUST_CHECK;
/* Once that edge is met: puts the kernel's code in place of what only describes it; or says why there is none. */
enum weft_status weft_codegen_unit_take(const struct weft_codegen_unit *unit,
					struct weft_launch *launch) WEFT_MUST_CHECK;

#endif
