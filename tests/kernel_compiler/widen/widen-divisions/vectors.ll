; Vectors of up to 32 bits are divided in floating point, whose quotient is the same; others, constants and scalars are left.
; RUN: weft-opt --passes='widen-divisions,verify' -S %s | FileCheck %s

; CHECK-LABEL: define <16 x i32> @ints(
; CHECK: %[[A:.*]] = sitofp <16 x i32> %a to <16 x double>
; CHECK: %[[B:.*]] = sitofp <16 x i32> %b to <16 x double>
; CHECK: %[[Q:.*]] = fdiv <16 x double> %[[A]], %[[B]]
; CHECK: fptosi <16 x double> %[[Q]] to <16 x i32>
; CHECK-NOT: sdiv
define <16 x i32> @ints(<16 x i32> %a, <16 x i32> %b) {
  %q = sdiv <16 x i32> %a, %b
  ret <16 x i32> %q
}

; CHECK-LABEL: define <16 x i8> @bytes(
; CHECK: %[[A:.*]] = uitofp <16 x i32> %{{.*}} to <16 x float>
; CHECK: %[[Q:.*]] = fdiv <16 x float> %[[A]],
; CHECK: %[[W:.*]] = fptoui <16 x float> %[[Q]] to <16 x i32>
; CHECK: %[[T:.*]] = trunc <16 x i32> %[[W]] to <16 x i8>
; CHECK: %[[P:.*]] = mul <16 x i8> %[[T]], %b
; CHECK: sub <16 x i8> %a, %[[P]]
define <16 x i8> @bytes(<16 x i8> %a, <16 x i8> %b) {
  %r = urem <16 x i8> %a, %b
  ret <16 x i8> %r
}

; CHECK-LABEL: define <2 x i64> @left(
; CHECK: udiv <2 x i64> %a, %b
; CHECK: udiv <2 x i32> %c, splat (i32 3)
; CHECK: udiv i32 %e, %f
define <2 x i64> @left(<2 x i64> %a, <2 x i64> %b, <2 x i32> %c, i32 %e, i32 %f) {
  %q = udiv <2 x i64> %a, %b
  %r = udiv <2 x i32> %c, splat (i32 3)
  %s = udiv i32 %e, %f
  %v = insertelement <2 x i32> %r, i32 %s, i64 0
  %w = zext <2 x i32> %v to <2 x i64>
  %x = add <2 x i64> %q, %w
  ret <2 x i64> %x
}

; What all work-items divide by has a reciprocal, which is computed before their loop.
; CHECK-LABEL: define spir_kernel void @shared(
; CHECK: %[[A:.*]] = sitofp <4 x i32> %a to <4 x double>
; CHECK: %[[D:.*]] = sitofp <4 x i32> %d to <4 x double>
; CHECK: %[[R:.*]] = fdiv <4 x double> splat (double 0x3FF0000000000002), %[[D]]
; CHECK: fmul <4 x double> %[[A]], %[[R]]
define spir_kernel void @shared(ptr addrspace(1) %p, <4 x i32> %d) {
  %id = call i64 @__weft_global_id(i32 0)
  %place = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %id
  %a = load <4 x i32>, ptr addrspace(1) %place
  %q = sdiv <4 x i32> %a, %d
  store <4 x i32> %q, ptr addrspace(1) %place
  ret void
}

declare i64 @__weft_global_id(i32) memory(none)
