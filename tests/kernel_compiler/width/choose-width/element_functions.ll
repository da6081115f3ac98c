; A call of a function for each element counts as that function's operations on all. It stays where vectors stay, and is inlined
; where they become scalars, but for what is done once for all lanes.
; RUN: weft-opt --passes=choose-width -weft-register-bits=256 -weft-register-count=16 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @kept(
; CHECK-SAME: #[[KEPT:[0-9]+]]
; CHECK:   call spir_func <8 x float> @each8(
define spir_kernel void @kept(ptr addrspace(1) %p) #0 {
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <8 x float>, ptr addrspace(1) %p, i64 %x
  %a = load <8 x float>, ptr addrspace(1) %at
  %r = call spir_func <8 x float> @each8(<8 x float> %a)
  store <8 x float> %r, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @split(
; CHECK-SAME: #[[SPLIT:[0-9]+]]
; CHECK-NOT: call spir_func
; CHECK-COUNT-4: fmul float
; CHECK: ret void
define spir_kernel void @split(ptr addrspace(1) %p) #0 {
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <2 x float>, ptr addrspace(1) %p, i64 %x
  %a = load <2 x float>, ptr addrspace(1) %at
  %r = call spir_func <2 x float> @each2(<2 x float> %a)
  store <2 x float> %r, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @shared(
; CHECK-SAME: #[[SHARED:[0-9]+]]
; CHECK:   call spir_func <2 x float> @each2(
; CHECK-NOT: call spir_func
; CHECK-COUNT-4: fmul float
; CHECK: ret void
define spir_kernel void @shared(ptr addrspace(1) %p, ptr addrspace(1) %q) #0 {
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <2 x float>, ptr addrspace(1) %p, i64 %x
  %a = load <2 x float>, ptr addrspace(1) %q
  %b = load <2 x float>, ptr addrspace(1) %at
  %r = call spir_func <2 x float> @each2(<2 x float> %a)
  %s = call spir_func <2 x float> @each2(<2 x float> %b)
  %t = fadd <2 x float> %r, %s
  store <2 x float> %t, ptr addrspace(1) %at
  ret void
}

define internal spir_func <8 x float> @each8(<8 x float> %a) {
  %a0 = extractelement <8 x float> %a, i64 0
  %r0 = call spir_func float @one(float %a0)
  %v0 = insertelement <8 x float> poison, float %r0, i64 0
  %a1 = extractelement <8 x float> %a, i64 1
  %r1 = call spir_func float @one(float %a1)
  %v1 = insertelement <8 x float> %v0, float %r1, i64 1
  %a2 = extractelement <8 x float> %a, i64 2
  %r2 = call spir_func float @one(float %a2)
  %v2 = insertelement <8 x float> %v1, float %r2, i64 2
  %a3 = extractelement <8 x float> %a, i64 3
  %r3 = call spir_func float @one(float %a3)
  %v3 = insertelement <8 x float> %v2, float %r3, i64 3
  %a4 = extractelement <8 x float> %a, i64 4
  %r4 = call spir_func float @one(float %a4)
  %v4 = insertelement <8 x float> %v3, float %r4, i64 4
  %a5 = extractelement <8 x float> %a, i64 5
  %r5 = call spir_func float @one(float %a5)
  %v5 = insertelement <8 x float> %v4, float %r5, i64 5
  %a6 = extractelement <8 x float> %a, i64 6
  %r6 = call spir_func float @one(float %a6)
  %v6 = insertelement <8 x float> %v5, float %r6, i64 6
  %a7 = extractelement <8 x float> %a, i64 7
  %r7 = call spir_func float @one(float %a7)
  %v7 = insertelement <8 x float> %v6, float %r7, i64 7
  ret <8 x float> %v7
}

define internal spir_func <2 x float> @each2(<2 x float> %a) #1 {
  %a0 = extractelement <2 x float> %a, i64 0
  %r0 = call spir_func float @one(float %a0)
  %v0 = insertelement <2 x float> poison, float %r0, i64 0
  %a1 = extractelement <2 x float> %a, i64 1
  %r1 = call spir_func float @one(float %a1)
  %v1 = insertelement <2 x float> %v0, float %r1, i64 1
  ret <2 x float> %v1
}

define internal spir_func float @one(float %a) #1 {
  %r = fmul float %a, 3.0
  %s = fadd float %r, 1.0
  %t = fmul float %s, %r
  ret float %t
}

; CHECK-DAG: attributes #[[KEPT]] = { {{.*}}"weft-vector-width"="1" }
; CHECK-DAG: attributes #[[SPLIT]] = { "weft-element-calls"="1" "weft-vector-width"="8" }
; CHECK-DAG: attributes #[[SHARED]] = { {{.*}}"weft-split-vectors"="1" "weft-vector-width"="8" }
attributes #0 = { "weft-element-calls"="1" }
attributes #1 = { nounwind willreturn memory(none) }
