; A recursive function stays a call, with all else that it calls in it. One whose variables are too large is an error.
; RUN: split-file %s %t
; RUN: weft-opt --passes='inline-functions,verify' -S %t/stays.ll | FileCheck %s
; RUN: not weft-opt --passes=inline-functions -disable-output %t/large.ll 2>&1 | FileCheck --check-prefix=LARGE %s

;--- stays.ll
; CHECK-LABEL: define internal i32 @call(i32 %x)
; CHECK: %r.i = call i32 @call(i32 %less.i)
; CHECK-NOT: call
; CHECK-LABEL: define internal i32 @again(
; CHECK-LABEL: define spir_kernel void @k
; CHECK-NEXT: call i32 @call(i32 7)
define internal i32 @call(i32 %x) "weft-recursive" {
  %r = call i32 @again(i32 %x)
  ret i32 %r
}
define internal i32 @again(i32 %x) {
  %less = sub i32 %x, 1
  %r = call i32 @call(i32 %less)
  ret i32 %r
}
define spir_kernel void @k(ptr addrspace(1) %p) {
  %r = call i32 @call(i32 7)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

;--- large.ll
; LARGE: error: functions that call themselves by a pointer or as virtual functions have variables of 80000 bytes; together they can have 65536
define internal i32 @call(i32 %x) "weft-recursive" {
  %a = alloca [80000 x i8]
  store i32 %x, ptr %a
  %r = call i32 @call(i32 %x)
  ret i32 %r
}
define spir_kernel void @k(ptr addrspace(1) %p) {
  %r = call i32 @call(i32 7)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
