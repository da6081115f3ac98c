; A kernel becomes a loop over groups that reads its arguments from the packed block.
; RUN: weft-opt --passes='entry-points,verify' -S %s | FileCheck %s

declare i64 @__weft_group_id(i32)
declare i64 @__weft_num_groups(i32)

; CHECK-NOT: spir_kernel
; CHECK-NOT: @__weft_
; CHECK: define internal void @k(ptr noalias nonnull readonly %0, ptr noalias nonnull readonly %1, ptr %2, i64 %3, i64 %4)
; CHECK: group:
; CHECK: %[[X:.*]] = phi i64
; CHECK: %[[ID:group.id.*]] = phi i64
; CHECK: store i64 %[[ID]], ptr addrspace(1)
; CHECK: br i1 %{{.*}}, label %group, label %exit, !llvm.loop ![[GROUPS:[0-9]+]]
; CHECK: ![[GROUPS]] = distinct !{![[GROUPS]], {{.*}}}
; CHECK: !{!"weft.loop.single"}
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %g = call i64 @__weft_group_id(i32 0)
  store i64 %g, ptr addrspace(1) %p
  ret void
}
