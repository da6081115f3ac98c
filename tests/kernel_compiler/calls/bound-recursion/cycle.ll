; A function that calls others by number, and may call itself so, asks before and says when it has ended. What is on no cycle stays as it is.
; RUN: weft-opt --passes='bound-recursion,verify' -S %s | FileCheck %s

; CHECK: define internal spir_func i32 @call(ptr %f, i32 %x) #[[RECURSIVE:[0-9]+]]
; CHECK-NEXT: [[ROOM:%.*]] = call i1 @__weft_begin_call()
; CHECK-NEXT: br i1 [[ROOM]], label %entry, label %[[NONE:.*]]
; CHECK: entry:
; CHECK: switch i64
; CHECK: none:
; CHECK-NEXT: call void @__weft_end_call()
; CHECK-NEXT: ret i32 0
; CHECK: case:
; CHECK-NEXT: %r = call spir_func i32 @again(
; CHECK-NEXT: call void @__weft_end_call()
; CHECK-NEXT: ret i32 %r
; CHECK: [[NONE]]:
; CHECK-NEXT: ret i32 0
define internal spir_func i32 @call(ptr %f, i32 %x) #0 {
entry:
  %number = ptrtoint ptr %f to i64
  switch i64 %number, label %none [ i64 16, label %case
                                    i64 32, label %large ]
none:
  ret i32 0
case:
  %r = call spir_func i32 @again(ptr %f, i32 %x)
  ret i32 %r
large:
  %s = call spir_func i32 @with_variables(ptr %f, i32 %x)
  ret i32 %s
}

; CHECK-LABEL: define internal spir_func i32 @again(ptr %f, i32 %x) {
; CHECK-NEXT: call spir_func i32 @call
define internal spir_func i32 @again(ptr %f, i32 %x) {
  %r = call spir_func i32 @call(ptr %f, i32 %x)
  ret i32 %r
}

; Calls that lead elsewhere have no copy of its variables.
; CHECK: define internal spir_func i32 @with_variables(ptr %f, i32 %x) #[[OWN:[0-9]+]] {
; CHECK-NEXT: alloca
define internal spir_func i32 @with_variables(ptr %f, i32 %x) {
  %many = alloca [1024 x i8]
  store i32 %x, ptr %many
  %r = call spir_func i32 @call(ptr %f, i32 %x)
  ret i32 %r
}

; CHECK: define internal spir_func i32 @ends(ptr %f) #[[PLAIN:[0-9]+]] {
; CHECK-NEXT: ret i32 1
define internal spir_func i32 @ends(ptr %f) #0 {
  ret i32 1
}

; CHECK: define spir_kernel void @k(ptr addrspace(1) %p) #[[KERNEL:[0-9]+]]
define spir_kernel void @k(ptr addrspace(1) %p) {
  %r = call spir_func i32 @call(ptr inttoptr (i64 16 to ptr), i32 1)
  %s = call spir_func i32 @ends(ptr inttoptr (i64 16 to ptr))
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @other(ptr addrspace(1) %p) {
define spir_kernel void @other(ptr addrspace(1) %p) {
  %s = call spir_func i32 @ends(ptr inttoptr (i64 16 to ptr))
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; CHECK-DAG: attributes #[[RECURSIVE]] = { "weft-indirect-call" "weft-recursive" }
; CHECK-DAG: attributes #[[OWN]] = { "weft-recursive" }
; CHECK-DAG: attributes #[[PLAIN]] = { "weft-indirect-call" }
; CHECK-DAG: attributes #[[KERNEL]] = { "weft-kernel-flags"="32768" }
attributes #0 = { "weft-indirect-call" }
