; In a program that calls to_local or the like a local pointer may lead to private memory: nothing is said of it then.
; RUN: weft-opt --passes='prepare-kernels,always-inline,function(early-cse<memssa>),verify' -S %s | FileCheck %s

; CHECK: define spir_kernel void @k(
; CHECK: store i32 2, ptr addrspace(3)
; CHECK-NEXT: %x = load i32, ptr %own
; CHECK-NEXT: store i32 %x
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(4) %p, ptr %own) {
  store i32 1, ptr %own
  %l = call spir_func ptr addrspace(3) @__to_local(ptr addrspace(4) %p)
  store i32 2, ptr addrspace(3) %l
  %x = load i32, ptr %own
  store i32 %x, ptr addrspace(1) %out
  ret void
}

define internal spir_func ptr addrspace(3) @__to_local(ptr addrspace(4) %p) alwaysinline {
  %l = addrspacecast ptr addrspace(4) %p to ptr addrspace(3)
  ret ptr addrspace(3) %l
}

; CHECK: !weft.pointer.conversions = !{}
