; Sub-groups are as wide as the registers, in a narrow group too when it has enough rows, and of the kernel's own
; vectors too; or as wide as the kernel requires.
; RUN: weft-opt --passes=choose-width -weft-register-bits=256 -S %s | FileCheck %s

declare i32 @__weft_sub_lane()

; CHECK: define spir_kernel void @rows({{.*}}) #[[ROWS:[0-9]+]]
define spir_kernel void @rows(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %lane = call i32 @__weft_sub_lane()
  %v = load <8 x float>, ptr addrspace(1) %p
  %sum = fadd <8 x float> %v, %v
  store <8 x float> %sum, ptr addrspace(1) %p
  store i32 %lane, ptr addrspace(1) %p
  ret void
}

; CHECK: define spir_kernel void @required({{.*}}) #[[REQUIRED:[0-9]+]]
define spir_kernel void @required() !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  ret void
}

; CHECK-DAG: attributes #[[ROWS]] = { "weft-forced-width"="1" {{.*}}"weft-subgroups"="1" "weft-vector-width"="8" }
; CHECK-DAG: attributes #[[REQUIRED]] = { "weft-forced-width"="1" "weft-subgroups"="1" "weft-vector-width"="32" }
!0 = !{i32 2, i32 8, i32 1}
!1 = !{i32 32}
