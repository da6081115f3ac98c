/* SPDX-License-Identifier: MIT
 *
 * The file of built-in functions, and the object files of precompiled ones, as read-only data: each from weft_…_begin up to
 * weft_…_end.
 */
#include "embed.h"

#define EMBED(name, file)                                                                          \
	__asm__(".pushsection .rodata." name ", \"a\", @progbits\n"                                \
		".balign 64\n"                                                                     \
		".globl " name "_begin\n"                                                          \
		".hidden " name "_begin\n" name "_begin:\n"                                        \
		".incbin \"" file "\"\n"                                                           \
		".globl " name "_end\n"                                                            \
		".hidden " name "_end\n" name "_end:\n"                                            \
		".popsection\n")

EMBED("weft_builtins", WEFT_BUILTINS_FILE);
EMBED("weft_precompiled_128", WEFT_PRECOMPILED "_128.o");
EMBED("weft_precompiled_256", WEFT_PRECOMPILED "_256.o");
EMBED("weft_precompiled_512", WEFT_PRECOMPILED "_512.o");
