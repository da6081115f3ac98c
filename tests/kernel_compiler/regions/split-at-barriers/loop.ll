; A barrier in a loop: the header, where the entry's region and the barrier's meet, begins a third.
; RUN: weft-opt --passes='split-at-barriers,print<weft-regions>' -disable-output %s 2>&1 | FileCheck %s

declare void @__weft_barrier()

; CHECK: region 0: %entry -> 1
; CHECK-NEXT: region 1: %loop %out %body -> 2 return repeats
; CHECK-NEXT: region 2: %barrier -> 1 repeats
define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %out
body:
  store i32 %i, ptr addrspace(1) %p
  call void @__weft_barrier()
  %next = add i32 %i, 1
  br label %loop
out:
  ret void
}
