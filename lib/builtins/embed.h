/* SPDX-License-Identifier: MIT
 *
 * The built-in functions inside the compiler: a file of library_format.h.
 */
#ifndef WEFT_EMBED_H
#define WEFT_EMBED_H

#ifdef __cplusplus
extern "C" {
#endif

extern __attribute__((visibility("hidden"))) const char weft_builtins_begin[], weft_builtins_end[];

#ifdef __cplusplus
}
#endif

#endif
