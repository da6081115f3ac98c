; Bytes that a shuffle repeats are doubled before it: LLVM's code generation for AVX-512 does not end at their sum.
; RUN: weft-opt --passes='double-before-repeating,verify' -S %s | FileCheck %s

; CHECK-LABEL: @shifted(
; CHECK-NEXT: %[[TWICE:.*]] = add <16 x i8> %x, %x
; CHECK-NEXT: %[[ALL:.*]] = shufflevector <16 x i8> %[[TWICE]], <16 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1,
; CHECK-NEXT: ret <64 x i8> %[[ALL]]
define <64 x i8> @shifted(<16 x i8> %x) {
  %all = shufflevector <16 x i8> %x, <16 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3, i32 4, i32 4, i32 4, i32 4, i32 5, i32 5, i32 5, i32 5, i32 6, i32 6, i32 6, i32 6, i32 7, i32 7, i32 7, i32 7, i32 8, i32 8, i32 8, i32 8, i32 9, i32 9, i32 9, i32 9, i32 10, i32 10, i32 10, i32 10, i32 11, i32 11, i32 11, i32 11, i32 12, i32 12, i32 12, i32 12, i32 13, i32 13, i32 13, i32 13, i32 14, i32 14, i32 14, i32 14, i32 15, i32 15, i32 15, i32 15>
  %r = shl <64 x i8> %all, splat (i8 1)
  ret <64 x i8> %r
}

; Twice: a sum, and a product with two.
; CHECK-LABEL: @twice(
; CHECK-NEXT: %[[TWICE:.*]] = add <32 x i8> %x, %x
; CHECK-NEXT: %[[FOUR:.*]] = add <32 x i8> %[[TWICE]], %[[TWICE]]
; CHECK-NEXT: %[[ALL:.*]] = shufflevector <32 x i8> %[[FOUR]],
; CHECK-NEXT: ret <64 x i8> %[[ALL]]
define <64 x i8> @twice(<32 x i8> %x) {
  %all = shufflevector <32 x i8> %x, <32 x i8> poison, <64 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7, i32 8, i32 8, i32 9, i32 9, i32 10, i32 10, i32 11, i32 11, i32 12, i32 12, i32 13, i32 13, i32 14, i32 14, i32 15, i32 15, i32 16, i32 16, i32 17, i32 17, i32 18, i32 18, i32 19, i32 19, i32 20, i32 20, i32 21, i32 21, i32 22, i32 22, i32 23, i32 23, i32 24, i32 24, i32 25, i32 25, i32 26, i32 26, i32 27, i32 27, i32 28, i32 28, i32 29, i32 29, i32 30, i32 30, i32 31, i32 31>
  %s = add <64 x i8> %all, %all
  %r = mul <64 x i8> %s, splat (i8 2)
  ret <64 x i8> %r
}

; Shorter vectors, and other sums, stay.
; CHECK-LABEL: @others(
; CHECK-NEXT: %all = shufflevector
; CHECK-NEXT: %s = add <32 x i8> %all, %all
; CHECK-NEXT: %r = shl <32 x i8> %s, splat (i8 2)
; CHECK-NEXT: ret
define <32 x i8> @others(<16 x i8> %x) {
  %all = shufflevector <16 x i8> %x, <16 x i8> poison, <32 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7, i32 8, i32 8, i32 9, i32 9, i32 10, i32 10, i32 11, i32 11, i32 12, i32 12, i32 13, i32 13, i32 14, i32 14, i32 15, i32 15>
  %s = add <32 x i8> %all, %all
  %r = shl <32 x i8> %s, splat (i8 2)
  ret <32 x i8> %r
}
