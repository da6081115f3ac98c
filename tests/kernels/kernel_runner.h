/* SPDX-License-Identifier: MIT
 *
 * Compiles OpenCL C with libweft-compiler.so and runs its kernels in this thread, for tests that check them
 * against scalar references: no queue, no context, no driver in between. With WEFT_TEST_SPIRV=1 in the environment every source
 * goes by SPIR-V, which Clang, the program, makes of it; with WEFT_TEST_QUICK=1 all code is made quickly that can be.
 */
#ifndef WEFT_TESTS_KERNEL_RUNNER_H
#define WEFT_TESTS_KERNEL_RUNNER_H

#include "compiler.h"
#include "kernel/work.h"
#include "kernel_abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct runner;

/* What to compile for. All zeros: this machine, a width of the compiler's choice. */
struct runner_target {
	const char *options; /* of clBuildProgram; may be NULL */
	const char *cpu;     /* LLVM's name; NULL: this machine's */
	uint32_t vector_width;
	const struct weft_costs *costs; /* of counted cycles; NULL: they are not; borrowed */
	bool slow_gathers;              /* weft_target.slow_gathers */
};

/* For kernels that are to count, whatever it is. */
extern const struct weft_costs runner_costs;
extern const struct weft_costs runner_reporting_costs; /* of global accesses the host hears */

/* NULL when it does not compile; the log, if any, is the caller's to free. */
struct runner *runner_try_build(const char *source, const struct runner_target *target, char **log);
/* For what WEFT_CPU and WEFT_VECTOR_WIDTH say, with the build options of WEFT_TEST_OPTIONS added. Fails the test, with the
 * build log, when the source does not compile. Never NULL. */
struct runner *runner_build(const char *source, const char *options);
/* The log when it does not compile, NULL when it does. Owned by the caller: free. */
char *runner_build_error(const char *source, const char *options);
/* The kernel's version for this local size (weft_compiler.specialise); NULL when the program has no such kernel, or the
 * kernel gains nothing by one. Fails the test when it does not compile. */
struct runner *runner_version(const struct runner *runner, const char *name, const size_t local[3]);
/* The same for full code of a kernel whose code was made quickly. */
struct runner *runner_full(const struct runner *runner, const char *name);
/* Full code of all kernels of the program. Fails the test when it does not compile. Never NULL. */
struct runner *runner_full_program(const struct runner *runner);
/* The same for formats of images and for samplers (weft_specialise_desc.image_constants). */
struct runner *runner_for_images(const struct runner *runner, const char *name,
				 const uint64_t *constants, uint32_t num_constants);
void runner_destroy(struct runner *runner);

bool runner_has(const struct runner *runner, const char *name);
/* Fails the test when the program has no such kernel. */
const struct weft_kernel_desc *runner_kernel(const struct runner *runner, const char *name);
const struct weft_program_desc *runner_program(const struct runner *runner);

/* An argument: `size` bytes at `value` for a value, an address for memory, only `size` for local memory. An accelerator
 * wants to know the size of memory, too, and works in a copy; its kernel finds NULL if that is 0. */
struct runner_arg {
	const void *value;
	size_t size; /* bytes */
};

#define RUNNER_VALUE(variable) {&(variable), sizeof(variable)}
#define RUNNER_MEMORY(address) {(address), 0}
#define RUNNER_BUFFER(address, bytes) {(address), (bytes)}
#define RUNNER_LOCAL(bytes) {NULL, (bytes)}

/* Raises SIGPROF when this process has used the processor for that long from now on, unless called again; 0:
 * never. For kernels that may not end: what the machine does beside does not matter. */
void runner_allow(time_t seconds);

struct runner_range {
	size_t global[3]; /* work-items */
	size_t local[3];
	size_t offset[3];
};

/* What runs the groups. */
enum runner_way {
	RUNNER_DIRECT, /* this thread, without a driver */
	RUNNER_BASIC,
	RUNNER_PTHREAD,
	RUNNER_ACCEL,
};

void runner_launch(const struct runner *runner, const char *name, const struct runner_range *range,
		   const struct runner_arg *args, size_t num_args, enum runner_way way);
/* A digest of the cycles that the last launch without a driver counted, with all that weft_work_context.measure is told;
 * 0: they are not counted. */
uint64_t runner_cycles(void);
/* The observer of cycles that later launches without a driver count; NULL: the digest. Borrowed. */
void runner_observe(const struct weft_observer *observer);
/* The bytes of the cache for later launches without a driver, or 0: none is known; 1 to begin with, so that stores go past it.
 * The first range of groups never knows of one. */
void runner_assume_cache(uint64_t bytes);
/* In later launches, this one's kernel of the same name takes over; NULL: nothing does. Borrowed. Without a driver it does so when `share`
 * 256ths of the groups have run. On the pthread device another thread says so: at once if `share` is less than 128, else
 * while groups run, or too late. */
void runner_replace_by(const struct runner *better, uint32_t share);
/* Closes the devices that runner_launch has opened. */
void runner_close_devices(void);

/* Directly, without an offset. global and local in work-items, three numbers each. Groups run in two ranges, so that a range does
 * not always begin with group 0. */
void runner_run(const struct runner *runner, const char *name, const size_t global[3],
		const size_t local[3], const struct runner_arg *args, size_t num_args);

#endif
