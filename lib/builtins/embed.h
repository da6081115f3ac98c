/* SPDX-License-Identifier: MIT
 *
 * The built-in functions inside the compiler: a file of library_format.h, and object files of precompiled functions for vectors of
 * 128, 256 and 512 bits, empty ones on other CPUs than x86-64.
 */
#ifndef WEFT_EMBED_H
#define WEFT_EMBED_H

/* Of the names of precompiled functions, and of those among them that are whole built-in functions. */
#define WEFT_PRECOMPILED_PREFIX "__weft_precompiled_"
#define WEFT_PRECOMPILED_WHOLE "__weft_precompiled_whole_"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_EMBEDDED(name)                                                                        \
	extern __attribute__((visibility("hidden"))) const char name##_begin[], name##_end[];

WEFT_EMBEDDED(weft_builtins)
WEFT_EMBEDDED(weft_precompiled_128)
WEFT_EMBEDDED(weft_precompiled_256)
WEFT_EMBEDDED(weft_precompiled_512)

#ifdef __cplusplus
}
#endif

#endif
