; Regions meet in two blocks, and work-items may reach either: one region with a switch at its start.
; RUN: weft-opt --passes='split-at-barriers,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32)
declare void @__weft_barrier()

; CHECK: gather:
; CHECK: call void @__weft_barrier()
; CHECK-NEXT: switch i32 %resume
; CHECK-NOT: call void @__weft_barrier()
define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %odd = trunc i64 %lid to i1
  br i1 %odd, label %x, label %y
x:
  store i32 1, ptr addrspace(1) %p
  br label %wait
y:
  store i32 2, ptr addrspace(1) %p
  br label %wait
wait:
  call void @__weft_barrier()
  %v = load volatile i32, ptr addrspace(1) %p
  %again = icmp eq i32 %v, %n
  br i1 %again, label %choose, label %out
choose:
  br i1 %odd, label %y, label %x
out:
  ret void
}
