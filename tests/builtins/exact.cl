/* SPDX-License-Identifier: MIT
 *
 * The functions that exact_test.c calls: conversions in every rounding mode, and integer functions, over
 * arrays, as scalars and four at a time.
 */
#define CONVERT(to, source, mode)                                                                  \
	void convert_##to##mode##_##source(const source *in, to *out, to *out4, size_t count)      \
	{                                                                                          \
		for (size_t i = 0; i < count; i++)                                                 \
			out[i] = convert_##to##mode(in[i]);                                        \
		for (size_t i = 0; i < count / 4; i++)                                             \
			vstore4(convert_##to##4##mode(vload4(i, in)), i, out4);                    \
	}
#define MODES(to, source, saturation)                                                              \
	CONVERT(to, source, saturation##_rte)                                                      \
	CONVERT(to, source, saturation##_rtz)                                                      \
	CONVERT(to, source, saturation##_rtp)                                                      \
	CONVERT(to, source, saturation##_rtn)
#define TO_WHOLE(source)                                                                           \
	MODES(char, source, _sat)                                                                  \
	MODES(uchar, source, _sat)                                                                 \
	MODES(short, source, _sat)                                                                 \
	MODES(ushort, source, _sat)                                                                \
	MODES(int, source, _sat)                                                                   \
	MODES(uint, source, _sat)                                                                  \
	MODES(long, source, _sat)                                                                  \
	MODES(ulong, source, _sat)

TO_WHOLE(float)
TO_WHOLE(double)
MODES(float, double, )
MODES(float, int, )
MODES(float, uint, )
MODES(float, long, )
MODES(float, ulong, )
MODES(double, long, )
MODES(double, ulong, )

#define TO_HALF(source, mode)                                                                      \
	void half_##source##mode(const source *in, half *out, half *out4, size_t count)            \
	{                                                                                          \
		for (size_t i = 0; i < count; i++)                                                 \
			vstore_half##mode(in[i], i, out);                                          \
		for (size_t i = 0; i < count / 4; i++)                                             \
			vstore_half4##mode(vload4(i, in), i, out4);                                \
	}
#define TO_HALF_MODES(source)                                                                      \
	TO_HALF(source, _rte)                                                                      \
	TO_HALF(source, _rtz)                                                                      \
	TO_HALF(source, _rtp)                                                                      \
	TO_HALF(source, _rtn)
TO_HALF_MODES(float)
TO_HALF_MODES(double)

#define WHOLE(type, name, call)                                                                    \
	void name##_##type(const type *a, const type *b, const type *c, type *out, size_t count)   \
	{                                                                                          \
		for (size_t i = 0; i < count; i++)                                                 \
			out[i] = (type)call;                                                       \
	}
#define WHOLES(type)                                                                               \
	WHOLE(type, abs, abs(a[i]))                                                                \
	WHOLE(type, abs_diff, abs_diff(a[i], b[i]))                                                \
	WHOLE(type, add_sat, add_sat(a[i], b[i]))                                                  \
	WHOLE(type, sub_sat, sub_sat(a[i], b[i]))                                                  \
	WHOLE(type, hadd, hadd(a[i], b[i]))                                                        \
	WHOLE(type, rhadd, rhadd(a[i], b[i]))                                                      \
	WHOLE(type, mul_hi, mul_hi(a[i], b[i]))                                                    \
	WHOLE(type, mad_hi, mad_hi(a[i], b[i], c[i]))                                              \
	WHOLE(type, mad_sat, mad_sat(a[i], b[i], c[i]))                                            \
	WHOLE(type, rotate, rotate(a[i], b[i]))                                                    \
	WHOLE(type, clz, clz(a[i]))                                                                \
	WHOLE(type, ctz, ctz(a[i]))                                                                \
	WHOLE(type, popcount, popcount(a[i]))                                                      \
	WHOLE(type, clamp, clamp(a[i], min(b[i], c[i]), max(b[i], c[i])))
WHOLES(char)
WHOLES(uchar)
WHOLES(short)
WHOLES(ushort)
WHOLES(int)
WHOLES(uint)
WHOLES(long)
WHOLES(ulong)
