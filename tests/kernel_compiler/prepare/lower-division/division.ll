; RUN: weft-opt --passes=lower-division -S %s | FileCheck %s

; CHECK-LABEL: @unsigned
; CHECK: %[[ZERO:.*]] = icmp eq i32 %b, 0
; CHECK: %[[SAFE:.*]] = select i1 %[[ZERO]], i32 1, i32 %b
; CHECK: udiv i32 %a, %[[SAFE]]
define i32 @unsigned(i32 %a, i32 %b) {
  %r = udiv i32 %a, %b
  ret i32 %r
}

; The divisor does not depend on the dividend, of which lanes have one each.
; CHECK-LABEL: @signed
; CHECK: %[[NEXT:.*]] = add i32 %b, 1
; CHECK: %[[BAD:.*]] = icmp ult i32 %[[NEXT]], 2
; CHECK: %[[SAFE:.*]] = select i1 %[[BAD]], i32 1, i32 %b
; CHECK: srem i32 %a, %[[SAFE]]
define i32 @signed(i32 %a, i32 %b) {
  %r = srem i32 %a, %b
  ret i32 %r
}

; Where it was -1 the quotient is the dividend, negated: the least integer is itself then.
; CHECK-LABEL: @quotient
; CHECK: %[[SAFE:.*]] = select i1 %{{.*}}, i32 1, i32 %b
; CHECK: %q = sdiv i32 %a, %[[SAFE]]
; CHECK: %[[IS:.*]] = icmp eq i32 %b, -1
; CHECK: %[[OTHER:.*]] = sub i32 0, %q
; CHECK: %[[RESULT:.*]] = select i1 %[[IS]], i32 %[[OTHER]], i32 %q
; CHECK: add i32 %[[RESULT]], %[[RESULT]]
define i32 @quotient(i32 %a, i32 %b) {
  %q = sdiv exact i32 %a, %b
  %r = add i32 %q, %q
  ret i32 %r
}

; A constant that cannot be the trouble costs nothing.
; CHECK-LABEL: @constant
; CHECK-NEXT: sdiv <2 x i32> %a, <i32 3, i32 -7>
define <2 x i32> @constant(<2 x i32> %a) {
  %r = sdiv <2 x i32> %a, <i32 3, i32 -7>
  ret <2 x i32> %r
}

; CHECK-LABEL: @shift
; CHECK: %[[AMOUNT:.*]] = and i32 %b, 31
; CHECK-NEXT: %x = shl i32 %a, %[[AMOUNT]]
; CHECK-NEXT: %c = and i32 %x, 31
; CHECK-NEXT: lshr i32 %a, %c
define i32 @shift(i32 %a, i32 %b) {
  %x = shl i32 %a, %b
  %c = and i32 %x, 31
  %y = lshr i32 %a, %c
  ret i32 %y
}

; What Clang makes of a constant divided by zero, alone and in a vector; but not what a vector begins as.
; CHECK-LABEL: @folded
; CHECK: add i32 %a, 0
; CHECK: insertelement <2 x i32> poison, i32 0, i32 0
; CHECK: add <2 x i32> %v, <i32 0, i32 7>
; CHECK: shufflevector <2 x i32> %w, <2 x i32> poison
define <2 x i32> @folded(i32 %a) {
  %r = add i32 %a, poison
  %v = insertelement <2 x i32> poison, i32 poison, i32 0
  %w = add <2 x i32> %v, <i32 poison, i32 7>
  %s = shufflevector <2 x i32> %w, <2 x i32> poison, <2 x i32> zeroinitializer
  %t = insertelement <2 x i32> %s, i32 %r, i32 1
  ret <2 x i32> %t
}
