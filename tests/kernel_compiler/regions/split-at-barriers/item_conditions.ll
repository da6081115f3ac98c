; Conditions that each work-item reads from memory: a barrier behind them makes them uniform.
; RUN: weft-opt --passes='split-at-barriers,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()

; A loop around barriers is entered by all or by none.
; CHECK-LABEL: @branch(
; CHECK-NOT: gather:
; CHECK: br i1 %go, label %entry.loop_crit_edge, label %out, !weft.uniform
; CHECK: ret void
define spir_kernel void @branch(ptr addrspace(3) %p, i32 %n) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %lid
  %read = load i32, ptr addrspace(3) %at
  %go = icmp sgt i32 %read, 0
  br i1 %go, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__weft_barrier()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  store i32 1, ptr addrspace(3) %at
  call void @__weft_barrier()
  ret void
}

; An iteration of a loop is done by all or by none. Those that leave return, as some may do where others go on: not uniform.
; CHECK-LABEL: @loop(
; CHECK-NOT: gather:
; CHECK: br i1 %more, label %loop, label %out
; CHECK-NOT: !weft.uniform
; CHECK: {{^}}}
define spir_kernel void @loop(ptr addrspace(3) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %lid
  br label %loop
loop:
  store i32 0, ptr addrspace(3) %at
  call void @__weft_barrier()
  %read = load i32, ptr addrspace(3) %at
  %more = icmp sgt i32 %read, 0
  br i1 %more, label %loop, label %out
out:
  ret void
}

; A barrier that only some of those that enter may come to: they part.
; CHECK-LABEL: @perhaps(
; CHECK: gather:
; CHECK: ret void
define spir_kernel void @perhaps(ptr addrspace(3) %p, i1 %both) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %lid
  %read = load i32, ptr addrspace(3) %at
  %go = icmp sgt i32 %read, 0
  br i1 %go, label %enter, label %out
enter:
  br i1 %both, label %wait, label %join
wait:
  call void @__weft_barrier()
  br label %join
join:
  store volatile i32 1, ptr addrspace(3) %at
  br label %out
out:
  call void @__weft_barrier()
  store volatile i32 2, ptr addrspace(3) %at
  ret void
}

; Of three ways one leads to a barrier: the others may part.
; CHECK-LABEL: @three(
; CHECK: gather:
; CHECK: ret void
define spir_kernel void @three(ptr addrspace(3) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %lid
  br label %loop
loop:
  %read = load volatile i32, ptr addrspace(3) %at
  switch i32 %read, label %other [ i32 7, label %wait
                                   i32 0, label %next ]
wait:
  call void @__weft_barrier()
  br label %join
other:
  store volatile i32 1, ptr addrspace(3) %at
  br label %join
join:
  store volatile i32 2, ptr addrspace(3) %at
  br label %next
next:
  %again = load volatile i32, ptr addrspace(3) %p
  %more = icmp sgt i32 %again, 0
  br i1 %more, label %loop, label %out
out:
  ret void
}
