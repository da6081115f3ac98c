; What all lanes compute once is done for more work-items at a time, where that is most of the work of packed vectors; so are masks of
; lanes that part by their data, or leave a loop by it. Shorts that lie anywhere are gathered as numbers.
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

; CHECK-LABEL: define spir_kernel void @leaving(
; CHECK-SAME: #[[SIXTEEN]]
; CHECK: add <4 x i16>
define spir_kernel void @leaving(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %q.x = getelementptr i32, ptr addrspace(1) %q, i64 %x
  %first = load i32, ptr addrspace(1) %q.x
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %k1, %loop ]
  %sum = phi <4 x i16> [ zeroinitializer, %entry ], [ %sum1, %loop ]
  %k.long = sext i32 %k to i64
  %p.k = getelementptr <4 x i16>, ptr addrspace(1) %p, i64 %k.long
  %v = load <4 x i16>, ptr addrspace(1) %p.k
  %sum1 = add <4 x i16> %sum, %v
  %third = mul i32 %k, 3
  %k1 = ashr i32 %third, 2
  %again = icmp sgt i32 %k1, 0
  br i1 %again, label %loop, label %done
done:
  %r.x = getelementptr <4 x i16>, ptr addrspace(1) %r, i64 %x
  store <4 x i16> %sum1, ptr addrspace(1) %r.x
  ret void
}

; CHECK-DAG: attributes #[[SIXTEEN]] = {{.*}}"weft-vector-width"="16"
; CHECK-DAG: attributes #[[FOUR]] = {{.*}}"weft-vector-width"="4"
