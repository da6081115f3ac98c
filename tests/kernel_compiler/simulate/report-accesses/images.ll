; The host is told of a texel for each access of an image: here of the one at y = 2 and x = %x, clamped to the image. Fields of the
; image are in no global memory.
; RUN: weft-opt --passes='count-cycles,report-accesses,verify' -S %s | FileCheck %s

declare <4 x float> @__weft_image_read_float(ptr addrspace(2), i64, i32, i32, i32, i32, i32)
declare <4 x float> @__weft_image_sample_float(ptr addrspace(2), i64, i32, float, float, float, float)

; CHECK-LABEL: define spir_kernel void @read(
; CHECK: %[[ATLEAST:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 0)
; CHECK: %[[COLUMN:.*]] = call i32 @llvm.umin.i32(i32 %[[ATLEAST]], i32 %{{.*}})
; CHECK: call i32 @llvm.smax.i32(i32 2, i32 0)
; CHECK: %[[DATA:.*]] = load ptr addrspace(1), ptr addrspace(2) %{{.*}}, align 8, !invariant.load
; CHECK: %[[TEXEL:.*]] = getelementptr i8, ptr addrspace(1) %[[DATA]], i64 %{{.*}}
; CHECK: %[[ADDRESS:.*]] = addrspacecast ptr addrspace(1) %[[TEXEL]] to ptr
; CHECK: call i64 %{{.*}}(ptr %{{.*}}, i64 %{{.*}}, ptr %[[ADDRESS]], i64 %{{.*}}, i32 1)
; CHECK: call <4 x float> @__weft_image_read_float(
define spir_kernel void @read(ptr addrspace(2) "weft-image" %i, i32 %x) {
  %t = call <4 x float> @__weft_image_read_float(ptr addrspace(2) %i, i64 0, i32 3, i32 %x, i32 2, i32 0, i32 0)
  ret void
}

; CHECK-LABEL: define spir_kernel void @sample(
; CHECK: %[[SCALED:.*]] = fmul float %x, %{{.*}}
; CHECK: %[[PLACE:.*]] = select i1 %{{.*}}, float %[[SCALED]], float %x
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float %[[PLACE]])
; CHECK: call i64 %{{.*}}(ptr %{{.*}}, i64 %{{.*}}, ptr %{{.*}}, i64 %{{.*}}, i32 1)
define spir_kernel void @sample(ptr addrspace(2) "weft-image" %i, i64 %s, float %x) {
  %t = call <4 x float> @__weft_image_sample_float(ptr addrspace(2) %i, i64 %s, i32 1, float %x, float 0.0, float 0.0, float 0.0)
  ret void
}

; CHECK-LABEL: define spir_kernel void @field(
; CHECK-NOT: call i64
; CHECK: %w = load i32
; CHECK: ret void
define spir_kernel void @field(ptr addrspace(2) "weft-image" %i, ptr addrspace(3) %p) {
  %at = getelementptr i8, ptr addrspace(2) %i, i64 12
  %w = load i32, ptr addrspace(2) %at
  store i32 %w, ptr addrspace(3) %p
  ret void
}
