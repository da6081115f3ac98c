; Where the values of a group that live across a barrier lie: those of one variable together, an odd number of cache lines from those
; of the next. A long array takes an odd number of cache lines for each
; work-item.
; RUN: weft-opt --passes='split-at-barriers,spill-at-barriers,work-item-loops,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()

; CHECK-LABEL: define spir_kernel void @two(
; CHECK-SAME: #[[TWO:[0-9]+]]
; CHECK: %[[SPILL:.*]] = call ptr @__weft_spill_memory()
; CHECK: %[[USED:.*]] = mul nuw i64 %[[ITEMS:.*]], 4
; CHECK: %[[UP:.*]] = add nuw i64 %[[USED]], 63
; CHECK: %[[WHOLE:.*]] = and i64 %[[UP]], -64
; CHECK: %[[SHORT:.*]] = icmp ult i64 %[[USED]], 1024
; CHECK: %[[ODD:.*]] = or i64 %[[WHOLE]], 64
; CHECK: %[[BYTES:.*]] = select i1 %[[SHORT]], i64 %[[USED]], i64 %[[ODD]]
; CHECK: %[[SECOND:.*]] = getelementptr inbounds i8, ptr %[[SPILL]], i64 %[[BYTES]]
; CHECK: x.loop:
; CHECK-DAG: getelementptr inbounds [4 x i8], ptr %[[SPILL]], i64
; CHECK-DAG: getelementptr inbounds [4 x i8], ptr %[[SECOND]], i64
define spir_kernel void @two(ptr addrspace(1) %p) {
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %first = load i32, ptr addrspace(1) %at
  %second = load float, ptr addrspace(1) %at
  call void @__weft_barrier()
  store i32 %first, ptr addrspace(1) %at
  store volatile float %second, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @array(
; CHECK-SAME: #[[ARRAY:[0-9]+]]
; CHECK: getelementptr inbounds [4160 x i8], ptr %{{.*}}, i64
define spir_kernel void @array(ptr addrspace(1) %p) {
  %big = alloca [4096 x i8], align 4
  store volatile i8 1, ptr %big
  call void @__weft_barrier()
  %read = load volatile i8, ptr %big
  ret void
}
; CHECK: attributes #[[TWO]] = { {{.*}}"weft-spill-per-item"="10"
; CHECK: attributes #[[ARRAY]] = { {{.*}}"weft-spill-per-item"="4288"
