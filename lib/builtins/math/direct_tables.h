/* SPDX-License-Identifier: MIT
 *
 * Tables for direct.h, as fit/tables.py prints them: two registers of AVX-512 hold one. Of a significand from 1 to 2 in one of 16 or 32
 * parts of equal length: a factor that brings it near 1, by which the product less 1 is exact, and the factor's negative logarithm in
 * two parts. A sum of the first ones and an exponent times LN2 or LN2F is exact. The powers of two are those to 1/16 or 1/32; each lacks a rest, which is a
 * part of it. Arctangents are of points in 16 parts of the numbers above 0, also as parts of pi.
 */
#ifndef WEFT_DIRECT_TABLES_H
#define WEFT_DIRECT_TABLES_H

#define TABLE(type, name, ...) static __constant const type name[] = {__VA_ARGS__};

/* The products less 1 are from -0.037109 to 0.0625. */
TABLE(double, near_reciprocals_double, 0x1p+0, 0x1.dp-1, 0x1.cp-1, 0x1.ap-1, 0x1.9p-1, 0x1.8p-1,
      0x1.7p-1, 0x1.6p-1, 0x1.5p-1, 0x1.4p-1, 0x1.3p-1, 0x1.3p-1, 0x1.2p-1, 0x1.1p-1, 0x1.1p-1,
      0x1p-1)
TABLE(double, their_logarithms_double, 0x0p+0, 0x1.9335e5d594p-4, 0x1.1178e8227ep-3,
      0x1.a93ed3c8aep-3, 0x1.f991c6cb3cp-3, 0x1.269621134ep-2, 0x1.522ae0738ap-2, 0x1.7fafa3bd81p-2,
      0x1.af5295248dp-2, 0x1.e148a1a272p-2, 0x1.0ae76e2d058p-1, 0x1.0ae76e2d058p-1,
      0x1.269621134d8p-1, 0x1.43d9ff2f92p-1, 0x1.43d9ff2f92p-1, 0x1.62e42fefa38p-1)
TABLE(double, lower_logarithms_double, 0x0p+0, 0x1.3115c3abd47dap-45, 0x1.1ef78ce2d07f2p-45,
      -0x1.8724350562169p-45, -0x1.90d04cd7cc834p-44, -0x1.1b61f10522625p-44, 0x1.ebe708164c759p-45,
      0x1.46fb79bf6d4cbp-44, -0x1.17cc552774458p-45, 0x1.b36537e3375b2p-44, -0x1.82de51de06076p-44,
      -0x1.82de51de06076p-44, 0x1.c93c1df5bb3b6p-44, 0x1.e267b0b7efae1p-44, 0x1.e267b0b7efae1p-44,
      0x1.ef35793c7673p-45)
TABLE(double, parts_of_two_double, 0x1p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0,
      0x1.2387a6e756238p+0, 0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0,
      0x1.5ab07dd485429p+0, 0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0,
      0x1.9c49182a3f09p+0, 0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0,
      0x1.ea4afa2a490dap+0)
TABLE(double, rests_of_two_double, 0x0p+0, 0x1.79aa65d837b6dp-54, -0x1.01b15eaa59348p-55,
      0x1.68efde3a8a894p-54, 0x1.34d754db0abb6p-55, 0x1.59f48a72a4c6dp-55, 0x1.690cebb7aafbp-56,
      0x1.063e1e21c5409p-54, -0x1.3b3efbf5e2228p-54, -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55,
      0x1.1affc2b91ce27p-56, 0x1.c1a7792cb3387p-55, 0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56,
      -0x1.ff7128fd391fp-55)

/* The products less 1 are from -0.020508 to 0.03125. */
TABLE(float, near_reciprocals, 0x1p+0f, 0x1.e8p-1f, 0x1.d8p-1f, 0x1.dp-1f, 0x1.cp-1f, 0x1.b8p-1f,
      0x1.a8p-1f, 0x1.ap-1f, 0x1.98p-1f, 0x1.88p-1f, 0x1.8p-1f, 0x1.78p-1f, 0x1.7p-1f, 0x1.68p-1f,
      0x1.6p-1f, 0x1.58p-1f, 0x1.5p-1f, 0x1.48p-1f, 0x1.48p-1f, 0x1.4p-1f, 0x1.38p-1f, 0x1.3p-1f,
      0x1.3p-1f, 0x1.28p-1f, 0x1.2p-1f, 0x1.2p-1f, 0x1.18p-1f, 0x1.1p-1f, 0x1.1p-1f, 0x1.08p-1f,
      0x1.08p-1f, 0x1p-1f)
TABLE(float, their_logarithms, 0x0p+0f, 0x1.894p-5f, 0x1.4d4p-4f, 0x1.934p-4f, 0x1.118p-3f,
      0x1.366p-3f, 0x1.824p-3f, 0x1.a94p-3f, 0x1.d1p-3f, 0x1.1178p-2f, 0x1.2698p-2f, 0x1.3c28p-2f,
      0x1.5228p-2f, 0x1.68bp-2f, 0x1.7fbp-2f, 0x1.9738p-2f, 0x1.af5p-2f, 0x1.c8p-2f, 0x1.c8p-2f,
      0x1.e148p-2f, 0x1.fb38p-2f, 0x1.0ae8p-1f, 0x1.0ae8p-1f, 0x1.189p-1f, 0x1.2698p-1f,
      0x1.2698p-1f, 0x1.3504p-1f, 0x1.43d8p-1f, 0x1.43d8p-1f, 0x1.5324p-1f, 0x1.5324p-1f,
      0x1.62e4p-1f)
