; What flags allow is done here; behind, no operation and no attribute has any.
; RUN: weft-opt --passes='lower-fast-math,verify' -S %s | FileCheck %s \
; RUN:   --implicit-check-not='{{ (fast|contract|reassoc|nnan|nsz|arcp|afn) |nofpclass|-fp-math}}'
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-n8:16:32:64-G1"

; In two statements, by way of a variable.
; CHECK-LABEL: @sum(
; CHECK-NEXT: %[[R:.*]] = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
; CHECK-NEXT: ret float %[[R]]
define nofpclass(nan) float @sum(float nofpclass(nan inf) %a, float %b, float %c) "no-nans-fp-math"="true" {
  %v = alloca float
  %p = fmul contract float %a, %b
  store float %p, ptr %v
  %q = load float, ptr %v
  %r = fadd contract float %q, %c
  ret float %r
}

; CHECK-LABEL: @differences(
; CHECK-DAG: %[[NC:.*]] = fneg double %c
; CHECK-DAG: %[[S:.*]] = call double @llvm.fmuladd.f64(double %a, double %b, double %[[NC]])
; CHECK-DAG: %[[NA:.*]] = fneg double %a
; CHECK-DAG: %[[T:.*]] = call double @llvm.fmuladd.f64(double %[[NA]], double %b, double %c)
; CHECK: fadd double %[[S]], %[[T]]
define double @differences(double %a, double %b, double %c) {
  %p = fmul contract double %a, %b
  %s = fsub contract double %p, %c
  %t = fsub contract double %c, %p
  %r = fadd contract double %s, %t
  ret double %r
}

; A product that is of other use, and a sum that may not be contracted.
; CHECK-LABEL: @kept(
; CHECK-NOT: call
; CHECK: ret
define float @kept(float %a, float %b, ptr %to) {
  %p = fmul contract float %a, %b
  store float %p, ptr %to
  %r = fadd contract float %p, 2.0
  %q = fmul contract float %r, %a
  %s = fadd float %q, %r
  ret float %s
}

; CHECK-LABEL: @folded(
; CHECK-NEXT: %[[N:.*]] = fdiv float %a, 0.0
; CHECK-NEXT: ret float %[[N]]
define float @folded(float %a) {
  %z = fmul nnan nsz float %a, 0.0
  %n = fdiv nnan float %a, 0.0
  %r = fadd nsz float %n, %z
  ret float %r
}

; CHECK-LABEL: @quotients(
; CHECK-NEXT: %[[E:.*]] = fmul <2 x float> %a, splat (float 1.250000e-01)
; CHECK-NEXT: %[[Q:.*]] = call spir_func <2 x float> @_Z21__weft_relaxed_divideDv2_fS_(<2 x float> %[[E]], <2 x float> %b)
; CHECK-NEXT: fdiv <2 x float> %[[Q]], %a
define <2 x float> @quotients(<2 x float> %a, <2 x float> %b) {
  %e = fdiv arcp <2 x float> %a, splat (float 8.0)
  %q = fdiv fast <2 x float> %e, %b
  %r = fdiv arcp <2 x float> %q, %a
  ret <2 x float> %r
}

; Neither 0 nor what is smaller than any normal number has a reciprocal here; no function divides doubles.
; CHECK-LABEL: @divisions(
; CHECK-COUNT-3: fdiv
define double @divisions(double %a) {
  %x = fdiv fast double %a, 0x7FEFFFFFFFFFFFFF
  %y = fdiv fast double %x, 0x1
  %z = fdiv fast double %y, %a
  ret double %z
}

; One product of what two calls return.
; CHECK-LABEL: @factored(
; CHECK: %[[A:.*]] = sitofp i8 %a to float
; CHECK: %[[B:.*]] = sitofp i8 %b to float
; CHECK: %[[S:.*]] = call float @llvm.fmuladd.f32(float %[[B]], float 2.000000e+00, float %[[A]])
; CHECK: %[[R:.*]] = fmul float %[[S]], 2.500000e-01
; CHECK: ret float %[[R]]
define float @factored(i8 %a, i8 %b) {
  %x = call float @pixel(i8 %a)
  %y = call float @pixel(i8 %b)
  %d = fmul fast float 2.0, %y
  %r = fadd fast float %x, %d
  ret float %r
}

define float @pixel(i8 %a) {
  %f = sitofp i8 %a to float
  %r = fmul fast float %f, 0.25
  ret float %r
}

; CHECK-LABEL: @merged(
; CHECK-NEXT: fmul float %a, 1.500000e+00
define float @merged(float %a) {
  %x = fmul fast float %a, 3.0
  %y = fmul fast float %x, 0.5
  ret float %y
}

; Functions that call each other.
; CHECK-LABEL: @left(
; CHECK: call float @right(
define float @left(float %a) {
  %x = call float @right(float %a)
  %r = fadd fast float %x, %a
  ret float %r
}

define float @right(float %a) {
  %x = call float @left(float %a)
  %r = fmul fast float %x, %a
  ret float %r
}
