; Kernels whose work-items cannot tell which group they are in.
; RUN: weft-opt --passes='coalesce-work-groups,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_group_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_size(i32) nounwind willreturn memory(none)
declare i64 @__weft_enqueued_local_size(i32) nounwind willreturn memory(none)
declare i64 @__weft_num_groups(i32) nounwind willreturn memory(none)

; CHECK-NOT: call i64 @__weft_global_id
; CHECK-LABEL: define spir_kernel void @simple(
; CHECK-SAME: #[[COALESCED:[0-9]+]]
; CHECK: %[[FIRST:.*]] = call i64 @__weft_first_item(i32 1)
; CHECK: %[[LOCAL:.*]] = call i64 @__weft_local_id(i32 1)
; CHECK: %[[PLACE:.*]] = add nuw i64 %[[FIRST]], %[[LOCAL]]
; CHECK: %[[OFFSET:.*]] = call i64 @__weft_global_offset(i32 1)
; CHECK: %id = add nuw i64 %[[PLACE]], %[[OFFSET]]
define spir_kernel void @simple(ptr addrspace(1) %p) {
  %id = call i64 @__weft_global_id(i32 1)
  %n = call i64 @__weft_num_groups(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %id
  store i64 %n, ptr addrspace(1) %at
  ret void
}

; A global id put together by hand.
; CHECK-LABEL: define spir_kernel void @composed(
; CHECK-SAME: #[[COALESCED]]
; CHECK: sub nuw i64
define spir_kernel void @composed(ptr addrspace(1) %p) {
  %local = call i64 @__weft_local_id(i32 0)
  %group = call i64 @__weft_group_id(i32 0)
  %size = call i64 @__weft_enqueued_local_size(i32 0)
  %first = mul i64 %size, %group
  %id = add i64 %first, %local
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %id
  store i64 %id, ptr addrspace(1) %at
  ret void
}

; By the size of the running group, which is the enqueued one where groups are whole; as ints.
; CHECK-LABEL: define spir_kernel void @composed_whole(
; CHECK-SAME: #[[WHOLE:[0-9]+]]
; CHECK: trunc i64 %{{.*}} to i32
define spir_kernel void @composed_whole(ptr addrspace(1) %p) #0 {
  %local = call i64 @__weft_local_id(i32 0)
  %local.int = trunc i64 %local to i32
  %group = call i64 @__weft_group_id(i32 0)
  %group.int = trunc i64 %group to i32
  %size = call i64 @__weft_local_size(i32 0)
  %size.int = trunc i64 %size to i32
  %first = mul i32 %group.int, %size.int
  %id = add i32 %first, %local.int
  %wide = zext i32 %id to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store i32 %id, ptr addrspace(1) %at
  ret void
}

; The global size, where all groups are whole.
; CHECK-LABEL: define spir_kernel void @composed_size(
; CHECK-SAME: #[[WHOLE]]
; CHECK: %[[RANGE:.*]] = call i64 @__weft_global_size(i32 0)
; CHECK: trunc i64 %[[RANGE]] to i32
define spir_kernel void @composed_size(ptr addrspace(1) %p) #0 {
  %count = call i64 @__weft_num_groups(i32 0)
  %count.int = trunc i64 %count to i32
  %size = call i64 @__weft_local_size(i32 0)
  %size.int = trunc i64 %size to i32
  %range = mul i32 %size.int, %count.int
  store i32 %range, ptr addrspace(1) %p
  ret void
}

; Atomics that no work-item waits for.
; CHECK-LABEL: define spir_kernel void @counts(
; CHECK-SAME: #[[COALESCED]]
define spir_kernel void @counts(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = atomicrmw add ptr addrspace(1) %p, i32 %i monotonic
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; What is known of groups that have one work-item along x.
; CHECK-LABEL: define spir_kernel void @along_x(
; CHECK-SAME: #[[SINGLE:[0-9]+]]
define spir_kernel void @along_x(ptr addrspace(1) %p) {
  %id = call i64 @__weft_local_id(i32 0)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; The last group may be smaller: no global id.
; CHECK-LABEL: define spir_kernel void @composed_of_parts(
; CHECK-SAME: #[[SINGLE]]
define spir_kernel void @composed_of_parts(ptr addrspace(1) %p) {
  %local = call i64 @__weft_local_id(i32 0)
  %group = call i64 @__weft_group_id(i32 0)
  %size = call i64 @__weft_local_size(i32 0)
  %first = mul i64 %group, %size
  %id = add i64 %first, %local
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; CHECK: attributes #[[COALESCED]] = { "weft-coalesced-groups"="1" }
; CHECK: attributes #[[WHOLE]] = { "uniform-work-group-size"="true" "weft-coalesced-groups"="1" }
; CHECK: attributes #[[SINGLE]] = { "weft-coalesced-groups"="2" }
attributes #0 = { "uniform-work-group-size"="true" }
