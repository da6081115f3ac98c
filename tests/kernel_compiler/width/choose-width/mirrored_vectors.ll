; Vectors at a mirrored place, or at a place kept within a plane, are mostly neighbours': lanes test for that, and elements become
; scalars. Those at a place that is no sum of ids stay.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @mirrored(
; CHECK-SAME: #[[LANES:[0-9]+]]
; CHECK-NOT: fadd <4 x float>
define spir_kernel void @mirrored(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %w) {
entry:
  %id = call i64 @__weft_global_id(i32 0)
  %x = trunc i64 %id to i32
  %before = add i32 %x, -1
  %inside = call i32 @llvm.abs.i32(i32 %before, i1 true)
  %isBeyond = icmp sge i32 %inside, %w
  br i1 %isBeyond, label %beyond, label %load
beyond:
  %twice = shl i32 %w, 1
  %back = sub i32 %twice, %inside
  br label %load
load:
  %place = phi i32 [ %back, %beyond ], [ %inside, %entry ]
  %wide = zext i32 %place to i64
  %from = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %wide
  %a = load <4 x float>, ptr addrspace(1) %from
  %sum = fadd <4 x float> %a, splat (float 1.0)
  %more = fadd <4 x float> %sum, %a
  %to = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %id
  store <4 x float> %more, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @plane(
; CHECK-SAME: #[[LANES]]
; CHECK-NOT: fadd <3 x float>
define spir_kernel void @plane(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w, i64 %h) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %row = call i64 @llvm.umin.i64(i64 %y, i64 %h)
  %column = call i64 @llvm.umin.i64(i64 %x, i64 %w)
  %begin = mul i64 %row, %w
  %place = add i64 %begin, %column
  %from = getelementptr <3 x float>, ptr addrspace(1) %p, i64 %place
  %a = load <3 x float>, ptr addrspace(1) %from
  %sum = fadd <3 x float> %a, splat (float 1.0)
  %more = fadd <3 x float> %sum, %a
  %to = getelementptr <3 x float>, ptr addrspace(1) %q, i64 %x
  store <3 x float> %more, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @columns(
; CHECK-SAME: #[[KEPT:[0-9]+]]
; CHECK: fadd <4 x float>
define spir_kernel void @columns(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w) {
  %x = call i64 @__weft_global_id(i32 0)
  %near = call i64 @llvm.umin.i64(i64 %x, i64 %w)
  %place = mul i64 %near, %w
  %from = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %place
  %a = load <4 x float>, ptr addrspace(1) %from
  %sum = fadd <4 x float> %a, splat (float 1.0)
  %more = fadd <4 x float> %sum, %a
  %to = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %x
  store <4 x float> %more, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: attributes #[[LANES]] = { {{.*}}"weft-vector-width"="16"
; CHECK-DAG: attributes #[[KEPT]] = { {{.*}}"weft-vector-width"="1"
