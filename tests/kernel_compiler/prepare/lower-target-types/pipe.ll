; A pipe is an address in global memory, a reservation is a number. What does not change in a pipe is loaded so.
; RUN: weft-opt --passes='lower-target-types,verify' -S %s | FileCheck %s

declare ptr addrspace(1) @__weft_pipe_read_end(target("spirv.Pipe", 0))
declare ptr addrspace(1) @__weft_pipe_write_end(target("spirv.Pipe", 1))
declare i32 @__weft_pipe_field(ptr addrspace(1), i32)
declare i64 @__weft_reservation_number(target("spirv.ReserveId"))
declare target("spirv.ReserveId") @__weft_reservation(i64)

; CHECK-LABEL: define spir_kernel void @k(ptr addrspace(1) "weft-pipe" %r, ptr addrspace(1) "weft-pipe" %w, ptr %p)
; CHECK-NOT: call
; CHECK: %[[PLACE:.*]] = getelementptr inbounds i8, ptr addrspace(1) %r, i64 4
; CHECK: %[[FIELD:.*]] = load i32, ptr addrspace(1) %[[PLACE]], {{.*}}!invariant.load
; CHECK: store i32 %[[FIELD]], ptr addrspace(1) %w
; CHECK: store i64 7, ptr %p
define spir_kernel void @k(target("spirv.Pipe", 0) %r, target("spirv.Pipe", 1) %w, ptr %p) {
  %ids = alloca [2 x target("spirv.ReserveId")]
  %from = call ptr addrspace(1) @__weft_pipe_read_end(target("spirv.Pipe", 0) %r)
  %to = call ptr addrspace(1) @__weft_pipe_write_end(target("spirv.Pipe", 1) %w)
  %field = call i32 @__weft_pipe_field(ptr addrspace(1) %from, i32 4)
  store i32 %field, ptr addrspace(1) %to
  %id = call target("spirv.ReserveId") @__weft_reservation(i64 7)
  %number = call i64 @__weft_reservation_number(target("spirv.ReserveId") %id)
  store i64 %number, ptr %p
  ret void
}
