; What lanes do together before a return is not copied to the ways that lead there.
; RUN: weft-opt --passes='split-at-barriers,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32)
declare void @__weft_barrier()
declare i32 @__weft_sub_ballot(i32) memory(none) convergent

; CHECK-LABEL: define spir_kernel void @k(
; CHECK-COUNT-1: call i32 @__weft_sub_ballot
; CHECK-NOT: call i32 @__weft_sub_ballot
define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  call void @__weft_barrier()
  %lid = call i64 @__weft_local_id(i32 0)
  %odd = trunc i64 %lid to i1
  br i1 %odd, label %x, label %y
x:
  store i32 1, ptr addrspace(1) %p
  br label %out
y:
  store i32 2, ptr addrspace(1) %p
  br label %out
out:
  %all = call i32 @__weft_sub_ballot(i32 1)
  store i32 %all, ptr addrspace(1) %p
  ret void
}
