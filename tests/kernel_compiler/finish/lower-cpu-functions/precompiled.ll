; A precompiled function is calls of its form for whole registers: of several, of part of one, of one number, of a pair of functions.
; Lanes that no number is in have the first one, so that no way is taken for what they happen to hold.
; RUN: weft-opt --passes='lower-cpu-functions,verify' -S %s | FileCheck %s

declare float @__weft_precompiled_large_sine(float)
declare <32 x float> @__weft_precompiled_large_sine.v32(<32 x float>)
declare <16 x float> @__weft_precompiled_large_sine.v16(<16 x float>)
declare <16 x float> @__weft_precompiled_large_cosine.v16(<16 x float>)
declare <4 x double> @__weft_precompiled_large_tangent_double.v4(<4 x double>)

; CHECK-LABEL: @number(
; CHECK-NEXT: %[[F:.*]] = insertelement <16 x float> poison, float %x, i64 0
; CHECK-NEXT: %[[V:.*]] = shufflevector <16 x float> %[[F]], <16 x float> poison, <16 x i32> zeroinitializer
; CHECK-NEXT: %[[E:.*]] = call intel_ocl_bicc <16 x float> @__weft_precompiled_large_sine_512(<16 x float> %[[V]])
; CHECK-NEXT: %[[R:.*]] = extractelement <16 x float> %[[E]], i64 0
; CHECK-NEXT: ret float %[[R]]
define float @number(float %x) {
  %r = call float @__weft_precompiled_large_sine(float %x)
  ret float %r
}

; CHECK-LABEL: @registers(
; CHECK-COUNT-2: call intel_ocl_bicc <16 x float> @__weft_precompiled_large_sine_512(<16 x float>
; CHECK-NOT: call
define <32 x float> @registers(<32 x float> %x) {
  %r = call <32 x float> @__weft_precompiled_large_sine.v32(<32 x float> %x)
  ret <32 x float> %r
}

; CHECK-LABEL: @part(
; CHECK: shufflevector <4 x double> %x, {{.*}}, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 0, i32 0, i32 0>
; CHECK: call intel_ocl_bicc <8 x double> @__weft_precompiled_large_tangent_double_512(<8 x double>
; CHECK: shufflevector <8 x double> {{.*}}, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
define <4 x double> @part(<4 x double> %x) {
  %r = call <4 x double> @__weft_precompiled_large_tangent_double.v4(<4 x double> %x)
  ret <4 x double> %r
}

; CHECK-LABEL: @pair(
; CHECK: %[[C:.*]] = alloca <16 x float>
; CHECK-NEXT: %[[S:.*]] = call intel_ocl_bicc <16 x float> @__weft_precompiled_large_sine_and_cosine_512(<16 x float> %x, ptr %[[C]])
; CHECK-NEXT: %[[L:.*]] = load <16 x float>, ptr %[[C]]
; CHECK-NOT: call
; CHECK: fsub <16 x float> %[[S]], %[[L]]
; CHECK: call intel_ocl_bicc <16 x float> @__weft_precompiled_large_sine_512(<16 x float> %y)
define <16 x float> @pair(<16 x float> %x, <16 x float> %y) {
  %c = call <16 x float> @__weft_precompiled_large_cosine.v16(<16 x float> %x)
  %s = call <16 x float> @__weft_precompiled_large_sine.v16(<16 x float> %x)
  %d = fsub <16 x float> %s, %c
  %o = call <16 x float> @__weft_precompiled_large_sine.v16(<16 x float> %y)
  %r = fadd <16 x float> %d, %o
  ret <16 x float> %r
}

; CHECK: declare hidden intel_ocl_bicc <16 x float> @__weft_precompiled_large_sine_512(<16 x float>) #[[A:[0-9]+]]
; CHECK: attributes #[[A]] = { {{.*}}memory(none) }
