/* SPDX-License-Identifier: MIT
 *
 * OpenCL C to SPIR-V by Clang, the program: another way from the same source to Weft.
 */
#ifndef WEFT_TESTS_SPIRV_SOURCE_H
#define WEFT_TESTS_SPIRV_SOURCE_H

#include <stddef.h>

/* The module of a source; the caller frees it. NULL when the source does not compile: *log, the caller's to free, says why. `options` are
 * of clBuildProgram, or NULL. */
void *spirv_from_source(const char *source, const char *options, size_t *size, char **log);

#endif
