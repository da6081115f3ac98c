/* SPDX-License-Identifier: MIT
 *
 * The functions that accuracy_test.c calls: each applies a built-in to arrays, once as a scalar and, to
 * show that vectors give the same bits, four at a time.
 */
#define EACH(type, suffix, name, parameters, scalar_call, vector_call)                             \
	void name##_##suffix parameters                                                            \
	{                                                                                          \
		for (size_t i = 0; i < count; i++)                                                 \
			out[i] = scalar_call;                                                      \
		for (size_t i = 0; i + 4 <= count; i += 4) {                                       \
			type##4 r = vector_call;                                                   \
			for (int k = 0; k < 4; k++)                                                \
				different[0] |= __builtin_memcmp(&out[i + k], &((type *)&r)[k],    \
								 sizeof(type)) != 0 &&             \
						r[k] == r[k];                                      \
		}                                                                                  \
	}
#define ONE(type, suffix, name)                                                                    \
	EACH(type, suffix, name,                                                                   \
	     (const type *a, const type *b, const type *c, type *out, size_t count,                \
	      int *different),                                                                     \
	     name(a[i]), name(vload4(0, a + i)))
#define TWO(type, suffix, name)                                                                    \
	EACH(type, suffix, name,                                                                   \
	     (const type *a, const type *b, const type *c, type *out, size_t count,                \
	      int *different),                                                                     \
	     name(a[i], b[i]), name(vload4(0, a + i), vload4(0, b + i)))
#define THREE(type, suffix, name)                                                                  \
	EACH(type, suffix, name,                                                                   \
	     (const type *a, const type *b, const type *c, type *out, size_t count,                \
	      int *different),                                                                     \
	     name(a[i], b[i], c[i]), name(vload4(0, a + i), vload4(0, b + i), vload4(0, c + i)))
/* The second argument is an int, which travels as a floating number. */
#define WHOLE(type, suffix, name)                                                                  \
	EACH(type, suffix, name,                                                                   \
	     (const type *a, const type *b, const type *c, type *out, size_t count,                \
	      int *different),                                                                     \
	     name(a[i], convert_int_sat(b[i])),                                                    \
	     name(vload4(0, a + i), convert_int4_sat(vload4(0, b + i))))
/* The int that comes through a pointer, or the other floating result. */
#define THROUGH(type, suffix, name, kind, result, ...)                                             \
	void result##_##suffix(const type *a, const type *b, const type *c, type *out,             \
			       size_t count, int *different)                                       \
	{                                                                                          \
		for (size_t i = 0; i < count; i++) {                                               \
			kind k;                                                                    \
			name(__VA_ARGS__, &k);                                                     \
			out[i] = (type)k;                                                          \
		}                                                                                  \
	}
#define SECOND(type, suffix, name)                                                                 \
	void name##_##suffix(const type *a, const type *b, const type *c, type *out, size_t count, \
			     int *different)                                                       \
	{                                                                                          \
		for (size_t i = 0; i < count; i++) {                                               \
			type k;                                                                    \
			out[i] = name(a[i], &k);                                                   \
		}                                                                                  \
	}
#define COUNTED(type, suffix, name, ...)                                                           \
	void name##_##suffix(const type *a, const type *b, const type *c, type *out, size_t count, \
			     int *different)                                                       \
	{                                                                                          \
		for (size_t i = 0; i < count; i++) {                                               \
			int k;                                                                     \
			out[i] = name(__VA_ARGS__, &k);                                            \
		}                                                                                  \
	}

