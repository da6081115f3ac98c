/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of OpenCL C on values: the plain C evaluation of every operator and built-in that the generator
 * uses, all of them exact.
 */
#ifndef WEFT_DIFFER_VALUE_H
#define WEFT_DIFFER_VALUE_H

#include "random.h"
#include "tree.h"

/* Cut to the scalar and extended again. */
union lane wrap(enum scalar scalar, uint64_t bits);

struct value value_load(const void *memory, struct type type);
void value_store(void *memory, struct type type, const struct value *value);
/* Equal bits, or both NaN. */
bool lane_equal(enum scalar scalar, union lane a, union lane b);

struct value value_unary(int op, struct type type, const struct value *a);
/* Stops the program when `plain` arithmetic overflows. */
struct value value_binary(const struct expr *expr, const struct value *a, const struct value *b);
/* Operands of `type`: 0 or 1 for a scalar, 0 or -1 in each lane of a vector. */
struct value value_compare(enum operator op, struct type type, const struct value *a,
			   const struct value *b);
struct value value_convert(struct type to, struct type from, const struct value *a, bool saturate);
struct value value_as(struct type to, struct type from, const struct value *a);
struct value value_bits(struct type from, const struct value *a);
/* `type` is that of the arguments (of the first two for select). */
struct value value_builtin(enum builtin builtin, struct type type, const struct value *args);
uint64_t value_atomic(enum atomic atomic, enum scalar scalar, uint64_t old, uint64_t operand);

/* Special ones among them. */
union lane random_lane(struct random *random, enum scalar scalar);

#endif
