/* SPDX-License-Identifier: MIT
 *
 * Polynomials of the double functions, as fit/polynomials.sollya, fit/gamma.py and fit/error_function.py print them.
 * The names say what they are for; the comments what they approximate, in r, with x = r^2 where only even powers occur.
 */
#ifndef WEFT_POLYNOMIALS_H
#define WEFT_POLYNOMIALS_H

#include "arithmetic.h"

/* (e^r - 1 - r) / r^2: relative error 2^-58 */
POLYNOMIAL(double, exp_tail, 0x1.1f2b651a52e9bp-29, 0x1.af5216729c269p-26, 0x1.27e506806792p-22,
	   0x1.71de0036c5415p-19, 0x1.a01a0194f3777p-16, 0x1.a01a01ac83a85p-13,
	   0x1.6c16c16c191b3p-10, 0x1.111111110ffcep-7, 0x1.5555555555551p-5, 0x1.5555555555557p-3,
	   0x1p-1)

/* (cosh(r) - 1) / r^2 for |r| < log(2) / 2 */
POLYNOMIAL(double, cosh_tail, 0x1.1f7af877f53fap-29, 0x1.27e4d71b926dfp-22, 0x1.a01a01a863333p-16,
	   0x1.6c16c16c15f8ep-10, 0x1.5555555555556p-5, 0x1p-1)

/* (sinh(r) / r - 1) / r^2 for |r| < log(2) / 2 */
POLYNOMIAL(double, sinh_tail, 0x1.a68f757ad7053p-33, 0x1.ae35d1911d0c8p-26, 0x1.71de45b5614adp-19,
	   0x1.a01a019daa846p-13, 0x1.1111111111479p-7, 0x1.5555555555555p-3)

/* (e^r - 1 - r) / r^2 for |r| < log(2) / 32: relative error 2^-43 */
POLYNOMIAL(double, exp_short_tail, 0x1.6c1717c35dd93p-10, 0x1.11120ffc9d2adp-7,
	   0x1.55555555bbc5ep-5, 0x1.55555554d8653p-3, 0x1.ffffffffffffbp-2)

/* (log(1 + r) - r + r^2 / 2) / r^3 for r from -0.0372 to 0.0626, in r^2: even powers and odd ones, which need not wait for each other */
POLYNOMIAL(double, log_short_even, 0x1.741f1aa8c0fc9p-4, 0x1.c71d218b9a434p-4, 0x1.24924909c3d7ap-3,
	   0x1.999999999c04ap-3, 0x1.5555555555555p-2)
POLYNOMIAL(double, log_short_odd, -0x1.30cfdba34267p-4, -0x1.99b675b99e30bp-4,
	   -0x1.fffff8580d658p-4, -0x1.55555555ba68cp-3, -0x1.fffffffffffcep-3)

/* ((log((1+s)/(1-s)) / s - 2) / s^2 - 2/3) / s^2: relative error 2^-54 */
POLYNOMIAL(double, log_tail, 0x1.db653bbf87638p-4, 0x1.e00757c08ef74p-4, 0x1.1115a5f869db8p-3,
	   0x1.3b13a84726bc4p-3, 0x1.745d17405f38p-3, 0x1.c71c71c748d5ap-3, 0x1.2492492492308p-2,
	   0x1.999999999999ap-2)

/* ((log2((1+s)/(1-s)) / s - 2 / log(2)) / s^2 - c) / s^2, where double_double.h has c and 2 / log(2): in the logarithm
 * relative error 2^-66 */
POLYNOMIAL(double, log2_tail, 0x1.886638891e09ep-3, 0x1.8762a0044bb1ep-3, 0x1.c6a3783ee48f3p-3,
	   0x1.0c9a5694acf02p-2, 0x1.484b1453ee13bp-2, 0x1.a61762a6efc69p-2, 0x1.2776c50efa0a4p-1)

/* (2^r - 1) / r: relative error 2^-54 */
POLYNOMIAL(double, exp2_ratio, 0x1.eb4c9138cae2p-32, 0x1.e60643035e71cp-28, 0x1.b523e5163be7p-24,
	   0x1.62bfd493456d3p-20, 0x1.ffcbfcfdc0ee4p-17, 0x1.430913095821ep-13,
	   0x1.5d87fe7880e18p-10, 0x1.3b2ab6fba1e93p-7, 0x1.c6b08d704a1aap-5, 0x1.ebfbdff82c598p-3,
	   0x1.62e42fefa39efp-1)

/* (sin(r) / r - 1) / r^2: relative error 2^-54 */
POLYNOMIAL(double, sin_tail, -0x1.8f88f4addfb88p-41, 0x1.60e9a0b356d0ep-33, -0x1.ae63fcebd89fep-26,
	   0x1.71de3a131773bp-19, -0x1.a01a019fe9ffap-13, 0x1.1111111111022p-7,
	   -0x1.5555555555555p-3)

