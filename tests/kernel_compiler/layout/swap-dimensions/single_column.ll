; Groups with one work-item along x that see each other: vectors go along their longest dimension. Groups that show nothing are coalesced
; along x instead, and where a work-item sees the order of linear local ids nothing changes.
; RUN: weft-opt --passes='swap-dimensions,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare i64 @__weft_global_id(i32) memory(none)
declare i64 @__weft_global_size(i32) memory(none)
declare void @__weft_barrier(i32, i32, i32)
declare i32 @printf(ptr addrspace(2), ...)

; CHECK-LABEL: define spir_kernel void @column(
; CHECK: %y = call i64 @__weft_local_id(i32 0)
define spir_kernel void @column(ptr addrspace(1) %p, ptr addrspace(3) %t) !reqd_work_group_size !0 {
  %y = call i64 @__weft_local_id(i32 1)
  %size = call i64 @__weft_global_size(i32 0)
  %i = mul i64 %y, %size
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %place
  %local = getelementptr float, ptr addrspace(3) %t, i64 %y
  store float %v, ptr addrspace(3) %local
  ret void
}

; CHECK-LABEL: define spir_kernel void @coalesced(
; CHECK: %y = call i64 @__weft_global_id(i32 1)
define spir_kernel void @coalesced(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %size = call i64 @__weft_global_size(i32 0)
  %row = mul i64 %y, %size
  %i = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %place
  ret void
}

; CHECK-LABEL: define spir_kernel void @prints(
; CHECK: %y = call i64 @__weft_local_id(i32 1)
define spir_kernel void @prints(ptr addrspace(2) %format) !reqd_work_group_size !0 {
  %y = call i64 @__weft_local_id(i32 1)
  %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) %format, i64 %y)
  ret void
}

!0 = !{i32 1, i32 64, i32 1}
