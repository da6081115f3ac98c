; A load that InstCombine has merged behind a branch stands in each way again, where neighbours access neighbours.
; RUN: weft-opt --passes='part-merged-loads,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32)
declare void @__weft_barrier()

; CHECK-LABEL: define spir_kernel void @neighbours(
; CHECK: left:
; CHECK:   %[[A:.*]] = add i64 %x, %p
; CHECK:   %[[A_AT:.*]] = getelementptr float, ptr addrspace(1) %in, i64 %[[A]]
; CHECK:   %[[A_VALUE:.*]] = load float, ptr addrspace(1) %[[A_AT]]
; CHECK: right:
; CHECK:   %[[B:.*]] = add i64 %x, %p2
; CHECK:   %[[B_AT:.*]] = getelementptr float, ptr addrspace(1) %in, i64 %[[B]]
; CHECK:   %[[B_VALUE:.*]] = load float, ptr addrspace(1) %[[B_AT]]
; CHECK: join:
; CHECK:   %value = phi float [ %[[B_VALUE]], %right ], [ %[[A_VALUE]], %left ]
; CHECK-NOT: load
; CHECK: {{^}}}
define spir_kernel void @neighbours(ptr addrspace(1) %in, ptr addrspace(1) %flags, ptr addrspace(1) %out, i64 %p) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %flag.at = getelementptr i8, ptr addrspace(1) %flags, i64 %x
  %flag = load i8, ptr addrspace(1) %flag.at
  %set = icmp ne i8 %flag, 0
  br i1 %set, label %left, label %right
left:
  br label %join
right:
  %p2 = shl i64 %p, 1
  br label %join
join:
  %offset = phi i64 [ %p, %left ], [ %p2, %right ]
  %i = add i64 %x, %offset
  %at = getelementptr float, ptr addrspace(1) %in, i64 %i
  %value = load float, ptr addrspace(1) %at
  %out.at = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %value, ptr addrspace(1) %out.at
  ret void
}

; A load from anywhere and a load behind a store stay.
; CHECK-LABEL: define spir_kernel void @others(
; CHECK: join:
; CHECK:   %gathered = load float
; CHECK:   store float
; CHECK:   %later = load float
define spir_kernel void @others(ptr addrspace(1) %in, ptr addrspace(1) %flags, ptr addrspace(1) %out, i64 %p) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %flag.at = getelementptr i8, ptr addrspace(1) %flags, i64 %x
  %flag = load i8, ptr addrspace(1) %flag.at
  %any = zext i8 %flag to i64
  %set = icmp ne i8 %flag, 0
  br i1 %set, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %index = phi i64 [ %any, %left ], [ %p, %right ]
  %near = phi i64 [ 0, %left ], [ %p, %right ]
  %in.any = getelementptr float, ptr addrspace(1) %in, i64 %index
  %gathered = load float, ptr addrspace(1) %in.any
  %out.at = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %gathered, ptr addrspace(1) %out.at
  %near.x = add i64 %near, %x
  %in.near = getelementptr float, ptr addrspace(1) %in, i64 %near.x
  %later = load float, ptr addrspace(1) %in.near
  %out.2 = getelementptr float, ptr addrspace(1) %out.at, i64 1000
  store float %later, ptr addrspace(1) %out.2
  ret void
}

; InstCombine runs again between barriers.
; CHECK-LABEL: define spir_kernel void @barrier(
; CHECK: join:
; CHECK:   %value = load float, ptr addrspace(1) %at
define spir_kernel void @barrier(ptr addrspace(1) %in, ptr addrspace(1) %flags, ptr addrspace(1) %out, i64 %p) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  call void @__weft_barrier()
  %flag.at = getelementptr i8, ptr addrspace(1) %flags, i64 %x
  %flag = load i8, ptr addrspace(1) %flag.at
  %set = icmp ne i8 %flag, 0
  br i1 %set, label %left, label %right
left:
  br label %join
right:
  %p2 = shl i64 %p, 1
  br label %join
join:
  %offset = phi i64 [ %p, %left ], [ %p2, %right ]
  %i = add i64 %x, %offset
  %at = getelementptr float, ptr addrspace(1) %in, i64 %i
  %value = load float, ptr addrspace(1) %at
  %out.at = getelementptr float, ptr addrspace(1) %out, i64 %x
  store float %value, ptr addrspace(1) %out.at
  ret void
}
