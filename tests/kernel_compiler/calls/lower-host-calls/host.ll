; Arguments are packed at their natural alignment, and the result begins as zero; what a kernel calls is in an attribute. A call through a
; pointer that leads nowhere is noted in the context.
; RUN: weft-opt --passes='lower-host-calls,verify' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%pair = type { i32, i64 }

declare spir_func i32 @add(i8, i64, ptr byval(%pair)) #0
declare spir_func void @unused(i32) #1
declare void @__weft_wrong_call()

; CHECK-LABEL: define spir_kernel void @k(
; CHECK-DAG: %[[ARGS:.*]] = alloca [32 x i8], align 32
; CHECK-DAG: %[[RESULT:.*]] = alloca [4 x i8], align 4
; CHECK: store i8 3, ptr %{{.*}}, align 1
; CHECK: %[[SECOND:.*]] = getelementptr inbounds i8, ptr %[[ARGS]], i64 8
; CHECK: store i64 %n, ptr %[[SECOND]], align 8
; CHECK: %[[THIRD:.*]] = getelementptr inbounds i8, ptr %[[ARGS]], i64 16
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 8 %[[THIRD]], ptr %p, i64 16, i1 false)
; CHECK: store i32 0, ptr %[[RESULT]]
; CHECK: call void %{{.*}}(ptr %{{.*}}, i64 {{-?[0-9]+}}, ptr %[[ARGS]], ptr %[[RESULT]])
; CHECK: %[[VALUE:.*]] = load i32, ptr %[[RESULT]]
; CHECK: store i32 %[[VALUE]], ptr addrspace(1) %to
; CHECK: %[[CONTEXT:.*]] = call ptr @__weft_context()
; CHECK: %[[NOTE:.*]] = getelementptr inbounds i8, ptr %[[CONTEXT]], i64 {{[0-9]+}}
; CHECK: store i32 1, ptr %[[NOTE]]
define spir_kernel void @k(i64 %n, ptr byval(%pair) %p, ptr addrspace(1) %to) {
  %r = call spir_func i32 @add(i8 3, i64 %n, ptr byval(%pair) %p)
  store i32 %r, ptr addrspace(1) %to
  call void @__weft_wrong_call()
  ret void
}

; CHECK: attributes #{{.*}} = { {{.*}}"weft-host-functions"="4 32 1 8 16:space::add"

attributes #0 = { "weft-host-function"="space::add" }
attributes #1 = { "weft-host-function"="unused" }
