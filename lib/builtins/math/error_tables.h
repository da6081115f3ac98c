/* SPDX-License-Identifier: MIT
 *
 * Tables for error_function.cl, as fit/error_function.py prints them: polynomials of the distance from a point of a part, a table for
 * each coefficient, as two registers of AVX-512 hold it.
 */
#ifndef WEFT_ERROR_TABLES_H
#define WEFT_ERROR_TABLES_H

#include "direct_tables.h"

/* erf(x) / x, in parts of ERF_PART about its multiples, the first of half the length: relative error 2^-52.4 */
#define ERF_PART 0.3822
TABLE(double, erf_part_11, 0x1.16f682e2cfc52p-13, 0x1.38b9f4b6b55ap-12, -0x1.c30a707116cdp-15,
      -0x1.58f9a73136637p-13, 0x1.2a1e13eae0ee8p-15, 0x1.c4719507df5bdp-15, -0x1.b2b12f74b0159p-18,
      -0x1.706fcaaaf578bp-17, -0x1.b7ff6751d0c04p-21, 0x1.196833bef36c6p-20, 0x1.78be5d63dd458p-22,
      0x1.5f4d434a61d52p-25, -0x1.288aa40b747edp-28, -0x1.10bc086cfcce3p-28, -0x1.ef548cc9da931p-30,
      -0x1.b538500a476e9p-31)
TABLE(double, erf_part_10, -0x1.e27d2092a0c58p-11, 0x1.95d03b117f266p-16, 0x1.4e629b53b54d2p-11,
      -0x1.260037bd9bd95p-16, -0x1.251b475b5112ap-12, -0x1.2e6f7c8420288p-16, 0x1.1dfc3b97b7ee1p-14,
      0x1.0fa24383f6059p-16, -0x1.a0b061d9e51bp-18, -0x1.e55cbeec3246bp-19, -0x1.6472b4e94aa5dp-21,
      0x1.a3e68fe1584fap-30, 0x1.66889fe7660b1p-25, 0x1.6fa40e708e193p-26, 0x1.4e2e0a571de01p-27,
      0x1.3984503e9c85p-28)
TABLE(double, erf_part_9, 0x1.38ba4a4f2978dp-16, -0x1.074e2ace46687p-9, -0x1.bb038c41f101cp-13,
      0x1.288c78857b4fdp-10, 0x1.141cf24a57d6bp-12, -0x1.5690835ae615dp-12, -0x1.28ac61aadb833p-13,
      0x1.9e2539c700dfcp-16, 0x1.e3ed9efe251c5p-16, 0x1.fd9760e381c8ep-18, 0x1.ee590a4b083aap-22,
      -0x1.8e452bbbace7ep-22, -0x1.e96262b3b9dd1p-23, -0x1.d13ba2e815a65p-24, -0x1.be4234f1120dp-25,
      -0x1.bfe84422e3dbbp-26)
TABLE(double, erf_part_8, 0x1.5623166aeab44p-8, 0x1.8801f5a879607p-11, -0x1.ee7c95c8c17c7p-9,
      -0x1.72798eaba4d96p-10, 0x1.4cb9af3564659p-10, 0x1.be973ceb0a728p-11, -0x1.6e25373da2a41p-15,
      -0x1.7fc5eb04d39fap-13, -0x1.19943b62fb0dcp-14, -0x1.0a11036716df3p-17, 0x1.68bc00e82b3f3p-19,
      0x1.21d5f2167ffb7p-19, 0x1.2643b45a15786p-20, 0x1.227f616b972bdp-21, 0x1.2a99d71ad4004p-22,
      0x1.40fcf6b2bf7bfp-23)
TABLE(double, erf_part_7, 0x1.b3c4b8627f0a8p-22, 0x1.6759f91ca35dp-7, 0x1.324a8a1e48fc4p-8,
      -0x1.241a06788ba89p-8, -0x1.fa89739a1d3c4p-9, -0x1.aba73dce2e502p-14, 0x1.f52becc4c7888p-11,
      0x1.e5b3b791a2837p-12, 0x1.4e3f6179642edp-14, -0x1.0d68b3fbfa11ep-16, -0x1.2e00896cbc0e5p-16,
      -0x1.4d498ce94a819p-17, -0x1.559977e5e6ee8p-18, -0x1.6943b22a5f45p-19, -0x1.8f78594182f1cp-20,
      -0x1.cc0f44330b989p-21)
