; A vector of three elements is stored as one of four. The fourth is 0, not what some vector of lanes would have there.
; RUN: weft-opt --passes=prepare-kernels -S %s | FileCheck %s

; CHECK-LABEL: @k(
; CHECK: [[FOUR:%.*]] = shufflevector <3 x float> %v, <3 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK-NEXT: [[FILLED:%.*]] = insertelement <4 x float> [[FOUR]], float 0.000000e+00, i64 3
; CHECK-NEXT: store <4 x float> [[FILLED]], ptr addrspace(1) %p
; CHECK: [[OTHER:%.*]] = insertelement <4 x float> %other, float 0.000000e+00, i64 3
; CHECK-NEXT: store <4 x float> [[OTHER]], ptr addrspace(1) %p
; CHECK: [[INT:%.*]] = insertelement <4 x i32> %made, i32 0, i64 3
; CHECK-NEXT: store <4 x i32> [[INT]], ptr addrspace(1) %q
; CHECK-NEXT: store <4 x i32> <i32 1, i32 2, i32 3, i32 0>, ptr addrspace(1) %q
; What has a fourth element keeps it.
; CHECK-NEXT: store <4 x i32> %w, ptr addrspace(1) %q
; CHECK-NEXT: %all = insertelement
; CHECK-NEXT: store <4 x i32> %all, ptr addrspace(1) %q
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, <3 x float> %v, i32 %i, <4 x i32> %w) {
  %four = shufflevector <3 x float> %v, <3 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %four, ptr addrspace(1) %p
  %other = shufflevector <3 x float> %v, <3 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  store <4 x float> %other, ptr addrspace(1) %p
  %one = insertelement <4 x i32> poison, i32 %i, i32 0
  %two = insertelement <4 x i32> %one, i32 %i, i32 1
  %made = insertelement <4 x i32> %two, i32 %i, i32 2
  store <4 x i32> %made, ptr addrspace(1) %q
  store <4 x i32> <i32 1, i32 2, i32 3, i32 poison>, ptr addrspace(1) %q
  store <4 x i32> %w, ptr addrspace(1) %q
  %all = insertelement <4 x i32> %made, i32 %i, i32 3
  store <4 x i32> %all, ptr addrspace(1) %q
  ret void
}
