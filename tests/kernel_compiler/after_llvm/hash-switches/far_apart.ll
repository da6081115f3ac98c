; Numbers that are far apart are looked up: two loads, a comparison, and a switch over all places. The default keeps its edge. Few numbers, and
; numbers that are close together, stay as they are.
; RUN: weft-opt --passes='hash-switches,verify' -S %s | FileCheck %s

; CHECK: @weft.hash = private unnamed_addr constant [8 x i16]
; CHECK: @weft.hash.1 = private unnamed_addr constant [16 x i64]

; CHECK-LABEL: define i32 @far(
; CHECK: mul i64 %n,
; CHECK: load i16
; CHECK: load i64
; CHECK: %[[EQUAL:.*]] = icmp eq i64 %n,
; CHECK: br i1 %[[EQUAL]], label %[[FOUND:.*]], label %none
; CHECK: [[FOUND]]:
; CHECK: switch i64 %{{.*}}, label %[[NEVER:.*]] [
; CHECK-COUNT-10: label %
; CHECK: phi i32
; CHECK-DAG: [ 1, %c ]
; CHECK-DAG: [ 0, %0 ]
; CHECK-DAG: [ 0, %[[FOUND]] ]
; CHECK: [[NEVER]]:
; CHECK-NEXT: unreachable
define i32 @far(i64 %n) {
  switch i64 %n, label %none [
    i64 1000, label %a
    i64 20000, label %b
    i64 300000, label %c
    i64 4000000, label %a
    i64 50000000, label %b
    i64 600000000, label %c
    i64 7000000000, label %a
    i64 80000000000, label %b
    i64 -1, label %none
    i64 -2, label %c
  ]
a:
  ret i32 7
b:
  ret i32 8
c:
  br label %none
none:
  %r = phi i32 [ 0, %0 ], [ 0, %0 ], [ 1, %c ]
  ret i32 %r
}

; CHECK-LABEL: define i32 @near(
; CHECK-NEXT: switch i64 %n
define i32 @near(i64 %n) {
  switch i64 %n, label %none [
    i64 1, label %a
    i64 2, label %b
    i64 3, label %a
    i64 4, label %b
    i64 5, label %a
    i64 6, label %b
    i64 7, label %a
    i64 8, label %b
    i64 9, label %a
  ]
a:
  ret i32 7
b:
  ret i32 8
none:
  ret i32 0
}

; LLVM makes a jump table of numbers around zero.
; CHECK-LABEL: define i32 @signed(
; CHECK-NEXT: switch i32 %n
define i32 @signed(i32 %n) {
  switch i32 %n, label %none [
    i32 -5, label %a
    i32 -4, label %b
    i32 -3, label %c
    i32 -2, label %a
    i32 -1, label %b
    i32 0, label %c
    i32 1, label %a
    i32 2, label %b
    i32 3, label %c
  ]
a:
  ret i32 7
b:
  ret i32 8
c:
  ret i32 9
none:
  ret i32 0
}

; CHECK-LABEL: define i32 @few(
; CHECK-NEXT: switch i64 %n
define i32 @few(i64 %n) {
  switch i64 %n, label %none [
    i64 1, label %a
    i64 2000, label %b
  ]
a:
  ret i32 7
b:
  ret i32 8
none:
  ret i32 0
}
