/* SPDX-License-Identifier: MIT
 *
 * Work-group collectives in plain C, in the order in which lib/builtins/collectives.cl combines: floats come out the
 * same bit for bit.
 */
#ifndef WEFT_TESTS_COLLECTIVE_REFERENCE_H
#define WEFT_TESTS_COLLECTIVE_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum collective_operation { COLLECTIVE_ADD, COLLECTIVE_MIN, COLLECTIVE_MAX };

#define WRAPPED_SUM(type, x, a) ((type)((uint64_t)(x) + (uint64_t)(a)))
#define FLOAT_SUM(type, x, a) ((x) + (a))

/* reduce_T and scan_T: of `count` values; scans replace them, exclusive ones by what comes before each. */
#define COLLECTIVE_REFERENCE(type, SUM, lowest, highest)                                           \
	static type combine_##type(enum collective_operation operation, type x, type a)            \
	{                                                                                          \
		if (operation == COLLECTIVE_ADD)                                                   \
			return SUM(type, x, a);                                                    \
		if (operation == COLLECTIVE_MIN)                                                   \
			return a < x ? a : x;                                                      \
		return x < a ? a : x;                                                              \
	}                                                                                          \
	static type identity_##type(enum collective_operation operation)                           \
	{                                                                                          \
		return operation == COLLECTIVE_ADD   ? 0                                           \
		       : operation == COLLECTIVE_MIN ? (highest)                                   \
						     : (lowest);                                   \
	}                                                                                          \
	static type reduce_##type(enum collective_operation operation, const type *values,         \
				  size_t count)                                                    \
	{                                                                                          \
		static const size_t folds[][3] = {                                                 \
			{0, 16, 16}, {32, 48, 16}, {0, 32, 16}, {0, 8, 8},                         \
			{0, 4, 4},   {0, 2, 2},    {0, 1, 1}};                                     \
		size_t whole = count / 64 * 64, sixteens = count / 16 * 16;                        \
		type sums[64];                                                                     \
		for (size_t j = 0; j < 64; j++)                                                    \
			sums[j] = identity_##type(operation);                                      \
		for (size_t i = 0; i < count; i++) {                                               \
			type *sum = &sums[i < whole      ? i % 64                                  \
					  : i < sixteens ? i % 16                                  \
							 : 16 + i % 16];                           \
			*sum = combine_##type(operation, *sum, values[i]);                         \
		}                                                                                  \
		for (size_t f = 0; f < sizeof(folds) / sizeof(folds[0]); f++) {                    \
			type *to = sums + folds[f][0];                                             \
			const type *from = sums + folds[f][1];                                     \
			for (size_t j = 0; j < folds[f][2]; j++)                                   \
				to[j] = combine_##type(operation, to[j], from[j]);                 \
		}                                                                                  \
		return sums[0];                                                                    \
	}                                                                                          \
	static void scan_##type(enum collective_operation operation, bool exclusive, type *values, \
				size_t count)                                                      \
	{                                                                                          \
		const type none = identity_##type(operation);                                      \
		type before = none;                                                                \
		for (size_t i = 0; i < count; i += 16) {                                           \
			size_t some = count - i < 16 ? count - i : 16;                             \
			type x[16], y[16];                                                         \
			for (size_t j = 0; j < 16; j++)                                            \
				x[j] = j < some ? values[i + j] : none;                            \
			for (size_t d = 1; d < 16; d *= 2) {                                       \
				memcpy(y, x, sizeof(y));                                           \
				for (size_t j = 0; j < 16; j++)                                    \
					x[j] = combine_##type(operation, j < d ? none : y[j - d],  \
							      y[j]);                               \
			}                                                                          \
			for (size_t j = 0; j < some; j++) {                                        \
				type last = !exclusive ? x[j] : j > 0 ? x[j - 1] : none;           \
				values[i + j] = combine_##type(operation, before, last);           \
			}                                                                          \
			before = combine_##type(operation, before, x[15]);                         \
		}                                                                                  \
	}

#endif
