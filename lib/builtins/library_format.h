/* SPDX-License-Identifier: MIT
 *
 * The file of built-in functions: a header, the members' places, the symbols in the order of their names,
 * the names, and then the members, each a bitcode module. Numbers are in the machine's byte order: the
 * file is made and read on one machine, as part of the compiler.
 */
#ifndef WEFT_LIBRARY_FORMAT_H
#define WEFT_LIBRARY_FORMAT_H

#include <stdint.h>

#define WEFT_BUILTINS_MAGIC 0x3130424c54464557u /* "WEFTLB01" */
#define WEFT_BUILTINS_ALIGNMENT 16

struct weft_builtins_header {
	uint64_t magic;
	uint32_t num_members; /* struct weft_builtins_member, right after the header */
	uint32_t num_symbols; /* struct weft_builtins_symbol, right after the members' places */
	uint64_t size;        /* of the whole file, bytes */
};

struct weft_builtins_member {
	uint32_t
		offset; /* bytes from the start of the file; a multiple of WEFT_BUILTINS_ALIGNMENT */
	uint32_t size;  /* bytes */
};

struct weft_builtins_symbol {
	uint32_t name;   /* bytes from the start of the file, to a string that ends with NUL */
	uint32_t member; /* which one defines it */
};

#endif
