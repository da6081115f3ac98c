; Vectors of half a register and less stay, too, where accesses lose more than is computed: those with gaps between them are
; shuffled out of several registers, those that lie anywhere are gathered element by element. Those that
; more is done with get lanes; a division takes no longer on vectors than on lanes. (Neighbours' vectors, and short ones with small gaps, are packed
; instead: packed.ll.)
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @stream(
; CHECK-SAME: #[[KEPT:[0-9]+]]
; CHECK: fadd <8 x float>
define spir_kernel void @stream(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = mul i64 %id, 2
  %p.x = getelementptr <8 x float>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <8 x float>, ptr addrspace(1) %q, i64 %x
  %v = load <8 x float>, ptr addrspace(1) %p.x
  %w = load <8 x float>, ptr addrspace(1) %q.x
  %sum = fadd <8 x float> %v, %w
  store <8 x float> %sum, ptr addrspace(1) %p.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @gaps(
; CHECK-SAME: #[[KEPT]]
; CHECK: fadd <4 x float>
define spir_kernel void @gaps(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = mul i64 %id, 2
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %w = load <4 x float>, ptr addrspace(1) %q.x
  %sum = fadd <4 x float> %v, %w
  store <4 x float> %sum, ptr addrspace(1) %p.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @anywhere(
; CHECK-SAME: #[[KEPT]]
; CHECK: fmul <4 x float>
define spir_kernel void @anywhere(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %index) {
  %id = call i64 @__weft_global_id(i32 0)
  %index.x = getelementptr i32, ptr addrspace(1) %index, i64 %id
  %i = load i32, ptr addrspace(1) %index.x
  %x = sext i32 %i to i64
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %id
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %square = fmul <4 x float> %v, %v
  store <4 x float> %square, ptr addrspace(1) %q.x
  ret void
}

; Operations on half are conversions, too.
; CHECK-LABEL: define spir_kernel void @half(
; CHECK-SAME: #[[SPLIT:[0-9]+]]
; CHECK-NOT: fmul <4 x half>
define spir_kernel void @half(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = mul i64 %id, 17
  %p.x = getelementptr <4 x half>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <4 x half>, ptr addrspace(1) %q, i64 %id
  %v = load <4 x half>, ptr addrspace(1) %p.x
  %square = fmul <4 x half> %v, %v
  %sum = fadd <4 x half> %square, %v
  %product = fmul <4 x half> %sum, %v
  store <4 x half> %product, ptr addrspace(1) %q.x
  ret void
}

; Numbers beside the vectors, which would fill a register of lanes each.
; CHECK-LABEL: define spir_kernel void @computed(
; CHECK-SAME: #[[SPLIT]]
; CHECK-NOT: fmul <8 x float>
define spir_kernel void @computed(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = sub i64 1000, %id
  %p.x = getelementptr <8 x float>, ptr addrspace(1) %p, i64 %x
  %v0 = load <8 x float>, ptr addrspace(1) %p.x
  %v1 = fmul <8 x float> %v0, %v0
  %v2 = fmul <8 x float> %v1, %v0
  %v3 = fmul <8 x float> %v2, %v1
  %v4 = fmul <8 x float> %v3, %v2
  %v5 = fmul <8 x float> %v4, %v3
  %v6 = fmul <8 x float> %v5, %v4
  %v7 = fmul <8 x float> %v6, %v5
  %v8 = fmul <8 x float> %v7, %v6
  store <8 x float> %v8, ptr addrspace(1) %p.x
  %q.x = getelementptr float, ptr addrspace(1) %q, i64 %id
  %s0 = load float, ptr addrspace(1) %q.x
  %s1 = fmul float %s0, %s0
  %s2 = fmul float %s1, %s0
  %s3 = fmul float %s2, %s0
  %s4 = fmul float %s3, %s0
  %s5 = fmul float %s4, %s0
  %s6 = fmul float %s5, %s0
  %s7 = fmul float %s6, %s0
  %s8 = fmul float %s7, %s0
  store float %s8, ptr addrspace(1) %q.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @divided(
; CHECK-SAME: #[[KEPT]]
; CHECK: udiv <4 x i32>
define spir_kernel void @divided(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = mul i64 %id, 2
  %p.x = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x i32>, ptr addrspace(1) %p.x
  %w = load <4 x i32>, ptr addrspace(1) %q.x
  %quotient = udiv <4 x i32> %v, %w
  store <4 x i32> %quotient, ptr addrspace(1) %p.x
  ret void
}

; CHECK: attributes #[[KEPT]] = { {{.*}}"weft-vector-width"="1"
; CHECK: attributes #[[SPLIT]] = { {{.*}}"weft-vector-width"="16"
