/* SPDX-License-Identifier: MIT
 *
 * The C library's vector functions have about the accuracy that OpenCL asks for, but its headers offer them with
 * -ffast-math only: here they are declared by themselves, for #pragma omp simd.
 */
#ifndef WEFT_BENCH_VECTOR_MATH_H
#define WEFT_BENCH_VECTOR_MATH_H

#include <math.h>

#if defined(__x86_64__) && defined(__GLIBC__)
#pragma omp declare simd notinbranch
float expf(float x);
#pragma omp declare simd notinbranch
float logf(float x);
#pragma omp declare simd notinbranch
float powf(float x, float y);
#pragma omp declare simd notinbranch
float sinf(float x);
#pragma omp declare simd notinbranch
float cosf(float x);
#pragma omp declare simd notinbranch
float tanf(float x);
#pragma omp declare simd notinbranch
float atan2f(float y, float x);
#pragma omp declare simd notinbranch
float tanhf(float x);
#pragma omp declare simd notinbranch
float erff(float x);
#pragma omp declare simd notinbranch
float cbrtf(float x);
#endif

#endif
