/* SPDX-License-Identifier: MIT
 *
 * Compiles OpenCL C with libweft-compiler.so and runs its kernels in this thread, for tests that check them
 * against scalar references: no queue, no context, no driver in between.
 */
#ifndef WEFT_TESTS_KERNEL_RUNNER_H
#define WEFT_TESTS_KERNEL_RUNNER_H

#include "kernel_abi.h"
#include "work.h"

#include <stdbool.h>
#include <stddef.h>

struct runner;

/* Fails the test, with the build log, when the source does not compile. Never NULL. */
struct runner *runner_build(const char *source, const char *options);
/* The log when it does not compile, NULL when it does. Owned by the caller: free. */
char *runner_build_error(const char *source, const char *options);
void runner_destroy(struct runner *runner);

const struct weft_kernel_desc *runner_kernel(const struct runner *runner, const char *name);
const struct weft_program_desc *runner_program(const struct runner *runner);

/* An argument: `size` bytes at `value` for a value, an address for memory, only `size` for local memory. */
struct runner_arg {
	const void *value;
	size_t size; /* bytes */
};

#define RUNNER_VALUE(variable) {&(variable), sizeof(variable)}
#define RUNNER_MEMORY(address) {(address), 0}
#define RUNNER_LOCAL(bytes) {NULL, (bytes)}

/* global, local and offset in work-items, three numbers each. Groups run in two ranges, so that a range does
 * not always begin with group 0. */
void runner_run(const struct runner *runner, const char *name, const size_t global[3],
		const size_t local[3], const struct runner_arg *args, size_t num_args);

#endif
