; A function of the CPU is its instruction: of a register, of several, of part of one, of one number.
; RUN: weft-opt --passes='lower-cpu-functions,verify' -S %s | FileCheck %s

declare float @__weft_estimate_rsqrt(float)
declare <16 x float> @__weft_estimate_rsqrt.v16(<16 x float>)
declare <32 x float> @__weft_estimate_rsqrt.v32(<32 x float>)
declare <8 x float> @__weft_estimate_rsqrt.v8(<8 x float>)
declare <2 x float> @__weft_estimate_rsqrt.v2(<2 x float>)
declare <3 x float> @__weft_estimate_rsqrt.v3(<3 x float>)
declare double @__weft_estimate_rsqrt_double(double)
declare <16 x double> @__weft_estimate_rsqrt_double.v16(<16 x double>)
declare <16 x float> @__weft_exponent.v16(<16 x float>)
declare <8 x float> @__weft_mantissa.v8(<8 x float>)
declare <8 x double> @__weft_mantissa_double.v8(<8 x double>)
declare double @__weft_exponent_double(double)
declare float @other(float)
declare i32 @__weft_estimate_rsqrt.v5(i32)

; CHECK-LABEL: @number(
; CHECK-NEXT: %[[V:.*]] = insertelement <4 x float> poison, float %x, i64 0
; CHECK-NEXT: %[[E:.*]] = call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(<4 x float> %[[V]], <4 x float> zeroinitializer, i8 -1)
; CHECK-NEXT: %[[R:.*]] = extractelement <4 x float> %[[E]], i64 0
; CHECK-NEXT: ret float %[[R]]
define float @number(float %x) {
  %r = call float @__weft_estimate_rsqrt(float %x)
  ret float %r
}

; CHECK-LABEL: @register(
; CHECK-NEXT: %[[R:.*]] = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %x, <16 x float> zeroinitializer, i16 -1)
; CHECK-NEXT: ret <16 x float> %[[R]]
define <16 x float> @register(<16 x float> %x) {
  %r = call <16 x float> @__weft_estimate_rsqrt.v16(<16 x float> %x)
  ret <16 x float> %r
}

; CHECK-LABEL: @registers(
; CHECK-COUNT-2: call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(
; CHECK: %[[R:.*]] = shufflevector <16 x float>
; CHECK: ret <32 x float> %[[R]]
define <32 x float> @registers(<32 x float> %x) {
  %r = call <32 x float> @__weft_estimate_rsqrt.v32(<32 x float> %x)
  ret <32 x float> %r
}

; CHECK-LABEL: @half_register(
; CHECK-NEXT: call <8 x float> @llvm.x86.avx512.rsqrt14.ps.256(<8 x float> %x, <8 x float> zeroinitializer, i8 -1)
define <8 x float> @half_register(<8 x float> %x) {
  %r = call <8 x float> @__weft_estimate_rsqrt.v8(<8 x float> %x)
  ret <8 x float> %r
}

; CHECK-LABEL: @two(
; CHECK-NEXT: shufflevector <2 x float> %x, <2 x float> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
; CHECK-NEXT: call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(
; CHECK-NEXT: shufflevector <4 x float> %{{.*}}, <4 x float> poison, <2 x i32> <i32 0, i32 1>
define <2 x float> @two(<2 x float> %x) {
  %r = call <2 x float> @__weft_estimate_rsqrt.v2(<2 x float> %x)
  ret <2 x float> %r
}

; CHECK-LABEL: @three(
; CHECK: call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(
; CHECK-NEXT: shufflevector <4 x float> %{{.*}}, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
define <3 x float> @three(<3 x float> %x) {
  %r = call <3 x float> @__weft_estimate_rsqrt.v3(<3 x float> %x)
  ret <3 x float> %r
}

; CHECK-LABEL: @doubles(
; CHECK-COUNT-2: call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double> %{{.*}}, <8 x double> zeroinitializer, i8 -1)
; CHECK-NOT: rsqrt14
; CHECK: ret <16 x double>
define <16 x double> @doubles(<16 x double> %x) {
  %r = call <16 x double> @__weft_estimate_rsqrt_double.v16(<16 x double> %x)
  ret <16 x double> %r
}

; CHECK-LABEL: @one_double(
; CHECK: call <2 x double> @llvm.x86.avx512.rsqrt14.pd.128(<2 x double> %{{.*}}, <2 x double> zeroinitializer, i8 -1)
; CHECK-NEXT: extractelement <2 x double> %{{.*}}, i64 0
define double @one_double(double %x) {
  %r = call double @__weft_estimate_rsqrt_double(double %x)
  ret double %r
}

; What is none stays.
; CHECK-LABEL: @no_estimate(
; CHECK-NEXT: call i32 @__weft_estimate_rsqrt.v5(i32 %x)
define i32 @no_estimate(i32 %x) {
  %r = call i32 @__weft_estimate_rsqrt.v5(i32 %x)
  ret i32 %r
}

; CHECK-LABEL: @call(
; CHECK-NEXT: call float @other(
define float @call(float %x) {
  %r = call float @other(float %x)
  ret float %r
}

; Exponents and mantissas; registers of 512 bits say how they round.
; CHECK-LABEL: @exponents(
; CHECK-NEXT: call <16 x float> @llvm.x86.avx512.mask.getexp.ps.512(<16 x float> %x, <16 x float> zeroinitializer, i16 -1, i32 4)
define <16 x float> @exponents(<16 x float> %x) {
  %r = call <16 x float> @__weft_exponent.v16(<16 x float> %x)
  ret <16 x float> %r
}

; CHECK-LABEL: @mantissas(
; CHECK-NEXT: call <8 x float> @llvm.x86.avx512.mask.getmant.ps.256(<8 x float> %x, i32 15, <8 x float> zeroinitializer, i8 -1)
define <8 x float> @mantissas(<8 x float> %x) {
  %r = call <8 x float> @__weft_mantissa.v8(<8 x float> %x)
  ret <8 x float> %r
}

; CHECK-LABEL: @wide_mantissas(
; CHECK-NEXT: call <8 x double> @llvm.x86.avx512.mask.getmant.pd.512(<8 x double> %x, i32 15, <8 x double> zeroinitializer, i8 -1, i32 4)
define <8 x double> @wide_mantissas(<8 x double> %x) {
  %r = call <8 x double> @__weft_mantissa_double.v8(<8 x double> %x)
  ret <8 x double> %r
}

; CHECK-LABEL: @wide_exponent(
; CHECK: call <2 x double> @llvm.x86.avx512.mask.getexp.pd.128(<2 x double> %{{.*}}, <2 x double> zeroinitializer, i8 -1)
define double @wide_exponent(double %x) {
  %r = call double @__weft_exponent_double(double %x)
  ret double %r
}

declare <16 x float> @__weft_estimate_recip.v16(<16 x float>)

; CHECK-LABEL: @reciprocal(
; CHECK-NEXT: call <16 x float> @llvm.x86.avx512.rcp14.ps.512(<16 x float> %x, <16 x float> zeroinitializer, i16 -1)
define <16 x float> @reciprocal(<16 x float> %x) {
  %r = call <16 x float> @__weft_estimate_recip.v16(<16 x float> %x)
  ret <16 x float> %r
}

declare <8 x double> @__weft_significand_double.v8(<8 x double>)
declare <4 x float> @__weft_within_one.v4(<4 x float>)
declare <8 x double> @__weft_within_one_double.v8(<8 x double>)
declare <8 x double> @__weft_scale_double.v8(<8 x double>, <8 x double>)
declare float @__weft_scale(float, float)

; CHECK-LABEL: @significands(
; CHECK-NEXT: call <8 x double> @llvm.x86.avx512.mask.getmant.pd.512(<8 x double> %x, i32 12, <8 x double> zeroinitializer, i8 -1, i32 4)
define <8 x double> @significands(<8 x double> %x) {
  %r = call <8 x double> @__weft_significand_double.v8(<8 x double> %x)
  ret <8 x double> %r
}

; CHECK-LABEL: @within_one(
; CHECK-NEXT: call <4 x float> @llvm.x86.avx512.mask.range.ps.128(<4 x float> %x, <4 x float> splat (float 1.000000e+00), i32 2, <4 x float> zeroinitializer, i8 -1)
define <4 x float> @within_one(<4 x float> %x) {
  %r = call <4 x float> @__weft_within_one.v4(<4 x float> %x)
  ret <4 x float> %r
}

; CHECK-LABEL: @wide_within_one(
; CHECK-NEXT: call <8 x double> @llvm.x86.avx512.mask.range.pd.512(<8 x double> %x, <8 x double> splat (double 1.000000e+00), i32 2, <8 x double> zeroinitializer, i8 -1, i32 4)
define <8 x double> @wide_within_one(<8 x double> %x) {
  %r = call <8 x double> @__weft_within_one_double.v8(<8 x double> %x)
  ret <8 x double> %r
}

; Of two numbers.
; CHECK-LABEL: @scaled(
; CHECK-NEXT: call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(<8 x double> %x, <8 x double> %n, <8 x double> zeroinitializer, i8 -1, i32 4)
define <8 x double> @scaled(<8 x double> %x, <8 x double> %n) {
  %r = call <8 x double> @__weft_scale_double.v8(<8 x double> %x, <8 x double> %n)
  ret <8 x double> %r
}

; CHECK-LABEL: @scaled_number(
; CHECK: call <4 x float> @llvm.x86.avx512.mask.scalef.ps.128(<4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x float> zeroinitializer, i8 -1)
define float @scaled_number(float %x, float %n) {
  %r = call float @__weft_scale(float %x, float %n)
  ret float %r
}
