; What a loop with barriers carries from round to round stays in one place: nothing copies it from where it was computed to where
; the next round looks for it.
; RUN: weft-opt --passes='split-at-barriers,spill-at-barriers,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()

; CHECK-LABEL: define spir_kernel void @carried(
; CHECK: %sum.slot = alloca float
; CHECK-NOT: %next.slot
; CHECK: %sum.kept = load float, ptr %sum.slot
; CHECK: %next = fadd float %sum.kept
; CHECK-NEXT: store float %next, ptr %sum.slot
; CHECK: last:
; CHECK-NOT: store float
; CHECK: br label %head
define spir_kernel void @carried(i32 %n, ptr addrspace(1) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr float, ptr addrspace(1) %p, i64 %lid
  %first = load float, ptr addrspace(1) %at
  br label %head
head:
  %r = phi i32 [ 0, %entry ], [ %r1, %last ]
  %sum = phi float [ %first, %entry ], [ %next, %last ]
  %more = icmp ult i32 %r, %n
  br i1 %more, label %body, label %out
body:
  call void @__weft_barrier()
  %v = load float, ptr addrspace(1) %at
  %next = fadd float %sum, %v
  br label %last
last:
  call void @__weft_barrier()
  %r1 = add nuw i32 %r, 1
  br label %head
out:
  store float %sum, ptr addrspace(1) %at
  ret void
}

; Where the last round's value is wanted after the new one is known, both are kept.
; CHECK-LABEL: define spir_kernel void @both(
; CHECK: %next.slot = alloca float
; CHECK: store float %next, ptr %next.slot
; CHECK: last:
; CHECK: store float %next.kept, ptr %sum.slot
define spir_kernel void @both(i32 %n, ptr addrspace(1) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr float, ptr addrspace(1) %p, i64 %lid
  %first = load float, ptr addrspace(1) %at
  br label %head
head:
  %r = phi i32 [ 0, %entry ], [ %r1, %last ]
  %sum = phi float [ %first, %entry ], [ %next, %last ]
  %more = icmp ult i32 %r, %n
  br i1 %more, label %body, label %out
body:
  call void @__weft_barrier()
  %v = load float, ptr addrspace(1) %at
  %next = fadd float %sum, %v
  br label %last
last:
  call void @__weft_barrier()
  store float %sum, ptr addrspace(1) %at
  %r1 = add nuw i32 %r, 1
  br label %head
out:
  store float %sum, ptr addrspace(1) %at
  ret void
}
