; An image lies in the packed block, and its argument is the address; a sampler is a number there.
; RUN: weft-opt --passes='entry-points,verify' -S %s | FileCheck %s

; CHECK-LABEL: define internal void @k(
; CHECK: %[[FIRST:.*]] = getelementptr inbounds i8, ptr %1, i32 0
; CHECK: %[[IMAGE:.*]] = addrspacecast ptr %[[FIRST]] to ptr addrspace(2)
; CHECK: getelementptr inbounds i8, ptr %1, i64 184
; CHECK: %[[SAMPLER:.*]] = load i64, ptr %{{.*}}, align 8, !invariant.load
; CHECK: %[[NEXT:.*]] = getelementptr inbounds i8, ptr %1, i32 192
; CHECK: %[[OTHER:.*]] = addrspacecast ptr %[[NEXT]] to ptr addrspace(2)
; CHECK: call void @use(ptr addrspace(2) %[[IMAGE]], i64 %[[SAMPLER]], ptr addrspace(2) %[[OTHER]])
declare void @use(ptr addrspace(2), i64, ptr addrspace(2))
define spir_kernel void @k(ptr addrspace(2) "weft-image" %i, i64 "weft-sampler" %s, ptr addrspace(2) "weft-image" %o) {
  call void @use(ptr addrspace(2) %i, i64 %s, ptr addrspace(2) %o)
  ret void
}
