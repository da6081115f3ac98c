; Meetings are barriers where work-items come together, and where each may go its own way from one to the next. Where a barrier of the source
; keeps them together, those to which some come are none.
; RUN: weft-opt --passes='split-at-barriers,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32)
declare void @__weft_barrier()
declare void @__weft_meeting()

; CHECK-LABEL: define spir_kernel void @all_come(
; CHECK: store i32 1
; CHECK: call void @__weft_barrier()
; CHECK: store i32 2
; CHECK-NOT: gather
define spir_kernel void @all_come(i32 %n, ptr addrspace(1) %p) {
  %lid = call i64 @__weft_local_id(i32 0)
  %odd = trunc i64 %lid to i1
  br i1 %odd, label %out, label %on
on:
  store i32 1, ptr addrspace(1) %p
  call void @__weft_meeting()
  store i32 2, ptr addrspace(1) %p
  br label %out
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @some_come(
; CHECK: gather:
; CHECK: call void @__weft_barrier()
; CHECK-NEXT: switch i32 %resume
; CHECK: ], !weft.added
; CHECK-NOT: call void @__weft
define spir_kernel void @some_come(i32 %n, ptr addrspace(1) %p) {
  %lid = call i64 @__weft_local_id(i32 0)
  %odd = trunc i64 %lid to i1
  br i1 %odd, label %x, label %on
x:
  store i32 1, ptr addrspace(1) %p
  call void @__weft_meeting()
  store i32 2, ptr addrspace(1) %p
  br label %on
on:
  store volatile i32 3, ptr addrspace(1) %p
  store volatile i32 4, ptr addrspace(1) %p
  store volatile i32 5, ptr addrspace(1) %p
  store volatile i32 6, ptr addrspace(1) %p
  call void @__weft_meeting()
  store i32 7, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @held(
; CHECK-NOT: gather
; CHECK: store i32 1
; CHECK-NOT: call void @__weft
; CHECK: store i32 2
; CHECK: store volatile i32 3
; CHECK: call void @__weft_barrier()
; CHECK: store volatile i32 4
; CHECK: call void @__weft_barrier()
; CHECK: store volatile i32 5
define spir_kernel void @held(i32 %n, ptr addrspace(1) %p) {
  %lid = call i64 @__weft_local_id(i32 0)
  %odd = trunc i64 %lid to i1
  br i1 %odd, label %x, label %on
x:
  store i32 1, ptr addrspace(1) %p
  call void @__weft_meeting()
  store i32 2, ptr addrspace(1) %p
  br label %on
on:
  store volatile i32 3, ptr addrspace(1) %p
  call void @__weft_barrier()
  store volatile i32 4, ptr addrspace(1) %p
  call void @__weft_meeting()
  store volatile i32 5, ptr addrspace(1) %p
  ret void
}

; Without its meeting, all stay together in the loop.
; CHECK-LABEL: define spir_kernel void @held_loop(
; CHECK-NOT: gather
; CHECK: store volatile i32 1
; CHECK-NOT: call void @__weft
; CHECK: store volatile i32 2
; CHECK: store volatile i32 4
; CHECK: call void @__weft_barrier()
; CHECK: store volatile i32 5
define spir_kernel void @held_loop(i32 %n, ptr addrspace(1) %p) {
  %lid = call i64 @__weft_local_id(i32 0)
  %odd = trunc i64 %lid to i1
  br label %head
head:
  %j = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp ult i32 %j, %n
  br i1 %more, label %call, label %out
call:
  store volatile i32 1, ptr addrspace(1) %p
  call void @__weft_meeting()
  store volatile i32 2, ptr addrspace(1) %p
  br i1 %odd, label %out, label %body
body:
  %next = add i32 %j, 1
  br label %head
out:
  store volatile i32 4, ptr addrspace(1) %p
  call void @__weft_barrier()
  store volatile i32 5, ptr addrspace(1) %p
  ret void
}
