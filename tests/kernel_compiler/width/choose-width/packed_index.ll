; What each work-item computes by itself, such as an index, takes as many operations more as packed vectors leave lanes less: eight bytes leave
; half the lanes of 32 bits, four floats a quarter.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @bytes(
; CHECK: add <8 x i8>
; CHECK: ret void
define spir_kernel void @bytes(ptr addrspace(1) %p, ptr addrspace(1) %t, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %t.x = getelementptr i32, ptr addrspace(1) %t, i64 %x
  %i0 = load i32, ptr addrspace(1) %t.x
  %i1 = xor i32 %i0, 3
  %i2 = mul i32 %i1, 5
  %i3 = xor i32 %i2, 7
  %i4 = mul i32 %i3, 9
  %i5 = xor i32 %i4, 11
  %i6 = mul i32 %i5, 13
  %i7 = xor i32 %i6, 15
  %i8 = mul i32 %i7, 17
  %i9 = xor i32 %i8, 19
  %i10 = mul i32 %i9, 21
  %i11 = xor i32 %i10, 23
  %i12 = mul i32 %i11, 25
  %i13 = xor i32 %i12, 27
  %i14 = mul i32 %i13, 29
  %i15 = xor i32 %i14, 31
  %i16 = mul i32 %i15, 33
  %i17 = xor i32 %i16, 35
  %i18 = mul i32 %i17, 37
  %i19 = xor i32 %i18, 39
  %i20 = mul i32 %i19, 41
  %i21 = xor i32 %i20, 43
  %i22 = mul i32 %i21, 45
  %i23 = xor i32 %i22, 47
  %i24 = mul i32 %i23, 49
  %i25 = xor i32 %i24, 51
  %i26 = mul i32 %i25, 53
  %i27 = xor i32 %i26, 55
  %i28 = mul i32 %i27, 57
  %i29 = xor i32 %i28, 59
  %i30 = mul i32 %i29, 61
  %i = sext i32 %i30 to i64
  %p.i = getelementptr <8 x i8>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <8 x i8>, ptr addrspace(1) %q, i64 %x
  %v = load <8 x i8>, ptr addrspace(1) %p.i
  %sum = add <8 x i8> %v, %v
  store <8 x i8> %sum, ptr addrspace(1) %q.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @floats(
; CHECK-NOT: fadd <4 x float>
; CHECK: {{^}}}
define spir_kernel void @floats(ptr addrspace(1) %p, ptr addrspace(1) %t, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %t.x = getelementptr i32, ptr addrspace(1) %t, i64 %x
  %i0 = load i32, ptr addrspace(1) %t.x
  %i1 = xor i32 %i0, 3
  %i2 = mul i32 %i1, 5
  %i3 = xor i32 %i2, 7
  %i4 = mul i32 %i3, 9
  %i5 = xor i32 %i4, 11
  %i6 = mul i32 %i5, 13
  %i7 = xor i32 %i6, 15
  %i8 = mul i32 %i7, 17
  %i9 = xor i32 %i8, 19
  %i10 = mul i32 %i9, 21
  %i11 = xor i32 %i10, 23
  %i12 = mul i32 %i11, 25
  %i13 = xor i32 %i12, 27
  %i14 = mul i32 %i13, 29
  %i15 = xor i32 %i14, 31
  %i16 = mul i32 %i15, 33
  %i17 = xor i32 %i16, 35
  %i18 = mul i32 %i17, 37
  %i19 = xor i32 %i18, 39
  %i20 = mul i32 %i19, 41
  %i21 = xor i32 %i20, 43
  %i22 = mul i32 %i21, 45
  %i23 = xor i32 %i22, 47
  %i24 = mul i32 %i23, 49
  %i25 = xor i32 %i24, 51
  %i26 = mul i32 %i25, 53
  %i27 = xor i32 %i26, 55
  %i28 = mul i32 %i27, 57
  %i29 = xor i32 %i28, 59
  %i30 = mul i32 %i29, 61
  store i32 %i30, ptr addrspace(1) %t.x
  %p.i = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.i
  %sum = fadd <4 x float> %v, %v
  store <4 x float> %sum, ptr addrspace(1) %q.x
  ret void
}
