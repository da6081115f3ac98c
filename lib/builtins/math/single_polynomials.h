/* SPDX-License-Identifier: MIT
 *
 * Polynomials of the float functions, as fit/single_polynomials.sollya prints them. The comments say what they
 * approximate, in r, with x = r^2 where only even powers occur, and the error that this leaves in the function.
 */
#ifndef WEFT_SINGLE_POLYNOMIALS_H
#define WEFT_SINGLE_POLYNOMIALS_H

#include "arithmetic.h"

/* (e^r - 1 - r) / r^2: error 2^-26.6 */
POLYNOMIAL(float, exp_tail, 0x1.6caf46p-10f, 0x1.120c64p-7f, 0x1.555568p-5f, 0x1.5554dcp-3f,
	   0x1p-1f)

/* (2^r - 1) / r: error 2^-27.6 */
POLYNOMIAL(float, exp2_ratio, 0x1.427c96p-13f, 0x1.5ef62ep-10f, 0x1.3b2c56p-7f, 0x1.c6af9cp-5f,
	   0x1.ebfbdep-3f, 0x1.62e43p-1f)

/* (10^r - 1) / r: error 2^-27.8 */
POLYNOMIAL(float, exp10_ratio, 0x1.a86c46p-3f, 0x1.15611p-1f, 0x1.2bd7c6p0f, 0x1.046fa8p1f,
	   0x1.53524cp1f, 0x1.26bb1cp1f)

/* (2^r - 1) / r, for native_exp2: error 2^-23.3 */
POLYNOMIAL(float, native_exp2_ratio, 0x1.5bffbap-10f, 0x1.3ceca6p-7f, 0x1.c6b69ap-5f,
	   0x1.ebf9b6p-3f, 0x1.62e42ap-1f)

/* (e^r - 1) / r, for native_exp: error 2^-23.4 */
POLYNOMIAL(float, native_exp_ratio, 0x1.0fa65p-7f, 0x1.573c78p-5f, 0x1.555a78p-3f, 0x1.fffdcp-2f,
	   0x1.fffff6p-1f)

/* (10^r - 1) / r, for native_exp10: error 2^-23.3 */
POLYNOMIAL(float, native_exp10_ratio, 0x1.12b9f2p-1f, 0x1.2d83e4p0f, 0x1.047446p1f, 0x1.5350cep1f,
	   0x1.26bb16p1f)

/* (sinh(r) / r - 1) / r^2: error 2^-24.5 */
POLYNOMIAL(float, sinh_tail, 0x1.11daap-7f, 0x1.555524p-3f)

/* (cosh(r) - 1) / r^2: error 2^-32.3 */
POLYNOMIAL(float, cosh_tail, 0x1.6d30b4p-10f, 0x1.5555p-5f, 0x1p-1f)

/* (log(1 + r) - r + r^2 / 2) / r^3: error 2^-24.9 */
POLYNOMIAL(float, log_tail, -0x1.a948ep-5f, 0x1.c0058ap-4f, -0x1.0ba0eap-3f, 0x1.267aa4p-3f,
	   -0x1.54f708p-3f, 0x1.998992p-3f, -0x1.00006ap-2f, 0x1.55555ep-2f)

/* log2(1 + r) / r, for native_log2; the error is absolute: error 2^-23.2 */
POLYNOMIAL(float, native_log2_ratio, -0x1.88669p-4f, 0x1.a16ebp-3f, -0x1.00a734p-2f, 0x1.29122cp-2f,
	   -0x1.70fcbap-2f, 0x1.ec62fap-2f, -0x1.7154dep-1f, 0x1.71547ap0f)

/* log2(1 + r) / r: error 2^-24.9 */
POLYNOMIAL(float, log2_ratio, 0x1.42e616p-4f, -0x1.669a2ap-3f, 0x1.bb6eeep-3f, -0x1.f0ecaap-3f,
	   0x1.2713a6p-2f, -0x1.713b64p-2f, 0x1.ec71e6p-2f, -0x1.715496p-1f, 0x1.715476p0f)

/* log10(1 + r) / r - 1 / log(10), the latter as a float: error 2^-25.2 */
POLYNOMIAL(float, log10_rest, 0x1.8b7454p-6f, -0x1.b2eceep-5f, 0x1.0b2acp-4f, -0x1.2b05dep-4f,
	   0x1.6347d8p-4f, -0x1.bc9ab8p-4f, 0x1.287b4ap-3f, -0x1.bcb7d6p-3f, -0x1.f06904p-27f)

/* (log2((1 + s) / (1 - s)) / s - 2 / log(2)) / s^2: error 2^-33.1 */
POLYNOMIAL(float, log2_tail, 0x1.5d0b16p-2f, 0x1.a5a564p-2f, 0x1.277708p-1f, 0x1.ec709ep-1f)

/* (sin(r) / r - 1) / r^2: error 2^-26.3 */
POLYNOMIAL(float, sin_tail, -0x1.9aa176p-13f, 0x1.110bc8p-7f, -0x1.555552p-3f)

