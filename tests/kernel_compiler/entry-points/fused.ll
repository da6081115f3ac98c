; Groups that fuse: a round runs neighbours along x, up to the end of the row and of the range.
; RUN: weft-opt --passes='entry-points,verify' -S %s | FileCheck %s

declare i64 @__weft_local_size(i32)

; CHECK: %[[ROWS:.*]] = mul nuw i64
; CHECK: %[[ONE:.*]] = icmp eq i64 %[[ROWS]], 1
; CHECK: %[[MOST:.*]] = select i1 %[[ONE]], i64 -1, i64
; CHECK: group:
; CHECK: %[[FIRST:group.*]] = phi i64 [ %3, %entry ], [ %[[NEXT:.*]], %group ]
; CHECK: %[[X:group.id.*]] = phi i64
; CHECK: %[[ROW:.*]] = sub i64 %{{.*}}, %[[X]]
; CHECK: %[[LEFT:.*]] = sub i64 %4, %[[FIRST]]
; CHECK: %[[SHORT:.*]] = call i64 @llvm.umin.i64(i64 %[[ROW]], i64 %[[LEFT]])
; CHECK: %[[LENGTH:.*]] = call i64 @llvm.umin.i64(i64 %[[SHORT]], i64 %[[MOST]])
; CHECK: %[[ITEMS:.*]] = mul nuw i64 %[[LENGTH]],
; CHECK: %[[SIZE:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %[[ITEMS]])
; CHECK: store i64 %[[SIZE]], ptr addrspace(1)
; CHECK: add nuw i64 %[[X]], %[[LENGTH]]
; CHECK: %[[NEXT]] = add nuw i64 %[[FIRST]], %[[LENGTH]]
define spir_kernel void @k(ptr addrspace(1) %p) "weft-fuses-groups"="1" "weft-vector-width"="16" {
  %size = call i64 @__weft_local_size(i32 0)
  store i64 %size, ptr addrspace(1) %p
  ret void
}
