; The estimate of a reciprocal root is an instruction: all lanes' in one.
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=128 -mtriple=x86_64 -mcpu=skylake-avx512 -S %s \
; RUN:   | FileCheck %s

declare float @__weft_estimate_rsqrt(float) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @roots(
; CHECK: %[[X:.*]] = load <4 x float>
; CHECK: call <4 x float> @__weft_estimate_rsqrt.v4(<4 x float> %[[X]])
; CHECK: store <4 x float>
define spir_kernel void @roots(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %step, %loop ]
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  %f = load float, ptr addrspace(1) %at
  %r = call float @__weft_estimate_rsqrt(float %f)
  store float %r, ptr addrspace(1) %at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %loop, label %out, !weft.item.loop !1
out:
  ret void
}

; Of what is the same for all: once.
; CHECK-LABEL: define spir_kernel void @one_root(
; CHECK: call float @__weft_estimate_rsqrt(float %f)
; CHECK: store <4 x float>
; CHECK-NOT: rsqrt.v
; CHECK: {{^}}}
define spir_kernel void @one_root(ptr addrspace(1) %p, float %f, i64 %n) #0 {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %step, %loop ]
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  %r = call float @__weft_estimate_rsqrt(float %f)
  store float %r, ptr addrspace(1) %at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %loop, label %out, !weft.item.loop !1
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!1 = !{}
