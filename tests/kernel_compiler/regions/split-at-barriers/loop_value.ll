; What a loop within a region has computed leaves it through a phi in its own block, before the barrier.
; RUN: weft-opt --passes='split-at-barriers,verify' -S %s | FileCheck %s

declare void @__weft_barrier() convergent

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: round:
; CHECK:   br i1 %again, label %round, label %[[LEFT:.*]]
; CHECK: [[LEFT]]:
; CHECK-NEXT: %[[SUM:.*]] = phi i32 [ %sum1, %round ]
; CHECK-NEXT: br label %[[BARRIER:.*]]
; CHECK: [[BARRIER]]:
; CHECK-NEXT: call void @__weft_barrier()
; CHECK-NEXT: store i32 %[[SUM]]
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %i1, %round ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %round ]
  %sum1 = add i32 %sum, %i
  %i1 = add i32 %i, 1
  %again = icmp ult i32 %i1, %n
  br i1 %again, label %round, label %done
done:
  call void @__weft_barrier()
  store i32 %sum1, ptr addrspace(1) %p
  ret void
}
