; A group that is known to be narrow has no use for more lanes; the kernel's own vectors become scalars.
; RUN: weft-opt --passes=choose-width -weft-register-bits=256 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @narrow(
; CHECK: fadd float
; CHECK: fadd float
; CHECK-NOT: fadd <2 x float>
; CHECK: attributes #0 = { "weft-vector-width"="2" }
define spir_kernel void @narrow(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %v = load <2 x float>, ptr addrspace(1) %p
  %sum = fadd <2 x float> %v, %v
  store <2 x float> %sum, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 2, i32 8, i32 1}
