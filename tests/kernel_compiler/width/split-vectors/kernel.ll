; The kernel's own vectors become scalars, whatever CPU it is for, and the kernel says so; functions keep theirs.
; RUN: weft-opt --passes='split-vectors,verify' -S %s | FileCheck %s

declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)

; CHECK-LABEL: @k(
; CHECK-NOT: <4 x
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %p) {
  %a = load <4 x i32>, ptr addrspace(1) %p
  %b = add <4 x i32> %a, %a
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %b)
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: @f(
; CHECK: add <4 x i32>
define <4 x i32> @f(<4 x i32> %a) {
  %b = add <4 x i32> %a, %a
  ret <4 x i32> %b
}

; CHECK: attributes #{{[0-9]+}} = { "weft-split-vectors"="1" }
