/* SPDX-License-Identifier: MIT
 *
 * Opens libweft-compiler.so when it is first needed, and keeps it open. It is looked for where
 * WEFT_COMPILER says, else beside libweft.so, else in ../lib from there.
 */
#ifndef WEFT_RUNTIME_COMPILER_LIBRARY_H
#define WEFT_RUNTIME_COMPILER_LIBRARY_H

#include "compiler.h"
#include "digest.h"

/* NULL when the library cannot be opened or is of another version: the log says why. */
const struct weft_compiler *weft_compiler_library(void);
/* Whether it can be found, without opening it: CL_DEVICE_COMPILER_AVAILABLE. */
bool weft_compiler_library_present(void);

/* Tells this build of the library from others, built-ins included, without opening it: what it compiled
 * is cached under that. The same for every copy of it. Zero when there is none. */
struct weft_digest weft_compiler_library_identity(void);

/* Begin and end of a use of the library: a process that exits waits for the end of what has begun before. Once it exits,
 * begin returns false: the library may be used, the exit does not wait for that, and there is nothing to end. */
bool weft_compiler_library_begin(void) __attribute__((warn_unused_result));
void weft_compiler_library_end(void);

/* One more use, or one less, is to come in the background, for the kernel cache: exit waits for those, but after a while only
 * for what has begun. */
void weft_compiler_library_expect(bool more);

/* Tests only: closes the library; the next use looks for it again. */
void weft_compiler_library_reset(void);

#endif
