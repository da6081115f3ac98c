; Kernels of blocks get numbers, and a global pointer to what their block has captured. Addresses of other functions go. A kernel
; that asks the host, directly or through a function, is one that enqueues.
; RUN: weft-opt --passes=lower-blocks -S %s | FileCheck %s

; CHECK: @literal = internal addrspace(1) constant { i32, i32, ptr addrspace(4) } { i32 16, i32 8, ptr addrspace(4) addrspacecast (ptr null to ptr addrspace(4)) }
@literal = internal addrspace(1) constant { i32, i32, ptr addrspace(4) } { i32 16, i32 8, ptr addrspace(4) addrspacecast (ptr @body to ptr addrspace(4)) }

declare i64 @__weft_enqueue(i32, ptr)

define i32 @enqueue(ptr addrspace(4) %kernel) {
  %request = alloca ptr addrspace(4)
  store ptr addrspace(4) %kernel, ptr %request
  %r = call i64 @__weft_enqueue(i32 1, ptr %request)
  ret i32 0
}

; CHECK: define internal spir_func void @body(ptr addrspace(4) %block)
define internal spir_func void @body(ptr addrspace(4) %block) {
  ret void
}

; CHECK: define spir_kernel void @parent() #[[PARENT:[0-9]+]]
; CHECK: call spir_func void @body(ptr addrspace(4) null)
; CHECK: call i32 @enqueue(ptr addrspace(4) addrspacecast (ptr null to ptr addrspace(4)))
; CHECK: call i32 @enqueue(ptr addrspace(4) addrspacecast (ptr inttoptr (i64 1 to ptr) to ptr addrspace(4)))
define spir_kernel void @parent() {
  call spir_func void @body(ptr addrspace(4) null)
  call i32 @enqueue(ptr addrspace(4) addrspacecast (ptr @first to ptr addrspace(4)))
  call i32 @enqueue(ptr addrspace(4) addrspacecast (ptr @second to ptr addrspace(4)))
  ret void
}

; CHECK: define spir_kernel void @plain() {
define spir_kernel void @plain() {
  ret void
}

; CHECK: define internal spir_kernel void @first(ptr addrspace(1) noalias readonly %0) #[[FIRST:[0-9]+]]
; CHECK-NEXT: %[[GENERIC:.*]] = addrspacecast ptr addrspace(1) %0 to ptr addrspace(4)
; CHECK-NEXT: call spir_func void @body(ptr addrspace(4) %[[GENERIC]])
define internal spir_kernel void @first(ptr addrspace(4) %0) {
  call spir_func void @body(ptr addrspace(4) %0)
  ret void
}

; CHECK: define internal spir_kernel void @second(ptr addrspace(1) noalias readonly %0, ptr addrspace(3) %1) #[[SECOND:[0-9]+]]
define internal spir_kernel void @second(ptr addrspace(4) %0, ptr addrspace(3) %1) {
  call i32 @enqueue(ptr addrspace(4) addrspacecast (ptr @first to ptr addrspace(4)))
  ret void
}

; CHECK-DAG: attributes #[[PARENT]] = { "weft-kernel-flags"="2048" }
; CHECK-DAG: attributes #[[FIRST]] = { "weft-block"="0" }
; CHECK-DAG: attributes #[[SECOND]] = { "weft-block"="1" "weft-kernel-flags"="2048" }
