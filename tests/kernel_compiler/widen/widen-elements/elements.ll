; A function that calls one scalar function for each element becomes vector code: guards jump over what no element needs.
; RUN: weft-opt --passes='widen-elements,globaldce,verify' -weft-register-bits=128 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @four(
; CHECK:   %[[A:.*]] = load <4 x float>
; CHECK:   fmul <4 x float> %[[A]], {{.*}}2.000000e+00
; CHECK:   %[[RARE:.*]] = fcmp ogt <4 x float> %[[A]], {{.*}}8.000000e+00
; CHECK:   br i1
; CHECK-COUNT-12: fadd <4 x float>
; CHECK-NOT: call
; CHECK:   store <4 x float>
define spir_kernel void @four(ptr addrspace(1) %p) #0 {
  %a = load <4 x float>, ptr addrspace(1) %p
  %r = call spir_func <4 x float> @each4(<4 x float> %a)
  store <4 x float> %r, ptr addrspace(1) %p
  ret void
}

; A vector of three elements has a fourth lane, in which the first element is once more. A scalar argument is the same for all.
; CHECK-LABEL: define spir_kernel void @three(
; CHECK:   shufflevector <3 x float> %a, <3 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 0>
; CHECK:   %[[R:.*]] = fdiv <4 x float>
; CHECK:   shufflevector <4 x float> %{{.*}}, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
define spir_kernel void @three(ptr addrspace(1) %p, <3 x float> %a, float %b) #0 {
  %r = call spir_func <3 x float> @each3(<3 x float> %a, float %b)
  store <3 x float> %r, ptr addrspace(1) %p
  ret void
}

; Without the attribute it stays a call of vector code.
; CHECK-LABEL: define spir_kernel void @called(
; CHECK:   call spir_func <4 x float> @each4(
define spir_kernel void @called(ptr addrspace(1) %p) {
  %a = load <4 x float>, ptr addrspace(1) %p
  %r = call spir_func <4 x float> @each4(<4 x float> %a)
  store <4 x float> %r, ptr addrspace(1) %p
  ret void
}

; Elements that are mixed up, and functions that access memory, are none.
; CHECK-LABEL: define spir_kernel void @others(
; CHECK:   call spir_func <2 x float> @mixed(
; CHECK:   call spir_func <2 x float> @accessing(
define spir_kernel void @others(ptr addrspace(1) %p) #0 {
  %a = load <2 x float>, ptr addrspace(1) %p
  %r = call spir_func <2 x float> @mixed(<2 x float> %a)
  %s = call spir_func <2 x float> @accessing(<2 x float> %r)
  store <2 x float> %s, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define internal spir_func <4 x float> @each4(
; CHECK:   fmul <4 x float> %a, {{.*}}2.000000e+00
; CHECK-NOT: extractelement <4 x float>
; CHECK: }
define internal spir_func <4 x float> @each4(<4 x float> %a) {
  %a0 = extractelement <4 x float> %a, i64 0
  %r0 = call spir_func float @one(float %a0)
  %v0 = insertelement <4 x float> poison, float %r0, i64 0
  %a1 = extractelement <4 x float> %a, i64 1
  %r1 = call spir_func float @one(float %a1)
  %v1 = insertelement <4 x float> %v0, float %r1, i64 1
  %a2 = extractelement <4 x float> %a, i64 2
  %r2 = call spir_func float @one(float %a2)
  %v2 = insertelement <4 x float> %v1, float %r2, i64 2
  %a3 = extractelement <4 x float> %a, i64 3
  %r3 = call spir_func float @one(float %a3)
  %v3 = insertelement <4 x float> %v2, float %r3, i64 3
  ret <4 x float> %v3
}

define internal spir_func float @one(float %a) #1 {
  %twice = fmul float %a, 2.0
  %rare = fcmp ogt float %a, 8.0
  br i1 %rare, label %long, label %end, !prof !0
long:
  %s1 = fadd float %a, 1.0
  %s2 = fadd float %s1, %a
  %s3 = fadd float %s2, %s1
  %s4 = fadd float %s3, %s2
  %s5 = fadd float %s4, %s3
  %s6 = fadd float %s5, %s4
  %s7 = fadd float %s6, %s5
  %s8 = fadd float %s7, %s6
  %s9 = fadd float %s8, %s7
  %s10 = fadd float %s9, %s8
  %s11 = fadd float %s10, %s9
  %s12 = fadd float %s11, %s10
  br label %end
end:
  %r = phi float [ %twice, %0 ], [ %s12, %long ]
  ret float %r
}

define internal spir_func <3 x float> @each3(<3 x float> %a, float %b) {
  %a0 = extractelement <3 x float> %a, i64 0
  %r0 = call spir_func float @two(float %a0, float %b)
  %v0 = insertelement <3 x float> poison, float %r0, i64 0
  %a1 = extractelement <3 x float> %a, i64 1
  %r1 = call spir_func float @two(float %a1, float %b)
  %v1 = insertelement <3 x float> %v0, float %r1, i64 1
  %a2 = extractelement <3 x float> %a, i64 2
  %r2 = call spir_func float @two(float %a2, float %b)
  %v2 = insertelement <3 x float> %v1, float %r2, i64 2
  ret <3 x float> %v2
}

define internal spir_func float @two(float %a, float %b) #1 {
  %r = fdiv float %a, %b
  ret float %r
}

define internal spir_func <2 x float> @mixed(<2 x float> %a) {
  %a0 = extractelement <2 x float> %a, i64 0
  %a1 = extractelement <2 x float> %a, i64 1
  %r0 = call spir_func float @one(float %a1)
  %v0 = insertelement <2 x float> poison, float %r0, i64 0
  %r1 = call spir_func float @one(float %a0)
  %v1 = insertelement <2 x float> %v0, float %r1, i64 1
  ret <2 x float> %v1
}

@sum = internal addrspace(1) global float 0.0

define internal spir_func <2 x float> @accessing(<2 x float> %a) {
  %a0 = extractelement <2 x float> %a, i64 0
  %r0 = call spir_func float @counted(float %a0)
  %v0 = insertelement <2 x float> poison, float %r0, i64 0
  %a1 = extractelement <2 x float> %a, i64 1
  %r1 = call spir_func float @counted(float %a1)
  %v1 = insertelement <2 x float> %v0, float %r1, i64 1
  ret <2 x float> %v1
}

define internal spir_func float @counted(float %a) {
  store volatile float %a, ptr addrspace(1) @sum
  ret float %a
}

attributes #0 = { "weft-element-calls"="1" }
attributes #1 = { nounwind willreturn memory(none) }

!0 = !{!"branch_weights", i32 1, i32 2000}
