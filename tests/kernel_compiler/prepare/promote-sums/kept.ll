; Left alone: what the same argument may lead to, loops with barriers or atomics, places that are not stored in each iteration.
; RUN: weft-opt --passes='promote-sums,verify' -S %s | FileCheck %s

declare void @__weft_barrier()

; CHECK-LABEL: define spir_kernel void @itself(
; CHECK: loop:
; CHECK: store float %new
define spir_kernel void @itself(ptr addrspace(1) %c, i64 %i, i64 %n) {
entry:
  %place = getelementptr float, ptr addrspace(1) %c, i64 %i
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %c, i64 %k
  %x = load float, ptr addrspace(1) %from
  %old = load float, ptr addrspace(1) %place
  %new = fadd float %old, %x
  store float %new, ptr addrspace(1) %place
  %k.next = add nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @barriers(
; CHECK: loop:
; CHECK: store float %new
define spir_kernel void @barriers(ptr addrspace(1) %c, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %old = load float, ptr addrspace(1) %c
  %new = fadd float %old, 1.0
  store float %new, ptr addrspace(1) %c
  call void @__weft_barrier()
  %k.next = add nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define spir_kernel void @sometimes(
; CHECK: stores:
; CHECK: store float %new
define spir_kernel void @sometimes(ptr addrspace(1) %c, i64 %n, i64 %m) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %old = load float, ptr addrspace(1) %c
  %new = fadd float %old, 1.0
  %is = icmp ugt i64 %k, %m
  br i1 %is, label %stores, label %next
stores:
  store float %new, ptr addrspace(1) %c
  br label %next
next:
  %k.next = add nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
