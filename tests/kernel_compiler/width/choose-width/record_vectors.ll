; Vectors of 16 bytes that lie anywhere are loaded as records, each lane's in one piece, and transposed: that is less than a load for each
; element. There are no such stores.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @loaded(
; CHECK-NOT: add <4 x i32>
; CHECK: ret void
define spir_kernel void @loaded(ptr addrspace(1) %p, ptr addrspace(1) %t, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %t.x = getelementptr i32, ptr addrspace(1) %t, i64 %x
  %k = load i32, ptr addrspace(1) %t.x
  %at = sext i32 %k to i64
  %p.at = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %at
  %v = load <4 x i32>, ptr addrspace(1) %p.at
  %s1 = add <4 x i32> %v, %v
  %s2 = xor <4 x i32> %s1, %v
  %s3 = add <4 x i32> %s2, %v
  %s4 = xor <4 x i32> %s3, %v
  %s5 = add <4 x i32> %s4, %v
  %s6 = xor <4 x i32> %s5, %v
  %s7 = add <4 x i32> %s6, %v
  %s8 = xor <4 x i32> %s7, %v
  %q.x = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 %x
  store <4 x i32> %s8, ptr addrspace(1) %q.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @stored(
; CHECK: add <4 x i32>
define spir_kernel void @stored(ptr addrspace(1) %p, ptr addrspace(1) %t, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %t.x = getelementptr i32, ptr addrspace(1) %t, i64 %x
  %k = load i32, ptr addrspace(1) %t.x
  %p.x = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %x
  %v = load <4 x i32>, ptr addrspace(1) %p.x
  %s1 = add <4 x i32> %v, %v
  %s2 = xor <4 x i32> %s1, %v
  %s3 = add <4 x i32> %s2, %v
  %s4 = xor <4 x i32> %s3, %v
  %s5 = add <4 x i32> %s4, %v
  %s6 = xor <4 x i32> %s5, %v
  %s7 = add <4 x i32> %s6, %v
  %s8 = xor <4 x i32> %s7, %v
  %at = sext i32 %k to i64
  %q.at = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 %at
  store <4 x i32> %s8, ptr addrspace(1) %q.at
  ret void
}
