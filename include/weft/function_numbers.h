/* SPDX-License-Identifier: MIT
 *
 * What Weft has in the place of a function's address, and of the address of a class's table of virtual functions, on every device and in every program: a
 * number of the name (docs/function_pointers.md). A host that writes it to memory makes a pointer that kernels may call, or an object.
 *
 * Names are the symbols of the code: in OpenCL C, and of functions that are extern "C", the function's name; in C++ for OpenCL the
 * mangled one of the Itanium C++ ABI, as "_Z1fi" of int f(int).
 */
#ifndef WEFT_FUNCTION_NUMBERS_H
#define WEFT_FUNCTION_NUMBERS_H

#include <stdint.h>
#include <stdio.h>

/* FNV-1a of 64 bits: of the text, behind what has `digest`. */
static inline uint64_t weft_digest_text(const char *text, uint64_t digest)
{
	for (; *text; text++)
		digest = (digest ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return digest;
}

/* The digest's bits, mixed, between `mark` in the highest byte and four zero bits. */
static inline uint64_t weft_number_of_digest(uint64_t digest, uint64_t mark)
{
	digest = (digest ^ digest >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	digest ^= digest >> 32;
	return mark << 56 | (digest & UINT64_C(0x00fffffffffffff0));
}

#define WEFT_DIGEST_BEGIN UINT64_C(0xcbf29ce484222325)

/* The value of a pointer to the function. */
static inline uint64_t weft_function_number(const char *symbol)
{
	return weft_number_of_digest(weft_digest_text(symbol, WEFT_DIGEST_BEGIN), 0x5e);
}

/* What an object of a class with virtual functions has in the place of a pointer to its class's table. `table` is the table's symbol: "_ZTV3Sum" of a
 * class Sum, "_ZTVN5space3SumE" of space::Sum. `pointer` says which of the object's pointers, from 0 on, in the order of the table's
 * parts: 0 is the class's own, and its first base's; each further base with virtual functions, and a virtual one, has one of its own. */
static inline uint64_t weft_class_number(const char *table, uint32_t pointer)
{
	/* Of "TABLE+POINTER". */
	uint64_t digest = weft_digest_text("+", weft_digest_text(table, WEFT_DIGEST_BEGIN));
	char number[16];

	snprintf(number, sizeof(number), "%u", (unsigned)pointer);
	return weft_number_of_digest(weft_digest_text(number, digest), 0x5f);
}

#endif
