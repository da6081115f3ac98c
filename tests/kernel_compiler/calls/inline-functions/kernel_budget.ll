; Where a kernel would pass its budget, what is in it most often stays a function; another kernel of the program inlines it.
; A function that calls it is inlined, and so is one with a barrier, however often it is called.
; RUN: weft-opt --passes='inline-functions,verify' -weft-kernel-budget=120 -S %s | FileCheck %s

declare void @__weft_barrier()

; CHECK: define internal i32 @often(i32 %x) #[[CALL:[0-9]+]]
define internal i32 @often(i32 %x) {
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
  %b0 = mul i32 %a9, %a8
  %b1 = xor i32 %b0, %a9
  %b2 = mul i32 %b1, %b0
  %b3 = add i32 %b2, %b1
  %b4 = mul i32 %b3, %b2
  %b5 = xor i32 %b4, %b3
  %b6 = mul i32 %b5, %b4
  %b7 = add i32 %b6, %b5
  %b8 = mul i32 %b7, %b6
  ret i32 %b8
}

define internal i32 @twice(i32 %x) {
  %a = call i32 @often(i32 %x)
  %b = call i32 @often(i32 %a)
  ret i32 %b
}

define internal void @waits(ptr addrspace(3) %p, i32 %x) {
  store i32 %x, ptr addrspace(3) %p
  call void @__weft_barrier()
  ret void
}

; CHECK-LABEL: define spir_kernel void @large(
; CHECK-COUNT-8: call i32 @often(
; CHECK-NOT: call i32
; CHECK: call void @__weft_barrier()
; CHECK: call void @__weft_barrier()
; CHECK: ret void
define spir_kernel void @large(ptr addrspace(3) %p) {
  %a = call i32 @twice(i32 1)
  %b = call i32 @twice(i32 %a)
  %c = call i32 @twice(i32 %b)
  %d = call i32 @twice(i32 %c)
  call void @waits(ptr addrspace(3) %p, i32 %a)
  call void @waits(ptr addrspace(3) %p, i32 %d)
  ret void
}

; CHECK-LABEL: define spir_kernel void @small(
; CHECK-NOT: call
; CHECK: {{^}}}
define spir_kernel void @small(ptr addrspace(1) %p) {
  %a = call i32 @twice(i32 1)
  store i32 %a, ptr addrspace(1) %p
  ret void
}

; CHECK: attributes #[[CALL]] = { noinline }
