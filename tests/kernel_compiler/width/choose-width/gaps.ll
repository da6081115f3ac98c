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

; Bytes: of sixteen lanes' vectors each element is a part of a register, which takes more shuffles than one operation is worth.
; CHECK-LABEL: define spir_kernel void @bytes_of_neighbours(
; CHECK: add <16 x i8>
define spir_kernel void @bytes_of_neighbours(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = sub i64 1000, %x
  %at = getelementptr <16 x i8>, ptr addrspace(1) %p, i64 %i
  %a = load <16 x i8>, ptr addrspace(1) %at
  %b = add <16 x i8> %a, splat (i8 3)
  %to = getelementptr <16 x i8>, ptr addrspace(1) %q, i64 %i
  store <16 x i8> %b, ptr addrspace(1) %to
  ret void
}

; A product with a number that is not known lies anywhere.
; CHECK-LABEL: define spir_kernel void @product(
; CHECK: add <8 x i16>
define spir_kernel void @product(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, %n
  %at = getelementptr <8 x i16>, ptr addrspace(1) %p, i64 %i
  %a = load <8 x i16>, ptr addrspace(1) %at
  %b = add <8 x i16> %a, splat (i16 3)
  %c = add <8 x i16> %b, %a
  %d = add <8 x i16> %c, %b
  %e = add <8 x i16> %d, %c
  %f = add <8 x i16> %e, %d
  %to = getelementptr <8 x i16>, ptr addrspace(1) %q, i64 %x
  store <8 x i16> %f, ptr addrspace(1) %to
  ret void
}

; Elements of a way that a branch by data takes: a work-item alone would often wait for the branch.
; CHECK-LABEL: define spir_kernel void @branch(
; CHECK-NOT: add <2 x i32>
define spir_kernel void @branch(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %flags) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 17
  %at = getelementptr <2 x i32>, ptr addrspace(1) %p, i64 %i
  %to = getelementptr <2 x i32>, ptr addrspace(1) %q, i64 %i
  %flag.at = getelementptr i32, ptr addrspace(1) %flags, i64 %x
  %flag = load i32, ptr addrspace(1) %flag.at
  %odd = trunc i32 %flag to i1
  br i1 %odd, label %then, label %end
then:
  %a = load <2 x i32>, ptr addrspace(1) %at
  %b = add <2 x i32> %a, splat (i32 3)
  store <2 x i32> %b, ptr addrspace(1) %to
  br label %end
end:
  ret void
}
