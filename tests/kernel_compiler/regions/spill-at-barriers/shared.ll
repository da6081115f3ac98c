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

; What a branch before a barrier may change is written where it changes, and nowhere else.
; CHECK-LABEL: define spir_kernel void @changed(
; CHECK: %sum.slot = alloca i32
; CHECK-NOT: %now.slot
; CHECK: other:
; CHECK-NEXT: br label %meet
; CHECK: change:
; CHECK: store i32 %next, ptr %sum.slot
; CHECK: meet:
; CHECK-NOT: store i32 {{.*}}, ptr %sum.slot
; CHECK: out:
define spir_kernel void @changed(i32 %n, ptr addrspace(1) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %first = load i32, ptr addrspace(1) %at
  br label %head
head:
  %r = phi i32 [ 0, %entry ], [ %r1, %last ]
  %sum = phi i32 [ %first, %entry ], [ %now, %last ]
  call void @__weft_barrier()
  %v = load i32, ptr addrspace(1) %at
  %c = icmp sgt i32 %v, %sum
  br i1 %c, label %change, label %other
other:
  br label %meet
change:
  %next = mul i32 %sum, 3
  br label %meet
meet:
  %now = phi i32 [ %sum, %other ], [ %next, %change ]
  call void @__weft_barrier()
  store i32 %r, ptr addrspace(1) %at
  br label %last
last:
  %r1 = add nuw i32 %r, 1
  %more = icmp ult i32 %r1, %n
  br i1 %more, label %head, label %out
out:
  call void @__weft_barrier()
  store i32 %now, ptr addrspace(1) %at
  ret void
}

; The old value is wanted behind the barrier, too.
; CHECK-LABEL: define spir_kernel void @changed_both(
; CHECK: %now.slot = alloca i32
; CHECK: change:
; CHECK: store i32 %next, ptr %now.slot
define spir_kernel void @changed_both(i32 %n, ptr addrspace(1) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %first = load i32, ptr addrspace(1) %at
  br label %head
head:
  %r = phi i32 [ 0, %entry ], [ %r1, %last ]
  %sum = phi i32 [ %first, %entry ], [ %now, %last ]
  call void @__weft_barrier()
  %v = load i32, ptr addrspace(1) %at
  %c = icmp sgt i32 %v, %sum
  br i1 %c, label %change, label %other
other:
  br label %meet
change:
  %next = mul i32 %sum, 3
  br label %meet
meet:
  %now = phi i32 [ %sum, %other ], [ %next, %change ]
  call void @__weft_barrier()
  store i32 %sum, ptr addrspace(1) %at
  br label %last
last:
  %r1 = add nuw i32 %r, 1
  %more = icmp ult i32 %r1, %n
  br i1 %more, label %head, label %out
out:
  call void @__weft_barrier()
  store i32 %now, ptr addrspace(1) %at
  ret void
}

; So does what the code behind the loop takes, too: each way from the phi to there computes it again.
; CHECK-LABEL: define spir_kernel void @behind(
; CHECK: %sum.slot = alloca float
; CHECK-NOT: %next.slot
; CHECK: %next = fadd float %sum.kept
; CHECK-NEXT: store float %next, ptr %sum.slot
; CHECK: last:
; CHECK-NOT: store float
; CHECK: out:
; CHECK: %next.kept{{.*}} = load float, ptr %sum.slot
; CHECK: store float %next.kept{{.*}}, ptr addrspace(1)
define spir_kernel void @behind(i32 %n, ptr addrspace(1) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr float, ptr addrspace(1) %p, i64 %lid
  %first = load float, ptr addrspace(1) %at
  br label %head
head:
  %r = phi i32 [ 0, %entry ], [ %r1, %last ]
  %sum = phi float [ %first, %entry ], [ %next, %last ]
  store float %sum, ptr addrspace(1) %at
  br label %body
body:
  call void @__weft_barrier()
  %v = load float, ptr addrspace(1) %at
  %next = fadd float %sum, %v
  br label %last
last:
  call void @__weft_barrier()
  %r1 = add nuw i32 %r, 1
  %more = icmp ult i32 %r1, %n
  br i1 %more, label %head, label %out
out:
  call void @__weft_barrier()
  store float %next, ptr addrspace(1) %at
  ret void
}

; What a loop begins with is kept by itself where it is wanted behind the loop: the loop writes the phi's place.
; CHECK-LABEL: define spir_kernel void @begun(
; CHECK: %v.slot = alloca float
; CHECK: %v = load float
; CHECK-NEXT: store float %v, ptr %v.slot
; CHECK: store float %v.kept{{.*}}, ptr %sum.slot
; CHECK: out:
; CHECK: load float, ptr %v.slot
define spir_kernel void @begun(i32 %n, ptr addrspace(1) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr float, ptr addrspace(1) %p, i64 %lid
  %v = load float, ptr addrspace(1) %at
  br label %begin
begin:
  call void @__weft_barrier()
  br label %head
head:
  %r = phi i32 [ 0, %begin ], [ %r1, %last ]
  %sum = phi float [ %v, %begin ], [ %next, %last ]
  store float %sum, ptr addrspace(1) %at
  br label %body
body:
  call void @__weft_barrier()
  %w = load float, ptr addrspace(1) %at
  %next = fadd float %sum, %w
  br label %last
last:
  call void @__weft_barrier()
  store float %next, ptr addrspace(1) %at
  %r1 = add nuw i32 %r, 1
  %more = icmp ult i32 %r1, %n
  br i1 %more, label %head, label %out
out:
  call void @__weft_barrier()
  %all = fadd float %v, %w
  store float %all, ptr addrspace(1) %at
  ret void
}

; The loop's value has the phi's place where what it begins with could have it, too: that is copied once.
; CHECK-LABEL: define spir_kernel void @either(
; CHECK: %v.slot = alloca float
; CHECK-NOT: %next.slot
; CHECK: store float %v, ptr %v.slot
; CHECK: %next = fadd float
; CHECK-NEXT: store float %next, ptr %sum.slot
; CHECK: last:
; CHECK-NOT: ptr %sum.slot
; CHECK: br label %head
define spir_kernel void @either(i32 %n, ptr addrspace(1) %p) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr float, ptr addrspace(1) %p, i64 %lid
  %v = load float, ptr addrspace(1) %at
  br label %begin
begin:
  call void @__weft_barrier()
  store float %v, ptr addrspace(1) %at
  br label %head
head:
  %r = phi i32 [ 0, %begin ], [ %r1, %last ]
  %sum = phi float [ %v, %begin ], [ %next, %last ]
  store float %sum, ptr addrspace(1) %at
  br label %body
body:
  call void @__weft_barrier()
  %w = load float, ptr addrspace(1) %at
  %next = fadd float %sum, %w
  br label %last
last:
  call void @__weft_barrier()
  %r1 = add nuw i32 %r, 1
  %more = icmp ult i32 %r1, %n
  br i1 %more, label %head, label %out
out:
  ret void
}
