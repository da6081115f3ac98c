; Ids that are places in a plane: kernels whose memory is contiguous from row to row are marked, and their vectors' steps are those from row to
; row. Not where a store is contiguous along a row, as in a transposition, nor where little is gained.
; RUN: weft-opt --passes='swap-dimensions,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)
declare i64 @__weft_local_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @swapped(
; CHECK-SAME: #[[ROWS:[0-9]+]]
define spir_kernel void @swapped(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %height) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = urem i64 %id, 1024
  %y = udiv i64 %id, 1024
  %column = mul i64 %x, %height
  %i = add i64 %column, %y
  %from = getelementptr float, ptr addrspace(1) %p, i64 %i
  %to = getelementptr float, ptr addrspace(1) %q, i64 %i
  %v = load float, ptr addrspace(1) %from
  store float %v, ptr addrspace(1) %to
  ret void
}

; An int, and a number of columns that is an argument.
; CHECK-LABEL: define spir_kernel void @argument(
; CHECK-SAME: #[[ROWS]]
define spir_kernel void @argument(ptr addrspace(1) %p, i32 %width, i32 %height) {
  %id = call i64 @__weft_global_id(i32 0)
  %cut = trunc i64 %id to i32
  %x = srem i32 %cut, %width
  %y = sdiv i32 %cut, %width
  %column = mul i32 %x, %height
  %at = add i32 %column, %y
  %i = sext i32 %at to i64
  %to = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %v = load i32, ptr addrspace(1) %to
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @transposed(
; CHECK-SAME: {{%height\) {$}}
define spir_kernel void @transposed(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %height) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = urem i64 %id, 1024
  %y = udiv i64 %id, 1024
  %column = mul i64 %x, %height
  %i = add i64 %column, %y
  %from = getelementptr float, ptr addrspace(1) %p, i64 %i
  %next = getelementptr float, ptr addrspace(1) %from, i64 1
  %to = getelementptr float, ptr addrspace(1) %q, i64 %id
  %v = load float, ptr addrspace(1) %from
  %w = load float, ptr addrspace(1) %next
  %sum = fadd float %v, %w
  store float %sum, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @along_rows(
; CHECK-SAME: {{%width\) {$}}
define spir_kernel void @along_rows(ptr addrspace(1) %p, i64 %width) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = urem i64 %id, 1024
  %y = udiv i64 %id, 1024
  %row = mul i64 %y, %width
  %i = add i64 %row, %x
  %to = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

; The group shows.
; CHECK-LABEL: define spir_kernel void @shown(
; CHECK-SAME: {{%height\) {$}}
define spir_kernel void @shown(ptr addrspace(1) %p, i64 %height) {
  %id = call i64 @__weft_global_id(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %x = urem i64 %id, 1024
  %y = udiv i64 %id, 1024
  %column = mul i64 %x, %height
  %i = add i64 %column, %y
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  store i64 %local, ptr addrspace(1) %to
  ret void
}

; CHECK: attributes #[[ROWS]] = { "weft-interchanged-ids"="1" }
