; Functions that call each other all have the parameters that one of them needs, and pass their own on.
; RUN: weft-opt --passes='add-item-parameters,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32)
declare void @__weft_end_call()

; CHECK: define internal i64 @first(i64 %n, i64 [[ID:%[0-9]+]], ptr "weft-item-context" [[CONTEXT:%[0-9]+]])
; CHECK-NEXT: call i64 @second(i64 %n, i64 [[ID]], ptr [[CONTEXT]])
; CHECK-NEXT: call i64 @first(i64 %r, i64 [[ID]], ptr [[CONTEXT]])
; CHECK-NEXT: add i64 %s, [[ID]]
define internal i64 @first(i64 %n) noinline {
  %r = call i64 @second(i64 %n)
  %s = call i64 @first(i64 %r)
  %x = call i64 @__weft_global_id(i32 0)
  %t = add i64 %s, %x
  ret i64 %t
}

; CHECK: define internal i64 @second(i64 %n, i64 [[ID2:%[0-9]+]], ptr "weft-item-context" [[CONTEXT2:%[0-9]+]])
; CHECK-NEXT: call i64 @first(i64 %n, i64 [[ID2]], ptr [[CONTEXT2]])
; CHECK-NEXT: call void @__weft_end_call()
define internal i64 @second(i64 %n) noinline {
  %r = call i64 @first(i64 %n)
  call void @__weft_end_call()
  ret i64 %r
}

; CHECK: define spir_kernel void @k
; CHECK-DAG: [[ASKED:%.*]] = call i64 @__weft_global_id(i32 0)
; CHECK-DAG: [[GIVEN:%.*]] = call ptr @__weft_context()
; CHECK: call i64 @second(i64 3, i64 [[ASKED]], ptr [[GIVEN]])
define spir_kernel void @k(ptr addrspace(1) %p) {
  %r = call i64 @second(i64 3)
  store i64 %r, ptr addrspace(1) %p
  ret void
}
