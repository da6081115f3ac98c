; Integers of 8 and 16 bits have twice as many lanes, also where they are computed in 32 bits of which no more are kept; indices do not
; count. Not where 32 bits are stored, nor in rows of an unknown length.
; RUN: weft-opt --passes=choose-width -weft-register-bits=256 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @bytes(
; CHECK-SAME: #[[SMALL:[0-9]+]]
define spir_kernel void @bytes(ptr addrspace(1) %p, i64 %n) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = add i64 %x, %n
  %at = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %v = load i8, ptr addrspace(1) %at
  %sum = add i8 %v, 3
  %bits = xor i8 %sum, 7
  store i8 %bits, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @promoted(
; CHECK-SAME: #[[SMALL]]
define spir_kernel void @promoted(ptr addrspace(1) %p) {
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr i16, ptr addrspace(1) %p, i64 %x
  %v = load i16, ptr addrspace(1) %at
  %long = sext i16 %v to i32
  %product = mul i32 %long, 3
  %half = ashr i32 %long, 1
  %sum = add i32 %product, %half
  %isLess = icmp slt i32 %sum, 100
  %least = select i1 %isLess, i32 %sum, i32 100
  %short = trunc i32 %least to i16
  store i16 %short, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @kept(
; CHECK-SAME: #[[USUAL:[0-9]+]]
define spir_kernel void @kept(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr i16, ptr addrspace(1) %p, i64 %x
  %to = getelementptr i32, ptr addrspace(1) %q, i64 %x
  %v = load i16, ptr addrspace(1) %at
  %long = sext i16 %v to i32
  %product = mul i32 %long, 3
  %half = ashr i32 %long, 1
  %sum = add i32 %product, %half
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK-SAME: #[[USUAL]]
define spir_kernel void @rows(ptr addrspace(1) %p) {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %row = mul i64 %y, 32
  %i = add i64 %row, %x
  %at = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %v = load i8, ptr addrspace(1) %at
  %sum = add i8 %v, 3
  %bits = xor i8 %sum, 7
  store i8 %bits, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @known_rows(
; CHECK-SAME: #[[SMALL]]
define spir_kernel void @known_rows(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %row = mul i64 %y, 32
  %i = add i64 %row, %x
  %at = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %v = load i8, ptr addrspace(1) %at
  %sum = add i8 %v, 3
  %bits = xor i8 %sum, 7
  store i8 %bits, ptr addrspace(1) %at
  ret void
}

; CHECK: attributes #[[SMALL]] = {{.*}}"weft-vector-width"="16"
; CHECK: attributes #[[USUAL]] = {{.*}}"weft-vector-width"="8"
!0 = !{i32 32, i32 4, i32 1}
