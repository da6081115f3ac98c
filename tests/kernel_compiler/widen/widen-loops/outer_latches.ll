; The loops around an item loop may be the kernel's own, around barriers, with several latches.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @two_latches(
; CHECK: load <4 x i32>
define spir_kernel void @two_latches(ptr addrspace(1) %p, i64 %n, i64 %rows, i1 %c) #0 {
entry:
  br label %again
again:
  br label %row
row:
  %y = phi i64 [ 0, %again ], [ %y1, %row.end ]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %row ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %row.end, !weft.item.loop !0
row.end:
  %y1 = add nuw i64 %y, 1
  %more.rows = icmp ult i64 %y1, %rows
  br i1 %more.rows, label %row, label %decide
decide:
  %first = load volatile i32, ptr addrspace(1) %p
  switch i32 %first, label %out [
    i32 0, label %again
    i32 1, label %other
  ]
other:
  %second = load volatile i32, ptr addrspace(1) %p
  %once.more = icmp eq i32 %second, 2
  br i1 %once.more, label %again, label %out
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
