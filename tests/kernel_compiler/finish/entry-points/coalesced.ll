; Groups that are coalesced: an iteration runs neighbours along x, up to the end of the row and of the range.
; RUN: weft-opt --passes='entry-points,verify' -S %s | FileCheck %s

declare i64 @__weft_local_size(i32)
declare i64 @__weft_enqueued_local_size(i32)
declare i64 @__weft_first_item(i32)

; CHECK-LABEL: define internal void @k(
; CHECK: %[[ROWS:.*]] = mul nuw i64
; CHECK: %[[ONE:.*]] = icmp eq i64 %[[ROWS]], 1
; CHECK: call i64 @llvm.ctlz.i64(i64 %[[ROWS]], i1 true)
; CHECK: %[[LONG:.*]] = lshr i64 65536, %{{.*}}
; CHECK: call i64 @llvm.umax.i64(i64 %[[LONG]], i64 64)
; CHECK: %[[MOST:.*]] = select i1 %[[ONE]], i64 -1, i64
; CHECK: group.row:
; CHECK: %[[FIRST:group.*]] = phi i64 [ %3, %entry ]
; CHECK: %[[X:group.id.*]] = phi i64
; CHECK-DAG: %[[ROW:.*]] = sub i64 %{{.*}}, %[[X]]
; CHECK-DAG: %[[LEFT:.*]] = sub i64 %4, %[[FIRST]]
; CHECK: %[[ROWLENGTH:.*]] = call i64 @llvm.umin.i64(i64 %[[ROW]], i64 %[[LEFT]])
; CHECK: %[[END:.*]] = add nuw i64 %[[X]], %[[ROWLENGTH]]
; CHECK: group:
; CHECK: %[[AT:.*]] = phi i64 [ %[[X]], %group.row ], [ %[[STEP:.*]], %group ]
; CHECK: %[[REST:.*]] = sub i64 %[[END]], %[[AT]]
; CHECK: %[[LENGTH:.*]] = call i64 @llvm.umin.i64(i64 %[[REST]], i64 %[[MOST]])
; CHECK: %[[ITEMS:.*]] = mul nuw i64 %[[LENGTH]],
; CHECK: %[[SIZE:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %[[ITEMS]])
; CHECK: store i64 %[[SIZE]], ptr addrspace(1)
; CHECK: %[[STEP]] = add nuw i64 %[[AT]], %[[LENGTH]]
define spir_kernel void @k(ptr addrspace(1) %p) "weft-coalesced-groups"="1" "weft-vector-width"="16" {
  %size = call i64 @__weft_local_size(i32 0)
  store i64 %size, ptr addrspace(1) %p
  ret void
}

; Rows that use the same memory stay short.
; CHECK-LABEL: define internal void @shared(
; CHECK: select i1 %{{.*}}, i64 16, i64 64
; CHECK-NOT: 65536
define spir_kernel void @shared(ptr addrspace(1) %p) "weft-coalesced-groups"="1" "weft-vector-width"="16" "weft-shares-rows"="1" {
  %size = call i64 @__weft_local_size(i32 0)
  store i64 %size, ptr addrspace(1) %p
  ret void
}

; Groups that are coalesced when they have one work-item along x have their own loops, which know it.
; CHECK-LABEL: define internal void @single(
; CHECK: %[[IS:.*]] = icmp eq i64 %[[ENQUEUED:.*]], 1
; CHECK: br i1 %[[IS]], label %single.items, label %several.items
; CHECK: br i1 %{{.*}}, label %[[SINGLE:.*]], label %exit
; CHECK: several.items:
; CHECK: br i1 %{{.*}}, label %group.row, label %exit
; CHECK: {{^}}group:
; CHECK: store i64 %[[ENQUEUED]], ptr addrspace(1)
; CHECK: {{^}}[[SINGLE]]:
; CHECK: store i64 1, ptr addrspace(1)
define spir_kernel void @single(ptr addrspace(1) %p) "weft-coalesced-groups"="2" "weft-vector-width"="16" {
  %size = call i64 @__weft_enqueued_local_size(i32 0)
  store i64 %size, ptr addrspace(1) %p
  ret void
}
