; The mode changes when a marked function starts, and back wherever it returns.
; RUN: weft-opt --passes='flush-denormals,verify' -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @marked(
; CHECK: call void @llvm.x86.sse.stmxcsr(ptr %[[BEFORE:[0-9]+]])
; CHECK: %[[MODE:[0-9]+]] = load i32, ptr %[[BEFORE]]
; CHECK: %[[FLUSH:[0-9]+]] = or i32 %[[MODE]], 32832
; CHECK: store i32 %[[FLUSH]], ptr %[[DURING:[0-9]+]]
; CHECK: call void @llvm.x86.sse.ldmxcsr(ptr %[[DURING]])
; CHECK: a:
; CHECK-NEXT: call void @llvm.x86.sse.ldmxcsr(ptr %[[BEFORE]])
; CHECK-NEXT: ret void
; CHECK: b:
; CHECK-NEXT: call void @llvm.x86.sse.ldmxcsr(ptr %[[BEFORE]])
; CHECK-NEXT: ret void
define internal void @marked(i1 %c) "weft-flush-denormals" {
  br i1 %c, label %a, label %b
a:
  ret void
b:
  ret void
}

; CHECK-LABEL: @plain(
; CHECK-NEXT: ret void
define internal void @plain() {
  ret void
}
