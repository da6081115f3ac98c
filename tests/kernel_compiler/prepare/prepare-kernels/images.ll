; Accesses of images touch no memory that other instructions access, and calls of them may go where there is no use for them.
; RUN: weft-opt --passes=prepare-kernels -S %s | FileCheck %s

; CHECK: call <4 x float> @__weft_image_read_float(ptr addrspace(2) %i, i64 0, i32 3, i32 1, i32 2, i32 0, i32 0){{$}}
; CHECK: call void @__weft_image_write_float(ptr addrspace(2) %i, i32 3, i32 1, i32 2, i32 0, i32 0, <4 x float> %t){{$}}
define spir_kernel void @k(ptr addrspace(2) %i) {
  %t = call spir_func <4 x float> @__weft_image_read_float(ptr addrspace(2) %i, i64 0, i32 3, i32 1, i32 2, i32 0, i32 0) convergent
  call spir_func void @__weft_image_write_float(ptr addrspace(2) %i, i32 3, i32 1, i32 2, i32 0, i32 0, <4 x float> %t) convergent
  ret void
}

; CHECK: declare <4 x float> @__weft_image_read_float(ptr addrspace(2), i64, i32, i32, i32, i32, i32) #[[READ:.*]]
; CHECK: declare void @__weft_image_write_float(ptr addrspace(2), i32, i32, i32, i32, i32, <4 x float>) #[[WRITE:.*]]
; CHECK: attributes #[[READ]] = { nosync nounwind willreturn memory(inaccessiblemem: read) "prefer-vector-width"="512" }
; CHECK: attributes #[[WRITE]] = { nosync nounwind willreturn memory(inaccessiblemem: readwrite) "prefer-vector-width"="512" }
declare spir_func <4 x float> @__weft_image_read_float(ptr addrspace(2), i64, i32, i32, i32, i32, i32) convergent
declare spir_func void @__weft_image_write_float(ptr addrspace(2), i32, i32, i32, i32, i32, <4 x float>) convergent
