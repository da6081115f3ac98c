; What a loop with barriers carries is a place that follows from ids, plus a sum that is uniform.
; RUN: weft-opt --passes='split-at-barriers,split-inductions,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()

; Two steps, of which one is used, and an integer that counts down.
; CHECK-LABEL: define spir_kernel void @carried(
; CHECK: loop:
; CHECK-NEXT: %p.sum = phi i64 [ 0, %0 ], [ [[SECOND:%.*]], %[[LATCH:.*]] ]
; CHECK-NEXT: %i.sum = phi i32 [ 0, %0 ], [ [[DOWN:%.*]], %[[LATCH]] ]
; CHECK-NEXT: %count = phi
; CHECK-NEXT: call void @__weft_barrier()
; CHECK-DAG: %i = add i32 %first, %i.sum
; CHECK-DAG: %p = getelementptr inbounds i8, ptr addrspace(1) %start, i64 %p.sum
; CHECK-DAG: [[ROW:%.*]] = mul{{.*}} i64 %n, 4
; CHECK-DAG: [[FIRST:%.*]] = add i64 %p.sum, [[ROW]]
; CHECK-DAG: [[SECOND]] = add i64 [[FIRST]], 8
; CHECK-DAG: [[DOWN]] = add i32 %i.sum, -3
define spir_kernel void @carried(ptr addrspace(1) %b, i64 %n) {
  %lid = call i64 @__weft_local_id(i32 0)
  %first = trunc i64 %lid to i32
  %start = getelementptr inbounds float, ptr addrspace(1) %b, i64 %lid
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %start, %0 ], [ %p.two, %loop ]
  %i = phi i32 [ %first, %0 ], [ %i.next, %loop ]
  %count = phi i64 [ 0, %0 ], [ %count.next, %loop ]
  call void @__weft_barrier()
  store i32 %i, ptr addrspace(1) %p
  %p.one = getelementptr inbounds float, ptr addrspace(1) %p, i64 %n
  store i32 %i, ptr addrspace(1) %p.one
  %p.two = getelementptr inbounds float, ptr addrspace(1) %p.one, i64 2
  %i.next = sub i32 %i, 3
  %count.next = add i64 %count, 1
  %more = icmp ult i64 %count.next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

; Not what begins with a loaded number, or at one place for all, nor what grows by the id, or is multiplied.
; CHECK-LABEL: define spir_kernel void @others(
; CHECK-NOT: .sum
; CHECK: {{^}}}
define spir_kernel void @others(ptr addrspace(1) %b, i64 %n) {
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %b, i64 %lid
  %number = load i64, ptr addrspace(1) %at
  br label %loop

loop:
  %loaded = phi i64 [ %number, %0 ], [ %loaded.next, %loop ]
  %apart = phi i64 [ %lid, %0 ], [ %apart.next, %loop ]
  %product = phi i64 [ %lid, %0 ], [ %product.next, %loop ]
  %count = phi i64 [ 0, %0 ], [ %count.next, %loop ]
  call void @__weft_barrier()
  %loaded.next = add i64 %loaded, 1
  %apart.next = add i64 %apart, %lid
  %product.next = mul i64 %product, %n
  %one = add i64 %loaded.next, %apart.next
  %two = add i64 %one, %product.next
  store i64 %two, ptr addrspace(1) %at
  %count.next = add i64 %count, 1
  %more = icmp ult i64 %count.next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

; Without a barrier: what begins with an index of 32 bits, which may wrap between work-items; not what begins with all of an id.
; CHECK-LABEL: define spir_kernel void @narrow(
; CHECK: loop:
; CHECK-NEXT: %p.sum = phi i64 [ 0, %0 ], [ [[SUM:%.*]], %loop ]
; CHECK-NEXT: %whole = phi ptr addrspace(1) [ %b.whole, %0 ], [ %whole.next, %loop ]
; CHECK-NEXT: %count = phi
; CHECK-NEXT: %p = getelementptr i8, ptr addrspace(1) %b.narrow, i64 %p.sum
define spir_kernel void @narrow(ptr addrspace(1) %b, i64 %n) {
  %lid = call i64 @__weft_local_id(i32 0)
  %cut = trunc i64 %lid to i32
  %index = sext i32 %cut to i64
  %b.narrow = getelementptr i32, ptr addrspace(1) %b, i64 %index
  %b.whole = getelementptr i32, ptr addrspace(1) %b, i64 %lid
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %b.narrow, %0 ], [ %p.next, %loop ]
  %whole = phi ptr addrspace(1) [ %b.whole, %0 ], [ %whole.next, %loop ]
  %count = phi i64 [ 0, %0 ], [ %count.next, %loop ]
  %number = load i32, ptr addrspace(1) %p
  store i32 %number, ptr addrspace(1) %whole
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 %n
  %whole.next = getelementptr i8, ptr addrspace(1) %whole, i64 %n
  %count.next = add i64 %count, 1
  %more = icmp ult i64 %count.next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}
