; An access of an image: the place, one global access, and the conversion of four channels. A linear filter accesses two texels in
; each dimension; with a sampler that is not known it is counted when the kernel runs.
; RUN: weft-opt --passes='count-cycles,verify' -S %s | FileCheck %s

declare <4 x float> @__weft_image_sample_float(ptr addrspace(2), i64, i32, float, float, float, float)
declare <4 x float> @__weft_image_read_float(ptr addrspace(2), i64, i32, i32, i32, i32, i32)
declare void @__weft_image_write_float(ptr addrspace(2), i32, i32, i32, i32, i32, <4 x float>)

; CHECK-LABEL: @read(
; CHECK: add nuw i64 %{{.*}}, 1000004014
define spir_kernel void @read(ptr addrspace(2) %i) {
  %t = call <4 x float> @__weft_image_read_float(ptr addrspace(2) %i, i64 0, i32 3, i32 1, i32 2, i32 0, i32 0)
  ret void
}

; CHECK-LABEL: @write(
; CHECK: add nuw i64 %{{.*}}, 1000004014
define spir_kernel void @write(ptr addrspace(2) %i) {
  call void @__weft_image_write_float(ptr addrspace(2) %i, i32 3, i32 1, i32 2, i32 0, i32 0, <4 x float> zeroinitializer)
  ret void
}

; CHECK-LABEL: @nearest(
; CHECK: add nuw i64 %{{.*}}, 1000008014
define spir_kernel void @nearest(ptr addrspace(2) %i) {
  %t = call <4 x float> @__weft_image_sample_float(ptr addrspace(2) %i, i64 16, i32 3, float 1.0, float 1.0, float 0.0, float 0.0)
  ret void
}

; Four texels.
; CHECK-LABEL: @linear(
; CHECK: add nuw i64 %{{.*}}, 4000032014
define spir_kernel void @linear(ptr addrspace(2) %i) {
  %t = call <4 x float> @__weft_image_sample_float(ptr addrspace(2) %i, i64 32, i32 3, float 1.0, float 1.0, float 0.0, float 0.0)
  ret void
}

; Eight, in each of two levels.
; CHECK-LABEL: @levels(
; CHECK: add nuw i64 %{{.*}}, 16000128014
define spir_kernel void @levels(ptr addrspace(2) %i) {
  %t = call <4 x float> @__weft_image_sample_float(ptr addrspace(2) %i, i64 288, i32 5, float 1.0, float 1.0, float 1.0, float 0.0)
  ret void
}

; CHECK-LABEL: @any(
; CHECK: %[[BIT:.*]] = and i64 %s, 32
; CHECK: %[[LINEAR:.*]] = icmp ne i64 %[[BIT]], 0
; CHECK: select i1 %[[LINEAR]], i64 4, i64 1
define spir_kernel void @any(ptr addrspace(2) %i, i64 %s) {
  %t = call <4 x float> @__weft_image_sample_float(ptr addrspace(2) %i, i64 %s, i32 3, float 1.0, float 1.0, float 0.0, float 0.0)
  ret void
}
