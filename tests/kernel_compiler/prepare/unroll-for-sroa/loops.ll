; Loops over a private array that are in the way of SROA go; others stay.
; RUN: weft-opt --passes='unroll-for-sroa,sroa,simplifycfg,verify' -S %s | FileCheck %s

declare void @__weft_barrier() #0

; CHECK-LABEL: define spir_kernel void @sums(
; CHECK-NOT: alloca
; CHECK: call void @__weft_barrier()
; CHECK-NOT: br
; CHECK: br i1 %t.more, label %tile, label %end
define spir_kernel void @sums(ptr addrspace(1) %p, i32 %tiles) {
  %array = alloca [3 x i32]
  br label %zero

zero:
  %z = phi i64 [ 0, %0 ], [ %z.next, %zero ]
  %z.at = getelementptr [3 x i32], ptr %array, i64 0, i64 %z
  store i32 0, ptr %z.at
  %z.next = add nuw nsw i64 %z, 1
  %z.more = icmp ult i64 %z.next, 3
  br i1 %z.more, label %zero, label %tile

tile:
  %t = phi i32 [ 0, %zero ], [ %t.next, %tile.next ]
  call void @__weft_barrier()
  br label %add

; Its header leaves it, and the index is a sum.
add:
  %a = phi i64 [ 0, %tile ], [ %a.next, %add.body ]
  %a.more = icmp ult i64 %a, 3
  br i1 %a.more, label %add.body, label %tile.next

add.body:
  %reversed = sub nsw i64 2, %a
  %a.at = getelementptr i32, ptr %array, i64 %reversed
  %a.from = getelementptr i32, ptr addrspace(1) %p, i64 %a
  %x = load i32, ptr addrspace(1) %a.from
  %y = load i32, ptr %a.at
  %sum = add i32 %x, %y
  store i32 %sum, ptr %a.at
  %a.next = add nuw nsw i64 %a, 1
  br label %add

tile.next:
  %t.next = add i32 %t, 1
  %t.more = icmp ult i32 %t.next, %tiles
  br i1 %t.more, label %tile, label %end

end:
  %last.at = getelementptr i32, ptr %array, i64 2
  %last = load i32, ptr %last.at
  store i32 %last, ptr addrspace(1) %p
  ret void
}

; A place that the kernel's caller names, a loop of an unknown number of iterations, one around a barrier, one that ends early:
; the array stays, and so do the loops.
; CHECK-LABEL: define spir_kernel void @chosen(
; CHECK: alloca [3 x i32]
; CHECK: phi i64
define spir_kernel void @chosen(ptr addrspace(1) %p, i64 %n) {
  %array = alloca [3 x i32]
  call void @__weft_barrier()
  br label %loop

loop:
  %i = phi i64 [ 0, %0 ], [ %i.next, %loop ]
  %at = getelementptr i32, ptr %array, i64 %i
  store i32 7, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 3
  br i1 %more, label %loop, label %end

end:
  %n.at = getelementptr i32, ptr %array, i64 %n
  %last = load i32, ptr %n.at
  store i32 %last, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @counted(
; CHECK: alloca [3 x i32]
; CHECK: phi i64
define spir_kernel void @counted(ptr addrspace(1) %p, i64 %n) {
  %array = alloca [3 x i32]
  call void @__weft_barrier()
  br label %loop

loop:
  %i = phi i64 [ 0, %0 ], [ %i.next, %loop ]
  %at = getelementptr i32, ptr %array, i64 %i
  store i32 7, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end

end:
  %last = load i32, ptr %array
  store i32 %last, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @around(
; CHECK: alloca [3 x i32]
; CHECK: phi i64
define spir_kernel void @around(ptr addrspace(1) %p) {
  %array = alloca [3 x i32]
  br label %loop

loop:
  %i = phi i64 [ 0, %0 ], [ %i.next, %loop ]
  %at = getelementptr i32, ptr %array, i64 %i
  store i32 7, ptr %at
  call void @__weft_barrier()
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 3
  br i1 %more, label %loop, label %end

end:
  %last = load i32, ptr %array
  store i32 %last, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @early(
; CHECK: alloca [3 x i32]
; CHECK: phi i64
define spir_kernel void @early(ptr addrspace(1) %p) {
  %array = alloca [3 x i32]
  call void @__weft_barrier()
  br label %loop

loop:
  %i = phi i64 [ 0, %0 ], [ %i.next, %next ]
  %at = getelementptr i32, ptr %array, i64 %i
  %from = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %x = load i32, ptr addrspace(1) %from
  store i32 %x, ptr %at
  %stop = icmp eq i32 %x, 0
  br i1 %stop, label %end, label %next

next:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 3
  br i1 %more, label %loop, label %end

end:
  %last = load i32, ptr %array
  store i32 %last, ptr addrspace(1) %p
  ret void
}

attributes #0 = { convergent }
