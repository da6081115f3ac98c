; Numbers that are far apart are looked up: bits of the number give a place in a table, the number there is compared, and a switch branches by the place. A
; number whose place another one has is looked for in a second switch. The default keeps its edges. Few numbers, and numbers that are close
; together, stay as they are.
; RUN: weft-opt --passes='hash-switches,verify' -S %s | FileCheck %s

; CHECK: = private unnamed_addr constant [64 x i64]

; CHECK-LABEL: define i32 @far(
; CHECK: %[[SHIFTED:.*]] = lshr i64 %n, {{[0-9]+}}
; CHECK: %[[PLACE:.*]] = and i64 %[[SHIFTED]], 63
; CHECK: load i64
; CHECK: %[[EQUAL:.*]] = icmp eq i64 %n,
; CHECK: br i1 %[[EQUAL]], label %[[FOUND:[0-9]+]], label %[[REST:[0-9]+]], !prof
; CHECK: [[FOUND]]:
; CHECK: switch i64 %[[PLACE]], label %[[NEVER:[0-9]+]] [
; CHECK-NEXT: i64 0, label %a
; CHECK-COUNT-9: label %
; CHECK: [[REST]]:
; CHECK-NEXT: switch i64 %n, label %none [
; CHECK-NEXT: i64 -2, label %c
; CHECK: phi i32 [ 1, %c ], [ 0, %[[FOUND]] ], [ 0, %[[REST]] ]
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

; Multiples of a large power of two have their bits high up.
; CHECK-LABEL: define i32 @multiples(
; CHECK: icmp eq i64 %n,
define i32 @multiples(i64 %n) {
  switch i64 %n, label %none [
    i64 0, label %a
    i64 1099511627776, label %b
    i64 2199023255552, label %a
    i64 3298534883328, label %b
    i64 4398046511104, label %a
    i64 5497558138880, label %b
    i64 6597069766656, label %a
    i64 7696581394432, label %b
    i64 8796093022208, label %a
  ]
a:
  ret i32 7
b:
  ret i32 8
none:
  ret i32 0
}

; Two to four of them are compared in turn, with numbers in memory; those of 32 bits are not.
; CHECK-LABEL: define i32 @compared(
; CHECK: %[[FIRST:.*]] = load i64, ptr @weft.hash
; CHECK: %[[IS:.*]] = icmp eq i64 %n, %[[FIRST]]
; CHECK-NEXT: br i1 %[[IS]], label %b, label %[[NEXT:[0-9]+]]
; CHECK: [[NEXT]]:
; CHECK: load i64
; CHECK: br i1 %{{.*}}, label %none, label %[[LAST:[0-9]+]]
; CHECK: [[LAST]]:
; CHECK: load i64
; CHECK: br i1 %{{.*}}, label %b, label %none
; CHECK: switch i64 %n, label %none [
; CHECK: phi i32
; CHECK-DAG: [ 1, %[[NEXT]] ]
; CHECK-DAG: [ 1, %[[LAST]] ]
; CHECK-DAG: [ 2, %b ]
define i32 @compared(i64 %n) {
  switch i64 %n, label %none [
    i64 6819992765288357792, label %b
    i64 6830425634010816176, label %none
    i64 6808383195416975376, label %b
  ]
b:
  switch i64 %n, label %none [
    i64 1000, label %c
    i64 20000, label %none
  ]
c:
  ret i32 7
none:
  %r = phi i32 [ 1, %0 ], [ 1, %0 ], [ 2, %b ], [ 2, %b ]
  ret i32 %r
}
