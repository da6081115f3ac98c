; A kernel that requires sub-groups and cannot be widened is an error.
; RUN: not weft-opt --passes='work-item-loops,widen-loops' -disable-output %s 2>&1 | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)

; CHECK: error: kernel 'k' requires sub-groups of 8, but
define spir_kernel void @k(ptr addrspace(1) %p) #0 !intel_reqd_sub_group_size !0 {
  %large = alloca [20000 x i32]
  %x = call i64 @__weft_local_id(i32 0)
  %place = getelementptr i32, ptr %large, i64 %x
  store volatile i32 1, ptr %place
  ret void
}

attributes #0 = { "weft-vector-width"="8" "weft-forced-width"="1" "weft-subgroups"="1" }
!0 = !{i32 8}
