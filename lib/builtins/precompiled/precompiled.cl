/* SPDX-License-Identifier: MIT
 *
 * Parts of built-in functions as functions of whole vector registers, compiled to one object file for each of three instruction
 * sets, which kernels are linked with. lower-cpu-functions makes the calls. A function computes in each lane what its
 * scalar body does; lanes that no work-item needs may have any number. BITS is a register's length, CONVENTION how the functions are
 * called.
 */
#include "prelude.h"
#undef WEFT
#define WEFT HELPER /* only what is defined below is in the object files */

#include "by_bits.h"
#include "math/trigonometry.cl"

#include "math/gamma.h" /* which calls sinpi */
#include "math/large_angles.h"
#include "math/long_division.h"
#include "math/power.h"

#define NAME_(name, bits) __weft_precompiled_##name##_##bits
#define NAME(name, bits) NAME_(name, bits)
#define LANES(type) (BITS / 8 / sizeof(type))
#define HIDDEN CONVENTION __attribute__((visibility("hidden")))
#define ARRAY(type, name) type name[LANES(type)] __attribute__((aligned(BITS / 8)))

typedef float vector_float __attribute__((ext_vector_type(LANES(float))));
typedef double vector_double __attribute__((ext_vector_type(LANES(double))));
typedef int vector_int __attribute__((ext_vector_type(LANES(int))));
typedef long vector_long __attribute__((ext_vector_type(LANES(long))));

