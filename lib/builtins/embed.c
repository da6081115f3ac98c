/* SPDX-License-Identifier: MIT
 *
 * The file of built-in functions as read-only data: weft_builtins_begin up to weft_builtins_end.
 */
#include "embed.h"

__asm__(".pushsection .rodata.weft_builtins, \"a\", @progbits\n"
	".balign 64\n"
	".globl weft_builtins_begin\n"
	".hidden weft_builtins_begin\n"
	"weft_builtins_begin:\n"
	".incbin \"" WEFT_BUILTINS_FILE "\"\n"
	".globl weft_builtins_end\n"
	".hidden weft_builtins_end\n"
	"weft_builtins_end:\n"
	".popsection\n");
