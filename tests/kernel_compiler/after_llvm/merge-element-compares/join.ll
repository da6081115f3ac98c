; RUN: weft-opt --passes='merge-element-compares,verify' -S %s | FileCheck %s

; Elements of two vectors, and of one with a scalar; what is no such test stays, behind them.
; CHECK-LABEL: @any(
; CHECK-NEXT: %[[TEST:.*]] = icmp eq <4 x i32> %a, %b
; CHECK-NEXT: %[[SAFE:.*]] = freeze <4 x i1> %[[TEST]]
; CHECK-NEXT: %[[BITS:.*]] = bitcast <4 x i1> %[[SAFE]] to i4
; CHECK:      %[[ANY:.*]] = icmp ne i4 %{{.*}}, 0
; CHECK-NEXT: %[[RESULT:.*]] = select i1 %[[ANY]], i1 true, i1 %more
; CHECK-NEXT: ret i1 %[[RESULT]]
define i1 @any(<4 x i32> %a, <4 x i32> %b, i1 %more) {
  %whole = icmp eq <4 x i32> %a, %b
  %t0 = extractelement <4 x i1> %whole, i64 0
  %again = icmp eq <4 x i32> %a, %b
  %t1 = extractelement <4 x i1> %again, i64 1
  %r1 = select i1 %t0, i1 true, i1 %t1
  %a2 = extractelement <4 x i32> %a, i64 2
  %b2 = extractelement <4 x i32> %b, i64 2
  %t2 = icmp eq i32 %a2, %b2
  %r2 = select i1 %r1, i1 true, i1 %t2
  %r3 = or i1 %r2, %more
  %a3 = extractelement <4 x i32> %a, i64 3
  %b3 = extractelement <4 x i32> %b, i64 3
  %t3 = icmp eq i32 %a3, %b3
  %r4 = select i1 %r3, i1 true, i1 %t3
  ret i1 %r4
}

; CHECK-LABEL: @all(
; CHECK:      %[[TEST:.*]] = icmp ugt <8 x i32> %a, %{{.*}}
; CHECK-NEXT: freeze
; CHECK-NEXT: bitcast
; CHECK-NEXT: %[[BITS:.*]] = and i8 %{{.*}}, 46
; CHECK-NEXT: icmp eq i8 %[[BITS]], 46
; CHECK-NEXT: ret i1
define i1 @all(<8 x i32> %a, i32 %s) {
  %a1 = extractelement <8 x i32> %a, i64 1
  %t1 = icmp ult i32 %s, %a1
  %a2 = extractelement <8 x i32> %a, i64 2
  %t2 = icmp ugt i32 %a2, %s
  %r2 = select i1 %t1, i1 %t2, i1 false
  %a3 = extractelement <8 x i32> %a, i64 3
  %t3 = icmp ugt i32 %a3, %s
  %r3 = select i1 %r2, i1 %t3, i1 false
  %a5 = extractelement <8 x i32> %a, i64 5
  %t5 = icmp ugt i32 %a5, %s
  %r5 = and i1 %r3, %t5
  ret i1 %r5
}

; Three are not worth it; of a chain in which each test is another.
; CHECK-LABEL: @few(
; CHECK-NOT: freeze
; CHECK: ret i1 %r4
define i1 @few(<4 x i32> %a, i32 %s, i32 %t) {
  %a0 = extractelement <4 x i32> %a, i64 0
  %t0 = icmp eq i32 %a0, %s
  %a1 = extractelement <4 x i32> %a, i64 1
  %t1 = icmp eq i32 %a1, %s
  %r1 = or i1 %t0, %t1
  %a2 = extractelement <4 x i32> %a, i64 2
  %t2 = icmp eq i32 %a2, %s
  %r2 = or i1 %r1, %t2
  %a3 = extractelement <4 x i32> %a, i64 3
  %t3 = icmp eq i32 %a3, %t
  %r3 = or i1 %r2, %t3
  %t4 = icmp ne i32 %a3, %s
  %r4 = or i1 %r3, %t4
  ret i1 %r4
}
