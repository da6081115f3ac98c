/* SPDX-License-Identifier: MIT
 *
 * Geometric functions: specification 6.15.5. Float and half compute lengths in a wider type, where no
 * square overflows or vanishes; double scales by a power of two taken from the largest component.
 */
#define SUM1(x) (x)
#define SUM2(x) ((x).s0 + (x).s1)
#define SUM3(x) ((x).s0 + (x).s1 + (x).s2)
#define SUM4(x) (((x).s0 + (x).s1) + ((x).s2 + (x).s3))
#define LARGEST1(x) (x)
#define LARGEST2(x) larger((x).s0, (x).s1)
#define LARGEST3(x) larger(larger((x).s0, (x).s1), (x).s2)
#define LARGEST4(x) larger(larger((x).s0, (x).s1), larger((x).s2, (x).s3))
#define WIDEN1(type, x) ((type)(x))
#define WIDEN2(type, x) __builtin_convertvector(x, type)
#define WIDEN3(type, x) __builtin_convertvector(x, type)
#define WIDEN4(type, x) __builtin_convertvector(x, type)

/* The larger of two magnitudes; a NaN is largest of all. */
HELPER double larger(double a, double b)
{
	return (a != a) | (a > b) ? a : b;
}

/* 2^-e for a magnitude's exponent e, inside what keeps squares of its peers in range; 1 for zero,
 * infinity and NaN. */
HELPER double scale_for(double magnitude)
{
	long e = (as_long(magnitude) >> 52) & 0x7ff;
	e = e < 1 ? 1 : e > 2045 ? 2045 : e;
	return magnitude < (double)INFINITY && magnitude > 0.0 ? as_double((2046 - e) << 52) : 1.0;
}

#define DOT_OF(type, n, vector)                                                                    \
	WEFT type dot(vector a, vector b)                                                          \
	{                                                                                          \
		return SUM##n(a * b);                                                              \
	}

#define NARROW_LENGTHS(type, wide, n, vector, wide_vector)                                         \
	DOT_OF(type, n, vector)                                                                    \
	WEFT type length(vector a)                                                                 \
	{                                                                                          \
		wide_vector w = WIDEN##n(wide_vector, a);                                          \
		return (type)__builtin_elementwise_sqrt((wide)SUM##n(w * w));                      \
	}                                                                                          \
	WEFT type distance(vector a, vector b)                                                     \
	{                                                                                          \
		wide_vector w = WIDEN##n(wide_vector, a) - WIDEN##n(wide_vector, b);               \
		return (type)__builtin_elementwise_sqrt((wide)SUM##n(w * w));                      \
	}                                                                                          \
	WEFT vector normalize(vector a)                                                            \
	{                                                                                          \
		/* Infinite components count 1, the others 0. */                                   \
		vector m = __builtin_elementwise_abs(a);                                           \
		wide_vector w = WIDEN##n(wide_vector, a);                                          \
		wide sum = SUM##n(w * w);                                                          \
		if (sum == (wide)INFINITY) {                                                       \
			vector one = m == (vector)INFINITY ? (vector)1 : (vector)0;                \
			w = WIDEN##n(wide_vector, __builtin_elementwise_copysign(one, a));         \
			sum = SUM##n(w * w);                                                       \
		}                                                                                  \
		return sum == 0 ? a : WIDEN##n(vector, (w / __builtin_elementwise_sqrt(sum)));     \
	}

#define DOUBLE_LENGTHS(n, vector)                                                                  \
	DOT_OF(double, n, vector)                                                                  \
	WEFT double length(vector a)                                                               \
	{                                                                                          \
		vector m = __builtin_elementwise_abs(a);                                           \
		double scale = scale_for(LARGEST##n(m));                                           \
		vector w = m * scale;                                                              \
		return __builtin_elementwise_sqrt(SUM##n(w * w)) / scale;                          \
	}                                                                                          \
	WEFT double distance(vector a, vector b)                                                   \
	{                                                                                          \
		return length(a - b);                                                              \
	}                                                                                          \
	WEFT vector normalize(vector a)                                                            \
	{                                                                                          \
		vector m = __builtin_elementwise_abs(a);                                           \
		double largest = LARGEST##n(m);                                                    \
		vector w = a * scale_for(largest);                                                 \
		if (largest == (double)INFINITY)                                                   \
			w = __builtin_elementwise_copysign(                                        \
				m == (vector)(double)INFINITY ? (vector)1 : (vector)0, a);         \
		double sum = SUM##n(w * w);                                                        \
		return sum == 0 ? a : w / __builtin_elementwise_sqrt(sum);                         \
	}

#define FAST_LENGTHS(n, vector)                                                                    \
	WEFT float fast_length(vector a)                                                           \
	{                                                                                          \
		return __builtin_elementwise_sqrt(SUM##n(a * a));                                  \
	}                                                                                          \
	WEFT float fast_distance(vector a, vector b)                                               \
	{                                                                                          \
		return fast_length(a - b);                                                         \
	}                                                                                          \
	WEFT vector fast_normalize(vector a)                                                       \
	{                                                                                          \
		float sum = SUM##n(a * a);                                                         \
		return sum == 0 ? a : a * (1.0f / __builtin_elementwise_sqrt(sum));                \
	}

NARROW_LENGTHS(half, float, 1, half, float)
NARROW_LENGTHS(half, float, 2, half2, float2)
NARROW_LENGTHS(half, float, 3, half3, float3)
NARROW_LENGTHS(half, float, 4, half4, float4)
NARROW_LENGTHS(float, double, 1, float, double)
NARROW_LENGTHS(float, double, 2, float2, double2)
NARROW_LENGTHS(float, double, 3, float3, double3)
NARROW_LENGTHS(float, double, 4, float4, double4)
DOUBLE_LENGTHS(1, double)
DOUBLE_LENGTHS(2, double2)
DOUBLE_LENGTHS(3, double3)
DOUBLE_LENGTHS(4, double4)
FAST_LENGTHS(1, float)
FAST_LENGTHS(2, float2)
FAST_LENGTHS(3, float3)
FAST_LENGTHS(4, float4)

#define CROSS(type)                                                                                \
	WEFT type##3 cross(type##3 a, type##3 b)                                                   \
	{                                                                                          \
		return a.yzx * b.zxy - a.zxy * b.yzx;                                              \
	}                                                                                          \
	WEFT type##4 cross(type##4 a, type##4 b)                                                   \
	{                                                                                          \
		return (type##4)(cross(a.xyz, b.xyz), 0);                                          \
	}

CROSS(half)
CROSS(float)
CROSS(double)