TABLE(double, erf_part_6, -0x1.b82d0605e585p-6, -0x1.26fc2a458f26fp-7, 0x1.eebdea1b72ee1p-7,
      0x1.bff4f6cf47db9p-7, 0x1.600baa488f739p-11, -0x1.1a4032d9d9599p-8, -0x1.4d2e95f0cd4dbp-9,
      -0x1.2429690d5bba3p-11, 0x1.6c00d6d73a0fcp-14, 0x1.14eea9f1ec20cp-13, 0x1.4e4338dae5241p-14,
      0x1.66da3027a11e1p-15, 0x1.88c5f9d06ff16p-16, 0x1.c0d7c0ee7604ep-17, 0x1.0b304ef474762p-17,
      0x1.49b0bc95a2886p-18)
TABLE(double, erf_part_5, 0x1.d8d9012e0b7b1p-30, -0x1.80687134463f6p-5, -0x1.2b5c4a29fc1cdp-5,
      0x1.43ee0fec08c4ap-10, 0x1.1b4fc8a312c71p-6, 0x1.6d4188b5b1027p-7, 0x1.6b50d769a5867p-9,
      -0x1.0dea65cf97a2fp-11, -0x1.c1ef125e0fe6dp-11, -0x1.25bde897ef10fp-11,
      -0x1.4c80d5314cbb4p-12, -0x1.7b4b4e89e656fp-13, -0x1.c29844eca58ep-14, -0x1.16c656532cc9fp-14,
      -0x1.656b3c8979012p-15, -0x1.d8875c8fa5a54p-16)
TABLE(double, erf_part_4, 0x1.ce2f219c4c386p-4, 0x1.f5acf27fe6f51p-5, -0x1.c362abe764ddfp-6,
      -0x1.f0bb6b519bef9p-5, -0x1.37b11b03cb94dp-5, -0x1.299cd58b7659fp-7, 0x1.ce38b38d287ap-9,
      0x1.448ce6e875983p-8, 0x1.bf1e65cc910eap-9, 0x1.0baf965d2fe7cp-9, 0x1.40bfacbdc3122p-10,
      0x1.8f16ebd050446p-11, 0x1.0259135b99d68p-11, 0x1.5a481b63ea734p-12, 0x1.de1e8ceabbddep-13,
      0x1.52a03c64457ccp-13)
TABLE(double, erf_part_3, 0x1.413b91ba1a7bap-40, 0x1.288023bcf8bb8p-3, 0x1.57b7f6dd3bfe2p-3,
      0x1.74afb68549cd9p-4, 0x1.7e3d6dee62cb7p-7, -0x1.7508b62294807p-6, -0x1.98ccdaa87433fp-6,
      -0x1.21b89df581995p-6, -0x1.6f87433a48468p-7, -0x1.d2c24f74d4b62p-8, -0x1.3308de85a4804p-8,
      -0x1.a388a0cf2218ap-9, -0x1.2839994890438p-9, -0x1.ae224d240c9a2p-10, -0x1.3fca459610f15p-10,
      -0x1.e555ea06571fp-11)
TABLE(double, erf_part_2, -0x1.812746b037ab9p-2, -0x1.243cec0139f72p-2, -0x1.7ca842b1bca47p-4,
      0x1.eda58e8fe711dp-5, 0x1.d9c521cb71b5bp-4, 0x1.ae272039d62bdp-4, 0x1.36a31afe9d6fap-4,
      0x1.a3833057f229p-5, 0x1.1dafa6aa9dcc5p-5, 0x1.926782aa9845ap-6, 0x1.257349d0442ep-6,
      0x1.b8f5b6cff41dap-7, 0x1.53a6e632e3a72p-7, 0x1.0b253e1ae904cp-7, 0x1.abc8830edeeeap-8,
      0x1.5bcdba6db5c62p-8)