/* (sin(r) / r - 1) / r^2, to pi/2: relative error 2^-54 */
POLYNOMIAL(double, sin_half_turn_tail, 0x1.8739dcc8533fcp-49, -0x1.ae3ac885563eep-41,
	   0x1.6123adfa6be46p-33, -0x1.ae64546611b2dp-26, 0x1.71de3a51d576p-19,
	   -0x1.a01a01a013718p-13, 0x1.11111111110bap-7, -0x1.5555555555555p-3)

/* (sin(pi r) / r - pi) / r^2, to 1/2: relative error 2^-54 */
POLYNOMIAL(double, sinpi_tail, 0x1.a0e05d941d97fp-21, -0x1.6f964d0b70c3p-16, 0x1.e8f410127af9ep-12,
	   -0x1.e307500dd928ep-8, 0x1.50783488dabc6p-4, -0x1.32d2cce62e1b9p-1, 0x1.466bc6775ab24p+1,
	   -0x1.4abbce625be53p+2)

/* (cos(r) - 1 + r^2 / 2) / r^4: relative error 2^-54 */
POLYNOMIAL(double, cos_tail, 0x1.3c2319e22e6f1p-45, -0x1.92b32089d0e68p-37, 0x1.1eecde119a33ap-29,
	   -0x1.27e4faf374edep-22, 0x1.a01a019fba047p-16, -0x1.6c16c16c16a38p-10,
	   0x1.5555555555555p-5)

/* (asin(r) / r - 1) / r^2: relative error 2^-53 */
POLYNOMIAL(double, asin_tail, 0x1.dabba2b5ad0a6p-6, -0x1.f1700255eb69dp-7, 0x1.20a9f2e10d53fp-6,
	   0x1.603756089bbcfp-8, 0x1.52eb71998178ap-7, 0x1.780afddec99b9p-7, 0x1.c9d1fdde358c5p-7,
	   0x1.1c4d1a7281b7cp-6, 0x1.6e8bb30e1ed27p-6, 0x1.f1c71c1478c97p-6, 0x1.6db6db6e442c2p-5,
	   0x1.3333333332dc8p-4, 0x1.5555555555556p-3)

/* (atan(r) / r - 1) / r^2: relative error 2^-54 */
POLYNOMIAL(double, atan_tail, 0x1.131c430d74d42p-8, 0x1.6db0199ed0491p-7, -0x1.04c0f1e77429bp-5,
	   0x1.6df324cb41bfdp-5, -0x1.ab1e744b9387p-5, 0x1.e16c6efbf50cbp-5, -0x1.110c81bbddfacp-4,
	   0x1.3b1373f3116f1p-4, -0x1.745d15299db2bp-4, 0x1.c71c71bb93e34p-4, -0x1.249249248097fp-3,
	   0x1.9999999999806p-3, -0x1.5555555555555p-2)

/* (atan(r) / r - 1) / r^2, to 1/8: relative error 2^-49 */
POLYNOMIAL(double, atan_short_tail, 0x1.2e8be6d9b23d6p-4, -0x1.7424ee1b8fb97p-4,
	   0x1.c71bfd43bd96ep-4, -0x1.249248eddb3b3p-3, 0x1.9999999986cd7p-3, -0x1.555555555554dp-2)

/* erf(r) / r in r^2 / 17.6 - 1: relative error 2^-54. Parts of a long polynomial, the powers from 0, 12 and 24 on, need
 * not wait for each other. */
POLYNOMIAL(double, erf_0, -0x1.381a1a614aac8p-5, 0x1.4ed2e3d071f1p-5, -0x1.6561c4a9166cdp-5,
	   0x1.7d39ad8c6e937p-5, -0x1.9817f2150ada5p-5, 0x1.b826f9ecd8578p-5, -0x1.e06f4ddfef88dp-5,
	   0x1.0af471b124817p-4, -0x1.311adaab5bb42p-4, 0x1.6e210ec75f452p-4, -0x1.e82c3c1447ba3p-4,
	   0x1.e82c3f852bbefp-3)
POLYNOMIAL(double, erf_12, -0x1.6de97ad2fdce6p-9, 0x1.1494e62ef605fp-8, -0x1.898080c87f866p-8,
	   0x1.0cb337965beddp-7, -0x1.6542ccc692493p-7, 0x1.cc81f57b1e23p-7, -0x1.1f2f1515bf5b8p-6,
	   0x1.5b6300108dec9p-6, -0x1.987e4e6801a61p-6, 0x1.d40e7564d67c8p-6, -0x1.061e0c328f838p-5,
	   0x1.2018159f60e6fp-5)
