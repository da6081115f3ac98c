; What a kernel does to images: reads, writes, or nothing where it asks for their sizes alone. Their memory is no other memory.
; RUN: weft-opt --passes=argument-access -S %s | FileCheck %s

declare <4 x float> @__weft_image_sample_float(ptr addrspace(2), i64, i32, float, float, float, float) memory(inaccessiblemem: read)
declare <4 x i32> @__weft_image_read_int(ptr addrspace(2), i64, i32, i32, i32, i32, i32) memory(inaccessiblemem: read)
declare void @__weft_image_write_int(ptr addrspace(2), i32, i32, i32, i32, i32, <4 x i32>) memory(inaccessiblemem: readwrite)

; CHECK: define spir_kernel void @k(ptr addrspace(2) "weft-access"="1" "weft-image" %in,
; CHECK-SAME: ptr addrspace(2) "weft-access"="2" "weft-image" %out, ptr addrspace(2) "weft-access"="3" "weft-image" %both,
; CHECK-SAME: ptr addrspace(2) "weft-access"="0" "weft-image" %asked, ptr addrspace(1) "weft-access"="2" %p, i64 "weft-sampler" %s) {
define spir_kernel void @k(ptr addrspace(2) "weft-image" %in, ptr addrspace(2) "weft-image" %out,
                           ptr addrspace(2) "weft-image" %both, ptr addrspace(2) "weft-image" %asked,
                           ptr addrspace(1) %p, i64 "weft-sampler" %s) {
  %f = call <4 x float> @__weft_image_sample_float(ptr addrspace(2) %in, i64 %s, i32 3, float 1.0, float 1.0, float 0.0, float 0.0)
  %t = call <4 x i32> @__weft_image_read_int(ptr addrspace(2) %both, i64 0, i32 11, i32 1, i32 1, i32 0, i32 0)
  call void @__weft_image_write_int(ptr addrspace(2) %both, i32 11, i32 1, i32 1, i32 0, i32 0, <4 x i32> %t)
  call void @__weft_image_write_int(ptr addrspace(2) %out, i32 11, i32 1, i32 1, i32 0, i32 0, <4 x i32> %t)
  %width = getelementptr i8, ptr addrspace(2) %asked, i64 12
  %w = load i32, ptr addrspace(2) %width
  store i32 %w, ptr addrspace(1) %p
  ret void
}

; In code for the image's format: the texels that it leads to.
; CHECK: define spir_kernel void @known({{.*}}) {
define spir_kernel void @known(ptr addrspace(2) "weft-image" %in, ptr addrspace(1) %p) {
  %data = load ptr addrspace(1), ptr addrspace(2) %in, !invariant.load !0
  %texel = getelementptr i8, ptr addrspace(1) %data, i64 4
  %v = load i32, ptr addrspace(1) %texel
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; Blocks: their texels are at the address that the image has.
; CHECK: define spir_kernel void @blocks(ptr addrspace(2) "weft-access"="1" "weft-image" %in,
; CHECK-SAME: ptr addrspace(2) "weft-access"="2" "weft-image" %out, ptr addrspace(2) "weft-access"="3" "weft-image" %both) {
define spir_kernel void @blocks(ptr addrspace(2) "weft-image" %in, ptr addrspace(2) "weft-image" %out,
                                ptr addrspace(2) "weft-image" %both) {
  %from = load ptr addrspace(1), ptr addrspace(2) %in, !invariant.load !0
  %to = load ptr addrspace(1), ptr addrspace(2) %out, !invariant.load !0
  %places = load ptr addrspace(1), ptr addrspace(2) %both, !invariant.load !0
  %row = getelementptr i8, ptr addrspace(1) %from, i64 64
  %v = load i32, ptr addrspace(1) %row
  store i32 %v, ptr addrspace(1) %to
  %w = load i32, ptr addrspace(1) %places
  store i32 %v, ptr addrspace(1) %places
  ret void
}

!0 = !{}
