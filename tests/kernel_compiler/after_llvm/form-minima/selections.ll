; fmin and fmax, which take the second number where the first is NaN: the inner selection is one that x86 has an instruction for.
; RUN: weft-opt --passes='form-minima,verify' -S %s | FileCheck %s

; CHECK-LABEL: define <8 x float> @least(
; CHECK: [[NAN:%.*]] = fcmp uno <8 x float> %a, zeroinitializer
; CHECK: [[LESS:%.*]] = fcmp olt <8 x float> %b, %a
; CHECK: [[LEAST:%.*]] = select <8 x i1> [[LESS]], <8 x float> %b, <8 x float> %a
; CHECK-NEXT: select <8 x i1> [[NAN]], <8 x float> %b, <8 x float> [[LEAST]]
define <8 x float> @least(<8 x float> %a, <8 x float> %b) {
  %nan = fcmp uno <8 x float> %a, zeroinitializer
  %less = fcmp olt <8 x float> %b, %a
  %either = or <8 x i1> %nan, %less
  %result = select <8 x i1> %either, <8 x float> %b, <8 x float> %a
  ret <8 x float> %result
}

; The same by the other comparison, in the other order, as a selection of truth values.
; CHECK-LABEL: define double @greatest(
; CHECK: [[GREATEST:%.*]] = select i1 %more, double %b, double %a
; CHECK-NEXT: select i1 %nan, double %b, double [[GREATEST]]
define double @greatest(double %a, double %b) {
  %more = fcmp ogt double %b, %a
  %nan = fcmp uno double %a, %a
  %either = select i1 %more, i1 true, i1 %nan
  %result = select i1 %either, double %b, double %a
  ret double %result
}

; A test of the number that would be taken, an order with equal numbers, and a condition that is needed elsewhere stay.
; CHECK-LABEL: define float @others(
; CHECK-COUNT-3: select
; CHECK-NOT: select
; CHECK: ret float
define float @others(float %a, float %b, ptr %p) {
  %nan = fcmp uno float %b, 0.0
  %less = fcmp olt float %b, %a
  %either = or i1 %nan, %less
  %x = select i1 %either, float %b, float %a
  %nan.a = fcmp uno float %a, 0.0
  %most = fcmp ole float %b, %a
  %either.most = or i1 %nan.a, %most
  %y = select i1 %either.most, float %b, float %a
  %kept = or i1 %nan.a, %less
  store i1 %kept, ptr %p
  %z = select i1 %kept, float %b, float %a
  %xy = fadd float %x, %y
  %sum = fadd float %xy, %z
  ret float %sum
}
