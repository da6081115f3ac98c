; Vectors of three bytes have the place of four, so they are gathered as one number, too. They are packed where bytes are computed with; those
; that are converted to floats at once become lanes, three for each work-item.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @bytes(
; CHECK: mul <4 x i8>
; CHECK-LABEL: define spir_kernel void @floats(
; CHECK-NOT: <4 x float>
; CHECK: ret void
define spir_kernel void @bytes(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r) {
  %x = call i64 @__weft_global_id(i32 0)
  %q.x = getelementptr i32, ptr addrspace(1) %q, i64 %x
  %place = load i32, ptr addrspace(1) %q.x
  %place.long = sext i32 %place to i64
  %p.place = getelementptr <4 x i8>, ptr addrspace(1) %p, i64 %place.long
  %bytes = load <4 x i8>, ptr addrspace(1) %p.place
  %v = shufflevector <4 x i8> %bytes, <4 x i8> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %w = mul <3 x i8> %v, %v
  %y = add <3 x i8> %w, splat (i8 3)
  %filled = shufflevector <3 x i8> %y, <3 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  %r.x = getelementptr <4 x i8>, ptr addrspace(1) %r, i64 %x
  store <4 x i8> %filled, ptr addrspace(1) %r.x
  ret void
}

define spir_kernel void @floats(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r) {
  %x = call i64 @__weft_global_id(i32 0)
  %q.x = getelementptr i32, ptr addrspace(1) %q, i64 %x
  %place = load i32, ptr addrspace(1) %q.x
  %place.long = sext i32 %place to i64
  %p.place = getelementptr <4 x i8>, ptr addrspace(1) %p, i64 %place.long
  %bytes = load <4 x i8>, ptr addrspace(1) %p.place
  %v = shufflevector <4 x i8> %bytes, <4 x i8> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %f = uitofp <3 x i8> %v to <3 x float>
  %w = fmul <3 x float> %f, %f
  %b = fptoui <3 x float> %w to <3 x i8>
  %filled = shufflevector <3 x i8> %b, <3 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  %r.x = getelementptr <4 x i8>, ptr addrspace(1) %r, i64 %x
  store <4 x i8> %filled, ptr addrspace(1) %r.x
  ret void
}
