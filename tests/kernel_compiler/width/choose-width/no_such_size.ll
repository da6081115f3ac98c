; A size of sub-groups that there is not is an error.
; RUN: not weft-opt --passes=choose-width -disable-output %s 2>&1 | FileCheck %s

; CHECK: error: kernel 'k' requires sub-groups of 2; there are sub-groups of 4, 8, 16, 32
define spir_kernel void @k() !intel_reqd_sub_group_size !0 {
  ret void
}

!0 = !{i32 2}
