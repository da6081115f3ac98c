; Groups whose stores are far apart along x run in tiles of work-items. What whole rows of groups have runs tile by tile.
; RUN: weft-opt --passes='entry-points,verify' -S %s | FileCheck %s

declare i64 @__weft_local_size(i32)
declare i64 @__weft_first_item(i32)

; The width is that of vectors where y has a multiple of 256 work-items; the height is of whole groups. Groups of more than 16 rows are tiles.
; CHECK-LABEL: define internal void @tiles(
; CHECK: %[[OVER:.*]] = and i64 %[[SIZEY:.*]], 255
; CHECK: %[[IS:.*]] = icmp eq i64 %[[OVER]], 0
; CHECK: %[[WIDTH:.*]] = select i1 %[[IS]], i64 16, i64 64
; CHECK: call i64 @llvm.ctlz.i64(i64 %[[GROUPY:.*]], i1 true)
; CHECK: lshr i64 64,
; CHECK: %[[HEIGHT:.*]] = mul nuw i64 %{{.*}}, %[[GROUPY]]
; CHECK: %[[HIGH:.*]] = icmp ugt i64 %[[GROUPY]], 16
; CHECK: %[[W:.*]] = select i1 %[[HIGH]], i64 %{{.*}}, i64 %[[WIDTH]]
; CHECK: %[[H:.*]] = select i1 %[[HIGH]], i64 %[[GROUPY]], i64 %[[HEIGHT]]
; CHECK: {{^}}band:
; CHECK: %[[GROUP:group.*]] = phi i64 [ %3, %entry ], [ %[[NEXT:.*]], %band.end ]
; CHECK: %[[ROWS:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 1
; CHECK: %[[ENDY:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %[[SIZEY]])
; CHECK: {{^}}tile.row:
; CHECK: %[[Y:first.y]] = phi i64
; CHECK: %[[LEFT:.*]] = sub i64 %[[ENDY]], %[[Y]]
; CHECK: call i64 @llvm.umin.i64(i64 %[[H]], i64 %[[LEFT]])
; CHECK: {{^}}tile:
; CHECK: %[[X:first.x]] = phi i64
; CHECK: %[[SIZE:.*]] = call i64 @llvm.umin.i64(i64 %[[W]], i64 %{{.*}})
; CHECK: %[[SUM:.*]] = add i64 %[[X]], %[[SIZE]]
; CHECK: %[[ALL:.*]] = add i64 %[[SUM]], %[[Y]]
; CHECK: store i64 %[[ALL]]
; CHECK: add nuw i64 %[[X]], %[[W]]
; CHECK: {{^}}tile.row.end:
; CHECK: add nuw i64 %[[Y]], %[[H]]
; CHECK: {{^}}band.end:
; CHECK: %[[NEXT]] = add nuw i64 %[[GROUP]],
define spir_kernel void @tiles(ptr addrspace(1) %p) #0 {
  %size = call i64 @__weft_local_size(i32 0)
  %x = call i64 @__weft_first_item(i32 0)
  %y = call i64 @__weft_first_item(i32 1)
  %sum = add i64 %x, %size
  %all = add i64 %sum, %y
  store i64 %all, ptr addrspace(1) %p
  ret void
}

; Work-items that run one after the other: what is there is for the first cache, whatever size groups have.
; CHECK-LABEL: define internal void @alone(
; CHECK: %[[OVER:.*]] = and i64 %{{.*}}, 255
; CHECK: %[[IS:.*]] = icmp eq i64 %[[OVER]], 0
; CHECK: %[[WIDTH:.*]] = select i1 %[[IS]], i64 8, i64 64
; CHECK: {{^}}tile.row:
; CHECK: call i64 @llvm.umin.i64(i64 16, i64 %{{.*}})
; CHECK: {{^}}tile:
; CHECK: call i64 @llvm.umin.i64(i64 %[[WIDTH]], i64 %{{.*}})
define spir_kernel void @alone(ptr addrspace(1) %p) #1 {
  %x = call i64 @__weft_first_item(i32 0)
  %y = call i64 @__weft_first_item(i32 1)
  %sum = add i64 %x, %y
  store i64 %sum, ptr addrspace(1) %p
  ret void
}

; Lanes of a kernel that is no plane to be turned over, or whose lanes are not few.
; CHECK-LABEL: define internal void @other(
; CHECK-NOT: {{^}}tile:
define spir_kernel void @other(ptr addrspace(1) %p) #2 {
  %x = call i64 @__weft_first_item(i32 0)
  store i64 %x, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define internal void @many_lanes(
; CHECK-NOT: {{^}}tile:
define spir_kernel void @many_lanes(ptr addrspace(1) %p) #3 {
  %x = call i64 @__weft_first_item(i32 0)
  store i64 %x, ptr addrspace(1) %p
  ret void
}

; Not where layers have their own places, nor where the host wants to know groups from each other.
; CHECK-LABEL: define internal void @layers(
; CHECK-NOT: {{^}}tile:
define spir_kernel void @layers(ptr addrspace(1) %p) #0 {
  %z = call i64 @__weft_first_item(i32 2)
  store i64 %z, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define internal void @some_dimension(
; CHECK-NOT: {{^}}tile:
define spir_kernel void @some_dimension(ptr addrspace(1) %p, i32 %d) #0 {
  %at = call i64 @__weft_first_item(i32 %d)
  store i64 %at, ptr addrspace(1) %p
  ret void
}

; Flag 64: counts cycles.
; CHECK-LABEL: define internal void @counts(
; CHECK-NOT: {{^}}tile:
define spir_kernel void @counts(ptr addrspace(1) %p) #0 "weft-kernel-flags"="64" {
  %x = call i64 @__weft_first_item(i32 0)
  store i64 %x, ptr addrspace(1) %p
  ret void
}

attributes #0 = { "weft-coalesced-groups"="1" "weft-vector-width"="16" "weft-shares-rows"="2" "weft-uses-rows"="1" "weft-far-lanes"="8" }
attributes #1 = { "weft-coalesced-groups"="1" "weft-vector-width"="1" "weft-uses-rows"="1" "weft-turned-plane"="1" }
attributes #2 = { "weft-coalesced-groups"="1" "weft-vector-width"="1" "weft-uses-rows"="1" }
attributes #3 = { "weft-coalesced-groups"="1" "weft-vector-width"="16" "weft-shares-rows"="2" "weft-uses-rows"="1" "weft-turned-plane"="1" }
