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

#endif