POLYNOMIAL(double, erf_24, 0x1.6d762e1e7bdf8p-20, -0x1.c117107625712p-19, -0x1.5926f34b65814p-18,
	   0x1.c0b3ddaabc08p-17, 0x1.a38eb7397d043p-16, -0x1.f85dc8c9470c8p-15,
	   -0x1.28cde9ea77dbfp-16, 0x1.d353dfaf73682p-15, 0x1.2085f53e75098p-13,
	   -0x1.2b73eb490e622p-12, 0x1.9cb916ef90e03p-13, -0x1.3a5a3fa80719fp-12,
	   0x1.a17b7ba542e03p-11, -0x1.5a140162f41afp-10, 0x1.e5bd34d542c35p-10)

/* (1 + 2 x) e^(x^2) erfc(x) in (x - 3.75) / (x + 3.75): relative error 2^-53 */
POLYNOMIAL(double, erfc_12, -0x1.446d7c8fec632p-29, -0x1.906ae1b8288dcp-31, 0x1.1a366a40b78cbp-25,
	   0x1.0c50494565702p-26, -0x1.0f7ea91015a19p-22, -0x1.9a56f78765a14p-25,
	   0x1.d55b1af993875p-20, -0x1.072a8c18d6ae8p-20, -0x1.7ff8e06291fb9p-17,
	   0x1.7798c785a3e98p-16, 0x1.b14371e31ff44p-15)
POLYNOMIAL(double, erfc_0, -0x1.303fe1ac6ecdcp-12, 0x1.33fb2769fc0cdp-12, 0x1.cc3a1149bde27p-10,
	   -0x1.3f603c347818bp-7, 0x1.d0b003781abf1p-6, -0x1.e0d0fa6e0634ep-5, 0x1.7a14188ab08e3p-4,
	   -0x1.bda9309a284fbp-4, 0x1.510169d095d65p-4, 0x1.d5f2948159b1bp-9, -0x1.1f367683f89a3p-3,
	   0x1.3ccda0b5d5dc2p+0)

/* ((1 - e)^(-1/3) - 1) / e for |e| < 0.106: relative error 2^-13 */
POLYNOMIAL(double, cbrt_ratio, 0x1.67e67dae2abf3p-3, 0x1.c96d53d56324p-3, 0x1.5553ed6c0665cp-2)

/* ((1 - e)^(-1/2) - 1) / e for |e| < 0.07: relative error 2^-14 */
POLYNOMIAL(double, rsqrt_ratio, 0x1.410c2513c250dp-2, 0x1.810c1134d0ca5p-2, 0x1.ffffeeea643f8p-2)

/* 1 / gamma(3/2 + x) for x in [-1/2, 1/2]: relative error 2^-56 */
POLYNOMIAL(double, inverse_gamma, -0x1.307e8f798d979p-32, -0x1.d1eef0f3a6aaep-31,
	   0x1.25e817d17b6b4p-26, -0x1.7f00baa69a4d9p-24, 0x1.f1b6ea035017dp-25,
	   0x1.2166ec0f97252p-19, -0x1.d24ca69cfacc9p-17, 0x1.a963c507b404dp-16,
	   0x1.3f845ff32f15fp-13, -0x1.232bd87871293p-10, 0x1.15f7f060ffe95p-9,
	   0x1.b16203e5e1898p-8, -0x1.5955cc39724a5p-5, 0x1.a18540be32cbdp-5, 0x1.669be41a93895p-3,
	   -0x1.0da5a671c048ap-1, -0x1.514d3d90584b3p-5, 0x1.20dd750429b6dp+0)

/* log(gamma(1 + x)) / x for x in [-1/4, 1/4]: relative error 2^-56 */
POLYNOMIAL(double, log_gamma_ratio, -0x1.1bc9551dba19cp-4, 0x1.2b1f3e6dc3cb1p-4,
	   -0x1.cfeedc8b0ac0ep-5, 0x1.ed2cc59d1214dp-5, -0x1.11b44a9f5f521p-4, 0x1.253fd66db8098p-4,
	   -0x1.3b16f32ff3c9cp-4, 0x1.5563df3b4aa5fp-4, -0x1.748c5d31b314cp-4, 0x1.9a020fb488a8bp-4,
	   -0x1.c8066fd0db5d2p-4, 0x1.010b365d76fe7p-3, -0x1.2703a1dd8753ep-3, 0x1.5b40cb10b0f25p-3,
	   -0x1.a8b9c17aa5857p-3, 0x1.151322ac7d397p-2, -0x1.9a4d55beab2d8p-2, 0x1.a51a6625307d4p-1,
	   -0x1.2788cfc6fb619p-1)

/* x (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi) / 2) in 1 / x^2, for x >= 8: relative error 2^-54 */
POLYNOMIAL(double, stirling_tail, -0x1.55b3a241f83b1p-6, 0x1.96db3f3dd602bp-8,
	   -0x1.f5ff2fc17e10bp-10, 0x1.b94f6d64ea633p-11, -0x1.38137ec06f013p-11,
	   0x1.a01a019ee0dafp-11, -0x1.6c16c16c16b29p-9, 0x1.5555555555555p-4)

#endif
