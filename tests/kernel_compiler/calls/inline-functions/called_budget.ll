; Where the functions that are called would be too much code together, smaller ones are called, too: their callers are not
; copies of all that lies below.
; RUN: weft-opt --passes='inline-functions,verify' -weft-call-size=10 -weft-inline-growth=12 -S %s | FileCheck %s
; RUN: weft-opt --passes='inline-functions,verify' -weft-call-size=10 -weft-inline-growth=12 -weft-called-budget=20 \
; RUN:   -S %s | FileCheck --check-prefix=LESS %s

define internal i32 @below(i32 %x) {
  %a = add i32 %x, 1
  %b = mul i32 %a, %x
  %c = xor i32 %b, %a
  %d = mul i32 %c, %b
  ret i32 %d
}

; CHECK-LABEL: define internal i32 @above(
; CHECK-NOT: call
; CHECK: ret i32
; LESS-LABEL: define internal i32 @above(
; LESS: call i32 @below(
; LESS: call i32 @below(
; LESS: call i32 @below(
; LESS: ret i32
define internal i32 @above(i32 %x) {
  %a = call i32 @below(i32 %x)
  %b = call i32 @below(i32 %a)
  %c = call i32 @below(i32 %b)
  %d = call i32 @below(i32 %c)
  ret i32 %d
}

; CHECK-LABEL: define internal i32 @beside(
; CHECK-NOT: call
; CHECK: ret i32
; LESS-LABEL: define internal i32 @beside(
; LESS: call i32 @below(
; LESS: ret i32
define internal i32 @beside(i32 %x) {
  %a = call i32 @below(i32 %x)
  %b = call i32 @below(i32 %a)
  %c = call i32 @below(i32 %b)
  ret i32 %c
}

; CHECK-LABEL: define spir_kernel void @k(
; CHECK-COUNT-2: call i32 @above(
; CHECK-COUNT-2: call i32 @beside(
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %p) {
  %a = call i32 @above(i32 1)
  %b = call i32 @above(i32 %a)
  %c = call i32 @beside(i32 %b)
  %d = call i32 @beside(i32 %c)
  store i32 %d, ptr addrspace(1) %p
  ret void
}