/* Of |a|. A number for which `body` finds no place in its tables becomes `least`. */
#define OF_ANGLE(name, type, least, body)                                                          \
	HIDDEN vector_##type NAME(name, BITS)(vector_##type a);                                    \
	CONVENTION vector_##type NAME(name, BITS)(vector_##type a)                                 \
	{                                                                                          \
		ARRAY(type, x);                                                                    \
		*(vector_##type *)x = ABS(a);                                                      \
		for (uint i = 0; i < LANES(type); i++) {                                           \
			type angle = x[i] < least ? least : x[i];                                  \
			x[i] = body;                                                               \
		}                                                                                  \
		return *(vector_##type *)x;                                                        \
	}

/* The same with a second result, cosine. */
#define TWO_OF_ANGLE(name, type, least, body)                                                      \
	HIDDEN vector_##type NAME(name, BITS)(vector_##type a, __private vector_##type * second);  \
	CONVENTION vector_##type NAME(name, BITS)(vector_##type a,                                 \
						  __private vector_##type * second)                \
	{                                                                                          \
		ARRAY(type, x);                                                                    \
		ARRAY(type, y);                                                                    \
		*(vector_##type *)x = ABS(a);                                                      \
		for (uint i = 0; i < LANES(type); i++) {                                           \
			type angle = x[i] < least ? least : x[i], cosine;                          \
			x[i] = body;                                                               \
			y[i] = cosine;                                                             \
		}                                                                                  \
		*second = *(vector_##type *)y;                                                     \
		return *(vector_##type *)x;                                                        \
	}

/* Of any angle: `usual` is of those below `least`, whose places in the result `large` takes where there are others. What is computed is
 * of the absolute value; the bits of the number that are in `signs` change the result's. */
#define OF_ANY_ANGLE(name, type, integer, least, signs, usual, large)                              \
	HIDDEN vector_##type NAME(name, BITS)(vector_##type a);                                    \
	CONVENTION vector_##type NAME(name, BITS)(vector_##type a)                                 \
	{                                                                                          \
		ARRAY(type, x);                                                                    \
		ARRAY(type, y);                                                                    \
		integer others = 0;                                                                \
		*(vector_##type *)x = ABS(a);                                                      \
		for (uint i = 0; i < LANES(type); i++) {                                           \
			y[i] = usual(x[i]);                                                        \
			others |= x[i] < least ? 0 : 1;                                            \
		}                                                                                  \
		vector_##type r = *(vector_##type *)y;                                             \
		if (others)                                                                        \
			r = ABS(a) < least ? r : NAME(large, BITS)(a);                             \
		vector_##integer sign = __builtin_astype(a, vector_##integer) & (signs);           \
		return __builtin_astype(__builtin_astype(r, vector_##integer) ^ sign,              \
					vector_##type);                                            \
	}

#define OF_ONE(name, type, body)                                                                   \
	HIDDEN vector_##type NAME(name, BITS)(vector_##type a);                                    \
	CONVENTION vector_##type NAME(name, BITS)(vector_##type a)                                 \
	{                                                                                          \
		ARRAY(type, x);                                                                    \
		*(vector_##type *)x = a;                                                           \
		for (uint i = 0; i < LANES(type); i++)                                             \
			x[i] = body(x[i]);                                                         \
		return *(vector_##type *)x;                                                        \
	}

#define OF_TWO(name, type, body)                                                                   \
	HIDDEN vector_##type NAME(name, BITS)(vector_##type a, vector_##type b);                   \
	CONVENTION vector_##type NAME(name, BITS)(vector_##type a, vector_##type b)                \
	{                                                                                          \
		ARRAY(type, x);                                                                    \
		ARRAY(type, y);                                                                    \
		*(vector_##type *)x = a;                                                           \
		*(vector_##type *)y = b;                                                           \
		for (uint i = 0; i < LANES(type); i++)                                             \
			x[i] = body(x[i], y[i]);                                                   \
		return *(vector_##type *)x;                                                        \
	}

/* Steps until no lane needs one. */
#define LONG_REST(name, type)                                                                      \
	HIDDEN vector_##type NAME(name, BITS)(vector_##type a, vector_##type b);                   \
	CONVENTION vector_##type NAME(name, BITS)(vector_##type a, vector_##type b)                \
	{                                                                                          \
		ARRAY(type, r);                                                                    \
		ARRAY(type, y);                                                                    \
		ARRAY(type, inverse);                                                              \
		int exponent[LANES(type)], ahead[LANES(type)], more;                               \
		*(vector_##type *)r = a;                                                           \
		*(vector_##type *)y = b;                                                           \
		for (uint i = 0; i < LANES(type); i++) {                                           \
			struct division_##type d = begin_division(r[i], y[i]);                     \
			r[i] = d.r;                                                                \
			y[i] = d.y;                                                                \
			inverse[i] = d.inverse;                                                    \
			exponent[i] = d.exponent;                                                  \
			ahead[i] = d.ahead;                                                        \
		}                                                                                  \
		do {                                                                               \
			more = 0;                                                                  \
			for (uint i = 0; i < LANES(type); i++) {                                   \
				struct division_##type d = {r[i], y[i], inverse[i], 0, ahead[i]};  \
				divide_step(&d);                                                   \
				r[i] = ahead[i] > 0 ? d.r : r[i];                                  \
				ahead[i] = ahead[i] > 0 ? d.ahead : 0;                             \
				more |= ahead[i];                                                  \
			}                                                                          \
		} while (more);                                                                    \
		for (uint i = 0; i < LANES(type); i++) {                                           \
			struct division_##type d = {r[i], y[i], inverse[i], exponent[i], 0};       \
			r[i] = rest_of(d);                                                         \
		}                                                                                  \
		return *(vector_##type *)r;                                                        \
	}

OF_ANGLE(large_sine, float, LARGE_ANGLE, sine_of_large(angle, 0))
OF_ANGLE(large_cosine, float, LARGE_ANGLE, sine_of_large(angle, 1))
OF_ANGLE(large_tangent, float, LARGE_ANGLE, tangent_of_large(angle))
TWO_OF_ANGLE(large_sine_and_cosine, float, LARGE_ANGLE, sine_and_cosine_of_large(angle, &cosine))
OF_ANGLE(large_sine_double, double, HUGE_ANGLE, sine_of_huge(angle, 0))
OF_ANGLE(large_cosine_double, double, HUGE_ANGLE, sine_of_huge(angle, 1))
OF_ANGLE(large_tangent_double, double, HUGE_ANGLE, tangent_of_huge(angle))
TWO_OF_ANGLE(large_sine_and_cosine_double, double, HUGE_ANGLE,
	     sine_and_cosine_of_huge(angle, &cosine))
OF_ANY_ANGLE(whole_sine, float, int, LARGE_ANGLE, SIGN_BIT, usual_sine, large_sine)
OF_ANY_ANGLE(whole_cosine, float, int, LARGE_ANGLE, 0, usual_cosine, large_cosine)
OF_ANY_ANGLE(whole_tangent, float, int, LARGE_ANGLE_OF_HALVES, SIGN_BIT, usual_tangent,
	     large_tangent)
OF_ANY_ANGLE(whole_sine_double, double, long, HUGE_ANGLE, SIGN_BIT_LONG, usual_sine,
	     large_sine_double)
OF_ANY_ANGLE(whole_cosine_double, double, long, HUGE_ANGLE, 0, usual_cosine, large_cosine_double)
OF_ANY_ANGLE(whole_tangent_double, double, long, HUGE_ANGLE, SIGN_BIT_LONG, usual_tangent,
	     large_tangent_double)
OF_ONE(whole_gamma, float, gamma_of)
OF_ONE(whole_gamma_double, double, gamma_of)
OF_ONE(whole_log_gamma, float, log_gamma_of)
OF_ONE(whole_log_gamma_double, double, log_gamma_of)
OF_TWO(whole_pow, float, pow_of)
OF_TWO(whole_pow_double, double, pow_of)
OF_TWO(whole_powr, float, powr_of)
OF_TWO(whole_powr_double, double, powr_of)
#if BITS == 512
OF_TWO(whole_direct_pow, float, pow_directly_of)
OF_TWO(whole_direct_pow_double, double, pow_directly_of)
OF_TWO(whole_direct_powr, float, powr_directly_of)
OF_TWO(whole_direct_powr_double, double, powr_directly_of)
#endif
LONG_REST(long_rest, float)
LONG_REST(long_rest_double, double)
