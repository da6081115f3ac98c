; Groups that follow each other along y: a row of them goes along y.
; RUN: weft-opt --passes='entry-points,verify' -S %s | FileCheck %s

declare i64 @__weft_group_id(i32)

; CHECK: define internal void @k(
; CHECK: %[[Y0:.*]] = urem i64 %3, %[[ROWS:.*]]
; CHECK: %[[REST:.*]] = udiv i64 %3, %[[ROWS]]
; CHECK: %[[X0:.*]] = urem i64 %[[REST]], %[[COUNT:.*]]
; CHECK: group.row:
; CHECK: %[[X:.*]] = phi i64 [ %[[X0]], %entry ], [ %[[NEXTX:.*]], %group.row.end ]
; CHECK: %[[Y:.*]] = phi i64 [ %[[Y0]], %entry ], [ 0, %group.row.end ]
; CHECK: %[[LEFT:.*]] = sub i64 %[[ROWS]], %[[Y]]
; CHECK: group:
; CHECK: %[[ID:.*]] = phi i64 [ %[[Y]], %group.row ], [ %[[STEP:.*]], %group ]
; CHECK: store i64 %[[X]], ptr addrspace(1)
; CHECK: store i64 %[[ID]], ptr addrspace(1)
; CHECK: %[[STEP]] = add nuw i64 %[[ID]], 1
; CHECK: group.row.end:
; CHECK: %[[NEXT:.*]] = add nuw i64 %[[X]], 1
; CHECK: %[[WRAPS:.*]] = icmp eq i64 %[[NEXT]], %[[COUNT]]
; CHECK: %[[NEXTX]] = select i1 %[[WRAPS]], i64 0, i64 %[[NEXT]]
define spir_kernel void @k(ptr addrspace(1) %p) "weft-groups-along-y"="1" {
  %x = call i64 @__weft_group_id(i32 0)
  %y = call i64 @__weft_group_id(i32 1)
  store i64 %x, ptr addrspace(1) %p
  store i64 %y, ptr addrspace(1) %p
  ret void
}
