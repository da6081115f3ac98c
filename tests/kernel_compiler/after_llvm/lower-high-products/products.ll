; High halves of products of 64 bits are made of four products of 32 bits.
; RUN: weft-opt --passes='lower-high-products,verify' -S %s | FileCheck %s

; CHECK-LABEL: define <8 x i64> @high(
; CHECK-NOT: i128
; CHECK-DAG: [[LA:%.*]] = and <8 x i64> %a, splat (i64 4294967295)
; CHECK-DAG: [[HA:%.*]] = lshr <8 x i64> %a, splat (i64 32)
; CHECK-DAG: [[LB:%.*]] = and <8 x i64> %b, splat (i64 4294967295)
; CHECK-DAG: [[HB:%.*]] = lshr <8 x i64> %b, splat (i64 32)
; CHECK-DAG: mul <8 x i64> [[LA]], [[LB]]
; CHECK-DAG: mul <8 x i64> [[HA]], [[LB]]
; CHECK-DAG: mul <8 x i64> [[LA]], [[HB]]
; CHECK-DAG: mul <8 x i64> [[HA]], [[HB]]
; CHECK-NOT: ashr
; CHECK: ret
define <8 x i64> @high(<8 x i64> %a, <8 x i64> %b) {
  %a.wide = zext <8 x i64> %a to <8 x i128>
  %b.wide = zext <8 x i64> %b to <8 x i128>
  %product = mul nuw <8 x i128> %a.wide, %b.wide
  %shifted = lshr <8 x i128> %product, splat (i128 64)
  %high = trunc nuw <8 x i128> %shifted to <8 x i64>
  ret <8 x i64> %high
}

; Each number that is negative takes the other one from the high half.
; CHECK-LABEL: define <4 x i64> @high_signed(
; CHECK-NOT: i128
; CHECK: [[A:%.*]] = ashr <4 x i64> %a, splat (i64 63)
; CHECK: [[AB:%.*]] = and <4 x i64> [[A]], splat (i64 -3)
; CHECK: [[LESS:%.*]] = sub <4 x i64> %{{.*}}, [[AB]]
; CHECK: [[A_ITSELF:%.*]] = and <4 x i64> splat (i64 -1), %a
; CHECK: [[LAST:%.*]] = sub <4 x i64> [[LESS]], [[A_ITSELF]]
; CHECK: ret <4 x i64> [[LAST]]
define <4 x i64> @high_signed(<4 x i64> %a) {
  %wide = sext <4 x i64> %a to <4 x i128>
  %product = mul nsw <4 x i128> %wide, splat (i128 -3)
  %shifted = ashr <4 x i128> %product, splat (i128 64)
  %high = trunc nsw <4 x i128> %shifted to <4 x i64>
  ret <4 x i64> %high
}

; Other halves, numbers of which one has a sign, constants of more bits, and short vectors stay.
; CHECK-LABEL: define void @others(
; CHECK-COUNT-4: trunc
; CHECK: ret
define void @others(<8 x i64> %a, <8 x i64> %b, <2 x i64> %c, ptr %p) {
  %a.wide = zext <8 x i64> %a to <8 x i128>
  %b.wide = sext <8 x i64> %b to <8 x i128>
  %mixed = mul <8 x i128> %a.wide, %b.wide
  %mixed.shifted = lshr <8 x i128> %mixed, splat (i128 64)
  %mixed.high = trunc <8 x i128> %mixed.shifted to <8 x i64>
  store <8 x i64> %mixed.high, ptr %p
  %middle = mul <8 x i128> %a.wide, %a.wide
  %middle.shifted = lshr <8 x i128> %middle, splat (i128 32)
  %middle.part = trunc <8 x i128> %middle.shifted to <8 x i64>
  store <8 x i64> %middle.part, ptr %p
  %large = mul <8 x i128> %a.wide, splat (i128 18446744073709551617)
  %large.shifted = lshr <8 x i128> %large, splat (i128 64)
  %large.high = trunc <8 x i128> %large.shifted to <8 x i64>
  store <8 x i64> %large.high, ptr %p
  %c.wide = zext <2 x i64> %c to <2 x i128>
  %short = mul <2 x i128> %c.wide, %c.wide
  %short.shifted = lshr <2 x i128> %short, splat (i128 64)
  %short.high = trunc <2 x i128> %short.shifted to <2 x i64>
  store <2 x i64> %short.high, ptr %p
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"weft-permuted-bits", i32 256}
