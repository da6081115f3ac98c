; Places that differ by small numbers from data, beside a step, are near each other along that dimension, which vectors go along: unless stores
; are farther apart then, or the numbers are not small.
; RUN: weft-opt --passes='swap-dimensions,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @near(
; CHECK: %x = call i64 @__weft_global_id(i32 1)
; CHECK: %y = call i64 @__weft_global_id(i32 0)
define spir_kernel void @near(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r, i64 %h) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %row = mul i64 %x, %h
  %i = add i64 %row, %y
  %count.place = getelementptr i8, ptr addrspace(1) %q, i64 %i
  %count = load i8, ptr addrspace(1) %count.place
  %first = zext i8 %count to i64
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %smaller, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %j = add i64 %i, %k
  %place = getelementptr float, ptr addrspace(1) %p, i64 %j
  %v = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %v
  %times = mul i64 %k, 3
  %smaller = lshr i64 %times, 2
  %is = icmp ne i64 %smaller, 0
  br i1 %is, label %loop, label %out
out:
  %to = getelementptr float, ptr addrspace(1) %r, i64 %i
  store float %more, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @far_stores(
; CHECK: %x = call i64 @__weft_global_id(i32 0)
define spir_kernel void @far_stores(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r, i64 %h) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %row = mul i64 %x, %h
  %i = add i64 %row, %y
  %row.y = mul i64 %y, %h
  %i.y = add i64 %row.y, %x
  %count.place = getelementptr i8, ptr addrspace(1) %q, i64 %i
  %count = load i8, ptr addrspace(1) %count.place
  %first = zext i8 %count to i64
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %smaller, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %j = add i64 %i, %k
  %place = getelementptr float, ptr addrspace(1) %p, i64 %j
  %v = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %v
  %times = mul i64 %k, 3
  %smaller = lshr i64 %times, 2
  %is = icmp ne i64 %smaller, 0
  br i1 %is, label %loop, label %out
out:
  %to = getelementptr float, ptr addrspace(1) %r, i64 %i.y
  store float %more, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @large(
; CHECK: %x = call i64 @__weft_global_id(i32 0)
define spir_kernel void @large(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r, i64 %h) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %row = mul i64 %y, %h
  %i.x = add i64 %row, %x
  %count.place = getelementptr i8, ptr addrspace(1) %q, i64 %i.x
  %count = load i8, ptr addrspace(1) %count.place
  %first = zext i8 %count to i64
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %smaller, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %rows = mul i64 %k, %h
  %j = add i64 %y, %rows
  %place = getelementptr float, ptr addrspace(1) %p, i64 %j
  %v = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %v
  %times = mul i64 %k, 3
  %smaller = lshr i64 %times, 2
  %is = icmp ne i64 %smaller, 0
  br i1 %is, label %loop, label %out
out:
  %to = getelementptr float, ptr addrspace(1) %r, i64 %i.x
  store float %more, ptr addrspace(1) %to
  ret void
}
