; Left as they are: a kernel of which most is floats; bytes of one work-item in four; a group that shows.
; RUN: weft-opt --passes='narrow-integers,verify' -S %s | FileCheck %s

; CHECK-NOT: i16
; CHECK-NOT: weft-narrow-integers

declare i64 @__weft_global_id(i32)

define spir_kernel void @floats(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__weft_global_id(i32 0)
  %from = getelementptr i8, ptr addrspace(1) %in, i64 %i
  %byte = load i8, ptr addrspace(1) %from
  %a = zext i8 %byte to i32
  %sum = add i32 %a, 1
  %number = uitofp i32 %sum to float
  %square = fmul float %number, %number
  %to = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %square, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @far(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__weft_global_id(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %byte = load i8, ptr addrspace(1) %from
  %a = zext i8 %byte to i32
  %sum = add i32 %a, 1
  %half = lshr i32 %sum, 1
  %result = trunc i32 %half to i8
  %to = getelementptr i8, ptr addrspace(1) %out, i64 %i
  store i8 %result, ptr addrspace(1) %to
  ret void
}

declare i64 @__weft_local_id(i32)

define spir_kernel void @shown(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__weft_local_id(i32 0)
  %from = getelementptr i8, ptr addrspace(1) %in, i64 %i
  %byte = load i8, ptr addrspace(1) %from
  %a = zext i8 %byte to i32
  %sum = add i32 %a, 1
  %half = lshr i32 %sum, 1
  %result = trunc i32 %half to i8
  %to = getelementptr i8, ptr addrspace(1) %out, i64 %i
  store i8 %result, ptr addrspace(1) %to
  ret void
}
