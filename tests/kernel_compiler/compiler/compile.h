/* SPDX-License-Identifier: MIT
 *
 * What the compiler's tests share: a target, and calls that take C strings.
 */
#ifndef WEFT_TEST_COMPILE_H
#define WEFT_TEST_COMPILE_H

#include "compiler.h"
#include "kernel_abi.h"

/* OpenCL C 3.0 with doubles and 64-bit integers, without images, for this machine. */
extern const struct weft_target test_target;

/* Runs `compile`; the output is the caller's to release. */
enum weft_status test_compile(const char *source, const char *options, struct weft_output *output);
/* Runs `build`. */
enum weft_status test_build(const char *source, const char *options, struct weft_output *output);
/* Runs `build` for a text. */
enum weft_status test_build_text(const char *source, enum weft_emit emit,
				 struct weft_output *output);
/* Runs `link` on objects. */
enum weft_status test_link(const struct weft_output *const *objects, size_t num_objects,
			   const char *options, struct weft_output *output);

/* Runs `compile`, or for `build` both, expects the status, and that the log has `in_log` (NULL: is
 * empty). */
void expect_compile(const char *source, const char *options, enum weft_status status,
		    const char *in_log);
void expect_build(const char *source, const char *options, enum weft_status status,
		  const char *in_log);

/* Loads a kernel binary; it stays loaded. */
const struct weft_program_desc *test_load(const void *binary, size_t size);

/* Runs one work-item of a kernel whose first argument is a buffer. */
void test_run(const struct weft_kernel_desc *kernel, void *buffer);

/* A string of `count` copies of `text` between `before` and `after`. Owned. */
char *repeated(const char *before, const char *text, size_t count, const char *after);

#endif
