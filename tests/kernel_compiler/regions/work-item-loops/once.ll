; Functions that run once for the group: stay calls, give uniform values, and are called before a region's loops with what
; all work-items have left, or with the one variable that they share.
; RUN: weft-opt --passes='prepare-kernels,inline-functions,function(split-at-barriers,spill-at-barriers,work-item-loops),verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare i64 @__weft_local_size(i32) memory(none)
declare void @__weft_barrier()

; CHECK: define internal i32 @__weft_once_sum({{.*}}) #[[ONCE:[0-9]+]]
define i32 @__weft_once_sum(ptr %values, i64 %count, i32 %identity) memory(argmem: read) {
  %first = load i32, ptr %values
  ret i32 %first
}

define i32 @__weft_once_read(ptr %value) memory(argmem: read) {
  %read = load i32, ptr %value
  ret i32 %read
}

; CHECK-LABEL: @array(
; CHECK: [[ALL:%.*]] = call ptr @__weft_spill_memory()
; CHECK: store i32 %loaded, ptr %value
; CHECK: store i32 %sum, ptr addrspace(1)
; CHECK: x.loop:
; CHECK: %value = getelementptr inbounds [4 x i8], ptr [[ALL]], i64 %{{[0-9]+}}
; CHECK: region1:
; CHECK: [[FIRST:%.*]] = getelementptr inbounds [4 x i8], ptr [[ALL]], i64 0
; CHECK: %sum = call i32 @__weft_once_sum(ptr [[FIRST]], i64 {{%.*}}, i32 0)
; CHECK: z.loop
define spir_kernel void @array(ptr addrspace(1) %p) {
  %value = alloca i32
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %loaded = load i32, ptr addrspace(1) %at
  store i32 %loaded, ptr %value
  call void @__weft_barrier()
  %size = call i64 @__weft_local_size(i32 0)
  %sum = call i32 @__weft_once_sum(ptr %value, i64 %size, i32 0)
  store i32 %sum, ptr addrspace(1) %at
  ret void
}

; A work-item that returns leaves the identity.
; CHECK-LABEL: @returning(
; CHECK: store i8 1, ptr %[[FLAG:.*]], align 1
; CHECK-NEXT: store i32 7, ptr
; CHECK: region1:
; CHECK: call i32 @__weft_once_sum(ptr {{.*}}, i32 7)
define spir_kernel void @returning(ptr addrspace(1) %p, i64 %n) {
entry:
  %value = alloca i32
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %early = icmp ugt i64 %lid, %n
  br i1 %early, label %out, label %on
on:
  %loaded = load i32, ptr addrspace(1) %at
  store i32 %loaded, ptr %value
  call void @__weft_barrier()
  %size = call i64 @__weft_local_size(i32 0)
  %sum = call i32 @__weft_once_sum(ptr %value, i64 %size, i32 7)
  store i32 %sum, ptr addrspace(1) %at
  br label %out
out:
  ret void
}

; What is read is uniform, and so is a branch on it.
; CHECK-LABEL: @shared(
; CHECK: %value = alloca i32, align 4, !weft.uniform
; CHECK: store i32 0, ptr %value
; CHECK: give:
; CHECK: store i32 %loaded, ptr %value
; CHECK: store i32 %read, ptr addrspace(1)
; CHECK: region1:
; CHECK: %read = call i32 @__weft_once_read(ptr %value)
; CHECK: z.loop
define spir_kernel void @shared(ptr addrspace(1) %p) {
entry:
  %value = alloca i32
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %mine = icmp eq i64 %lid, 3
  br i1 %mine, label %give, label %together
give:
  %loaded = load i32, ptr addrspace(1) %at
  store i32 %loaded, ptr %value
  br label %together
together:
  call void @__weft_barrier()
  %read = call i32 @__weft_once_read(ptr %value)
  store i32 %read, ptr addrspace(1) %at
  ret void
}

; Where work-items may come to different barriers, one region leaves values and reads what was made of them: those that have
; returned leave the identity, and the others keep theirs.
; CHECK-LABEL: @parting(
; CHECK: gather:
; CHECK-NOT: store i32 7
; CHECK: store i8 1, ptr %[[FLAG:.*]], align 1
; CHECK-NEXT: store i32 7, ptr
; CHECK: call i32 @__weft_once_sum(ptr {{.*}}, i32 7)
; CHECK-NOT: store i32 7
; CHECK: br i1 {{.*}}, label %gone, label %gather
; CHECK: gone:
; CHECK-NEXT: store i32 7, ptr
; CHECK-NEXT: br label %x.next
define spir_kernel void @parting(ptr addrspace(1) %p, i64 %n) {
entry:
  %value = alloca i32
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %loaded = load i32, ptr addrspace(1) %at
  %a = icmp ugt i32 %loaded, 5
  br i1 %a, label %meet, label %second
second:
  %b = icmp ugt i32 %loaded, 3
  br i1 %b, label %meet, label %on
meet:
  call void @__weft_barrier()
  br label %on
on:
  store i32 %loaded, ptr %value
  call void @__weft_barrier()
  %size = call i64 @__weft_local_size(i32 0)
  %sum = call i32 @__weft_once_sum(ptr %value, i64 %size, i32 7)
  store i32 %sum, ptr addrspace(1) %at
  ret void
}

; CHECK: attributes #[[ONCE]] = { convergent nomerge
