/* SPDX-License-Identifier: MIT
 *
 * sin, cos, tan, sincos and the functions of multiples of pi: specification 6.15.2.
 */
#include "reduction.h"

/* The sine and the cosine of r + quadrant pi/2. */
HELPER void rotate(struct dd r, int quadrant, struct dd *s, struct dd *c)
{
	struct dd a = sine(r), b = cosine(r);
	bool swap = quadrant & 1;
	struct dd u = {swap ? b.hi : a.hi, swap ? b.lo : a.lo},
		  v = {swap ? a.hi : b.hi, swap ? a.lo : b.lo};
	bool minus_s = quadrant & 2, minus_c = (quadrant + 1) & 2;
	*s = (struct dd){minus_s ? -u.hi : u.hi, minus_s ? -u.lo : u.lo};
	*c = (struct dd){minus_c ? -v.hi : v.hi, minus_c ? -v.lo : v.lo};
}

HELPER double sine_of(struct dd r, int quadrant)
{
	struct dd s, c;
	rotate(r, quadrant, &s, &c);
	return s.hi + s.lo;
}

HELPER double cosine_of(struct dd r, int quadrant)
{
	struct dd s, c;
	rotate(r, quadrant, &s, &c);
	return c.hi + c.lo;
}

HELPER double tangent_of(struct dd r, int quadrant)
{
	struct dd s, c;
	rotate(r, quadrant, &s, &c);
	double q = s.hi / c.hi;
	double e = FMA(-q, c.hi, s.hi) + FMA(-q, c.lo, s.lo);
	return ABS(q) < INF ? FMA(e, 1.0 / c.hi, q) : q;
}

#define OF_ANGLE(kind, name, kernel)                                                               \
	kind double name(double x)                                                                 \
	{                                                                                          \
		int q;                                                                             \
		struct dd r = reduce(x, &q);                                                       \
		double y = kernel(r, q);                                                           \
		return ABS(x) < INF ? y : (double)NAN;                                             \
	}

OF_ANGLE(HELPER, sin_of, sine_of)
OF_ANGLE(WEFT, cos, cosine_of)
OF_ANGLE(HELPER, tan_of, tangent_of)

/* Tiny angles, -0 among them, are their own sine and tangent. */
WEFT double sin(double x)
{
	return ABS(x) < 0x1p-27 ? x : sin_of(x);
}

WEFT double tan(double x)
{
	return ABS(x) < 0x1p-27 ? x : tan_of(x);
}

WEFT double sincos(double x, __private double *cosine)
{
	*cosine = cos(x);
	return sin(x);
}

WEFT double sinpi(double x)
{
	int q;
	struct dd r = reduce_pi(x, &q);
	double y = sine_of(r, q);
	y = y == 0.0 ? __builtin_elementwise_copysign(0.0, x) : y;
	return ABS(x) < INF ? y : (double)NAN;
}

WEFT double cospi(double x)
{
	int q;
	struct dd r = reduce_pi(x, &q);
	double y = ABS(cosine_of(r, q)) == 0.0 ? 0.0 : cosine_of(r, q);
	return ABS(x) < INF ? y : (double)NAN;
}

/* tanpi(n) is copysign(0, n) for even and -copysign(0, n) for odd n; tanpi(n + 1/2) is +infinity for even
 * and -infinity for odd n. */
WEFT double tanpi(double x)
{
	int q;
	struct dd r = reduce_pi(x, &q);
	double y = tangent_of(r, q);
	y = r.hi == 0.0 & !(q & 1) ? __builtin_elementwise_copysign(0.0, q & 2 ? -x : x) : y;
	y = r.hi == 0.0 & (q & 1) ? (q == 1 ? INF : -INF) : y;
	return ABS(x) < INF ? y : (double)NAN;
}

/* Float: one double holds the reduced angle. */
HELPER double reduce_float(double x, int *quadrant)
{
	if (ABS(x) >= 0x1p27 && ABS(x) < INF)
		return reduce_huge(x, quadrant).hi;
	double n = __builtin_elementwise_rint(x * INV_PI_2);
	*quadrant = whole_to_int(n) & 3;
	return FMA(-n, PI_2_LO, FMA(-n, PI_2, x));
}

HELPER double sine_float(double r)
{
	double z = r * r;
	return FMA(r * z, sinf_tail(z), r);
}

HELPER double cosine_float(double r)
{
	double z = r * r;
	return FMA(z * z, cosf_tail(z), FMA(-0.5, z, 1.0));
}

HELPER double quarter(double r, int quadrant)
{
	double y = quadrant & 1 ? cosine_float(r) : sine_float(r);
	return quadrant & 2 ? -y : y;
}

WEFT float sin(float x)
{
	int q;
	double r = reduce_float((double)x, &q);
	float y = (float)quarter(r, q);
	y = x == 0.0f ? x : y;
	return ABS(x) < INFINITY ? y : NAN;
}

WEFT float cos(float x)
{
	int q;
	double r = reduce_float((double)x, &q);
	float y = (float)quarter(r, q + 1);
	return ABS(x) < INFINITY ? y : NAN;
}

WEFT float tan(float x)
{
	int q;
	double r = reduce_float((double)x, &q);
	double s = sine_float(r), c = cosine_float(r);
	float y = (float)(q & 1 ? -c / s : s / c);
	y = x == 0.0f ? x : y;
	return ABS(x) < INFINITY ? y : NAN;
}

WEFT float sincos(float x, __private float *cosine)
{
	int q;
	double r = reduce_float((double)x, &q);
	float s = (float)quarter(r, q), c = (float)quarter(r, q + 1);
	bool finite = ABS(x) < INFINITY;
	*cosine = finite ? c : NAN;
	return finite ? (x == 0.0f ? x : s) : NAN;
}

FLOAT_FORM1(sinpi)
FLOAT_FORM1(cospi)
FLOAT_FORM1(tanpi)
