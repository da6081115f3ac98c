; In a loop marked parallel what comes after a store might be taken for independent of it; one store at the end is left
; to the loop vectorizer.
; RUN: weft-opt --passes='mark-scalar-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define void @swap(
; CHECK:   br i1 %again, label %swaps, label %between, !llvm.loop [[SCALAR:![0-9]+]]
; CHECK:   br i1 %more, label %copies, label %out, !llvm.loop [[PARALLEL:![0-9]+]]
; CHECK: [[SCALAR]] = distinct !{[[SCALAR]], [[ACCESSES:![0-9]+]], [[HINT:![0-9]+]]}
; CHECK: [[HINT]] = !{!"llvm.loop.vectorize.enable", i32 0}
; CHECK: [[PARALLEL]] = distinct !{[[PARALLEL]], [[ACCESSES]]}
define void @swap(ptr %p, ptr %q, i64 %n) {
entry:
  br label %swaps
swaps:
  %i = phi i64 [ 0, %entry ], [ %i1, %swaps ]
  %p.i = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %p.i, !llvm.access.group !2
  store i32 %v, ptr %q, !llvm.access.group !2
  %w = load i32, ptr %p.i, !llvm.access.group !2
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %n
  br i1 %again, label %swaps, label %between, !llvm.loop !0
between:
  br label %copies
copies:
  %j = phi i64 [ 0, %between ], [ %j1, %copies ]
  %p.j = getelementptr i32, ptr %p, i64 %j
  %x = load i32, ptr %p.j, !llvm.access.group !2
  %q.j = getelementptr i32, ptr %q, i64 %j
  store i32 %x, ptr %q.j, !llvm.access.group !2
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %copies, label %out, !llvm.loop !1
out:
  ret void
}

!0 = distinct !{!0, !3}
!1 = distinct !{!1, !3}
!2 = distinct !{}
!3 = !{!"llvm.loop.parallel_accesses", !2}