/* (sin(r) / r - 1) / r^2, to pi/2: error 2^-25.9 */
POLYNOMIAL(float, sin_half_turn_tail, 0x1.615018p-19f, -0x1.9fb16p-13f, 0x1.111036p-7f,
	   -0x1.555554p-3f)

/* (cos(r) - 1 + r^2 / 2) / r^4: error 2^-29.7 */
POLYNOMIAL(float, cos_tail, 0x1.9bb97cp-16f, -0x1.6c1288p-10f, 0x1.555554p-5f)

/* (tan(r) / r - 1) / r^2: error 2^-23.9 */
POLYNOMIAL(float, tan_tail, 0x1.12e858p-7f, 0x1.413cdcp-8f, 0x1.7d1028p-6f, 0x1.b85caep-5f,
	   0x1.111742p-3f, 0x1.55554ep-2f)

/* (sin(pi r) / r - pi) / r^2, to 1/2: error 2^-25.1 */
POLYNOMIAL(float, sinpi_tail, 0x1.41ec92p-4f, -0x1.328cd2p-1f, 0x1.466afap1f, -0x1.4abbcep2f)

/* (tan(pi r) / r - pi) / r^2, to 1/4: error 2^-24.1 */
POLYNOMIAL(float, tanpi_tail, 0x1.76ff52p14f, 0x1.753858p10f, 0x1.596b5p9f, 0x1.44cf12p7f,
	   0x1.467284p5f, 0x1.4abbc8p3f)

/* (asin(r) / r - 1) / r^2, to 1/2: error 2^-25.9 */
POLYNOMIAL(float, asin_tail, 0x1.39379ep-5f, 0x1.b1d57ap-6f, 0x1.70c00ep-5f, 0x1.332684p-4f,
	   0x1.55555ep-3f)

/* (atan(r) / r - 1) / r^2, to 1: error 2^-26.3 */
POLYNOMIAL(float, atan_tail, -0x1.3b6c6ap-9f, 0x1.bd14p-7f, -0x1.26cceep-5f, 0x1.005ebp-4f,
	   -0x1.62baf8p-4f, 0x1.c3f7fep-4f, -0x1.246ce4p-3f, 0x1.999832p-3f, -0x1.555554p-2f)

/* (asinh(r) / r - 1) / r^2, to 1/2: error 2^-31.5 */
POLYNOMIAL(float, asinh_tail, 0x1.578fap-7f, -0x1.5680c8p-6f, 0x1.efa1d6p-6f, -0x1.6db1c8p-5f,
	   0x1.333368p-4f, -0x1.555556p-3f)

/* erf(r) / r in r^2 / 7.8 - 1: error 2^-23.9 */
POLYNOMIAL(float, erf_centred, -0x1.02a7e8p-10f, 0x1.3b3f78p-9f, -0x1.751a12p-10f, 0x1.e68814p-10f,
	   -0x1.10afd2p-7f, 0x1.f4cd2p-7f, -0x1.544fbap-6f, 0x1.f2bea6p-6f, -0x1.6b5832p-5f,
	   0x1.e45322p-5f, -0x1.306362p-4f, 0x1.7283b6p-4f, -0x1.bd014cp-4f, 0x1.10c4d8p-3f,
	   -0x1.6e2614p-3f, 0x1.6e9f42p-2f)

/* (1 + 2 x) e^(x^2) erfc(x) in (x - 3.75) / (x + 3.75), from 0: error 2^-24.8 */
POLYNOMIAL(float, erfc_scaled, -0x1.aeea7ap-12f, -0x1.811c32p-13f, 0x1.242e44p-10f, -0x1.43846cp-7f,
	   0x1.d5881p-6f, -0x1.df9c0ep-5f, 0x1.79e98ap-4f, -0x1.bdc918p-4f, 0x1.510338p-4f,
	   0x1.d63bfcp-9f, -0x1.1f3678p-3f, 0x1.3ccdap0f)

/* gamma(y) / (sqrt(2 pi) y^(y - 1/2) e^-y) in 1 / y, for y >= 3, by gamma.py: error 2^-30 */
POLYNOMIAL(float, gamma_correction, 0x1.2480c4p-11f, -0x1.e374b4p-14f, -0x1.624dbep-9f,
	   0x1.c7582cp-9f, 0x1.555548p-4f, 0x1p+0f)

/* (e^r - 1 - r) / r^2 for |r| < log(2) / 64: error 2^-31.6 */
POLYNOMIAL(float, exp_short_tail, 0x1.55556cp-3f, 0x1.000054p-1f)

/* (log(1 + r) - r + r^2 / 2) / r^3 for r from -0.0206 to 0.0313: error 2^-37 */
POLYNOMIAL(float, log_short_tail, -0x1.51a196p-3f, 0x1.99d47ap-3f, -0x1.00002ap-2f, 0x1.555554p-2f)

#endif
