; What stays a function counts for its caller, by a parameter; one that the group calls once, and output, do not count.
; RUN: weft-opt --passes='count-cycles,verify' -S %s | FileCheck %s

declare void @__weft_barrier()

; CHECK-LABEL: define spir_kernel void @k(
; CHECK-DAG: %[[CELL:.*]] = alloca i64
; CHECK-DAG: %cycles = alloca i64, align 8, !weft.cycles
; CHECK: call void @llvm.lifetime.start.p0(ptr %[[CELL]])
; CHECK-NEXT: store i64 0, ptr %[[CELL]]
; CHECK-NEXT: %r = call i32 @outer(i32 %a, ptr %[[CELL]])
; CHECK-NEXT: %[[PART:.*]] = load i64, ptr %[[CELL]]
; CHECK-NEXT: %[[BEFORE:.*]] = load i64, ptr %cycles
; CHECK-NEXT: %[[AFTER:.*]] = add nuw i64 %[[BEFORE]], %[[PART]]
; CHECK-NEXT: store i64 %[[AFTER]], ptr %cycles
; CHECK-NEXT: call void @llvm.lifetime.end.p0(ptr %[[CELL]])
; CHECK: add nuw i64 %{{.*}}, 1020000000
define spir_kernel void @k(ptr addrspace(1) %p, i32 %a) {
  %r = call i32 @outer(i32 %a)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; CHECK: define internal i32 @outer(i32 %x, ptr noalias nonnull captures(none) "weft.cycles" %cycles)
; CHECK: call i32 @inner(i32 %x, ptr
; CHECK: add nuw i64 %{{.*}}, 20000010
define internal i32 @outer(i32 %x) noinline {
  %y = call i32 @inner(i32 %x)
  %z = mul i32 %y, %x
  ret i32 %z
}

; CHECK: define internal i32 @inner(i32 %x, ptr noalias nonnull captures(none) "weft.cycles" %cycles) #[[INNER:[0-9]+]]
; CHECK: add nuw i64 %{{.*}}, 1
define internal i32 @inner(i32 %x) noinline memory(none) speculatable {
  %y = add i32 %x, 1
  ret i32 %y
}

; CHECK: define internal i32 @__weft_once_sum(ptr %first)
; CHECK-NOT: add nuw
; CHECK: ret i32
define internal i32 @__weft_once_sum(ptr %first) {
  %x = load i32, ptr %first
  ret i32 %x
}

; CHECK: attributes #[[INNER]] = { noinline memory(argmem: readwrite) }
