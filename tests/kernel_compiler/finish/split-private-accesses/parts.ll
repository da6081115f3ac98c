; Vectors of private memory that are longer than a register are accessed register by register; others are left alone.
; RUN: weft-opt --passes='split-private-accesses,verify' -mtriple=x86_64 -mcpu=haswell -S %s | FileCheck %s

; CHECK-LABEL: @copy(
; CHECK-NEXT: %[[P0:.*]] = getelementptr inbounds i8, ptr %p, i64 0
; CHECK-NEXT: %[[A:.*]] = load <8 x float>, ptr %[[P0]], align 64, !tbaa
; CHECK-NEXT: %[[P1:.*]] = getelementptr inbounds i8, ptr %p, i64 32
; CHECK-NEXT: %[[B:.*]] = load <8 x float>, ptr %[[P1]], align 32, !tbaa
; CHECK-NEXT: %[[ALL:.*]] = shufflevector <8 x float> %[[A]], <8 x float> %[[B]], <16 x i32>
; CHECK-NEXT: %[[Q0:.*]] = getelementptr inbounds i8, ptr %q, i64 0
; CHECK-NEXT: %[[LOW:.*]] = shufflevector <16 x float> %[[ALL]], <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK-NEXT: store <8 x float> %[[LOW]], ptr %[[Q0]], align 4
; CHECK-NEXT: %[[Q1:.*]] = getelementptr inbounds i8, ptr %q, i64 32
; CHECK-NEXT: %[[HIGH:.*]] = shufflevector <16 x float> %[[ALL]], <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK-NEXT: store <8 x float> %[[HIGH]], ptr %[[Q1]], align 4
; CHECK-NEXT: ret void
define void @copy(ptr %p, ptr %q) {
  %v = load <16 x float>, ptr %p, align 64, !tbaa !0
  store <16 x float> %v, ptr %q, align 4
  ret void
}

; Of other memory, as long as a register, of no whole number of registers, volatile, and of bits.
; CHECK-LABEL: @left(
; CHECK: load <16 x float>, ptr addrspace(1) %g
; CHECK: load <8 x float>, ptr %p
; CHECK: load <12 x float>, ptr %p
; CHECK: load volatile <16 x float>, ptr %p
; CHECK: load <512 x i1>, ptr %p
define void @left(ptr %p, ptr addrspace(1) %g) {
  %a = load <16 x float>, ptr addrspace(1) %g
  %b = load <8 x float>, ptr %p
  %c = load <12 x float>, ptr %p
  %d = load volatile <16 x float>, ptr %p
  %e = load <512 x i1>, ptr %p
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"float", !2}
!2 = !{!"root"}
