/* SPDX-License-Identifier: MIT
 *
 * cl_khr_integer_dot_product: specification 6.15.3.1. Products of bytes sum exactly in 32 bits.
 */
#define DOT(result, left, right)                                                                   \
	WEFT result dot(left##4 a, right##4 b)                                                     \
	{                                                                                          \
		return (result)a.s0 * (result)b.s0 + (result)a.s1 * (result)b.s1 +                 \
		       (result)a.s2 * (result)b.s2 + (result)a.s3 * (result)b.s3;                  \
	}                                                                                          \
	WEFT result dot_acc_sat(left##4 a, right##4 b, result c)                                   \
	{                                                                                          \
		return __builtin_elementwise_add_sat(dot(a, b), c);                                \
	}

DOT(uint, uchar, uchar)
DOT(int, char, char)
DOT(int, uchar, char)
DOT(int, char, uchar)

#define PACKED(letters, result, left, right)                                                       \
	WEFT result dot_4x8packed_##letters##_##result(uint a, uint b)                             \
	{                                                                                          \
		return dot(as_##left##4(a), as_##right##4(b));                                     \
	}                                                                                          \
	WEFT result dot_acc_sat_4x8packed_##letters##_##result(uint a, uint b, result c)           \
	{                                                                                          \
		return dot_acc_sat(as_##left##4(a), as_##right##4(b), c);                          \
	}

PACKED(uu, uint, uchar, uchar)
PACKED(ss, int, char, char)
PACKED(us, int, uchar, char)
PACKED(su, int, char, uchar)
