; A copy of a structure with many members does not name their types: split into its members, it would name those of all that
; follow for each. A copy of one with few does.
; RUN: weft-opt --passes='prepare-kernels,verify' -S %s | FileCheck %s

declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)

; CHECK-LABEL: @copies(
; CHECK: memcpy{{.*}}, i64 160, i1 false){{$}}
; CHECK: memcpy{{.*}}, i64 12, i1 false), !tbaa.struct
define spir_kernel void @copies(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 160, i1 false), !tbaa.struct !0
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 12, i1 false), !tbaa.struct !1
  ret void
}
!0 = !{i64 0, i64 4, !2, i64 4, i64 4, !2, i64 8, i64 4, !2, i64 12, i64 4, !2, i64 16, i64 4, !2, i64 20, i64 4, !2, i64 24, i64 4, !2, i64 28, i64 4, !2, i64 32, i64 4, !2, i64 36, i64 4, !2, i64 40, i64 4, !2, i64 44, i64 4, !2, i64 48, i64 4, !2, i64 52, i64 4, !2, i64 56, i64 4, !2, i64 60, i64 4, !2, i64 64, i64 4, !2, i64 68, i64 4, !2, i64 72, i64 4, !2, i64 76, i64 4, !2, i64 80, i64 4, !2, i64 84, i64 4, !2, i64 88, i64 4, !2, i64 92, i64 4, !2, i64 96, i64 4, !2, i64 100, i64 4, !2, i64 104, i64 4, !2, i64 108, i64 4, !2, i64 112, i64 4, !2, i64 116, i64 4, !2, i64 120, i64 4, !2, i64 124, i64 4, !2, i64 128, i64 4, !2, i64 132, i64 4, !2, i64 136, i64 4, !2, i64 140, i64 4, !2, i64 144, i64 4, !2, i64 148, i64 4, !2, i64 152, i64 4, !2, i64 156, i64 4, !2}
!1 = !{i64 0, i64 4, !2, i64 4, i64 4, !2, i64 8, i64 4, !2}
!2 = !{!3, !3, i64 0}
!3 = !{!"int", !4, i64 0}
!4 = !{!"tbaa root"}
