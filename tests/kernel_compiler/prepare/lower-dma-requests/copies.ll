; What a copy says of itself goes, unless cycles are counted: then it becomes a call of the host, by the work-item that copies, and
; what that does until the end is not counted.
; RUN: weft-opt --passes='lower-dma-requests,verify' -S %s | FileCheck --check-prefix=GONE %s
; RUN: weft-opt --passes='count-cycles,verify' -S %s | FileCheck %s

declare void @__weft_request(i64, i64)
declare void @__weft_request_end()
declare void @__weft_barrier() convergent

; GONE-LABEL: @k(
; GONE-NOT: request
; GONE: call void @__weft_barrier()
; GONE-NOT: request
; GONE: {{^}}}

; CHECK-LABEL: @k(
; CHECK-SAME: #[[KERNEL:[0-9]+]]
; CHECK: %sum = add i32 %n, 1
; CHECK: %[[SO_FAR:.*]] = load i64, ptr %cycles
; CHECK-NEXT: %[[NOW:.*]] = add nuw i64 %[[SO_FAR]], 1
; CHECK-NEXT: %[[CONTEXT:.*]] = call ptr @__weft_context()
; CHECK-NEXT: getelementptr
; CHECK-NEXT: %[[REQUEST:.*]] = load ptr, {{.*}} !invariant.load
; CHECK-NEXT: call void %[[REQUEST]](ptr %[[CONTEXT]], i64 64, i64 2, i64 %[[NOW]])
; CHECK-NEXT: load i32, ptr addrspace(1) %from
; CHECK-NEXT: store
; CHECK: add nuw i64 %{{.*}}, 20000011
; CHECK: call void @__weft_barrier()
; CHECK: call void %{{.*}}(ptr %{{.*}}, i64 0, i64 0, i64 %
; CHECK-NOT: __weft_request
; CHECK: attributes #[[KERNEL]] = { "weft-kernel-flags"="320" }
define spir_kernel void @k(ptr addrspace(1) %from, ptr addrspace(3) %to, i32 %n) {
  %sum = add i32 %n, 1
  call void @__weft_request(i64 64, i64 2)
  %x = load i32, ptr addrspace(1) %from
  store i32 %x, ptr addrspace(3) %to
  call void @__weft_request_end()
  %product = mul i32 %sum, %n
  br label %barrier
barrier:
  call void @__weft_barrier()
  call void @__weft_request(i64 0, i64 0)
  ret void
}
