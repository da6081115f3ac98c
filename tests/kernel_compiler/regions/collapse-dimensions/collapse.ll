; Beside the loops over y and x, one over both, for groups half as wide as the vectors, and one for groups as wide.
; RUN: weft-opt --passes='work-item-loops,collapse-dimensions,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_size(i32) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @tile(
; CHECK: region0:
; CHECK: %[[TOTAL:.*]] = mul nuw i64 %{{.*}}, 8
; CHECK: %[[FITS:.*]] = icmp eq i64 %{{.*}}, 8
; CHECK: br i1 %[[FITS]], label %z.loop.collapsed, label %[[ELSE:.*]]
; CHECK: z.loop.collapsed:
; CHECK: br label %x.loop.collapsed
; CHECK: x.loop.collapsed:
; CHECK: %[[ITEM:.*]] = phi i64 [ 0, %z.loop.collapsed ], [ %[[NEXT:.*]], %x.next.collapsed ]
; CHECK: %[[X:.*]] = and i64 %[[ITEM]], 7
; CHECK: %[[Y:.*]] = lshr i64 %[[ITEM]], 3
; CHECK: body.collapsed:
; CHECK: %at{{.*}} = getelementptr [8 x i64], ptr addrspace(1) %p, i64 %[[Y]], i64 %[[X]]
; CHECK: store i64 8,
; CHECK: x.next.collapsed:
; CHECK: %[[NEXT]] = add nuw i64 %[[ITEM]], 1
; CHECK: icmp ult i64 %[[NEXT]], %[[TOTAL]]
; CHECK: br i1 %{{.*}}, label %x.loop.collapsed, label %z.next.collapsed, !weft.item.loop ![[EIGHT:[0-9]+]]
; CHECK: z.next.collapsed:
; CHECK: br i1 %{{.*}}, label %z.loop.collapsed, label %region0.end
; CHECK: [[ELSE]]:
; CHECK: %[[FITS:.*]] = icmp eq i64 %{{.*}}, 16
; CHECK: br i1 %[[FITS]], label %z.loop.collapsed[[B:.*]], label %[[ELSE:.*]]
; CHECK: z.loop.collapsed[[B]]:
; CHECK: lshr i64 %{{.*}}, 4
; CHECK: br i1 %{{.*}}, !weft.item.loop ![[SIXTEEN:[0-9]+]]
; CHECK: [[ELSE]]:
; CHECK: br label %z.loop
; CHECK: y.loop:
; CHECK: x.next:
; CHECK: br i1 %{{.*}}, label %x.loop, label %y.next, {{.*}}!weft.item.loop ![[ONE:[0-9]+]]
define spir_kernel void @tile(ptr addrspace(1) %p) "weft-vector-width"="16" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %n = call i64 @__weft_local_size(i32 0)
  %at = getelementptr [8 x i64], ptr addrspace(1) %p, i64 %y, i64 %x
  store i64 %n, ptr addrspace(1) %at
  ret void
}

; The size that is required, when every group is whole: the other loop is not widened.
; CHECK-LABEL: define spir_kernel void @required(
; CHECK: icmp eq i64 %{{.*}}, 4
; CHECK: lshr i64 %{{.*}}, 2
; CHECK: x.next:
; CHECK-NOT: !weft.item.loop
define spir_kernel void @required(ptr addrspace(1) %p) "weft-vector-width"="16" "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %at = getelementptr [8 x i64], ptr addrspace(1) %p, i64 %y, i64 %x
  store i64 1, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @as_wide(
; CHECK: icmp eq i64 %{{.*}}, 16
; CHECK: lshr i64 %{{.*}}, 4
define spir_kernel void @as_wide(ptr addrspace(1) %p) "weft-vector-width"="16" !reqd_work_group_size !1 {
  %y = call i64 @__weft_local_id(i32 1)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %y
  store i64 1, ptr addrspace(1) %at
  ret void
}

; No ids along y, groups that are coalesced, a required size that fills vectors: nothing to collapse.
; CHECK-LABEL: define spir_kernel void @along_x(
; CHECK-NOT: collapsed
define spir_kernel void @along_x(ptr addrspace(1) %p) "weft-vector-width"="16" {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 1, ptr addrspace(1) %at
  ret void
}

define spir_kernel void @coalesces(ptr addrspace(1) %p) "weft-vector-width"="16" "weft-coalesced-groups"="1" {
  %y = call i64 @__weft_local_id(i32 1)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %y
  store i64 1, ptr addrspace(1) %at
  ret void
}

define spir_kernel void @wide(ptr addrspace(1) %p) "weft-vector-width"="16" !reqd_work_group_size !2 {
  %y = call i64 @__weft_local_id(i32 1)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %y
  store i64 1, ptr addrspace(1) %at
  ret void
}

define spir_kernel void @line(ptr addrspace(1) %p) "weft-vector-width"="16" !reqd_work_group_size !3 {
  %y = call i64 @__weft_local_id(i32 1)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %y
  store i64 1, ptr addrspace(1) %at
  ret void
}

; CHECK-DAG: ![[EIGHT]] = !{i32 8}
; CHECK-DAG: ![[SIXTEEN]] = !{i32 16}
; CHECK-DAG: ![[ONE]] = !{}
!0 = !{i32 4, i32 8, i32 1}
!1 = !{i32 16, i32 4, i32 1}
!2 = !{i32 32, i32 4, i32 1}
!3 = !{i32 16, i32 1, i32 1}
