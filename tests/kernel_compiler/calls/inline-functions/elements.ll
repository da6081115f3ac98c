; A function of vectors that calls one function for each element stays a call, and so does that one in it, until the kernel's width
; is chosen; but not in a kernel that is too large with them.
; RUN: weft-opt --passes='inline-functions,verify' -S %s | FileCheck %s --check-prefixes=CHECK,SMALL
; RUN: weft-opt --passes='inline-functions,verify' -weft-kernel-budget=12 -S %s | FileCheck %s --check-prefixes=CHECK,LARGE

; CHECK-LABEL: define spir_kernel void @k(
; SMALL-SAME:  #[[KEPT:[0-9]+]]
; SMALL:   call spir_func <2 x float> @each(
; SMALL:   fmul float
; CHECK-NOT: call spir_func float
; LARGE-NOT: weft-element-calls
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %p, <2 x float> %a, float %b) {
  %r = call spir_func <2 x float> @each(<2 x float> %a)
  %s = call spir_func float @one(float %b)
  %t = insertelement <2 x float> %r, float %s, i64 0
  store <2 x float> %t, ptr addrspace(1) %p
  ret void
}

; SMALL-LABEL: define internal spir_func <2 x float> @each(
; SMALL-COUNT-2: call spir_func float @one(
define internal spir_func <2 x float> @each(<2 x float> %a) {
  %a0 = extractelement <2 x float> %a, i64 0
  %r0 = call spir_func float @one(float %a0)
  %v0 = insertelement <2 x float> poison, float %r0, i64 0
  %a1 = extractelement <2 x float> %a, i64 1
  %r1 = call spir_func float @one(float %a1)
  %v1 = insertelement <2 x float> %v0, float %r1, i64 1
  ret <2 x float> %v1
}

define internal spir_func float @one(float %a) #0 {
  %r = fmul float %a, 3.0
  ret float %r
}

; What differs between work-items is inlined.
; CHECK-LABEL: define spir_kernel void @asks(
; CHECK-NOT: call spir_func
; CHECK: {{^}}}
define spir_kernel void @asks(ptr addrspace(1) %p, <2 x float> %a) {
  %r = call spir_func <2 x float> @each_of_item(<2 x float> %a)
  store <2 x float> %r, ptr addrspace(1) %p
  ret void
}

define internal spir_func <2 x float> @each_of_item(<2 x float> %a) {
  %a0 = extractelement <2 x float> %a, i64 0
  %r0 = call spir_func float @of_item(float %a0)
  %v0 = insertelement <2 x float> poison, float %r0, i64 0
  %a1 = extractelement <2 x float> %a, i64 1
  %r1 = call spir_func float @of_item(float %a1)
  %v1 = insertelement <2 x float> %v0, float %r1, i64 1
  ret <2 x float> %v1
}

declare i64 @__weft_local_id(i32) memory(none)

define internal spir_func float @of_item(float %a) #0 {
  %id = call i64 @__weft_local_id(i32 0)
  %x = uitofp i64 %id to float
  %r = fadd float %a, %x
  ret float %r
}

; SMALL: attributes #[[KEPT]] = { "weft-element-calls"="1" }
attributes #0 = { nounwind willreturn memory(none) }