TABLE(double, erf_part_1, 0x1.af67cbaaad281p-55, -0x1.0de76b460f69fp-2, -0x1.a3a6ee52ded41p-2,
      -0x1.aa8ccfd225aabp-2, -0x1.5fb4e7b3c33edp-2, -0x1.06c93661833bfp-2, -0x1.7fbe16d8de1p-3,
      -0x1.1d67e9255a31dp-3, -0x1.b5fcbdb3ba507p-4, -0x1.5a29c3443a213p-4, -0x1.186659935eddep-4,
      -0x1.cf78bd4d4d1a5p-5, -0x1.8571e8b338b68p-5, -0x1.4bd5b2aaa8cf7p-5, -0x1.1e1f71910c64ep-5,
      -0x1.f27d52f158eeep-6)
TABLE(double, erf_part_0, 0x1.20dd750429b6dp+0, 0x1.1365266c46a3bp+0, 0x1.e2788b4010aa8p-1,
      0x1.8fb1d79cb375dp-1, 0x1.44a67d53fe1b6p-1, 0x1.0a143ca1ffd6p-1, 0x1.be02733ccfe9p-2,
      0x1.7eaff56c38551p-2, 0x1.4ee5e7717c9dfp-2, 0x1.29b0fe99398f7p-2, 0x1.0bec2b56867bp-2,
      0x1.e721c523be0ebp-3, 0x1.be899f74bc2b1p-3, 0x1.9c30446c59889p-3, 0x1.7ebf1af6e8d6bp-3,
      0x1.653ae5f7840a6p-3)

/* e^(x^2) erfc(x), in parts from ERFC_PART (y - 2) on with y one of four numbers between two powers of two: relative error 2^-52.7 */
#define ERFC_PART 0x1.d1745d1745d17p-1
TABLE(double, erfc_part_13, -0x1.688365f16a874p-13, -0x1.484e6da0fa5c7p-16, -0x1.64cbc28b8d93dp-19,
      -0x1.c6f4f4255080fp-22, -0x1.37bece5d204e2p-25, -0x1.108371a34d185p-29,
      -0x1.61aa2f6e3b7dep-33, -0x1.3b0c760987f99p-36, -0x1.36257890fc1e9p-40,
      -0x1.aea6e2c55fb2dp-45, -0x1.ff637a4f1345cp-49, -0x1.bf65d766b26e7p-52,
      -0x1.c658dfafb37a5p-56, -0x1.55bf3a353a75dp-60, -0x1.b9d0030772e9ep-64,
      -0x1.a19c76031b1edp-67)
TABLE(double, erfc_part_12, 0x1.ff8d73c0c8286p-11, 0x1.e6683bff2b749p-14, 0x1.1454a62e1cefcp-16,
      0x1.70b7a2244efe4p-19, 0x1.82097636a415ep-22, 0x1.6829c59eb8b39p-26, 0x1.f306862c50fd7p-30,
      0x1.da31401a9f4cep-33, 0x1.72f72a941dbfdp-36, 0x1.17a97c662262p-40, 0x1.672a79bd4d5edp-44,
      0x1.525d39b3708f2p-47, 0x1.1262e96cf9dbp-50, 0x1.c2a47fe667a52p-55, 0x1.3bf9bffbdb7b8p-58,
      0x1.421af324ddfe6p-61)
TABLE(double, erfc_part_11, -0x1.9ed38c0c4f364p-9, -0x1.a498ac1d25786p-12, -0x1.fe60cba2a10fcp-15,
      -0x1.6bf93f85b8cb9p-17, -0x1.014ee3e1b2abdp-19, -0x1.08ddfb85dea81p-23,
      -0x1.94d8739ddfbdfp-27, -0x1.a7707941b8b14p-30, -0x1.d7658a0846f6p-33, -0x1.92666d0786265p-37,
      -0x1.2291018f59bc2p-40, -0x1.316c88827604cp-43, -0x1.626d1a746b266p-46,
      -0x1.4c24ba75b3bdfp-50, -0x1.06e8c815cb041p-53, -0x1.2b8b47f5e2171p-56)
