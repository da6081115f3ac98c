; Groups of one work-item along x have a separate nest of loops, in which x counts groups.
; RUN: weft-opt --passes='coalesce-work-groups,work-item-loops,group-index-loops,verify' -S %s | FileCheck %s
; RUN: weft-opt --passes='coalesce-work-groups,work-item-loops,group-index-loops,collapse-dimensions,verify' -S %s | FileCheck --check-prefix=ROWS %s

declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_group_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_global_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_size(i32) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @k(
; CHECK-SAME: #[[COALESCED:[0-9]+]]
; CHECK: {{^}}body:
; CHECK: call i64 @__weft_group_id(i32 0)
; CHECK: store i64 %x,
; CHECK: region0:
; CHECK: %[[SIZE:.*]] = call i64 @__weft_enqueued_local_size(i32 0)
; CHECK: %[[ONE:.*]] = icmp eq i64 %[[SIZE]], 1
; CHECK: br i1 %[[ONE]], label %single.items, label %several.items
; CHECK: several.items:
; CHECK: br label %z.loop
; CHECK: single.items:
; CHECK: br label %z.loop.single
; CHECK: {{^}}x.next:
; CHECK: !weft.item.loop
; CHECK: {{^}}x.loop.single:
; CHECK: %[[X:.*]] = phi i64 [ 0, %y.loop.single ], [ %[[NEXT:.*]], %x.next.single ]
; CHECK: {{^}}body.single:
; CHECK: %[[FIRST:.*]] = call i64 @__weft_group_id(i32 0)
; CHECK: %[[GROUP:.*]] = add nuw i64 %[[FIRST]], %[[X]]
; CHECK: getelementptr i64, ptr addrspace(1) %p, i64 %[[GROUP]]
; CHECK: store i64 0,
; CHECK: store i64 1,
; CHECK: {{^}}x.next.single:
; CHECK: %[[NEXT]] = add nuw i64 %[[X]], 1
; CHECK: br i1 %{{.*}}, label %x.loop.single, label %y.next.single, !weft.item.loop
define spir_kernel void @k(ptr addrspace(1) %p) {
  %group = call i64 @__weft_group_id(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %size = call i64 @__weft_local_size(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %group
  store i64 %local, ptr addrspace(1) %at
  store i64 %size, ptr addrspace(1) %at
  ret void
}

; A global id is what it was.
; CHECK-LABEL: define spir_kernel void @global(
; CHECK: {{^}}body.single:
; CHECK: %[[GROUP:.*]] = add nuw i64 %{{.*}}, %x{{.*}}
; CHECK: %[[FIRST:.*]] = mul nuw i64 %[[GROUP]], %{{.*}}
; CHECK: add nuw i64 %[[FIRST]], 0
define spir_kernel void @global(ptr addrspace(1) %p) {
  %local = call i64 @__weft_local_id(i32 0)
  %id = call i64 @__weft_global_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %id
  store i64 %local, ptr addrspace(1) %at
  ret void
}

; Nor does it matter how the source says along which dimension.
; CHECK-LABEL: define spir_kernel void @some(
; CHECK: body.single:
; CHECK: %[[NUMBER:.*]] = call i64 @__weft_group_id(i32 %d)
; CHECK: %[[ALONG:.*]] = icmp eq i32 %d, 0
; CHECK: %[[PLACE:.*]] = select i1 %[[ALONG]], i64 %x{{.*}}, i64 0
; CHECK: %[[GROUP:.*]] = add nuw i64 %[[NUMBER]], %[[PLACE]]
; CHECK: mul nuw i64 %[[GROUP]],
define spir_kernel void @some(ptr addrspace(1) %p, i32 %d) {
  %local = call i64 @__weft_local_id(i32 0)
  %id = call i64 @__weft_global_id(i32 %d)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %id
  store i64 %local, ptr addrspace(1) %at
  ret void
}

; A row of groups is none of a group's, which might be collapsed.
; ROWS-LABEL: define spir_kernel void @rows(
; ROWS: br i1 %{{.*}}, label %single.items, label %several.items
; ROWS: several.items:
; ROWS: br i1 %{{.*}}, label %z.loop.collapsed, label %
; ROWS: single.items:
; ROWS: br label %z.loop.single
define spir_kernel void @rows(ptr addrspace(1) %p) "weft-vector-width"="16" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %y
  store i64 %x, ptr addrspace(1) %at
  ret void
}

; Where all groups are such there is one nest.
; CHECK-LABEL: define spir_kernel void @required(
; CHECK-SAME: #[[COALESCED]]
; CHECK-NOT: br i1 %{{.*}}, label %single.items
; CHECK: %[[FIRST:.*]] = call i64 @__weft_group_id(i32 0)
; CHECK: %[[GROUP:.*]] = add nuw i64 %[[FIRST]], %x
; CHECK: store i64 %[[GROUP]], ptr addrspace(1) %p
define spir_kernel void @required(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %group = call i64 @__weft_group_id(i32 0)
  store i64 %group, ptr addrspace(1) %p
  ret void
}

; Groups that are known to have more are not coalesced.
; CHECK-LABEL: define spir_kernel void @longer(
; CHECK-SAME: #[[NOT:[0-9]+]]
; CHECK-NOT: single
define spir_kernel void @longer(ptr addrspace(1) %p) !reqd_work_group_size !1 {
  %group = call i64 @__weft_group_id(i32 0)
  store i64 %group, ptr addrspace(1) %p
  ret void
}

; CHECK-DAG: attributes #[[COALESCED]] = {{.*}}"weft-coalesced-groups"="2"
; CHECK-DAG: attributes #[[NOT]] = {{.*}}"weft-coalesced-groups"="0"
!0 = !{i32 1, i32 4, i32 1}
!1 = !{i32 4, i32 1, i32 1}
