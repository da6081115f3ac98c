; Variables past the stack budget of 64 KiB, all together, are offsets into the scratch memory, the largest
; first to go; what lives across a barrier is spilled for each work-item instead.
; RUN: weft-opt --passes='split-at-barriers,spill-at-barriers,work-item-loops,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

; CHECK-LABEL: define spir_kernel void @large(
; CHECK-SAME: #[[LARGE:[0-9]+]]
; CHECK: %medium = alloca [50000 x i8]
; CHECK-NOT: alloca
; CHECK: %[[SCRATCH:.*]] = call ptr @__weft_scratch_memory()
; CHECK: %big = getelementptr inbounds i8, ptr %[[SCRATCH]], i64 0
; CHECK: %huge = getelementptr inbounds i8, ptr %[[SCRATCH]], i64 100000
; CHECK-NOT: lifetime{{.*}}%huge
; CHECK: store volatile i8 1, ptr %huge
define spir_kernel void @large(ptr addrspace(1) %p) {
  %medium = alloca [50000 x i8], align 1
  %huge = alloca [1000000 x i8], align 1
  %big = alloca [100000 x i8], align 4
  call void @llvm.lifetime.start.p0(ptr %huge)
  store volatile i8 1, ptr %huge
  store volatile i8 1, ptr %big
  store volatile i8 1, ptr %medium
  call void @llvm.lifetime.end.p0(ptr %huge)
  ret void
}

; CHECK-LABEL: define spir_kernel void @across(
; CHECK-SAME: #[[ACROSS:[0-9]+]]
; CHECK-NOT: call ptr @__weft_scratch_memory
; CHECK: {{^}}}
define spir_kernel void @across(ptr addrspace(1) %p) {
  %big = alloca [100000 x i8], align 4
  store volatile i8 1, ptr %big
  call void @__weft_barrier()
  %read = load volatile i8, ptr %big
  ret void
}

; CHECK: attributes #[[LARGE]] = { {{.*}}"weft-scratch-size"="1100000" "weft-spill-per-item"="0"
; CHECK: attributes #[[ACROSS]] = { {{.*}}"weft-scratch-size"="0" "weft-spill-per-item"="100160"
