; Loops that load what a request could bring are taken in chunks of 32 iterations, with a barrier before each.
; RUN: weft-opt --passes='find-transfers,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)
declare void @__weft_barrier() convergent

; A line of 32 elements for each work-item along y. What is not known to lie elsewhere is not written in the loop, so the next
; chunk's request can be made ahead.
; CHECK-LABEL: @sum(
; CHECK: chunk:
; CHECK-NEXT: %sum.chunk = phi float [ 0.000000e+00, %entry ], [ %sum.next, %chunk.end ]
; CHECK-NEXT: %k.chunk = phi i64 [ 0, %entry ], [ %k.next, %chunk.end ]
; CHECK-NEXT: %left = phi i64 [ %iterations, %entry ], [ %{{.*}}, %chunk.end ]
; CHECK-NEXT: call void @__weft_barrier()
; CHECK-NEXT: %[[SIZE:.*]] = call i64 @llvm.umin.i64(i64 %left, i64 32)
; CHECK: loop:
; CHECK: load float, {{.*}} !weft.transfer ![[LOAD:[0-9]+]]
; CHECK: %[[MORE:.*]] = icmp ult i64 %{{.*}}, %[[SIZE]]
; CHECK-NEXT: br i1 %[[MORE]], label %loop, label %chunk.end, !weft.iterations
; CHECK: chunk.end:
; CHECK-NEXT: %again = icmp ult i64 %k.next, %n
; CHECK-NEXT: br i1 %again, label %chunk, label %out
define spir_kernel void @sum(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %y = call i64 @__weft_global_id(i32 1)
  %first = mul i64 %y, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %index = add i64 %first, %k
  %from = getelementptr float, ptr addrspace(1) %a, i64 %index
  %x = load float, ptr addrspace(1) %from
  %sum.next = fadd float %sum, %x
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %out
out:
  %to = getelementptr float, ptr addrspace(1) %b, i64 %y
  store float %sum.next, ptr addrspace(1) %to
  ret void
}

; With a store in the loop that may write what it reads, not ahead.
; CHECK-LABEL: @written(
; CHECK: load float, {{.*}} !weft.transfer ![[WRITTEN:[0-9]+]]
define spir_kernel void @written(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %y = call i64 @__weft_global_id(i32 1)
  %first = mul i64 %y, %n
  %to = getelementptr float, ptr addrspace(1) %b, i64 %y
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %index = add i64 %first, %k
  %from = getelementptr float, ptr addrspace(1) %a, i64 %index
  %x = load float, ptr addrspace(1) %from
  store float %x, ptr addrspace(1) %to
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %out
out:
  ret void
}

; Left alone: a loop that work-items come to apart, or with iterations of their own; one that ends when it has found something; one
; of 40 iterations; and sums in any order.
; CHECK-LABEL: @apart(
; CHECK-NOT: __weft_barrier
; CHECK-LABEL: @own_iterations(
; CHECK-NOT: __weft_barrier
; CHECK-LABEL: @search(
; CHECK-NOT: __weft_barrier
; CHECK-LABEL: @short(
; CHECK-NOT: __weft_barrier
; CHECK-LABEL: @any_order(
; CHECK-NOT: __weft_barrier
; CHECK-LABEL: @tiles(
define spir_kernel void @apart(ptr addrspace(1) %a, i64 %n) {
entry:
  %y = call i64 @__weft_global_id(i32 1)
  %test = icmp eq i64 %y, 3
  br i1 %test, label %before, label %out
before:
  br label %loop
loop:
  %k = phi i64 [ 0, %before ], [ %k.next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %from
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %done
done:
  br label %out
out:
  ret void
}

define spir_kernel void @own_iterations(ptr addrspace(1) %a) {
entry:
  %y = call i64 @__weft_global_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %from
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %y
  br i1 %again, label %loop, label %out
out:
  ret void
}

define spir_kernel void @search(ptr addrspace(1) %a, float %wanted) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %from
  %k.next = add nuw i64 %k, 1
  %again = fcmp one float %x, %wanted
  br i1 %again, label %loop, label %out
out:
  ret void
}

define spir_kernel void @short(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %from
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, 40
  br i1 %again, label %loop, label %out
out:
  ret void
}

define spir_kernel void @any_order(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %a, i64 %k
  %x = load float, ptr addrspace(1) %from
  %sum.next = fadd reassoc float %sum, %x
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %out
out:
  store float %sum.next, ptr addrspace(1) %b
  ret void
}

; A loop with barriers tests at its end, so that its first region runs whole or not at all.
; CHECK: br i1 %{{.*}}, label %[[BODY:.*]], label %{{.*}}
; CHECK: load float, {{.*}} !weft.transfer ![[TILES:[0-9]+]]
; CHECK: call void @__weft_barrier()
; CHECK: icmp ult
define spir_kernel void @tiles(ptr addrspace(1) %a, ptr addrspace(3) %l, i64 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %to = getelementptr float, ptr addrspace(3) %l, i64 %x
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %more = icmp ult i64 %k, %n
  br i1 %more, label %body, label %out
body:
  %index = add i64 %x, %k
  %from = getelementptr float, ptr addrspace(1) %a, i64 %index
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(3) %to
  call void @__weft_barrier()
  %k.next = add nuw i64 %k, 64
  br label %loop
out:
  ret void
}

; CHECK: ![[LOAD]] = !{i32 0, i32 2, i32 3, i32 4, i32 2, i32 32, i32 32, i32 0}
; CHECK: ![[WRITTEN]] = !{i32 0, i32 0, i32 3, i32 4, i32 2, i32 32, i32 32, i32 0}
; CHECK: ![[TILES]] = !{i32 0, i32 2, i32 0, i32 4, i32 0, i32 1, i32 1, i32 0}
