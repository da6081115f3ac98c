; A loop with a division by what is no constant is not for LLVM's loop vectorizer; others are.
; RUN: weft-opt --passes='mark-scalar-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define i32 @sum(
; CHECK:   br i1 %again, label %divides, label %between, !llvm.loop [[SCALAR:![0-9]+]]
; CHECK:   br i1 %more, label %halves, label %out{{$}}
define i32 @sum(ptr %p, i32 %d, i64 %n) {
entry:
  br label %divides
divides:
  %i = phi i64 [ 0, %entry ], [ %i1, %divides ]
  %s = phi i32 [ 0, %entry ], [ %s1, %divides ]
  %p.i = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %p.i
  %q = udiv i32 %v, %d
  %s1 = add i32 %s, %q
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %n
  br i1 %again, label %divides, label %between
between:
  br label %halves
halves:
  %j = phi i64 [ 0, %between ], [ %j1, %halves ]
  %t = phi i32 [ %s1, %between ], [ %t1, %halves ]
  %p.j = getelementptr i32, ptr %p, i64 %j
  %w = load i32, ptr %p.j
  %h = udiv i32 %w, 2
  %t1 = add i32 %t, %h
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %halves, label %out
out:
  ret i32 %t1
}

; Around another one, which may be gone when the vectorizer comes.
; CHECK-LABEL: define void @around(
; CHECK:   br i1 %rest, label %inner, label %next, !llvm.loop [[INNER:![0-9]+]]
; CHECK:   br i1 %more, label %outer, label %out, !llvm.loop [[OUTER:![0-9]+]]
define void @around(ptr %p, i32 %d, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %p.i = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %p.i
  %r = urem i32 %v, %d
  store i32 %r, ptr %p.i
  %j1 = add i32 %j, 1
  %rest = icmp ult i32 %j1, 4
  br i1 %rest, label %inner, label %next
next:
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %outer, label %out
out:
  ret void
}

; CHECK: [[SCALAR]] = distinct !{[[SCALAR]], [[HINT:![0-9]+]]}
; CHECK: [[HINT]] = !{!"llvm.loop.vectorize.enable", i32 0}
; CHECK: [[INNER]] = distinct !{[[INNER]], [[HINT]]}
; CHECK: [[OUTER]] = distinct !{[[OUTER]], [[HINT]]}
