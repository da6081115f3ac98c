/* SPDX-License-Identifier: MIT
 *
 * Lets tests call the entry points by the names that applications use, without a loader: each name
 * jumps to its body in the library that is linked in.
 */
#include "entry_points.h"

#if defined(__x86_64__)
#define JUMP "jmp "
#else
#define JUMP "b "
#endif

#define WEFT_ENTRY(name)                                                                           \
	__asm__(".text\n.weak " #name "\n.type " #name ", %function\n" #name ": " JUMP             \
		"weft_" #name "\n");
#define WEFT_EXTENSION_ENTRY(name) WEFT_ENTRY(name)
#include "entry_points.def"
#undef WEFT_ENTRY
#undef WEFT_EXTENSION_ENTRY
