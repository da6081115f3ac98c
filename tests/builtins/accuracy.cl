/* SPDX-License-Identifier: MIT
 *
 * What accuracy_test.c calls: each function of functions.def, for arrays of float, double and half, once as a scalar and,
 * to show that vectors give the same bits, four at a time. The int of WHOLE travels as a floating number.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/* clang-format off */
#define ARGUMENTS(type) \
	(const type *a, const type *b, const type *c, type *out, size_t count, int *different)
#define EACH(type, suffix, name, scalar_call, vector_call) \
	void name##_##suffix ARGUMENTS(type) \
	{ \
		for (size_t i = 0; i < count; i++) \
			out[i] = scalar_call; \
		for (size_t i = 0; i + 4 <= count; i += 4) { \
			type##4 r = vector_call; \
			for (int k = 0; k < 4; k++) \
				different[0] |= __builtin_memcmp(&out[i + k], &((type *)&r)[k], sizeof(type)) != 0 && \
						r[k] == r[k]; \
		} \
	}
#define EACH_ONE(type, suffix, name) EACH(type, suffix, name, name(a[i]), name(vload4(0, a + i)))
#define EACH_TWO(type, suffix, name) \
	EACH(type, suffix, name, name(a[i], b[i]), name(vload4(0, a + i), vload4(0, b + i)))
#define EACH_THREE(type, suffix, name) \
	EACH(type, suffix, name, name(a[i], b[i], c[i]), \
	     name(vload4(0, a + i), vload4(0, b + i), vload4(0, c + i)))
#define EACH_WHOLE(type, suffix, name) \
	EACH(type, suffix, name, name(a[i], convert_int_sat(b[i])), \
	     name(vload4(0, a + i), convert_int4_sat(vload4(0, b + i))))
#define EACH_OTHER(type, suffix, name, ...) \
	void name##_##suffix ARGUMENTS(type) \
	{ \
		for (size_t i = 0; i < count; i++) { \
			type x = a[i], y = b[i], r, t; \
			int n; \
			__VA_ARGS__; \
			out[i] = r; \
		} \
	}
/* clang-format on */

#define ONE(name, ...) EACH_ONE(float, f, name)
#define TWO(name, ...) EACH_TWO(float, f, name)
#define THREE(name, ...) EACH_THREE(float, f, name)
#define WHOLE(name, ...) EACH_WHOLE(float, f, name)
#define OTHER(name, exact, arguments, statement, ...) EACH_OTHER(float, f, name, statement)
#define OF_FLOAT(name, exact, arguments, ...) OF_FLOAT_##arguments(name)
#define OF_FLOAT_1(name) EACH_ONE(float, f, name)
#define OF_FLOAT_2(name) EACH_TWO(float, f, name)
#include "functions.def"
#undef ONE
#undef TWO
#undef THREE
#undef WHOLE
#undef OTHER
#undef OF_FLOAT

#define OF_FLOAT(name, exact, arguments, ...)
#define ONE(name, ...) EACH_ONE(double, d, name)
#define TWO(name, ...) EACH_TWO(double, d, name)
#define THREE(name, ...) EACH_THREE(double, d, name)
#define WHOLE(name, ...) EACH_WHOLE(double, d, name)
#define OTHER(name, exact, arguments, statement, ...) EACH_OTHER(double, d, name, statement)
#include "functions.def"
#undef ONE
#undef TWO
#undef THREE
#undef WHOLE
#undef OTHER

#define ONE(name, ...) EACH_ONE(half, h, name)
#define TWO(name, ...) EACH_TWO(half, h, name)
#define THREE(name, ...) EACH_THREE(half, h, name)
#define WHOLE(name, ...) EACH_WHOLE(half, h, name)
#define OTHER(name, exact, arguments, statement, ...) EACH_OTHER(half, h, name, statement)
#include "functions.def"

/* native_test.c's */
EACH_ONE(float, f, native_sin)
EACH_ONE(float, f, native_cos)
EACH_ONE(float, f, native_tan)
EACH_ONE(float, f, native_exp)
EACH_ONE(float, f, native_exp2)
EACH_ONE(float, f, native_exp10)
EACH_ONE(float, f, native_log)
EACH_ONE(float, f, native_log2)
EACH_ONE(float, f, native_log10)
EACH_TWO(float, f, native_powr)
