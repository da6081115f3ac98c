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

HELPER float multiply_add(float a, float b, float c)
{
#pragma clang fp contract(on)
	return a * b + c;
}

#endif
