; A private copy of constants that only loads use is the constants. An index from such a table is known when its loop is unrolled.
; RUN: weft-opt --passes='unroll-for-sroa,sroa,simplifycfg,verify' -S %s | FileCheck %s

@order = internal unnamed_addr addrspace(2) constant [4 x i32] [i32 0, i32 2, i32 1, i32 3], align 4

declare void @__weft_barrier() #0
declare void @llvm.memcpy.p0.p2.i64(ptr, ptr addrspace(2), i64, i1)

; CHECK-LABEL: define spir_kernel void @reordered(
; CHECK-NOT: alloca
; CHECK: [[A:%.*]] = load float, ptr addrspace(1) %p
; CHECK: [[B:%.*]] = load float,
; CHECK: [[C:%.*]] = load float,
; CHECK: [[D:%.*]] = load float,
; CHECK: call void @__weft_barrier()
; CHECK: store float [[A]], ptr addrspace(1) %q
; CHECK: store float [[C]],
; CHECK: store float [[B]],
; CHECK: store float [[D]],
define spir_kernel void @reordered(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %values = alloca [4 x float]
  %table = alloca [4 x i32], align 4
  call void @llvm.memcpy.p0.p2.i64(ptr align 4 %table, ptr addrspace(2) align 4 @order, i64 16, i1 false)
  br label %load

load:
  %i = phi i64 [ 0, %0 ], [ %i.next, %load ]
  %from = getelementptr float, ptr addrspace(1) %p, i64 %i
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr %values, i64 %i
  store float %value, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 4
  br i1 %i.more, label %load, label %middle

middle:
  call void @__weft_barrier()
  br label %store

store:
  %j = phi i64 [ 0, %middle ], [ %j.next, %store ]
  %entry = getelementptr [4 x i32], ptr %table, i64 0, i64 %j
  %index = load i32, ptr %entry
  %wide = sext i32 %index to i64
  %place = getelementptr float, ptr %values, i64 %wide
  %moved = load float, ptr %place
  %out = getelementptr float, ptr addrspace(1) %q, i64 %j
  store float %moved, ptr addrspace(1) %out
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 4
  br i1 %j.more, label %store, label %end

end:
  ret void
}

; Not where something else is stored, too.
; CHECK-LABEL: define spir_kernel void @changed(
; CHECK: %table = alloca [4 x i32]
; CHECK: load i32, ptr %entry
define spir_kernel void @changed(ptr addrspace(1) %p, i64 %n) {
  %table = alloca [4 x i32], align 4
  call void @llvm.memcpy.p0.p2.i64(ptr align 4 %table, ptr addrspace(2) align 4 @order, i64 16, i1 false)
  call void @__weft_barrier()
  %entry = getelementptr [4 x i32], ptr %table, i64 0, i64 %n
  store i32 7, ptr %entry
  %index = load i32, ptr %entry
  store i32 %index, ptr addrspace(1) %p
  ret void
}

; Nor where a part is copied.
; CHECK-LABEL: define spir_kernel void @part(
; CHECK: alloca [4 x i32]
define spir_kernel void @part(ptr addrspace(1) %p, i64 %n) {
  %table = alloca [4 x i32], align 4
  call void @llvm.memcpy.p0.p2.i64(ptr align 4 %table, ptr addrspace(2) align 4 @order, i64 8, i1 false)
  call void @__weft_barrier()
  %entry = getelementptr [4 x i32], ptr %table, i64 0, i64 %n
  %index = load i32, ptr %entry
  store i32 %index, ptr addrspace(1) %p
  ret void
}

attributes #0 = { convergent }
