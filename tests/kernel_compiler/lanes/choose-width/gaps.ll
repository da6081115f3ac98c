; Vectors with gaps between neighbours' stay vectors, on whichever side of the product the constant is.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @right(
; CHECK: add <16 x i8>
define spir_kernel void @right(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 2
  %at = getelementptr <16 x i8>, ptr addrspace(1) %p, i64 %i
  %a = load <16 x i8>, ptr addrspace(1) %at
  %b = add <16 x i8> %a, splat (i8 3)
  %to = getelementptr <16 x i8>, ptr addrspace(1) %q, i64 %x
  store <16 x i8> %b, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @left(
; CHECK: add <16 x i8>
define spir_kernel void @left(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 2, %x
  %at = getelementptr <16 x i8>, ptr addrspace(1) %p, i64 %i
  %a = load <16 x i8>, ptr addrspace(1) %at
  %b = add <16 x i8> %a, splat (i8 3)
  %to = getelementptr <16 x i8>, ptr addrspace(1) %q, i64 %x
  store <16 x i8> %b, ptr addrspace(1) %to
  ret void
}
