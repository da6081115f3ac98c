; What all lanes compute once is done for more work-items at a time, where that is most of the work of packed vectors; so are masks of
; lanes that part by their data.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @shared(
; CHECK-SAME: #[[SIXTEEN:[0-9]+]]
; CHECK: fadd <4 x float>
define spir_kernel void @shared(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %w = load <4 x float>, ptr addrspace(1) %q
  %w2 = fmul <4 x float> %w, %w
  %w3 = fadd <4 x float> %w2, %w
  %w4 = fmul <4 x float> %w3, %w2
  %w5 = fadd <4 x float> %w4, %w3
  %w6 = fmul <4 x float> %w5, %w4
  %w7 = fadd <4 x float> %w6, %w5
  %w8 = fmul <4 x float> %w7, %w6
  %sum = fadd <4 x float> %v, %w8
  store <4 x float> %sum, ptr addrspace(1) %p.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @own(
; CHECK-SAME: #[[FOUR:[0-9]+]]
; CHECK: fadd <4 x float>
define spir_kernel void @own(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %w = load <4 x float>, ptr addrspace(1) %q
  %w2 = fmul <4 x float> %w, %w
  %sum = fadd <4 x float> %v, %w2
  %square = fmul <4 x float> %sum, %sum
  store <4 x float> %square, ptr addrspace(1) %p.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @parted(
; CHECK-SAME: #[[SIXTEEN]]
; CHECK: fadd <4 x float>
define spir_kernel void @parted(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %q.x = getelementptr i32, ptr addrspace(1) %q, i64 %x
  %data = load i32, ptr addrspace(1) %q.x
  %is = icmp sgt i32 %data, 0
  br i1 %is, label %then, label %done
then:
  %sum = fadd <4 x float> %v, %v
  %square = fmul <4 x float> %sum, %sum
  store <4 x float> %square, ptr addrspace(1) %p.x
  br label %done
done:
  ret void
}

; CHECK-DAG: attributes #[[SIXTEEN]] = {{.*}}"weft-vector-width"="16"
; CHECK-DAG: attributes #[[FOUR]] = {{.*}}"weft-vector-width"="4"
