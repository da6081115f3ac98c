; What is left of accesses is one call each, for one work-item, through weft_work_context.images: `sample` is its first function,
; `write` its last.
; RUN: weft-opt --passes='lower-image-calls,verify' -S %s | FileCheck %s

declare <4 x i32> @__weft_image_sample_int(ptr addrspace(2), i64, i32, float, float, float, float)
declare void @__weft_image_write_int(ptr addrspace(2), i32, i32, i32, i32, i32, <4 x i32>)

; CHECK-LABEL: define spir_kernel void @k(
; CHECK-DAG: %coordinates = alloca <4 x i32>
; CHECK-DAG: %texels = alloca <4 x i32>
; CHECK: store float %x, ptr %{{.*}}
; CHECK: store float 1.000000e+00, ptr
; CHECK: store float 2.000000e+00, ptr
; CHECK: store float 3.000000e+00, ptr
; CHECK: %[[CONTEXT:.*]] = call ptr @__weft_context()
; CHECK: %[[PLACE:.*]] = getelementptr inbounds i8, ptr %[[CONTEXT]], i64 88
; CHECK: %[[TABLE:.*]] = load ptr, ptr %[[PLACE]], align 8, !invariant.load
; CHECK: %[[SAMPLE:.*]] = load ptr, ptr %{{.*}}, align 8, !invariant.load
; CHECK: %[[IMAGE:.*]] = addrspacecast ptr addrspace(2) %in to ptr
; CHECK: call void %[[SAMPLE]](ptr %[[IMAGE]], i64 %s, i32 13, i32 1, ptr %coordinates, ptr %texels)
; CHECK: %[[TEXEL:.*]] = load <4 x i32>, ptr %texels
; CHECK: store <4 x i32> %[[TEXEL]], ptr %texels
; CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 16
; CHECK: call void %{{.*}}(ptr %{{.*}}, i32 13, i32 1, ptr %coordinates, ptr %texels)
; CHECK-NOT: call
; CHECK: {{^}}}
define spir_kernel void @k(ptr addrspace(2) %in, ptr addrspace(2) %out, i64 %s, float %x, i32 %y) {
  %t = call <4 x i32> @__weft_image_sample_int(ptr addrspace(2) %in, i64 %s, i32 13, float %x, float 1.0, float 2.0, float 3.0)
  call void @__weft_image_write_int(ptr addrspace(2) %out, i32 13, i32 %y, i32 1, i32 2, i32 3, <4 x i32> %t)
  ret void
}
