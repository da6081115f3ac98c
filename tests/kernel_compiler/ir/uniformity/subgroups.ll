; What sub-groups have differs within the group, whichever is asked; but for their size.
; RUN: weft-opt --passes='print<weft-uniformity>' -disable-output %s 2>&1 | FileCheck %s

declare i32 @__weft_sub_size() memory(none)
declare i32 @__weft_sub_lane() memory(none)
declare i32 @__weft_sub_ballot(i32) memory(none) convergent

; CHECK-LABEL: uniformity of k:
; CHECK: uniform:{{.*}}%size =
; CHECK: varying:{{.*}}%lane =
; CHECK: varying:{{.*}}%ballot =
define spir_kernel void @k(ptr addrspace(1) %p) {
  %size = call i32 @__weft_sub_size()
  %lane = call i32 @__weft_sub_lane()
  %ballot = call i32 @__weft_sub_ballot(i32 1)
  ret void
}

; What runs once for the group gives one value, whatever the variable it looks at.
; CHECK-LABEL: uniformity of once:
; CHECK: varying:{{.*}}%values =
; CHECK: uniform:{{.*}}%sum =
declare i32 @__weft_once_sum(ptr, i64, i32)
define spir_kernel void @once(ptr addrspace(1) %p, i64 %n) {
  %values = alloca i32
  %sum = call i32 @__weft_once_sum(ptr %values, i64 %n, i32 0)
  ret void
}
