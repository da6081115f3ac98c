; Where a group is one work-item, its local memory is private and there is no other to wait for.
; RUN: weft-opt --passes='single-items,verify' -S %s | FileCheck %s

declare ptr addrspace(3) @__weft_local_memory() #0
declare i64 @__weft_local_id(i32) #0
declare i64 @__weft_enqueued_local_size(i32) #0
declare void @__weft_barrier() #1
declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p3.i64(ptr addrspace(3), i8, i64, i1)

; CHECK-LABEL: define spir_kernel void @table(
; CHECK-SAME: #[[TABLE:[0-9]+]]
; CHECK-NEXT: %group = alloca [64 x i8], align 128
; CHECK-NEXT: call void @llvm.memcpy.p0.p1.i64(ptr %group, ptr addrspace(1) %p, i64 32, i1 false)
; CHECK-NEXT: %second = getelementptr i8, ptr %group, i64 32
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr %second, i8 7, i64 32, i1 false)
; CHECK-NEXT: %place = add i64 0, 1
; CHECK-NEXT: br label %loop
; CHECK: %at = phi ptr [ %group, %0 ], [ %next, %loop ]
; CHECK-NEXT: %x = load i32, ptr %at
; CHECK-NEXT: store i32 %x, ptr %second
; CHECK-NEXT: %old = atomicrmw add ptr %second, i32 %x monotonic
; CHECK-NEXT: %either = select i1 %c, ptr %at, ptr %second
; CHECK-NEXT: %y = load i32, ptr %either
; CHECK-NEXT: %next = getelementptr i32, ptr %at, i64 %place
define spir_kernel void @table(ptr addrspace(1) %p, i1 %c) #2 !reqd_work_group_size !0 {
  %m = call ptr addrspace(3) @__weft_local_memory()
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) %m, ptr addrspace(1) %p, i64 32, i1 false)
  %second = getelementptr i8, ptr addrspace(3) %m, i64 32
  call void @llvm.memset.p3.i64(ptr addrspace(3) %second, i8 7, i64 32, i1 false)
  call void @__weft_barrier()
  %id = call i64 @__weft_local_id(i32 0)
  %size = call i64 @__weft_enqueued_local_size(i32 0)
  %place = add i64 %id, %size
  br label %loop

loop:
  %at = phi ptr addrspace(3) [ %m, %0 ], [ %next, %loop ]
  %x = load i32, ptr addrspace(3) %at
  store i32 %x, ptr addrspace(3) %second
  %old = atomicrmw add ptr addrspace(3) %second, i32 %x monotonic
  %either = select i1 %c, ptr addrspace(3) %at, ptr addrspace(3) %second
  %y = load i32, ptr addrspace(3) %either
  %next = getelementptr i32, ptr addrspace(3) %at, i64 %place
  %more = icmp ne i32 %y, 0
  br i1 %more, label %loop, label %end

end:
  ret void
}

; An address that is stored, or may be another's, stays one of local memory.
; CHECK-LABEL: define spir_kernel void @stored(
; CHECK: %m = call ptr addrspace(3) @__weft_local_memory()
define spir_kernel void @stored(ptr addrspace(1) %p) #2 !reqd_work_group_size !0 {
  %m = call ptr addrspace(3) @__weft_local_memory()
  store ptr addrspace(3) %m, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @chosen(
; CHECK: %m = call ptr addrspace(3) @__weft_local_memory()
define spir_kernel void @chosen(ptr addrspace(3) %other, i1 %c) #2 !reqd_work_group_size !0 {
  %m = call ptr addrspace(3) @__weft_local_memory()
  %either = select i1 %c, ptr addrspace(3) %m, ptr addrspace(3) %other
  store i32 1, ptr addrspace(3) %either
  ret void
}

; Groups of two, and of a number that is not known.
; CHECK-LABEL: define spir_kernel void @two(
; CHECK: %m = call ptr addrspace(3) @__weft_local_memory()
; CHECK: call void @__weft_barrier()
; CHECK: %id = call i64 @__weft_local_id(i32 0)
define spir_kernel void @two() #2 !reqd_work_group_size !1 {
  %m = call ptr addrspace(3) @__weft_local_memory()
  store i32 1, ptr addrspace(3) %m
  call void @__weft_barrier()
  %id = call i64 @__weft_local_id(i32 0)
  ret void
}

; CHECK-LABEL: define spir_kernel void @any(
; CHECK: call void @__weft_barrier()
define spir_kernel void @any() {
  call void @__weft_barrier()
  ret void
}

; CHECK: attributes #[[TABLE]] = {{{.*}}"weft-local-size"="0"
attributes #0 = { memory(none) }
attributes #1 = { convergent }
attributes #2 = { "weft-local-size"="64" }
!0 = !{i32 1, i32 1, i32 1}
!1 = !{i32 2, i32 1, i32 1}
