; Of a region that never ends no loops are left, nor what would come after it.
; RUN: weft-opt --passes='split-at-barriers,work-item-loops,collapse-dimensions,widen-loops,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()

; CHECK-LABEL: define spir_kernel void @k
; CHECK-NOT: x.next
; CHECK-NOT: group.end
define spir_kernel void @k(ptr addrspace(1) %p) #0 {
entry:
  %y = call i64 @__weft_local_id(i32 1)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %y
  store i32 1, ptr addrspace(1) %at
  br label %loop
loop:
  store volatile i32 2, ptr addrspace(1) %at
  br label %loop
}

attributes #0 = { "weft-vector-width"="8" }
