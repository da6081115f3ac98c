; Vectors of halves that the CPU computes with lane by lane are computed with as floats.
; RUN: weft-opt --passes='lower-half-vectors,verify' -S %s | FileCheck %s

; A root of floats is rounded to the root of halves.
; CHECK-LABEL: @root(
; CHECK-NEXT: %[[WIDE:.*]] = fpext <16 x half> %x to <16 x float>
; CHECK-NEXT: %[[ROOT:.*]] = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %[[WIDE]])
; CHECK-NEXT: %[[RESULT:.*]] = fptrunc <16 x float> %[[ROOT]] to <16 x half>
; CHECK-NEXT: ret <16 x half> %[[RESULT]]
define <16 x half> @root(<16 x half> %x) {
  %r = call <16 x half> @llvm.sqrt.v16f16(<16 x half> %x)
  ret <16 x half> %r
}

; CHECK-LABEL: @minimum(
; CHECK-NEXT: %[[A:.*]] = fpext <8 x half> %a to <8 x float>
; CHECK-NEXT: %[[B:.*]] = fpext <8 x half> %b to <8 x float>
; CHECK-NEXT: %[[LESS:.*]] = call nnan <8 x float> @llvm.minnum.v8f32(<8 x float> %[[A]], <8 x float> %[[B]])
; CHECK-NEXT: fptrunc <8 x float> %[[LESS]] to <8 x half>
define <8 x half> @minimum(<8 x half> %a, <8 x half> %b) {
  %r = call nnan <8 x half> @llvm.minnum.v8f16(<8 x half> %a, <8 x half> %b)
  ret <8 x half> %r
}

; A double is rounded to odd: towards zero, the last bit set where that is not the number.
; CHECK-LABEL: @narrow(
; CHECK-NEXT: %[[NEAREST:.*]] = fptrunc <8 x double> %x to <8 x float>
; CHECK-NEXT: %[[AGAIN:.*]] = fpext <8 x float> %[[NEAREST]] to <8 x double>
; CHECK-NEXT: %[[B:.*]] = call <8 x double> @llvm.fabs.v8f64(<8 x double> %x)
; CHECK-NEXT: %[[A:.*]] = call <8 x double> @llvm.fabs.v8f64(<8 x double> %[[AGAIN]])
; CHECK-NEXT: %[[BEYOND:.*]] = fcmp ogt <8 x double> %[[A]], %[[B]]
; CHECK-NEXT: %[[ONE:.*]] = sext <8 x i1> %[[BEYOND]] to <8 x i32>
; CHECK-NEXT: %[[INEXACT:.*]] = fcmp one <8 x double> %[[AGAIN]], %x
; CHECK-NEXT: %[[LAST:.*]] = zext <8 x i1> %[[INEXACT]] to <8 x i32>
; CHECK-NEXT: %[[BITS:.*]] = bitcast <8 x float> %[[NEAREST]] to <8 x i32>
; CHECK-NEXT: %[[INNER:.*]] = add <8 x i32> %[[BITS]], %[[ONE]]
; CHECK-NEXT: %[[ODD:.*]] = or <8 x i32> %[[INNER]], %[[LAST]]
; CHECK-NEXT: %[[FLOAT:.*]] = bitcast <8 x i32> %[[ODD]] to <8 x float>
; CHECK-NEXT: fptrunc <8 x float> %[[FLOAT]] to <8 x half>
define <8 x half> @narrow(<8 x double> %x) {
  %r = fptrunc <8 x double> %x to <8 x half>
  ret <8 x half> %r
}

; A conversion of one double is no call either.
; CHECK-LABEL: @narrow_one(
; CHECK:     %[[FLOAT:.*]] = bitcast i32 %{{.*}} to float
; CHECK:     fptrunc float %[[FLOAT]] to half
define half @narrow_one(double %x) {
  %r = fptrunc double %x to half
  ret half %r
}

; Scalars, sums and floats are left to instruction selection.
; CHECK-LABEL: @left(
; CHECK-NOT: fpext
; CHECK:     ret
define half @left(half %x, <8 x half> %a, <8 x float> %b, ptr %p) {
  %sum = fadd <8 x half> %a, %a
  store <8 x half> %sum, ptr %p
  %half = fptrunc <8 x float> %b to <8 x half>
  store <8 x half> %half, ptr %p
  %root = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %b)
  store <8 x float> %root, ptr %p
  %r = call half @llvm.sqrt.f16(half %x)
  ret half %r
}

; A CPU that computes with halves is slow at roots and quotients alone.
; CHECK-LABEL: @slow(
; CHECK-NEXT: %[[X:.*]] = fpext <16 x half> %x to <16 x float>
; CHECK-NEXT: %[[Y:.*]] = fpext <16 x half> %y to <16 x float>
; CHECK-NEXT: %[[QUOTIENT:.*]] = fdiv arcp <16 x float> %[[X]], %[[Y]]
; CHECK-NEXT: %[[HALF:.*]] = fptrunc <16 x float> %[[QUOTIENT]] to <16 x half>
; CHECK-NEXT: %[[WIDE:.*]] = fpext <16 x half> %[[HALF]] to <16 x float>
; CHECK-NEXT: %[[ROOT:.*]] = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %[[WIDE]])
; CHECK-NEXT: %[[RESULT:.*]] = fptrunc <16 x float> %[[ROOT]] to <16 x half>
; CHECK-NEXT: %[[FLOOR:.*]] = call <16 x half> @llvm.floor.v16f16(<16 x half> %[[RESULT]])
; CHECK-NEXT: fptrunc <16 x double> %d to <16 x half>
define <16 x half> @slow(<16 x half> %x, <16 x half> %y, <16 x double> %d) #0 {
  %q = fdiv arcp <16 x half> %x, %y
  %r = call <16 x half> @llvm.sqrt.v16f16(<16 x half> %q)
  %f = call <16 x half> @llvm.floor.v16f16(<16 x half> %r)
  %h = fptrunc <16 x double> %d to <16 x half>
  %s = fadd <16 x half> %f, %h
  ret <16 x half> %s
}

attributes #0 = { "target-features"="+avx512f,+avx512fp16" }
