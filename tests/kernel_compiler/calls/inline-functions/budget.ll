; Large functions that are called twice stay calls, but for those that need the kernel they are in.
; RUN: weft-opt --passes='inline-functions,verify' -weft-call-size=3 -weft-inline-growth=5 -S %s | FileCheck %s

; CHECK: define internal i32 @large(i32 %x) #[[CALL:[0-9]+]]
; CHECK-LABEL: define spir_kernel void @k(
; CHECK-NOT: call
; CHECK: call i32 @large(i32 1)
; CHECK-NEXT: call i32 @large(
; CHECK-NOT: @framed(
; CHECK-NOT: @waits(
; CHECK-NOT: @asks(
; CHECK-NOT: @yields(
; CHECK: call void @__weft_barrier()
; CHECK: call void @__weft_barrier()
; CHECK: call i64 @__weft_local_id(i32 0)
; CHECK: call i64 @__weft_local_id(i32 0)
; CHECK: call void @__weft_yield()
; CHECK: call void @__weft_yield()
; CHECK-NOT: @framed(
; CHECK: {{^}}}
; CHECK: attributes #[[CALL]] = { noinline }

declare void @__weft_barrier()
declare i64 @__weft_local_id(i32)
declare void @__weft_yield()

define internal i32 @small(i32 %x) {
  ret i32 %x
}

define internal i32 @large(i32 %x) {
  %a = add i32 %x, 1
  %b = mul i32 %a, %x
  %c = xor i32 %b, %a
  ret i32 %c
}

define internal void @waits(ptr %p) {
  store i32 1, ptr %p
  store i32 2, ptr %p
  call void @__weft_barrier()
  store i32 3, ptr %p
  ret void
}

define internal i64 @asks() {
  %a = call i64 @__weft_local_id(i32 0)
  %b = mul i64 %a, %a
  %c = xor i64 %b, %a
  ret i64 %c
}

define internal void @yields(ptr %p) {
  store i32 1, ptr %p
  store i32 2, ptr %p
  call void @__weft_yield()
  store i32 3, ptr %p
  ret void
}

define internal i32 @framed(i32 %x) {
  %a = alloca [20000 x i8]
  %at = getelementptr i8, ptr %a, i32 %x
  store i8 1, ptr %at
  %b = load i32, ptr %a
  ret i32 %b
}

define spir_kernel void @k(ptr %p) {
  %a = call i32 @small(i32 1)
  %b = call i32 @large(i32 %a)
  %c = call i32 @large(i32 %b)
  call void @waits(ptr %p)
  call void @waits(ptr %p)
  %d = call i64 @asks()
  %e = call i64 @asks()
  call void @yields(ptr %p)
  call void @yields(ptr %p)
  %f = call i32 @framed(i32 1)
  %g = call i32 @framed(i32 2)
  ret void
}
