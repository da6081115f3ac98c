; The kernel's own vectors become scalars, whatever CPU it is for; functions keep theirs. The kernel says so if work-items along x share some that
; are not the same for the whole range.
; RUN: weft-opt --passes='split-vectors,verify' -S %s | FileCheck %s

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: @k(
; CHECK-SAME: #[[SHARED:[0-9]+]]
; CHECK-NOT: <4 x
; CHECK: {{^}}}
define spir_kernel void @k(ptr addrspace(1) %p) {
  %a = load <4 x i32>, ptr addrspace(1) %p
  %b = add <4 x i32> %a, %a
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %b)
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @row(
; CHECK-SAME: #[[SHARED]]
define spir_kernel void @row(ptr addrspace(1) %p) {
  %y = call i64 @__weft_global_id(i32 1)
  %narrow = trunc i64 %y to i32
  %v = insertelement <4 x i32> poison, i32 %narrow, i64 0
  %all = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> zeroinitializer
  %b = add <4 x i32> %all, <i32 0, i32 1, i32 2, i32 3>
  store <4 x i32> %b, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @item(ptr addrspace(1) %p, i32 %n) {
; CHECK-NOT: add <4 x
; CHECK: {{^}}}
define spir_kernel void @item(ptr addrspace(1) %p, i32 %n) {
  %x = call i64 @__weft_global_id(i32 0)
  %v = insertelement <4 x i32> poison, i32 %n, i64 0
  %same = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> zeroinitializer
  %twice = add <4 x i32> %same, %same
  %at = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %x
  %a = load <4 x i32>, ptr addrspace(1) %at
  %b = add <4 x i32> %a, %twice
  store <4 x i32> %b, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: @f(
; CHECK: add <4 x i32>
define <4 x i32> @f(<4 x i32> %a) {
  %b = add <4 x i32> %a, %a
  ret <4 x i32> %b
}

; CHECK: attributes #[[SHARED]] = { "weft-split-vectors"="1" }