TABLE(double, erfc_part_10, 0x1.0be4303a46c3fp-7, 0x1.275b977648223p-10, 0x1.8604d2af61411p-13,
      0x1.2e9ab6163804fp-15, 0x1.02fedcf0710ffp-17, 0x1.30f27071ba15p-21, 0x1.099251baf2c39p-24,
      0x1.3a82bbf649eaap-27, 0x1.bf93bed55aebdp-30, 0x1.c529e7eea0613p-34, 0x1.7e58312d203cbp-37,
      0x1.ce9ee691510c8p-40, 0x1.5948e7eeb1b42p-42, 0x1.8350a21049882p-46, 0x1.67804292e05e7p-49,
      0x1.d7d087ad6b9c1p-52)
TABLE(double, erfc_part_9, -0x1.3815459ca16b5p-6, -0x1.7b30d640c57f9p-9, -0x1.13c00571c5b6bp-11,
      -0x1.d6890e2a1b4dap-14, -0x1.c9c8479abe9c7p-16, -0x1.3d40820a707bp-19, -0x1.42102825429f4p-22,
      -0x1.b770ca47cf68ap-25, -0x1.74b2508562411p-27, -0x1.d06854b88c7bap-31,
      -0x1.d5ae232da66bcp-34, -0x1.4ce64bc03afccp-36, -0x1.2a33d3f3c33e5p-38,
      -0x1.9f0d2965ad09ep-42, -0x1.ce9207863db21p-45, -0x1.63418471cc2bfp-47)
TABLE(double, erfc_part_8, 0x1.5536e14b1d6p-5, 0x1.ccc367c8e8fc7p-8, 0x1.73d5b0aa5a4f4p-10,
      0x1.5f2adf376a863p-12, 0x1.7c0ea7f69b594p-14, 0x1.3b9ffca04c58ap-17, 0x1.7a2e4c83d1da3p-20,
      0x1.2bd2a8561318fp-22, 0x1.26961d4f1bd6dp-24, 0x1.cd30afd7db5f9p-28, 0x1.1ad1eecb9e1d2p-30,
      0x1.d8e3533254815p-33, 0x1.ee09d1c542d4ap-35, 0x1.b24fafa580c7ap-38, 0x1.25569aca9f4ddp-40,
      0x1.090bcab80617p-42)
TABLE(double, erfc_part_7, -0x1.602124f0b1795p-4, -0x1.0a179c68d6f6cp-6, -0x1.dfad6b8a1db99p-9,
      -0x1.f85f2de51331fp-11, -0x1.2f13b1bae98b9p-12, -0x1.310bb9e48e141p-15,
      -0x1.b2bf9b0bfae22p-18, -0x1.92a7c8aaffadcp-20, -0x1.c7b444d3df5bep-22,
      -0x1.c46dd4f081097p-25, -0x1.520adcc1b2b68p-27, -0x1.4e2ffd1d7584p-29, -0x1.944d1c0f9be1cp-31,
      -0x1.c3c872bfba31p-34, -0x1.72d5d9913a7b2p-36, -0x1.8ab680e62b222p-38)
TABLE(double, erfc_part_6, 0x1.5555284a608fcp-3, 0x1.22e832b5955c7p-5, 0x1.26f5c90a7750ep-7,
      0x1.5b8b2768ba9adp-9, 0x1.d1e60fe7d6f6cp-11, 0x1.1ef5a54d37d2dp-13, 0x1.e9cf9077f6846p-16,
      0x1.0a4477be58d04p-17, 0x1.5bb152ba28518p-19, 0x1.b82cd6b43485ep-22, 0x1.91d46b0948e6p-24,
      0x1.d67e7054a963cp-26, 0x1.4967098e8b17p-27, 0x1.d4ddb3df9d6bep-30, 0x1.d42305bdff1d3p-32,
      0x1.259f431bb173fp-33)
TABLE(double, erfc_part_5, -0x1.341f69cc3fc2ep-2, -0x1.2af32c7edf137p-4, -0x1.57ef02e49b148p-6,
      -0x1.c9a017dce7f0bp-8, -0x1.58651b817ef2bp-9, -0x1.06635fee56ee6p-11, -0x1.0e3182406e4ecp-13,
      -0x1.5a9e21688e214p-15, -0x1.05ff057d0700bp-16, -0x1.a8e7b5a7dc3adp-19,
      -0x1.db1cc86eb50d8p-21, -0x1.49edf00600df4p-22, -0x1.0b8ec1b92d59fp-23,
      -0x1.e5b363a397a09p-26, -0x1.271eede47d79p-27, -0x1.b475548b28dffp-29)
