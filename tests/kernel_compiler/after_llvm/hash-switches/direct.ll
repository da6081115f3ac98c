; On CPUs that predict branches, numbers without their lowest bits are looked up by what is behind these: a table has the number of each place and the
; address of its target. What phis take is moved on the way, if it is more than a few values. Numbers whose place another one has are looked for in a second switch.
; RUN: weft-opt --passes='hash-switches,verify' -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK: @weft.hash = private constant [128 x { i64, ptr }]
; CHECK-SAME: { i64 6819992765288357888, ptr blockaddress(@far, %a) }
; CHECK-SAME: { i64 6819992765288357888, ptr null }
; CHECK-SAME: align 16

; CHECK-LABEL: define i32 @moves(
; CHECK: indirectbr ptr %{{.*}}, [label %[[LANDING:[0-9]+]],
; CHECK: [[LANDING]]:
; CHECK-NEXT: br label %a
; CHECK: a:
; CHECK-NEXT: phi i32 [ 1, %[[LANDING]] ]
define i32 @moves(i64 %n) {
  switch i64 %n, label %none [
    i64 6819992765288357888, label %a
    i64 6819992766288358160, label %b
    i64 6819992767288358192, label %c
    i64 6819992768288358256, label %d
    i64 6819992769288358336, label %e
    i64 6819992761288358352, label %a
    i64 6819992762288358432, label %b
    i64 6819992763288358464, label %c
    i64 6819992764288358512, label %d
  ]
a:
  %ra = phi i32 [ 1, %0 ], [ 1, %0 ]
  ret i32 %ra
b:
  %rb = phi i32 [ 2, %0 ], [ 2, %0 ]
  ret i32 %rb
c:
  %rc = phi i32 [ 3, %0 ], [ 3, %0 ]
  ret i32 %rc
d:
  %rd = phi i32 [ 4, %0 ], [ 4, %0 ]
  ret i32 %rd
e:
  %re = phi i32 [ 5, %0 ]
  ret i32 %re
none:
  ret i32 0
}

; CHECK-LABEL: define i32 @far(
; CHECK: %[[OFFSET:.*]] = and i64 %n, 2032
; CHECK-NEXT: %[[ENTRY:.*]] = getelementptr inbounds i8, ptr @weft.hash, i64 %[[OFFSET]]
; CHECK-NEXT: %[[THERE:.*]] = load i64, ptr %[[ENTRY]]
; CHECK-NEXT: %[[EQUAL:.*]] = icmp eq i64 %n, %[[THERE]]
; CHECK-NEXT: br i1 %[[EQUAL]], label %[[FOUND:[0-9]+]], label %[[REST:[0-9]+]], !prof
; CHECK: [[FOUND]]:
; CHECK-NEXT: %[[PLACE:.*]] = getelementptr inbounds i8, ptr %[[ENTRY]], i64 8
; CHECK-NEXT: %[[TARGET:.*]] = load ptr, ptr %[[PLACE]]
; CHECK-NEXT: indirectbr ptr %[[TARGET]], [label %a, label %c, label %b]
; CHECK: [[REST]]:
; CHECK-NEXT: switch i64 %n, label %none [
; CHECK-NEXT: i64 6819992765288425472, label %c
; CHECK-NEXT: ]
; CHECK: phi i32 [ 2, %[[FOUND]] ], [ 2, %[[REST]] ]
define i32 @far(i64 %n) {
  switch i64 %n, label %none [
    i64 6819992765288357888, label %a
    i64 6819992766288358160, label %b
    i64 6819992767288358192, label %c
    i64 6819992768288358256, label %a
    i64 6819992769288358336, label %b
    i64 6819992761288358352, label %c
    i64 6819992762288358432, label %a
    i64 6819992763288358464, label %b
    i64 6819992764288358512, label %c
    i64 6819992765288425472, label %c
  ]
a:
  ret i32 7
b:
  ret i32 8
c:
  %r = phi i32 [ 2, %0 ], [ 2, %0 ], [ 2, %0 ], [ 2, %0 ]
  ret i32 %r
none:
  ret i32 0
}
