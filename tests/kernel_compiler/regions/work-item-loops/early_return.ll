; Some work-items return, the others go on: a byte for each remembers it.
; RUN: weft-opt --passes='split-at-barriers,spill-at-barriers,work-item-loops,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()

; CHECK: store i8 0, ptr
; CHECK: attributes #{{[0-9]+}} = { {{.*}}"weft-spill-per-item"="1"
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %early = icmp ugt i64 %lid, %n
  br i1 %early, label %out, label %on
on:
  call void @__weft_barrier()
  store i32 1, ptr addrspace(1) %p
  br label %out
out:
  ret void
}
