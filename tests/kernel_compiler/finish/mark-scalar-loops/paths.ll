; A value that is used twice, one after the other, doubles what LLVM's vectorizer looks through with each.
; RUN: weft-opt --passes='mark-scalar-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define void @squares(
; CHECK:   br i1 %more, label %loop, label %out, !llvm.loop [[SCALAR:![0-9]+]]
define void @squares(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %v = load i32, ptr %q
  %x0 = xor i32 %v, 5
  %x1 = mul i32 %x0, %x0
  %x2 = mul i32 %x1, %x1
  %x3 = mul i32 %x2, %x2
  %x4 = mul i32 %x3, %x3
  %x5 = mul i32 %x4, %x4
  %x6 = mul i32 %x5, %x5
  %x7 = mul i32 %x6, %x6
  %x8 = mul i32 %x7, %x7
  %x9 = mul i32 %x8, %x8
  %x10 = mul i32 %x9, %x9
  %x11 = mul i32 %x10, %x10
  %x12 = mul i32 %x11, %x11
  %x13 = mul i32 %x12, %x12
  %x14 = mul i32 %x13, %x13
  %x15 = mul i32 %x14, %x14
  %x16 = mul i32 %x15, %x15
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 %x16, ptr %at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; CHECK-LABEL: define void @chain(
; CHECK:   br i1 %more, label %loop, label %out{{$}}
define void @chain(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %v = load i32, ptr %q
  %x0 = xor i32 %v, 5
  %x1 = mul i32 %x0, %v
  %x2 = mul i32 %x1, %v
  %x3 = mul i32 %x2, %v
  %x4 = mul i32 %x3, %v
  %x5 = mul i32 %x4, %v
  %x6 = mul i32 %x5, %v
  %x7 = mul i32 %x6, %v
  %x8 = mul i32 %x7, %v
  %x9 = mul i32 %x8, %v
  %x10 = mul i32 %x9, %v
  %x11 = mul i32 %x10, %v
  %x12 = mul i32 %x11, %v
  %x13 = mul i32 %x12, %v
  %x14 = mul i32 %x13, %v
  %x15 = mul i32 %x14, %v
  %x16 = mul i32 %x15, %v
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 %x16, ptr %at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; CHECK: [[SCALAR]] = distinct !{[[SCALAR]], [[HINT:![0-9]+]]}
; CHECK: [[HINT]] = !{!"llvm.loop.vectorize.enable", i32 0}
