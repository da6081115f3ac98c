; An image is the address of its structure, in constant memory; a kernel's parameter keeps its type and its access as
; numbers. A field is a load that may move.
; RUN: weft-opt --passes='lower-target-types,verify' -S %s | FileCheck %s

declare ptr addrspace(2) @_Z20__weft_image_address14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0))
declare i32 @__weft_image_field(ptr addrspace(2), i32)
declare <4 x float> @__weft_image_read_float(ptr addrspace(2), i64, i32, i32, i32, i32, i32)

; CHECK-LABEL: define spir_kernel void @k(ptr addrspace(2) "weft-image"="3" "weft-image-access"="16" %i, ptr addrspace(1) %p)
; CHECK: call void @helper(ptr addrspace(2) %i, ptr addrspace(1) %p)
define spir_kernel void @k(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %i, ptr addrspace(1) %p) {
  call void @helper(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %i, ptr addrspace(1) %p)
  ret void
}

; CHECK-LABEL: define internal void @helper(ptr addrspace(2) %i, ptr addrspace(1) %p)
; CHECK: %[[PLACE:.*]] = getelementptr inbounds i8, ptr addrspace(2) %i, i64 12
; CHECK: %[[WIDTH:.*]] = load i32, ptr addrspace(2) %[[PLACE]], align 4, !invariant.load
; CHECK: store i32 %[[WIDTH]], ptr addrspace(1) %p
; CHECK: call <4 x float> @__weft_image_read_float(ptr addrspace(2) %i, i64 0, i32 3, i32 1, i32 2, i32 0, i32 0)
define internal void @helper(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %i, ptr addrspace(1) %p) {
  %a = call ptr addrspace(2) @_Z20__weft_image_address14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %i)
  %w = call i32 @__weft_image_field(ptr addrspace(2) %a, i32 12)
  store i32 %w, ptr addrspace(1) %p
  %t = call <4 x float> @__weft_image_read_float(ptr addrspace(2) %a, i64 0, i32 3, i32 1, i32 2, i32 0, i32 0)
  store <4 x float> %t, ptr addrspace(1) %p
  ret void
}

; Shapes, from a buffer, of depth; written, read and written.
; CHECK-LABEL: define spir_kernel void @types(
; CHECK-SAME: ptr addrspace(2) "weft-image"="1" "weft-image-access"="16" %{{[0-9]+}}, ptr addrspace(2) "weft-image"="2" "weft-image-access"="32" %{{[0-9]+}},
; CHECK-SAME: ptr addrspace(2) "weft-image"="4" "weft-image-access"="64" %{{[0-9]+}}, ptr addrspace(2) "weft-image"="5" "weft-image-access"="16" %{{[0-9]+}},
; CHECK-SAME: ptr addrspace(2) "weft-image"="9" "weft-image-access"="16" %{{[0-9]+}}, ptr addrspace(2) "weft-image"="20" "weft-image-access"="16" %{{[0-9]+}})
define spir_kernel void @types(target("spirv.Image", void, 0, 0, 0, 0, 0, 0, 0) %0, target("spirv.Image", void, 0, 0, 1, 0, 0, 0, 1) %1,
                               target("spirv.Image", void, 1, 0, 1, 0, 0, 0, 2) %2, target("spirv.Image", void, 2, 0, 0, 0, 0, 0, 0) %3,
                               target("spirv.Image", void, 5, 0, 0, 0, 0, 0, 0) %4, target("spirv.Image", void, 1, 1, 1, 0, 0, 0, 0) %5) {
  ret void
}
