; Bytes that lie anywhere and are converted to floats at once come out of the gathered numbers as such: packing wins less by them than by
; bytes that are computed with.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @converted(
; CHECK-SAME: #[[SIXTEEN:[0-9]+]]
; CHECK-NOT: fmul <4 x float>
define spir_kernel void @converted(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %w, ptr addrspace(1) %r) {
  %x = call i64 @__weft_global_id(i32 0)
  %q.x = getelementptr i32, ptr addrspace(1) %q, i64 %x
  %place = load i32, ptr addrspace(1) %q.x
  %place.long = sext i32 %place to i64
  %p.place = getelementptr <4 x i8>, ptr addrspace(1) %p, i64 %place.long
  %bytes = load <4 x i8>, ptr addrspace(1) %p.place
  %v = uitofp <4 x i8> %bytes to <4 x float>
  %w.x = getelementptr float, ptr addrspace(1) %w, i64 %x
  %f = load float, ptr addrspace(1) %w.x
  %f2 = fmul float %f, %f
  %f3 = fmul float %f2, %f
  %one = insertelement <4 x float> poison, float %f3, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %scaled = fmul <4 x float> %v, %all
  %r.x = getelementptr <4 x float>, ptr addrspace(1) %r, i64 %x
  store <4 x float> %scaled, ptr addrspace(1) %r.x
  ret void
}

; CHECK: attributes #[[SIXTEEN]] = {{.*}}"weft-vector-width"="16"
