; Vectors of half a register stay, too, where they are loaded and stored more than computed with, if they are long: sixteen
; work-items' eight floats lie on eight cache lines. Short ones, and those that more is done with, get lanes. (Neighbours'
; vectors are packed instead: packed.ll.)
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

; CHECK-LABEL: define spir_kernel void @short(
; CHECK-SAME: #[[SPLIT:[0-9]+]]
; CHECK-NOT: fadd <4 x float>
define spir_kernel void @short(ptr addrspace(1) %p, ptr addrspace(1) %q) {
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

; CHECK-LABEL: define spir_kernel void @computed(
; CHECK-SAME: #[[SPLIT]]
; CHECK-NOT: fmul <8 x float>
define spir_kernel void @computed(ptr addrspace(1) %p) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = mul i64 %id, 2
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
  ret void
}

; CHECK: attributes #[[KEPT]] = { {{.*}}"weft-vector-width"="1"
; CHECK: attributes #[[SPLIT]] = { {{.*}}"weft-vector-width"="16"
