; Requests are made where a region begins, or where it ends when they write: where nothing comes in between.
; RUN: weft-opt --passes='find-transfers,split-at-barriers,spill-at-barriers,place-transfers,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier() convergent

; Behind a barrier: region 1. What is read there may have been written before it.
; CHECK: @in_order({{.*}} !weft.transfers ![[IN_ORDER:[0-9]+]]
; CHECK: store float 1.000000e+00, {{.*}} !weft.transfer
; CHECK: load float, {{.*}} !weft.transfer !
; CHECK: store float %x, {{.*}} !weft.transfer
define spir_kernel void @in_order(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__weft_local_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %to = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float 1.0, ptr addrspace(1) %from
  call void @__weft_barrier()
  %x = load float, ptr addrspace(1) %from
  store float %x, ptr addrspace(1) %to
  ret void
}

; A store that may write what is read later.
; CHECK-LABEL: @store_before(ptr addrspace(1) %a, ptr addrspace(1) %b) {
; CHECK: load float, ptr addrspace(1) %from, align 4{{$}}
define spir_kernel void @store_before(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__weft_local_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %to = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float 1.0, ptr addrspace(1) %to
  %x = load float, ptr addrspace(1) %from
  store float %x, ptr addrspace(1) %b
  ret void
}

; It cannot, when the pointers are restrict.
; CHECK-LABEL: @restrict({{.*}} !weft.transfers
; CHECK: store float 1.000000e+00, {{.*}} !weft.transfer
; CHECK: load float, {{.*}} !weft.transfer
define spir_kernel void @restrict(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %i = call i64 @__weft_local_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %to = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float 1.0, ptr addrspace(1) %to
  %x = load float, ptr addrspace(1) %from
  ret void
}

; Two stores that may be to the same place.
; CHECK-LABEL: @two_stores(ptr addrspace(1) %a, ptr addrspace(1) %b) {
define spir_kernel void @two_stores(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__weft_local_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %to = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float 1.0, ptr addrspace(1) %to
  store float 2.0, ptr addrspace(1) %from
  ret void
}

; Some work-items only.
; CHECK-LABEL: @divergent(ptr addrspace(1) %a, i64 %n) {
define spir_kernel void @divergent(ptr addrspace(1) %a, i64 %n) {
  %i = call i64 @__weft_local_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %in = icmp ult i64 %i, %n
  br i1 %in, label %yes, label %no
yes:
  %x = load float, ptr addrspace(1) %from
  br label %no
no:
  ret void
}

; The loop's chunks are a region of their own, 1; what follows the loop is not in each run of it.
; CHECK: @sum({{.*}} !weft.transfers ![[SUM:[0-9]+]]
; CHECK: load float, {{.*}} !weft.transfer
; CHECK: store float %{{.*}}, ptr addrspace(1) %{{.*}}, align 4{{$}}
define spir_kernel void @sum(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %x = call i64 @__weft_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %first = mul i64 %k, %n
  %index = add i64 %first, %x
  %from = getelementptr float, ptr addrspace(1) %a, i64 %index
  %value = load float, ptr addrspace(1) %from
  %sum.next = fadd float %sum, %value
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %out
out:
  %to = getelementptr float, ptr addrspace(1) %b, i64 %x
  store float %sum.next, ptr addrspace(1) %to
  ret void
}

; CHECK: ![[IN_ORDER]] = !{![[A:[0-9]+]], ![[B:[0-9]+]], ![[C:[0-9]+]]}
; CHECK: ![[A]] = !{i32 0, i32 1, i32 0, i32 4, i32 0, i32 1, i32 1}
; CHECK: ![[B]] = !{i32 1, i32 0, i32 0, i32 4, i32 0, i32 1, i32 1}
; CHECK: ![[C]] = !{i32 1, i32 1, i32 0, i32 4, i32 0, i32 1, i32 1}
; CHECK: ![[SUM]] = !{![[ROWS:[0-9]+]]}
; CHECK: ![[ROWS]] = !{i32 1, i32 2, i32 0, i32 4, i32 8, i32 32, i32 32}
