; A dimension along which memory is contiguous becomes x: all queries change, and the required size of a group. Steps of y do not help
; where x has neighbours already, or where both are alike (a transposition).
; RUN: weft-opt --passes='swap-dimensions,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)
declare i64 @__weft_global_size(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @columns(
; CHECK-SAME: #[[SWAPPED:[0-9]+]] !reqd_work_group_size ![[SIZE:[0-9]+]]
; CHECK: %x = call i64 @__weft_global_id(i32 1)
; CHECK: %y = call i64 @__weft_global_id(i32 0)
; CHECK: %z = call i64 @__weft_global_id(i32 2)
; CHECK: %size = call i64 @__weft_global_size(i32 0)
define spir_kernel void @columns(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %z = call i64 @__weft_global_id(i32 2)
  %size = call i64 @__weft_global_size(i32 1)
  %row = mul i64 %x, %size
  %i = add i64 %row, %y
  %i.z = add i64 %i, %z
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %place
  store float %v, ptr addrspace(1) %place
  ret void
}

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK: %x = call i64 @__weft_global_id(i32 0)
define spir_kernel void @rows(ptr addrspace(1) %p) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %size = call i64 @__weft_global_size(i32 0)
  %row = mul i64 %y, %size
  %i = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %place
  store float %v, ptr addrspace(1) %place
  ret void
}

; CHECK-LABEL: define spir_kernel void @transpose(
; CHECK: %x = call i64 @__weft_global_id(i32 0)
define spir_kernel void @transpose(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %size = call i64 @__weft_global_size(i32 0)
  %row = mul i64 %y, %size
  %column = mul i64 %x, %size
  %i = add i64 %row, %x
  %j = add i64 %column, %y
  %from = getelementptr float, ptr addrspace(1) %p, i64 %i
  %to = getelementptr float, ptr addrspace(1) %q, i64 %j
  %v = load float, ptr addrspace(1) %from
  store float %v, ptr addrspace(1) %to
  ret void
}

; CHECK: attributes #[[SWAPPED]] = { "weft-swapped-dimension"="1" }
; CHECK: ![[SIZE]] = !{i32 8, i32 16, i32 1}
!0 = !{i32 16, i32 8, i32 1}
