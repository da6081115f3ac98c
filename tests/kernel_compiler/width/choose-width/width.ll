; A group that is known to be narrow has no use for more lanes; the kernel's own vectors become scalars.
; RUN: weft-opt --passes=choose-width -weft-register-bits=256 -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @narrow(
; CHECK-SAME: #[[NARROW:[0-9]+]]
; CHECK: fadd float
; CHECK: fadd float
; CHECK-NOT: fadd <2 x float>
define spir_kernel void @narrow(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr <2 x float>, ptr addrspace(1) %p, i64 %x
  %v = load <2 x float>, ptr addrspace(1) %at
  %sum = fadd <2 x float> %v, %v
  store <2 x float> %sum, ptr addrspace(1) %at
  ret void
}

; Rows of two share a vector, as many as fill it. A row of four has half a vector for itself.
; CHECK-LABEL: define spir_kernel void @rows_of_two(
; CHECK-SAME: #[[WIDE:[0-9]+]]
define spir_kernel void @rows_of_two(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %line = mul i64 %y, 2
  %place = add i64 %line, %x
  %at = getelementptr float, ptr addrspace(1) %p, i64 %place
  store float 1.0, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @rows_of_four(
; CHECK-SAME: #[[HALF:[0-9]+]]
define spir_kernel void @rows_of_four(ptr addrspace(1) %p) !reqd_work_group_size !2 {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %line = mul i64 %y, 4
  %place = add i64 %line, %x
  %at = getelementptr float, ptr addrspace(1) %p, i64 %place
  store float 1.0, ptr addrspace(1) %at
  ret void
}

; Groups that run as one are as wide as one likes.
; CHECK-LABEL: define spir_kernel void @coalesces(
; CHECK-SAME: #[[WIDE]]
define spir_kernel void @coalesces(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @single(
; CHECK-SAME: #[[WIDE]]
define spir_kernel void @single(ptr addrspace(1) %p) !reqd_work_group_size !1 {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr float, ptr addrspace(1) %p, i64 %x
  store float 1.0, ptr addrspace(1) %at
  ret void
}

; Loaded integers of 64 bits are as wide as they are; indices are not counted so.
; CHECK-LABEL: define spir_kernel void @longs(
; CHECK-SAME: #[[HALF]]
define spir_kernel void @longs(ptr addrspace(1) %p) {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %x
  %v = load i64, ptr addrspace(1) %at
  %square = mul i64 %v, %v
  %sum = add i64 %square, 1
  store i64 %sum, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @long_indices(
; CHECK-SAME: #[[WIDE]]
define spir_kernel void @long_indices(ptr addrspace(1) %p) {
  %x = call i64 @__weft_local_id(i32 0)
  %twice = mul i64 %x, 2
  %next = add i64 %twice, 1
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %next
  %v = load i32, ptr addrspace(1) %at
  %sum = add i32 %v, 1
  store i32 %sum, ptr addrspace(1) %at
  ret void
}

; CHECK-DAG: attributes #[[HALF]] = { "weft-vector-width"="4" }
; CHECK-DAG: attributes #[[NARROW]] = { {{.*}}"weft-vector-width"="2" }
; CHECK-DAG: attributes #[[WIDE]] = { "weft-vector-width"="8" }

!0 = !{i32 2, i32 8, i32 1}
!1 = !{i32 1, i32 8, i32 1}
!2 = !{i32 4, i32 4, i32 1}
