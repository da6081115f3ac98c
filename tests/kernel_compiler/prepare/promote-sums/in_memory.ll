; A place that a loop loads and stores in each iteration is carried as a value: a store before the loop, or a guard, says that it may
; be stored behind it. What may be the same memory by another argument makes two versions.
; RUN: weft-opt --passes='promote-sums,verify' -S %s | FileCheck %s

; One version, since `restrict` tells the arguments apart.
; CHECK-LABEL: define spir_kernel void @restricted(
; CHECK-NOT: @__weft_apart
; CHECK: store float 0.000000e+00, ptr addrspace(1) %place
; CHECK: %sum = load float, ptr addrspace(1) %place
; CHECK: loop:
; CHECK: phi float [ %sum,
; CHECK-NOT: store
; CHECK: exit:
; CHECK: store float %{{.*}}, ptr addrspace(1) %place
define spir_kernel void @restricted(ptr addrspace(1) noalias %c, ptr addrspace(1) noalias %a, i64 %i, i64 %n) {
entry:
  %place = getelementptr float, ptr addrspace(1) %c, i64 %i
  store float 0.0, ptr addrspace(1) %place
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %more = icmp slt i64 %k, %n
  br i1 %more, label %body, label %exit
body:
  %from = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %from
  %old = load float, ptr addrspace(1) %place
  %new = fadd float %old, %x
  store float %new, ptr addrspace(1) %place
  %k.next = add nsw i64 %k, 1
  br label %loop
exit:
  ret void
}

; Without a store before, the loop gets a guard.
; CHECK-LABEL: define spir_kernel void @guarded(
; CHECK: %[[APART:.*]] = call i1 @__weft_apart()
; CHECK: br i1 %[[APART]]
; CHECK: body.shared:
; CHECK: store float %new.shared, ptr addrspace(1) %place
; CHECK: %sum = load float, ptr addrspace(1) %place
; CHECK: {{^}}body:
; CHECK: phi float [ %sum,
; CHECK-NOT: store
; CHECK: exit_crit_edge.loopexit
; CHECK: store float %{{.*}}, ptr addrspace(1) %place
define spir_kernel void @guarded(ptr addrspace(1) %c, ptr addrspace(1) %a, i64 %i, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %more = icmp slt i64 %k, %n
  br i1 %more, label %body, label %exit
body:
  %place = getelementptr float, ptr addrspace(1) %c, i64 %i
  %from = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %from
  %old = load float, ptr addrspace(1) %place
  %new = fadd float %old, %x
  store float %new, ptr addrspace(1) %place
  %k.next = add nsw i64 %k, 1
  br label %loop
exit:
  ret void
}

; A guard, too, where other work-items may know of the place by then.
; CHECK-LABEL: define spir_kernel void @told(
; CHECK-NOT: load i32, ptr addrspace(1) %place
; CHECK: br i1
; CHECK: %sum = load i32, ptr addrspace(1) %place
; CHECK: {{^}}body:
define spir_kernel void @told(ptr addrspace(1) noalias %c, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %flag, i64 %i, i64 %n) {
entry:
  %place = getelementptr i32, ptr addrspace(1) %c, i64 %i
  store i32 0, ptr addrspace(1) %place
  store atomic i32 1, ptr addrspace(1) %flag release, align 4
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %more = icmp slt i64 %k, %n
  br i1 %more, label %body, label %exit
body:
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %x = load i32, ptr addrspace(1) %from
  %old = load i32, ptr addrspace(1) %place
  %new = add i32 %old, %x
  store i32 %new, ptr addrspace(1) %place
  %k.next = add nsw i64 %k, 1
  br label %loop
exit:
  ret void
}

; The same for a place that is stored atomically.
; CHECK-LABEL: define spir_kernel void @atomic(
; CHECK-NOT: load i32, ptr addrspace(1) %place
; CHECK: br i1
; CHECK: %sum = load i32, ptr addrspace(1) %place
; CHECK: {{^}}body:
define spir_kernel void @atomic(ptr addrspace(1) noalias %c, ptr addrspace(1) noalias %a, i64 %i, i64 %n) {
entry:
  %place = getelementptr i32, ptr addrspace(1) %c, i64 %i
  store atomic i32 0, ptr addrspace(1) %place monotonic, align 4
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %more = icmp slt i64 %k, %n
  br i1 %more, label %body, label %exit
body:
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %x = load i32, ptr addrspace(1) %from
  %old = load i32, ptr addrspace(1) %place
  %new = add i32 %old, %x
  store i32 %new, ptr addrspace(1) %place
  %k.next = add nsw i64 %k, 1
  br label %loop
exit:
  ret void
}

; Of a smaller store the rest of the place may be another work-item's.
; CHECK-LABEL: define spir_kernel void @narrow(
; CHECK-NOT: load i32, ptr addrspace(1) %place
; CHECK: br i1
; CHECK: %sum = load i32, ptr addrspace(1) %place
; CHECK: {{^}}body:
define spir_kernel void @narrow(ptr addrspace(1) noalias %c, ptr addrspace(1) noalias %a, i64 %i, i64 %n) {
entry:
  %place = getelementptr i32, ptr addrspace(1) %c, i64 %i
  store i8 0, ptr addrspace(1) %place
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %more = icmp slt i64 %k, %n
  br i1 %more, label %body, label %exit
body:
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %x = load i32, ptr addrspace(1) %from
  %old = load i32, ptr addrspace(1) %place
  %new = add i32 %old, %x
  store i32 %new, ptr addrspace(1) %place
  %k.next = add nsw i64 %k, 1
  br label %loop
exit:
  ret void
}

; CHECK: attributes #{{.*}} = { "weft-kernel-flags"="1024" }
