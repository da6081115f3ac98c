; Saturating conversions by AVX-512's instructions, which give the least signed or the greatest unsigned integer beyond their range.
; RUN: weft-opt --passes='lower-saturation-avx512,verify' -S %s | FileCheck %s

; NaN and what is below become 0, what is above the greatest.
; CHECK-LABEL: @to_uint(
; CHECK-NEXT: %[[ABOVE:.*]] = fcmp ogt <16 x float> %x, zeroinitializer
; CHECK-NEXT: %[[LOW:.*]] = select <16 x i1> %[[ABOVE]], <16 x float> %x, <16 x float> zeroinitializer
; CHECK-NEXT: %[[R:.*]] = call <16 x i32> @llvm.x86.avx512.mask.cvttps2udq.512(<16 x float> %[[LOW]], <16 x i32> zeroinitializer, i16 -1, i32 4)
; CHECK-NEXT: ret <16 x i32> %[[R]]
define <16 x i32> @to_uint(<16 x float> %x) {
  %r = call <16 x i32> @llvm.fptoui.sat.v16i32.v16f32(<16 x float> %x)
  ret <16 x i32> %r
}

; A float does not hold the upper bound. NaNs, the first two kinds of numbers, become 0 first.
; CHECK-LABEL: @to_int(
; CHECK-NEXT: %[[X:.*]] = call <8 x float> @llvm.x86.avx512.mask.fixupimm.ps.256(<8 x float> %x, <8 x float> %x, <8 x i32> splat (i32 136), i32 0, i8 -1)
; CHECK-NEXT: %[[BELOW:.*]] = fcmp ult <8 x float> %[[X]], splat (float 0x41E0000000000000)
; CHECK-NEXT: %[[WHOLE:.*]] = call <8 x i32> @llvm.x86.avx.cvtt.ps2dq.256(<8 x float> %[[X]])
; CHECK-NEXT: %[[R:.*]] = select <8 x i1> %[[BELOW]], <8 x i32> %[[WHOLE]], <8 x i32> splat (i32 2147483647)
; CHECK-NEXT: ret <8 x i32> %[[R]]
define <8 x i32> @to_int(<8 x float> %x) {
  %r = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %x)
  ret <8 x i32> %r
}

; Short types: a saturating truncation. The conversion rounds.
; CHECK-LABEL: @to_short_rounded(
; CHECK:      %[[X:.*]] = call <16 x float> @llvm.x86.avx512.mask.fixupimm.ps.512(<16 x float> %x, <16 x float> %x, <16 x i32> splat (i32 136), i32 0, i16 -1, i32 4)
; CHECK:      %[[LOW:.*]] = select <16 x i1> %{{.*}}, <16 x float> %[[X]], <16 x float> splat (float 3.276700e+04)
; CHECK-NEXT: call <16 x i32> @llvm.x86.avx512.mask.cvtps2dq.512(<16 x float> %[[LOW]],
; CHECK-NEXT: call <16 x i32> @llvm.smin.v16i32(<16 x i32> %{{.*}}, <16 x i32> splat (i32 32767))
; CHECK-NEXT: call <16 x i32> @llvm.smax.v16i32(<16 x i32> %{{.*}}, <16 x i32> splat (i32 -32768))
; CHECK-NEXT: trunc <16 x i32> %{{.*}} to <16 x i16>
define <16 x i16> @to_short_rounded(<16 x float> %x) {
  %whole = call <16 x float> @llvm.rint.v16f32(<16 x float> %x)
  %r = call <16 x i16> @llvm.fptosi.sat.v16i16.v16f32(<16 x float> %whole)
  ret <16 x i16> %r
}

; CHECK-LABEL: @to_uchar(
; CHECK-COUNT-2: call <16 x i32> @llvm.x86.avx512.mask.cvttps2dq.512(
; CHECK: call <32 x i32> @llvm.umin.v32i32(<32 x i32> %{{.*}}, <32 x i32> splat (i32 255))
; CHECK-NEXT: trunc <32 x i32> %{{.*}} to <32 x i8>
define <32 x i8> @to_uchar(<32 x float> %x) {
  %r = call <32 x i8> @llvm.fptoui.sat.v32i8.v32f32(<32 x float> %x)
  ret <32 x i8> %r
}

; Doubles hold the bounds of 32 bits, not of 64. A half is a float before. No NaN comes from an integer.
; CHECK-LABEL: @to_int_from_double(
; CHECK: %[[X:.*]] = call <8 x double> @llvm.x86.avx512.mask.fixupimm.pd.512(<8 x double> %x, <8 x double> %x, <8 x i64> splat (i64 136), i32 0, i8 -1, i32 4)
; CHECK: select <8 x i1> %{{.*}}, <8 x double> %[[X]], <8 x double> splat (double 0x41DFFFFFFFC00000)
; CHECK: call <8 x i32> @llvm.x86.avx512.mask.cvttpd2dq.512(
; CHECK-NEXT: ret
define <8 x i32> @to_int_from_double(<8 x double> %x) {
  %r = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f64(<8 x double> %x)
  ret <8 x i32> %r
}

; Registers of numbers and of integers differ in length.
; CHECK-LABEL: @to_long(
; CHECK-COUNT-1: call <16 x float> @llvm.x86.avx512.mask.fixupimm.ps.512(
; CHECK-COUNT-2: call <8 x i64> @llvm.x86.avx512.mask.cvttps2qq.512(
; CHECK: ret
define <16 x i64> @to_long(<16 x float> %x) {
  %r = call <16 x i64> @llvm.fptosi.sat.v16i64.v16f32(<16 x float> %x)
  ret <16 x i64> %r
}

; CHECK-LABEL: @to_long_of_three_parts(
; CHECK-COUNT-3: call <8 x float> @llvm.x86.avx512.mask.fixupimm.ps.256(
; CHECK-COUNT-3: call <8 x i64> @llvm.x86.avx512.mask.cvttps2qq.512(
; CHECK: ret
define <24 x i64> @to_long_of_three_parts(<24 x float> %x) {
  %r = call <24 x i64> @llvm.fptosi.sat.v24i64.v24f32(<24 x float> %x)
  ret <24 x i64> %r
}

; CHECK-LABEL: @to_long_of_four(
; CHECK: call <4 x float> @llvm.x86.avx512.mask.fixupimm.ps.128(
; CHECK: call <4 x i64> @llvm.x86.avx512.mask.cvttps2qq.256(
; CHECK: ret
define <4 x i64> @to_long_of_four(<4 x float> %x) {
  %r = call <4 x i64> @llvm.fptosi.sat.v4i64.v4f32(<4 x float> %x)
  ret <4 x i64> %r
}

; CHECK-LABEL: @to_ulong(
; CHECK: fpext <4 x half> %x to <4 x float>
; CHECK: call <4 x i64> @llvm.x86.avx512.mask.cvttps2uqq.256(
; CHECK-NEXT: ret
define <4 x i64> @to_ulong(<4 x half> %x) {
  %r = call <4 x i64> @llvm.fptoui.sat.v4i64.v4f16(<4 x half> %x)
  ret <4 x i64> %r
}

; CHECK-LABEL: @never_nan(
; CHECK-NOT: fixupimm
; CHECK: call <8 x i64> @llvm.x86.avx512.mask.cvttpd2qq.512(
; CHECK: ret
define <8 x i64> @never_nan(<8 x i32> %a) {
  %x = sitofp <8 x i32> %a to <8 x double>
  %y = fmul <8 x double> %x, splat (double 3.0)
  %r = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double> %y)
  ret <8 x i64> %r
}

; Other lengths, other types and scalars stay, and so do their halves.
; CHECK-LABEL: @others(
; CHECK: @llvm.fptosi.sat.v3i32.v3f32
; CHECK: @llvm.fptosi.sat.v16i24.v16f32
; CHECK: @llvm.fptosi.sat.i32.f32
; CHECK-NOT: fpext
; CHECK: @llvm.fptosi.sat.v3i32.v3f16
define void @others(<3 x float> %x, <16 x float> %y, float %z, <3 x half> %h, ptr %p) {
  %a = call <3 x i32> @llvm.fptosi.sat.v3i32.v3f32(<3 x float> %x)
  store <3 x i32> %a, ptr %p
  %b = call <16 x i24> @llvm.fptosi.sat.v16i24.v16f32(<16 x float> %y)
  store <16 x i24> %b, ptr %p
  %c = call i32 @llvm.fptosi.sat.i32.f32(float %z)
  store i32 %c, ptr %p
  %d = call <3 x i32> @llvm.fptosi.sat.v3i32.v3f16(<3 x half> %h)
  store <3 x i32> %d, ptr %p
  ret void
}
