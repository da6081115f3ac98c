/* SPDX-License-Identifier: MIT
 *
 * What every file of built-ins starts with: the attributes of a definition and the floating-point mode.
 * A sum is contracted only where a body calls fma itself, since error-free transformations depend on it.
 */
#ifndef WEFT_PRELUDE_H
#define WEFT_PRELUDE_H

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

#include "weft_internal.h"

#define WEFT __attribute__((overloadable))
#define WEFT_CONVERGENT __attribute__((overloadable, convergent))
#define ONCE __attribute__((noinline)) /* weft_internal.h */
#define HELPER static inline __attribute__((overloadable, always_inline))

#endif