#define ALL(type, suffix)                                                                                                              \
	ONE(type, suffix, sin)                                                                                                         \
	ONE(type, suffix, cos) ONE(type, suffix, tan) ONE(type, suffix, sinpi) ONE(                                                    \
		type, suffix, cospi) ONE(type, suffix,                                                                                 \
					 tanpi) ONE(type, suffix,                                                                      \
						    asin) ONE(type, suffix,                                                            \
							      acos) ONE(type, suffix, atan)                                            \
		ONE(type, suffix, asinpi) ONE(type, suffix, acospi) ONE(type, suffix, atanpi) ONE(                                     \
			type, suffix,                                                                                                  \
			sinh) ONE(type, suffix,                                                                                        \
				  cosh) ONE(type, suffix,                                                                              \
					    tanh) ONE(type, suffix,                                                                    \
						      asinh) ONE(type, suffix,                                                         \
								 acosh) ONE(type, suffix, atanh)                                       \
			ONE(type, suffix, exp) ONE(type, suffix, exp2) ONE(type, suffix, exp10) ONE(                                   \
				type, suffix, expm1) ONE(type, suffix,                                                                 \
							 log) ONE(type, suffix,                                                        \
								  log2) ONE(type, suffix, log10)                                       \
				ONE(type, suffix, log1p) ONE(type, suffix, cbrt) ONE(                                                  \
					type, suffix,                                                                                  \
					erf) ONE(type, suffix,                                                                         \
						 erfc) ONE(type, suffix,                                                               \
							   tgamma) ONE(type, suffix,                                                   \
								       lgamma) ONE(type, suffix,                                       \
										   sqrt) ONE(type,                                     \
											     suffix,                                   \
											     rsqrt)                                    \
					ONE(type, suffix, round) ONE(type, suffix, rint) ONE(type, suffix, trunc) ONE(                 \
						type, suffix,                                                                          \
						floor) ONE(type, suffix,                                                               \
							   ceil) ONE(type, suffix,                                                     \
								     fabs) ONE(type, suffix,                                           \
									       logb) TWO(type,                                         \
											 suffix,                                       \
											 atan2) TWO(type, suffix, atan2pi)             \
						TWO(type, suffix, pow) TWO(type, suffix, powr) TWO(type, suffix, hypot) TWO(           \
							type, suffix,                                                                  \
							fmod) TWO(type, suffix,                                                        \
								  remainder) TWO(type, suffix,                                         \
										 fdim) TWO(type,                                       \
											   suffix,                                     \
											   copysign) TWO(type,                         \
													 suffix,                       \
													 maxmag)                       \
							TWO(type, suffix, minmag) TWO(type, suffix, fmax) TWO(                         \
								type, suffix,                                                          \
								fmin) THREE(type, suffix,                                              \
									    fma) WHOLE(type,                                           \
										       suffix,                                         \
										       pown) WHOLE(type,                               \
												   suffix,                             \
												   rootn)                              \
								WHOLE(type, suffix, ldexp) SECOND(                                     \
									type, suffix,                                                  \
									fract) SECOND(type, suffix,                                    \
										      modf) SECOND(type,                               \
												   suffix,                             \
												   sincos)                             \
									THROUGH(type, suffix, fract, type, fract_whole, a[i]) THROUGH( \
										type, suffix,                                          \
										modf, type,                                            \
										modf_whole,                                            \
										a[i]) THROUGH(type, suffix,                            \
											      sincos,                                  \
											      type, sincos_cosine,                     \
											      a[i]) THROUGH(type,                      \
													    suffix,                    \
													    frexp,                     \
													    int, frexp_exponent,       \
													    a[i])                      \
										THROUGH(type,                                          \
											suffix,                                        \
											remquo,                                        \
											int,                                           \
											remquo_quotient,                               \
											a[i],                                          \
											b[i]) COUNTED(type, suffix,                    \
												      frexp,                           \
												      a[i])                            \
											COUNTED(type,                                  \
												suffix,                                \
												remquo,                                \
												a[i],                                  \
												b[i])                                  \
												COUNTED(type,                          \
													suffix,                        \
													lgamma_r,                      \
													a[i])

ALL(float, f)
ALL(double, d)

#define HALF(name) ONE(float, f, name)
HALF(half_cos)
HALF(half_exp)
HALF(half_exp2)
HALF(half_exp10)
HALF(half_log)
HALF(half_log2)
HALF(half_log10)
HALF(half_sin)
HALF(half_tan)
TWO(float, f, half_powr)
HALF(native_sin)
HALF(native_cos)
HALF(native_tan)
HALF(native_exp)
HALF(native_exp2)
HALF(native_exp10)
HALF(native_log)
HALF(native_log2)
HALF(native_log10)
TWO(float, f, native_powr)
