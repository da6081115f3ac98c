; Divisions of 64 bits by one constant are high halves of products with its reciprocal.
; RUN: weft-opt --passes='lower-high-products,verify' -S %s | FileCheck %s

; CHECK-LABEL: define <8 x i64> @tenth(
; CHECK-COUNT-4: mul <8 x i64>
; CHECK: [[QUOTIENT:%.*]] = lshr <8 x i64> %{{.*}}, splat (i64 3)
; CHECK: ret <8 x i64> [[QUOTIENT]]
define <8 x i64> @tenth(<8 x i64> %a) {
  %q = udiv <8 x i64> %a, splat (i64 10)
  ret <8 x i64> %q
}

; A reciprocal of 65 bits.
; CHECK-LABEL: define <8 x i64> @seventh(
; CHECK: [[REST:%.*]] = sub <8 x i64> %a, [[HIGH:%.*]]
; CHECK: [[HALF:%.*]] = lshr <8 x i64> [[REST]], splat (i64 1)
; CHECK: [[SUM:%.*]] = add <8 x i64> [[HALF]], [[HIGH]]
; CHECK: lshr <8 x i64> [[SUM]], splat (i64 2)
define <8 x i64> @seventh(<8 x i64> %a) {
  %q = udiv <8 x i64> %a, splat (i64 7)
  ret <8 x i64> %q
}

; CHECK-LABEL: define <8 x i64> @rest_signed(
; CHECK-NOT: srem
; CHECK: [[SHIFTED:%.*]] = ashr <8 x i64> %{{.*}}, splat (i64 1)
; CHECK: [[SIGN:%.*]] = lshr <8 x i64> [[SHIFTED]], splat (i64 63)
; CHECK: [[QUOTIENT:%.*]] = add <8 x i64> [[SHIFTED]], [[SIGN]]
; CHECK: [[PRODUCT:%.*]] = mul <8 x i64> [[QUOTIENT]], splat (i64 -5)
; CHECK: sub <8 x i64> %a, [[PRODUCT]]
define <8 x i64> @rest_signed(<8 x i64> %a) {
  %r = srem <8 x i64> %a, splat (i64 -5)
  ret <8 x i64> %r
}

; Powers of two, other numbers of bits, divisors that differ or are no constants, and scalars stay.
; CHECK-LABEL: define void @others(
; CHECK: udiv <8 x i64> %a, splat (i64 8)
; CHECK: sdiv <8 x i64> %a, splat (i64 -9223372036854775808)
; CHECK: udiv <8 x i32>
; CHECK: udiv <4 x i64> %d, <i64 3, i64 5, i64 7, i64 9>
; CHECK: udiv <8 x i64> %a, %b
; CHECK: udiv i64
define void @others(<8 x i64> %a, <8 x i64> %b, <8 x i32> %c, <4 x i64> %d, i64 %e, ptr %p) {
  %eighth = udiv <8 x i64> %a, splat (i64 8)
  store <8 x i64> %eighth, ptr %p
  %least = sdiv <8 x i64> %a, splat (i64 -9223372036854775808)
  store <8 x i64> %least, ptr %p
  %short = udiv <8 x i32> %c, splat (i32 10)
  store <8 x i32> %short, ptr %p
  %different = udiv <4 x i64> %d, <i64 3, i64 5, i64 7, i64 9>
  store <4 x i64> %different, ptr %p
  %variable = udiv <8 x i64> %a, %b
  store <8 x i64> %variable, ptr %p
  %scalar = udiv i64 %e, 10
  store i64 %scalar, ptr %p
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"weft-permuted-bits", i32 256}
