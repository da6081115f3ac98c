; A kernel that is one grid-stride loop: groups take pieces of its indices, where no number can wrap around.
; RUN: weft-opt --passes='flatten-grid-strides,verify' -S %s | FileCheck %s

declare i64 @__weft_first_item(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_size(i32) nounwind willreturn memory(none)
declare i64 @__weft_global_size(i32) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @simple(
; CHECK-SAME: #[[FLAT:[0-9]+]]
; CHECK: entry:
; CHECK: call i1 @__weft_apart()
; CHECK: br i1 %flatten, label %piece, label %strided
; CHECK: piece:
; CHECK: sext i32 %n to i64
; CHECK: udiv i64
; CHECK: %[[BEGIN:.*]] = select i1
; CHECK: udiv i64
; CHECK: %[[END:.*]] = select i1
; CHECK: %[[ITEMS:.*]] = call i64 @__weft_local_size(i32 0)
; CHECK-NEXT: br label %rounds
; CHECK: rounds:
; CHECK: %done = phi i64 [ %[[BEGIN]], %piece ], [ %[[NEXT:.*]], %next ]
; CHECK: call void @__weft_barrier()
; CHECK: %[[MORE:.*]] = icmp ult i64 %done, %[[END]]
; CHECK: br i1 %[[MORE]], label %head, label %exit
; CHECK: head:
; CHECK: %[[LOCAL:.*]] = call i64 @__weft_local_id(i32 0)
; CHECK: %[[PLACE:.*]] = add nuw nsw i64 %done, %[[LOCAL]]
; CHECK: %inside{{.*}} = icmp ult i64 %[[PLACE]], %[[END]]
; CHECK: %at = add nuw nsw i64 %[[PLACE]],
; CHECK: br i1 %inside{{.*}}, label %body, label %next
; CHECK: body:
; CHECK: br label %next
; CHECK: next:
; CHECK: %[[NEXT]] = add nuw nsw i64 %done, %[[ITEMS]]
; CHECK: br label %rounds
; CHECK: head.strided:
; CHECK: %at.strided = phi i64 [ %id, %strided ], [ %sum.strided, %body.strided ]
define spir_kernel void @simple(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  br label %head
head:
  %at = phi i64 [ %id, %entry ], [ %sum, %body ]
  %i = trunc i64 %at to i32
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %cut = shl i64 %at, 32
  %index = ashr exact i64 %cut, 32
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %index
  %from.next = getelementptr inbounds i8, ptr addrspace(1) %from, i64 4
  %read = load i32, ptr addrspace(1) %from.next
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  store i32 %read, ptr addrspace(1) %to
  %size = call i64 @__weft_global_size(i32 0)
  %sum = add i64 %index, %size
  br label %head
exit:
  ret void
}

; Counters, in any order.
; CHECK-LABEL: define spir_kernel void @counters(
; CHECK: label %piece, label %strided
define spir_kernel void @counters(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %from = getelementptr inbounds i64, ptr addrspace(1) %q, i64 %i
  %read = load i64, ptr addrspace(1) %from
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %read
  %old = atomicrmw add ptr addrspace(1) %to, i32 1 monotonic
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; CHECK: attributes #[[FLAT]] = { {{.*}}"weft-kernel-flags"="1024"
attributes #0 = { "weft-coalesced-groups"="1" }
