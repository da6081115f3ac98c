; Where an instruction converts them, vectors of 64 bits are divided in floating point too: by a reciprocal slightly too small, what remains
; again, and what then remains holds the divisor once or not.
; RUN: weft-opt --passes='widen-divisions,verify' -S %s | FileCheck %s

; CHECK-LABEL: define <8 x i64> @unsigned(
; CHECK: %[[D:.*]] = uitofp <8 x i64> %b to <8 x double>
; CHECK: %[[R:.*]] = fdiv <8 x double> splat (double 0x3FEFFFFFFFFFFFF8), %[[D]]
; CHECK: %[[A:.*]] = uitofp <8 x i64> %a to <8 x double>
; CHECK: %[[F:.*]] = fmul <8 x double> %[[A]], %[[R]]
; CHECK: %[[Q:.*]] = fptoui <8 x double> %[[F]] to <8 x i64>
; CHECK: %[[P:.*]] = mul <8 x i64> %[[Q]], %b
; CHECK: %[[S:.*]] = sub <8 x i64> %a, %[[P]]
; CHECK: uitofp <8 x i64> %[[S]] to <8 x double>
; CHECK: fmul <8 x double> {{.*}}, %[[R]]
; CHECK: %[[C:.*]] = icmp uge <8 x i64> {{.*}}, %b
; CHECK: %[[E:.*]] = zext <8 x i1> %[[C]] to <8 x i64>
; CHECK: %[[T:.*]] = add <8 x i64> {{.*}}, %[[E]]
; CHECK: ret <8 x i64> %[[T]]
define <8 x i64> @unsigned(<8 x i64> %a, <8 x i64> %b) {
  %q = udiv <8 x i64> %a, %b
  ret <8 x i64> %q
}

; CHECK-LABEL: define <4 x i64> @signed(
; CHECK-DAG: call <4 x i64> @llvm.abs.v4i64(<4 x i64> %a, i1 false)
; CHECK-DAG: call <4 x i64> @llvm.abs.v4i64(<4 x i64> %b, i1 false)
; CHECK: %[[N:.*]] = icmp slt <4 x i64> %a, zeroinitializer
; CHECK: %[[M:.*]] = sub <4 x i64> zeroinitializer, %[[V:.*]]
; CHECK: select <4 x i1> %[[N]], <4 x i64> %[[M]], <4 x i64> %[[V]]
; CHECK-NOT: srem
define <4 x i64> @signed(<4 x i64> %a, <4 x i64> %b) {
  %r = srem <4 x i64> %a, %b
  ret <4 x i64> %r
}

; CHECK-LABEL: define <4 x i64> @constant(
; CHECK: udiv <4 x i64> %a, splat (i64 7)
define <4 x i64> @constant(<4 x i64> %a) {
  %q = udiv <4 x i64> %a, splat (i64 7)
  ret <4 x i64> %q
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"weft-permuted-bits", i32 512}
