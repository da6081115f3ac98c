/* SPDX-License-Identifier: MIT
 *
 * The types of OpenCL C that buffers and arguments have: scalars and vectors of them.
 */
#ifndef WEFT_SCHEDULE_ELEMENT_H
#define WEFT_SCHEDULE_ELEMENT_H

#include "spec/expression.h"

enum weft_scalar_kind { WEFT_SCALAR_SIGNED, WEFT_SCALAR_UNSIGNED, WEFT_SCALAR_REAL };

struct weft_element {
	enum weft_scalar_kind kind;
	unsigned scalar_bytes;
	unsigned lanes; /* 1: a scalar */
};

/* The most bytes that a value has: ulong16. */
#define WEFT_ELEMENT_MOST_BYTES 128

/* "float", "uint4", "unsigned int" ... False: there is no such type. */
bool weft_element_named(const char *name, struct weft_element *element);

/* With OpenCL's padding: a vector of 3 has the size of one of 4. */
size_t weft_element_bytes(const struct weft_element *element);

/* Writes the numbers as a value of the type. One number stands for all lanes. NULL: done; else what is wrong. */
const char *weft_element_encode(const struct weft_element *element,
				const struct weft_number *numbers, size_t count,
				unsigned char bytes[WEFT_ELEMENT_MOST_BYTES]);

/* The scalar at `bytes` as a number. */
double weft_scalar_read(const struct weft_element *element, const void *bytes);
/* Whole numbers beyond the type's range wrap around. */
void weft_scalar_write(const struct weft_element *element, void *bytes,
		       const struct weft_number *number);

#endif
