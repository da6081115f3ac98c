; Updates of a group's own memory in which each lane has its own place are vector operations.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @sums(
; CHECK: x.loop.wide:
; CHECK:   %[[COUNTS:.*]] = load <4 x i32>, ptr addrspace(3)
; CHECK:   %[[SUMS:.*]] = load <4 x i32>, ptr addrspace(1)
; CHECK:   %[[NEW:.*]] = add <4 x i32> %[[SUMS]], %[[COUNTS]]
; CHECK:   store <4 x i32> %[[NEW]], ptr addrspace(1)
; CHECK-NOT: atomicrmw
define spir_kernel void @sums(ptr addrspace(3) %counts, ptr addrspace(1) %sums, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %counts.x = getelementptr inbounds i32, ptr addrspace(3) %counts, i64 %x
  %count = load i32, ptr addrspace(3) %counts.x
  %sums.x = getelementptr inbounds i32, ptr addrspace(1) %sums, i64 %x
  %old = atomicrmw add ptr addrspace(1) %sums.x, i32 %count monotonic, !weft.own.update !0
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A lane's second place is its neighbour's first, and the lanes of another update may meet: both stay whole.
; CHECK-LABEL: define spir_kernel void @shared(
; CHECK: x.loop.wide:
; CHECK: atomicrmw add ptr addrspace(3)
; CHECK: atomicrmw sub ptr addrspace(3)
; CHECK: atomicrmw or ptr addrspace(1)
; CHECK: wide.after:
define spir_kernel void @shared(ptr addrspace(3) %counts, ptr addrspace(1) %flags, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %step = add nuw i64 %x, 1
  %counts.x = getelementptr inbounds i32, ptr addrspace(3) %counts, i64 %x
  %old = atomicrmw add ptr addrspace(3) %counts.x, i32 1 monotonic
  %counts.next = getelementptr inbounds i32, ptr addrspace(3) %counts, i64 %step
  %old2 = atomicrmw sub ptr addrspace(3) %counts.next, i32 1 monotonic
  %half = lshr i64 %x, 1
  %flags.half = getelementptr inbounds i32, ptr addrspace(1) %flags, i64 %half
  %old3 = atomicrmw or ptr addrspace(1) %flags.half, i32 1 monotonic, !weft.own.update !0
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Another atomic operation may meet the update of a neighbour; so may one of what may be the same memory.
; CHECK-LABEL: define spir_kernel void @exchanged(
; CHECK: x.loop.wide:
; CHECK: atomicrmw add ptr addrspace(3)
; CHECK: cmpxchg
; CHECK: atomicrmw xor ptr addrspace(3)
; CHECK: atomicrmw umax ptr addrspace(3)
; CHECK: wide.after:
define spir_kernel void @exchanged(ptr addrspace(3) %counts, ptr addrspace(3) %a, ptr addrspace(3) %b, i1 %is, i64 %n) #0 {
entry:
  %either = select i1 %is, ptr addrspace(3) %a, ptr addrspace(3) %b
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %step = add nuw i64 %x, 1
  %counts.x = getelementptr inbounds i32, ptr addrspace(3) %counts, i64 %x
  %old = atomicrmw add ptr addrspace(3) %counts.x, i32 1 monotonic
  %counts.next = getelementptr inbounds i32, ptr addrspace(3) %counts, i64 %step
  %old2 = cmpxchg ptr addrspace(3) %counts.next, i32 0, i32 100 monotonic monotonic
  %either.x = getelementptr inbounds i32, ptr addrspace(3) %either, i64 %x
  %old3 = atomicrmw xor ptr addrspace(3) %either.x, i32 1 monotonic
  %a.next = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %step
  %old4 = atomicrmw umax ptr addrspace(3) %a.next, i32 1 monotonic
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
