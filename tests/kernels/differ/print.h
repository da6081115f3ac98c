/* SPDX-License-Identifier: MIT
 *
 * Trees as OpenCL C.
 */
#ifndef WEFT_DIFFER_PRINT_H
#define WEFT_DIFFER_PRINT_H

#include "tree.h"

#include <stdio.h>

/* What every program begins with. */
void print_prologue(FILE *out);
/* The kernel, called k<number>, with its functions, structs and tables. */
void print_kernel(FILE *out, const struct kernel *kernel, unsigned number);
void print_geometry(FILE *out, const struct geometry *geometry);
void print_value(FILE *out, struct type type, const struct value *value);
/* The contents of a program-scope table. */
struct value table_value(const struct kernel *kernel, int object, size_t element);

#endif
