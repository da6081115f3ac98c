/* SPDX-License-Identifier: MIT
 *
 * Parts of built-in functions as functions of whole vector registers, compiled to one object file for each of three instruction
 * sets, which kernels are linked with. lower-cpu-functions makes the calls. A function computes in each lane what its
 * scalar body does; lanes that no work-item needs may have any number. BITS is a register's length, CONVENTION how the functions are
 * called.
 */
#include "prelude.h"

#include "math/large_angles.h"

#define NAME_(name, bits) __weft_precompiled_##name##_##bits
#define NAME(name, bits) NAME_(name, bits)
#define LANES(type) (BITS / 8 / sizeof(type))
#define HIDDEN CONVENTION __attribute__((visibility("hidden")))
#define ARRAY(type, name) type name[LANES(type)] __attribute__((aligned(BITS / 8)))

typedef float vector_float __attribute__((ext_vector_type(LANES(float))));
typedef double vector_double __attribute__((ext_vector_type(LANES(double))));

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
	HIDDEN vector_##type NAME(name, BITS)(vector_##type a, __private vector_##type *second);            \
	CONVENTION vector_##type NAME(name, BITS)(vector_##type a, __private vector_##type *second)         \
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

OF_ANGLE(large_sine, float, LARGE_ANGLE, sine_of_large(angle, 0))
OF_ANGLE(large_cosine, float, LARGE_ANGLE, sine_of_large(angle, 1))
OF_ANGLE(large_tangent, float, LARGE_ANGLE, tangent_of_large(angle))
TWO_OF_ANGLE(large_sine_and_cosine, float, LARGE_ANGLE, sine_and_cosine_of_large(angle, &cosine))
OF_ANGLE(large_sine_double, double, HUGE_ANGLE, sine_of_huge(angle, 0))
OF_ANGLE(large_cosine_double, double, HUGE_ANGLE, sine_of_huge(angle, 1))
OF_ANGLE(large_tangent_double, double, HUGE_ANGLE, tangent_of_huge(angle))
TWO_OF_ANGLE(large_sine_and_cosine_double, double, HUGE_ANGLE,
	     sine_and_cosine_of_huge(angle, &cosine))
