; Three or more operations on the bits of three vectors are one instruction.
; RUN: weft-opt --passes='form-ternary-logic,verify' -S %s | FileCheck %s

; CHECK-LABEL: @majority(
; CHECK-NEXT: %[[R:.*]] = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z, i32 232)
; CHECK-NEXT: ret <16 x i32> %[[R]]
define <16 x i32> @majority(<16 x i32> %x, <16 x i32> %y, <16 x i32> %z) {
  %both = and <16 x i32> %x, %y
  %one = xor <16 x i32> %x, %y
  %third = and <16 x i32> %one, %z
  %r = or <16 x i32> %both, %third
  ret <16 x i32> %r
}

; A negation is one of them.
; CHECK-LABEL: @negated(
; CHECK-NEXT: call <2 x i64> @llvm.x86.avx512.pternlog.q.128(<2 x i64> %x, <2 x i64> %y, <2 x i64> %z, i32 8)
define <2 x i64> @negated(<2 x i64> %x, <2 x i64> %y, <2 x i64> %z) {
  %not = xor <2 x i64> %x, splat (i64 -1)
  %a = and <2 x i64> %not, %y
  %r = and <2 x i64> %a, %z
  ret <2 x i64> %r
}

; Several registers.
; CHECK-LABEL: @wide(
; CHECK-COUNT-2: call <16 x i32> @llvm.x86.avx512.pternlog.d.512(
; CHECK: shufflevector <16 x i32>
define <32 x i32> @wide(<32 x i32> %x, <32 x i32> %y, <32 x i32> %z) {
  %a = or <32 x i32> %x, %y
  %b = and <32 x i32> %a, %z
  %r = xor <32 x i32> %b, %x
  ret <32 x i32> %r
}

; Of more vectors: as much as possible at the end, the rest before it.
; CHECK-LABEL: @five(
; CHECK-NEXT: %p = xor <8 x i32> %a, %b
; CHECK-NEXT: %q = xor <8 x i32> %p, %c
; CHECK-NEXT: %[[LAST:.*]] = call <8 x i32> @llvm.x86.avx512.pternlog.d.256(<8 x i32> %q, <8 x i32> %d, <8 x i32> %e, i32 40)
; CHECK-NEXT: ret <8 x i32> %[[LAST]]
define <8 x i32> @five(<8 x i32> %a, <8 x i32> %b, <8 x i32> %c, <8 x i32> %d, <8 x i32> %e) {
  %p = xor <8 x i32> %a, %b
  %q = xor <8 x i32> %p, %c
  %s = xor <8 x i32> %q, %d
  %t = and <8 x i32> %s, %e
  %n = xor <8 x i32> %t, splat (i32 -1)
  %r = xor <8 x i32> %n, splat (i32 -1)
  ret <8 x i32> %r
}

; Not where what is in between is used, for two operations, for other types, or for rotations.
; CHECK-LABEL: @left_alone(
; CHECK-NOT: pternlog
; CHECK: ret <4 x i32>
define <4 x i32> @left_alone(<4 x i32> %x, <4 x i32> %y, <4 x i32> %z, ptr %p, <4 x i16> %w) {
  %a = xor <4 x i32> %x, %y
  store <4 x i32> %a, ptr %p
  %b = and <4 x i32> %a, %z
  %c = or <4 x i32> %b, %x
  %h = and <4 x i16> %w, splat (i16 7)
  %i = or <4 x i16> %h, splat (i16 8)
  %j = xor <4 x i16> %i, splat (i16 9)
  store <4 x i16> %j, ptr %p
  %up = shl <4 x i32> %c, splat (i32 3)
  %down = lshr <4 x i32> %c, splat (i32 29)
  %turned = or <4 x i32> %up, %down
  %r = xor <4 x i32> %turned, %y
  ret <4 x i32> %r
}
