; Ids are asked for again, a uniform value is kept once, a loaded one by each work-item.
; RUN: weft-opt --passes='split-at-barriers,spill-at-barriers,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()

; CHECK-DAG: %square.slot = alloca i32, align 4, !weft.uniform
; CHECK-DAG: %loaded.slot = alloca i32, align 4{{$}}
; CHECK: barrier:
; CHECK-NEXT: call void @__weft_barrier()
; CHECK-NEXT: %loaded.kept = load i32, ptr %loaded.slot
; CHECK-NEXT: %square.kept = load i32, ptr %square.slot
; CHECK-NEXT: %lid{{.*}} = call i64 @__weft_local_id(i32 0)
; CHECK-NEXT: %at{{.*}} = getelementptr
define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %square = mul i32 %n, %n
  %loaded = load i32, ptr addrspace(1) %at
  call void @__weft_barrier()
  %sum = add i32 %square, %loaded
  store i32 %sum, ptr addrspace(1) %at
  ret void
}

; Bits are kept as bytes.
; CHECK-LABEL: define spir_kernel void @bit(
; CHECK: %found.slot = alloca i8
; CHECK: %[[BYTE:.*]] = zext i1 %found to i8
; CHECK: store i8 %[[BYTE]], ptr %found.slot
; CHECK: call void @__weft_barrier()
; CHECK-NEXT: %[[KEPT:.*]] = load i8, ptr %found.slot
; CHECK-NEXT: %found.kept = trunc i8 %[[KEPT]] to i1
define spir_kernel void @bit(ptr addrspace(1) %p) {
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %loaded = load i32, ptr addrspace(1) %at
  %found = icmp eq i32 %loaded, 7
  call void @__weft_barrier()
  %result = select i1 %found, i32 1, i32 %loaded
  store i32 %result, ptr addrspace(1) %at
  ret void
}

; A place that follows from ids is computed again however long its sum is; what is made of a product of ids is kept.
; CHECK-LABEL: define spir_kernel void @place(
; CHECK-NOT: %at.slot
; CHECK: %square.slot = alloca i64
; CHECK: call void @__weft_barrier()
; CHECK: %at{{[0-9]+}} = getelementptr
define spir_kernel void @place(i64 %n, i64 %m, ptr addrspace(1) %p) {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %z = call i64 @__weft_local_id(i32 2)
  %plane = mul i64 %z, %m
  %row = mul i64 %y, %n
  %rows = add i64 %plane, %row
  %high = shl i64 %x, 32
  %column = ashr exact i64 %high, 30
  %first = add i64 %rows, %column
  %second = sub i64 %first, %m
  %third = add i64 %second, 7
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %third
  %yx = mul i64 %y, %x
  %zyx = mul i64 %yx, %z
  %and = and i64 %zyx, %row
  %or = or i64 %and, %column
  %square = mul i64 %or, %or
  store i64 %square, ptr addrspace(1) %at
  call void @__weft_barrier()
  store i64 %square, ptr addrspace(1) %at
  ret void
}
