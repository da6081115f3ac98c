; Accesses of a transfer cost what local ones do, where the host has chosen it, by its bit.
; RUN: weft-opt --passes='count-cycles,verify' -S %s | FileCheck %s

; CHECK-LABEL: @k(
; CHECK: %[[CONTEXT:.*]] = call ptr @__weft_context()
; CHECK: %[[CHOSEN:.*]] = load i64, ptr %{{.*}}, !invariant.load
; CHECK: %[[BIT:.*]] = and i64 %[[CHOSEN]], 4
; CHECK: %[[IS:.*]] = icmp ne i64 %[[BIT]], 0
; CHECK: %[[COST:.*]] = select i1 %[[IS]], i64 200000000, i64 2000000000
; CHECK: add nuw i64 1000, %[[COST]]
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %c = getelementptr float, ptr addrspace(1) %a, i64 1
  %x = load float, ptr addrspace(1) %a, !weft.transfer !0
  %y = load float, ptr addrspace(1) %c, !weft.transfer !0
  %z = fadd float %x, %y
  ret void
}

!0 = !{i32 0, i32 0, i32 0, i32 8, i32 0, i32 1, i32 2, i32 2}
