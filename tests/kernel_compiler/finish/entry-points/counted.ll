; Of kernels that count cycles, groups of one row are coalesced as far as there is room for their work-items' numbers.
; RUN: weft-opt --passes='entry-points,verify' -S %s | FileCheck %s

; CHECK-LABEL: define internal void @k(
; CHECK: %[[ROOM:.*]] = udiv i64 4096, %[[X:.*]]
; CHECK: %[[MOST:.*]] = call i64 @llvm.umax.i64(i64 %[[ROOM]], i64 1)
; CHECK: select i1 %{{.*}}, i64 %[[MOST]], i64 1
define spir_kernel void @k(ptr addrspace(1) %p) #0 {
  ret void
}

attributes #0 = { "weft-coalesced-groups"="1" "weft-kernel-flags"="64" "weft-vector-width"="16" }
