; A sampler argument that is known is a number, in the code of an access, too; each sampler has code of its own.
; RUN: weft-opt --passes='inline-image-accesses,verify' -S %s | FileCheck %s

; CHECK: define spir_kernel void @k(
; CHECK: extractelement <4 x float> <float 3.200000e+01, {{.*}}
; CHECK: extractelement <4 x float> <float 1.600000e+01, {{.*}}
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(2) "weft-image" "weft-image-constant"="2" %in,
                           i64 "weft-sampler" "weft-image-constant"="32" %s, ptr addrspace(1) %p) {
  %a = call <4 x float> @__weft_image_sample_float(ptr addrspace(2) %in, i64 %s, i32 3, float 1.0, float 1.0, float 0.0, float 0.0)
  %a0 = extractelement <4 x float> %a, i32 0
  store volatile float %a0, ptr addrspace(1) %p
  %b = call <4 x float> @__weft_image_sample_float(ptr addrspace(2) %in, i64 16, i32 3, float 1.0, float 1.0, float 0.0, float 0.0)
  %b0 = extractelement <4 x float> %b, i32 0
  store volatile float %b0, ptr addrspace(1) %p
  ret void
}

declare <4 x float> @__weft_image_sample_float(ptr addrspace(2), i64, i32, float, float, float, float)

define <4 x float> @__weft_image_sample_float_code(ptr addrspace(2) %image, i64 %sampler, i32 %access, float %x, float %y, float %z, float %lod) {
  %number = uitofp i64 %sampler to float
  %texel = insertelement <4 x float> zeroinitializer, float %number, i32 0
  ret <4 x float> %texel
}
