; A kernel becomes a loop over rows of groups and one over a row's groups that reads its arguments from the packed block.
; RUN: weft-opt --passes='entry-points,verify' -S %s | FileCheck %s

declare i64 @__weft_group_id(i32)
declare i64 @__weft_num_groups(i32)

; CHECK-NOT: spir_kernel
; CHECK-NOT: @__weft_
; CHECK: define internal void @k(ptr noalias nonnull readonly %0, ptr noalias nonnull readonly %1, ptr "weft-context" %2, i64 %3, i64 %4)
; CHECK: group.row:
; CHECK: %[[GROUP:.*]] = phi i64 [ %3, %entry ], [ %[[NEXT:.*]], %group.row.end ]
; CHECK: %[[X:.*]] = phi i64 [ %{{.*}}, %entry ], [ 0, %group.row.end ]
; CHECK: %[[LENGTH:.*]] = call i64 @llvm.umin.i64
; CHECK: %[[END:.*]] = add nuw i64 %[[X]], %[[LENGTH]]
; CHECK: group:
; CHECK: %[[ID:.*]] = phi i64 [ %[[X]], %group.row ], [ %[[STEP:.*]], %group ]
; CHECK: store i64 %[[ID]], ptr addrspace(1)
; CHECK: %[[STEP]] = add nuw i64 %[[ID]], 1
; CHECK: %[[MORE:.*]] = icmp ult i64 %[[STEP]], %[[END]]
; CHECK: br i1 %[[MORE]], label %group, label %group.row.end, !llvm.loop ![[GROUPS:[0-9]+]]
; CHECK: group.row.end:
; CHECK: %[[NEXT]] = add nuw i64 %[[GROUP]], %[[LENGTH]]
; CHECK: br i1 %{{.*}}, label %group.row, label %exit, !llvm.loop ![[ROWS:[0-9]+]]
; CHECK: ![[GROUPS]] = distinct !{![[GROUPS]], {{.*}}}
; CHECK: !{!"weft.loop.single"}
; CHECK: ![[ROWS]] = distinct !{![[ROWS]], {{.*}}}
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %g = call i64 @__weft_group_id(i32 0)
  store i64 %g, ptr addrspace(1) %p
  ret void
}
