; Where a kernel would pass its budget by functions with barriers, their calls share one body, which goes back behind its call.
; RUN: weft-opt --passes='inline-functions,verify' -weft-kernel-budget=60 -S %s | FileCheck %s
; RUN: weft-opt --passes='inline-functions,sroa,verify' -weft-kernel-budget=60 -S %s | FileCheck --check-prefix=VALUES %s

declare void @__weft_barrier()

define internal i32 @waits(ptr addrspace(3) %p, i32 %x) {
  %a0 = mul i32 %x, %x
  %a1 = add i32 %a0, %x
  %a2 = mul i32 %a1, %a0
  %a3 = xor i32 %a2, %a1
  %a4 = mul i32 %a3, %a2
  %a5 = add i32 %a4, %a3
  %a6 = mul i32 %a5, %a4
  %a7 = xor i32 %a6, %a5
  %a8 = mul i32 %a7, %a6
  %a9 = add i32 %a8, %a7
  store i32 %a9, ptr addrspace(3) %p
  call void @__weft_barrier()
  %b0 = load i32, ptr addrspace(3) %p
  %b1 = xor i32 %b0, %a9
  %b2 = mul i32 %b1, %b0
  %b3 = add i32 %b2, %b1
  %b4 = mul i32 %b3, %b2
  %b5 = xor i32 %b4, %b3
  %b6 = mul i32 %b5, %b4
  ret i32 %b6
}

define internal i32 @twice(ptr addrspace(3) %p, i32 %x) {
  %a = call i32 @waits(ptr addrspace(3) %p, i32 %x)
  %b = call i32 @waits(ptr addrspace(3) %p, i32 %a)
  %c = mul i32 %a, %b
  %d = mul i32 %c, %c
  %e = mul i32 %d, %c
  %f = mul i32 %e, %d
  %g = mul i32 %f, %e
  %h = mul i32 %g, %f
  %i = mul i32 %h, %g
  ret i32 %i
}

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: store i32 0, ptr %[[CALL:.*]],
; CHECK-COUNT-1: call void @__weft_barrier()
; CHECK-NOT: call void @__weft_barrier()
; CHECK: switch i32
; CHECK-NOT: call i32
; CHECK: {{^}$}}
; VALUES-LABEL: define spir_kernel void @k(
; VALUES-NOT: alloca
; VALUES: phi i32
; VALUES-NOT: alloca
; VALUES: {{^}$}}
define spir_kernel void @k(ptr addrspace(3) %p, i32 %x) {
  %a = call i32 @twice(ptr addrspace(3) %p, i32 %x)
  %b = call i32 @twice(ptr addrspace(3) %p, i32 %a)
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(3) %p
  ret void
}
