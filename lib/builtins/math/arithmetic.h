/* SPDX-License-Identifier: MIT
 *
 * What the bodies of both float and double use. FMA is fused, whatever it costs; MAD is fused where the CPU has an
 * instruction for it, and rounds twice where it has none.
 */
#ifndef WEFT_ARITHMETIC_H
#define WEFT_ARITHMETIC_H

#define FMA(a, b, c) __builtin_elementwise_fma(a, b, c)
#define MAD(a, b, c) multiply_add(a, b, c)
#define ABS(x) __builtin_elementwise_abs(x)
#define RARELY(condition) __builtin_expect(condition, 0)

#define MULTIPLY_ADD(type)                                                                         \
	HELPER type multiply_add(type a, type b, type c)                                           \
	{                                                                                          \
		_Pragma("clang fp contract(on)") return a * b + c;                                 \
	}

MULTIPLY_ADD(float)
MULTIPLY_ADD(double)

/* A function of x, by Horner's rule: the coefficient of the highest power comes first. */
#define POLYNOMIAL(type, name, ...)                                                                \
	HELPER type name(type x)                                                                   \
	{                                                                                          \
		const type coefficients[] = {__VA_ARGS__};                                         \
		type p = coefficients[0];                                                          \
		_Pragma("unroll") for (uint i = 1; i < sizeof(coefficients) / sizeof(type); i++)   \
			p = MAD(p, x, coefficients[i]);                                            \
		return p;                                                                          \
	}

#endif
