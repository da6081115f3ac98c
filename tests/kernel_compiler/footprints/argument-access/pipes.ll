; What a kernel does to a pipe is done through its argument: also by the functions that run once for the group, to which
; its address goes.
; RUN: weft-opt --passes=argument-access -S %s | FileCheck %s

declare i64 @__weft_once_pipe_reserve_read(ptr)
declare i64 @__weft_once_other(ptr)

; CHECK: define spir_kernel void @group(ptr addrspace(1) "weft-access"="3" "weft-pipe" %p) {
define spir_kernel void @group(ptr addrspace(1) "weft-pipe" %p) {
  %request = alloca ptr addrspace(1)
  store ptr addrspace(1) %p, ptr %request
  %r = call i64 @__weft_once_pipe_reserve_read(ptr %request)
  ret void
}

; CHECK: define spir_kernel void @asks(ptr addrspace(1) "weft-access"="1" "weft-pipe" %p) {
define spir_kernel void @asks(ptr addrspace(1) "weft-pipe" %p) {
  %head = load atomic i64, ptr addrspace(1) %p monotonic, align 8
  ret void
}

; CHECK: define spir_kernel void @other(ptr addrspace(1) "weft-access"="7" %p) #
define spir_kernel void @other(ptr addrspace(1) %p) {
  %request = alloca ptr addrspace(1)
  store ptr addrspace(1) %p, ptr %request
  %r = call i64 @__weft_once_other(ptr %request)
  ret void
}