TABLE(double, erfc_part_4, 0x1.ffffffe3d5e36p-2, 0x1.1e1fa707da4a1p-3, 0x1.798dbc4b02e09p-5,
      0x1.1e56678e65b79p-6, 0x1.e7cd18bca09e2p-8, 0x1.d1699606333a1p-10, 0x1.238cd9dd10a47p-11,
      0x1.bbcf15c6c224p-13, 0x1.85dd67bc79166p-14, 0x1.96e9281ecec4dp-16, 0x1.175e3f74d6ac2p-17,
      0x1.ccee55de78045p-19, 0x1.b1617926ed20cp-20, 0x1.f63be7c1f0c3bp-22, 0x1.73a4decfd5b61p-23,
      0x1.441abc1898cfp-24)
TABLE(double, erfc_part_3, -0x1.812746afbdadap-1, -0x1.f7be5bd6586d9p-3, -0x1.8292e63281f73p-4,
      -0x1.523cf10c5565dp-5, -0x1.4959f0374acbdp-6, -0x1.8f52afb4129d3p-8, -0x1.33436b5139955p-9,
      -0x1.173e61336f02ep-10, -0x1.1e4912c4b93fp-11, -0x1.8284493a306fp-13, -0x1.46be4c70957e1p-14,
      -0x1.40b70eca7d38bp-15, -0x1.5df5df81c67fp-16, -0x1.03321f905a14ep-17, -0x1.d36fe3dd7cfb8p-19,
      -0x1.e0ebf9fe2857fp-20)
TABLE(double, erfc_part_2, 0x1.fffffffffdd7fp-1, 0x1.909c5ed5ba75ap-2, 0x1.6c7e00f81e159p-3,
      0x1.75c91df2f325p-4, 0x1.a55c4f65b20b5p-5, 0x1.4a713636f3305p-6, 0x1.3bc62b57ef14cp-7,
      0x1.590f771711d0ep-8, 0x1.9ec17bd142d45p-9, 0x1.6c18460381c52p-10, 0x1.7c078eaa664a3p-11,
      0x1.bc8a706ba6a3dp-12, 0x1.19c36eefb8331p-12, 0x1.0b0c67d3139p-13, 0x1.259993494e31ap-14,
      0x1.647e0aa94b8b6p-15)
TABLE(double, erfc_part_1, -0x1.20dd750429b4ep+0, -0x1.17f3a689c1893p-1, -0x1.36a4b9ac778ap-2,
      -0x1.7db16ed018a83p-3, -0x1.fa8fd3b8d8b3p-4, -0x1.06bcf112cc58dp-4, -0x1.3bdf90bca872bp-5,
      -0x1.a24b0efcdba3dp-6, -0x1.28352a077b8b2p-6, -0x1.540de500649e5p-7, -0x1.b78280a38cdf7p-8,
      -0x1.32dab7a451294p-8, -0x1.c45c6f334340ap-9, -0x1.12a2ef8d0ab0fp-9, -0x1.705e8c068804fp-10,
      -0x1.0805cee957208p-10)
TABLE(double, erfc_part_0, 0x1p+0, 0x1.478e63d806e14p-1, 0x1.d0a634ea4d397p-2, 0x1.61b1130a9f0f7p-2,
      0x1.1aecea297893cp-2, 0x1.8f959e0f0c94fp-3, 0x1.32e4b7be18186p-3, 0x1.f0e642a80d9dfp-4,
      0x1.a0e173ba336a1p-4, 0x1.3ad4488cc69efp-4, 0x1.f96181dd3e0c6p-5, 0x1.a5e926925d3fcp-5,
      0x1.6a08b0c6a681p-5, 0x1.19ebde7de3d56p-5, 0x1.cd9bc89b73548p-6, 0x1.86bad39838446p-6)

#endif