TABLE(float, lower_logarithms, 0x0p+0f, 0x1.54294p-18f, -0x1.dd45cp-17f, -0x1.43454ep-17f,
      -0x1.c5f76p-17f, -0x1.a7f538p-22f, -0x1.f4d572p-18f, -0x1.2c3752p-19f, 0x1.bf932ap-18f,
      0x1.d044fcp-19f, -0x1.deecb2p-18f, -0x1.6c4666p-17f, 0x1.7039c6p-17f, -0x1.be0b1cp-17f,
      -0x1.7109fap-20f, 0x1.1a189ap-17f, 0x1.4a9246p-17f, -0x1.8e2eaap-20f, -0x1.8e2eaap-20f,
      0x1.4344e4p-19f, -0x1.3a842ep-17f, -0x1.23a5f6p-18f, -0x1.23a5f6p-18f, -0x1.1bf0dcp-17f,
      -0x1.deecb2p-17f, -0x1.deecb2p-17f, -0x1.752628p-17f, 0x1.ff2f92p-17f, 0x1.ff2f92p-17f,
      -0x1.1d9798p-17f, -0x1.1d9798p-17f, 0x1.7f7d1cp-20f)
TABLE(float, parts_of_two, 0x1p+0f, 0x1.059b0ep+0f, 0x1.0b5586p+0f, 0x1.11301ep+0f, 0x1.172b84p+0f,
      0x1.1d4874p+0f, 0x1.2387a6p+0f, 0x1.29e9ep+0f, 0x1.306fep+0f, 0x1.371a74p+0f, 0x1.3dea64p+0f,
      0x1.44e086p+0f, 0x1.4bfdaep+0f, 0x1.5342b6p+0f, 0x1.5ab07ep+0f, 0x1.6247ecp+0f,
      0x1.6a09e6p+0f, 0x1.71f75ep+0f, 0x1.7a1148p+0f, 0x1.82589ap+0f, 0x1.8ace54p+0f,
      0x1.93737cp+0f, 0x1.9c4918p+0f, 0x1.a5503cp+0f, 0x1.ae89fap+0f, 0x1.b7f77p+0f, 0x1.c199bep+0f,
      0x1.cb720ep+0f, 0x1.d5818ep+0f, 0x1.dfc974p+0f, 0x1.ea4afap+0f, 0x1.f50766p+0f)
TABLE(float, rests_of_two, 0x0p+0f, -0x1.947414p-25f, 0x1.8d96d4p-25f, -0x1.dda2fcp-25f,
      -0x1.9c0c22p-27f, -0x1.a2fbb2p-25f, 0x1.964904p-25f, -0x1.2b0dbcp-25f, 0x1.125002p-25f,
      -0x1.cde8cep-26f, 0x1.370be4p-25f, 0x1.336de2p-30f, -0x1.0a355p-25f, -0x1.c541b4p-26f,
      -0x1.00d8acp-27f, -0x1.6cb284p-25f, 0x1.26055cp-26f, 0x1.8b2bb8p-26f, -0x1.05cb44p-25f,
      -0x1.1c2142p-26f, 0x1.67a1cap-28f, -0x1.348e56p-25f, 0x1.a3b5e4p-28f, -0x1.0b7ec8p-25f,
      -0x1.f9c304p-27f, -0x1.e4c886p-26f, -0x1.6961b4p-28f, -0x1.b5151ep-28f, -0x1.a5217cp-28f,
      -0x1.ab7132p-26f, 0x1.61428ep-28f, -0x1.2ad5f8p-27f)

TABLE(double, arctangent_points_double, 0x0p+0, 0x1.8p-3, 0x1.4p-2, 0x1.cp-2, 0x1.4p-1, 0x1.cp-1,
      0x1.2p+0, 0x1.6p+0, 0x1.cp+0, 0x1.2p+1, 0x1.6p+1, 0x1.ap+1, 0x1.f8p+1, 0x1.3cp+2, 0x1.7cp+2,
      0x1.a2p+3)
TABLE(double, their_arctangents_double, 0x0p+0, 0x1.7b97b4bce5b02p-3, 0x1.362773707ebccp-2,
      0x1.a64eec3cc23fdp-2, 0x1.1e00babdefeb4p-1, 0x1.700a7c5784634p-1, 0x1.b034f38649c88p-1,
      0x1.e24dd44c855d1p-1, 0x1.0d38f2c5ba09fp+0, 0x1.270ef55a53a25p+0, 0x1.38d6a6ce13353p+0,
      0x1.45b54837351ap+0, 0x1.5274400eea72bp+0, 0x1.5ef7bcecde57ap+0, 0x1.6768b0332cd22p+0,
      0x1.7e905d6b15234p+0)
TABLE(double, their_half_turns_double, 0x0p+0, 0x1.e34ff3a10b9ccp-5, 0x1.8ae6855098eecp-4,
      0x1.0cd98d1293ee4p-3, 0x1.6c266f6edfc1ep-3, 0x1.d49ab3ac8b1bbp-3, 0x1.1326c3812bd01p-2,
      0x1.330b55a98f5bp-2, 0x1.56c8e07ace1d5p-2, 0x1.77ae18972fef7p-2, 0x1.8e517de693a82p-2,
      0x1.9eb4587c91748p-2, 0x1.aeeee2be22266p-2, 0x1.beddb1694d09ep-2, 0x1.c99d19b26655ep-2,
      0x1.e71873e2aea71p-2)

#endif
