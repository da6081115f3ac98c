; RUN: weft-opt --passes='lower-saturation,verify' -S %s | FileCheck %s

; Floats hold both bounds: they are clamped. NaN has become the lower bound, 0.
; CHECK-LABEL: @to_byte(
; CHECK-NEXT: %[[ABOVE:.*]] = fcmp ogt <16 x float> %x, zeroinitializer
; CHECK-NEXT: %[[LOW:.*]] = select <16 x i1> %[[ABOVE]], <16 x float> %x, <16 x float> zeroinitializer
; CHECK-NEXT: %[[BELOW:.*]] = fcmp olt <16 x float> %[[LOW]], splat (float 2.550000e+02)
; CHECK-NEXT: %[[BOTH:.*]] = select <16 x i1> %[[BELOW]], <16 x float> %[[LOW]], <16 x float> splat (float 2.550000e+02)
; CHECK-NEXT: %[[RESULT:.*]] = fptoui <16 x float> %[[BOTH]] to <16 x i8>
; CHECK-NEXT: ret <16 x i8> %[[RESULT]]
define <16 x i8> @to_byte(<16 x float> %x) {
  %r = call <16 x i8> @llvm.fptoui.sat.v16i8.v16f32(<16 x float> %x)
  ret <16 x i8> %r
}

; A signed NaN is made 0 before the conversion.
; CHECK-LABEL: @to_int_from_double(
; CHECK:      %[[NUMBER:.*]] = fcmp ord <8 x double> %x, zeroinitializer
; CHECK-NEXT: %[[ZERO:.*]] = select <8 x i1> %[[NUMBER]], <8 x double> %{{.*}}, <8 x double> zeroinitializer
; CHECK-NEXT: fptosi <8 x double> %[[ZERO]] to <8 x i32>
define <8 x i32> @to_int_from_double(<8 x double> %x) {
  %r = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f64(<8 x double> %x)
  ret <8 x i32> %r
}

; Floats do not hold the upper bound: it is selected afterwards, as is 0 for NaN.
; CHECK-LABEL: @to_int(
; CHECK-NEXT: %[[TOO_MUCH:.*]] = fcmp oge <8 x float> %x, splat (float 0x41E0000000000000)
; CHECK-NEXT: %[[ABOVE:.*]] = fcmp ogt <8 x float> %x, splat (float 0xC1E0000000000000)
; CHECK-NEXT: %[[LOW:.*]] = select <8 x i1> %[[ABOVE]], <8 x float> %x, <8 x float> splat (float 0xC1E0000000000000)
; CHECK-NEXT: %[[WHOLE:.*]] = fptosi <8 x float> %[[LOW]] to <8 x i32>
; CHECK-NEXT: %[[RESULT:.*]] = select <8 x i1> %[[TOO_MUCH]], <8 x i32> splat (i32 2147483647), <8 x i32> %[[WHOLE]]
; CHECK-NEXT: %[[NUMBER:.*]] = fcmp ord <8 x float> %x, zeroinitializer
; CHECK-NEXT: select <8 x i1> %[[NUMBER]], <8 x i32> %[[RESULT]], <8 x i32> zeroinitializer
define <8 x i32> @to_int(<8 x float> %x) {
  %r = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %x)
  ret <8 x i32> %r
}

; No NaN comes from an integer. A half is a float before.
; CHECK-LABEL: @never_nan(
; CHECK-NOT:  fcmp ord
; CHECK:      ret
define <8 x i32> @never_nan(<8 x i32> %a) {
  %x = sitofp <8 x i32> %a to <8 x float>
  %y = fmul <8 x float> %x, splat (float 3.0)
  %r = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %y)
  ret <8 x i32> %r
}

; CHECK-LABEL: @half(
; CHECK-NEXT: fpext <8 x half> %x to <8 x float>
; CHECK-NOT:  llvm.fptoui.sat
; CHECK:      ret
define <8 x i64> @half(<8 x half> %x) {
  %r = call <8 x i64> @llvm.fptoui.sat.v8i64.v8f16(<8 x half> %x)
  ret <8 x i64> %r
}

; Scalars are left to instruction selection.
; CHECK-LABEL: @scalar(
; CHECK-NEXT: call i32 @llvm.fptosi.sat.i32.f32(float %x)
define i32 @scalar(float %x) {
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  ret i32 %r
}
