; What a function that stays a call reads in a loop of its caller's private variable is read where it begins.
; RUN: weft-opt --passes='hoist-pointer-arguments,verify' -S %s | FileCheck %s

; CHECK-LABEL: define internal void @hash(
; CHECK: %0 = getelementptr inbounds i8, ptr %w, i64 4
; CHECK-NEXT: %1 = load i32, ptr %0, align 4
; CHECK-NEXT: %2 = getelementptr inbounds i8, ptr %w, i64 8
; CHECK-NEXT: %3 = load i32, ptr %2, align 8
; CHECK-NEXT: store volatile
; CHECK: round:
; CHECK-NOT: load i32, ptr %w
; CHECK: %y = add i32 %1, %3
; CHECK: %past = load i32, ptr %p16, align 4
; CHECK: ret void
define internal void @hash(ptr %w, ptr addrspace(1) %found, i32 %n) noinline {
entry:
  %own = alloca i32
  store volatile i32 1, ptr %own
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %p4 = getelementptr i8, ptr %w, i64 4
  %a = load i32, ptr %p4, align 4
  %p8 = getelementptr i8, ptr %p4, i64 4
  %b = load i32, ptr %p8, align 4
  %y = add i32 %a, %b
  %p16 = getelementptr i8, ptr %w, i64 16
  %past = load i32, ptr %p16, align 4
  %sum = add i32 %y, %past
  store i32 %sum, ptr addrspace(1) %found
  %old = atomicrmw add ptr addrspace(1) %found, i32 1 monotonic
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret void
}

; It writes by a pointer that was passed, so it may write what it reads.
; CHECK-LABEL: define internal void @writes(
; CHECK: round:
; CHECK: load i32, ptr %w
define internal void @writes(ptr %w, ptr %result, i32 %n) noinline {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %a = load i32, ptr %w, align 4
  store i32 %a, ptr %result
  %next = add i32 %i, %a
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret void
}

; A place that is not fixed, and a pointer that is kept.
; CHECK-LABEL: define internal i32 @indexed(
; CHECK: round:
; CHECK: %a = load i32, ptr %w
define internal i32 @indexed(ptr %w, i32 %n) noinline {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %a = load i32, ptr %w, align 4
  %p = getelementptr i32, ptr %w, i32 %i
  %b = load i32, ptr %p, align 4
  %c = add i32 %a, %b
  %next = add i32 %i, %c
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret i32 %next
}

; Only one of its callers passes a variable.
; CHECK-LABEL: define internal i32 @anything(
; CHECK: round:
; CHECK: %a = load i32, ptr %w
define internal i32 @anything(ptr %w, i32 %n) noinline {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %a = load i32, ptr %w, align 4
  %next = add i32 %i, %a
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret i32 %next
}

define spir_kernel void @one(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
  %w = alloca [4 x i32], align 8
  %i = load i32, ptr addrspace(1) %q
  %at = getelementptr [4 x i32], ptr %w, i64 0, i32 %i
  store i32 %i, ptr %at
  call void @hash(ptr %w, ptr addrspace(1) %p, i32 %n)
  call void @writes(ptr %w, ptr %at, i32 %n)
  %a = call i32 @indexed(ptr %w, i32 %n)
  %b = call i32 @anything(ptr %w, i32 %n)
  %c = call i32 @anything(ptr %at, i32 %n)
  ret void
}

define spir_kernel void @two(ptr addrspace(1) %p, i32 %n) {
  %w = alloca [6 x i32], align 8
  %second = getelementptr i8, ptr %w, i64 8
  store i32 %n, ptr %second
  call void @hash(ptr %second, ptr addrspace(1) %p, i32 %n)
  ret void
}
