; Work-items that each write a row of their own run one at a time (rows, downwards, running), unless elements need those before
; (dependent), they compute much for each element (work),
; do not write (sums), write what neighbours write (columns), or rows are short (short).
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)
declare float @llvm.sqrt.f32(float)

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK-SAME: #[[ALONE:[0-9]+]]
define spir_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %id = call i64 @__weft_global_id(i32 0)
  %x = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %row = mul nsw i32 %x, %n
  %place = add nsw i32 %row, %i
  %k = sext i32 %place to i64
  %from = getelementptr float, ptr addrspace(1) %q, i64 %k
  %v = load float, ptr addrspace(1) %from
  %w = fmul float %v, 2.0
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  store float %w, ptr addrspace(1) %at
  %i1 = add nsw i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define spir_kernel void @downwards(
; CHECK-SAME: #[[ALONE]]
define spir_kernel void @downwards(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %row = mul i64 %x, 4096
  %end = add i64 %row, 4095
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %k = sub i64 %end, %i
  %from = getelementptr float, ptr addrspace(1) %q, i64 %k
  %v = load float, ptr addrspace(1) %from
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  store float %v, ptr addrspace(1) %at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, 4096
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define spir_kernel void @dependent(
; CHECK-SAME: #[[DEPENDENT:[0-9]+]]
define spir_kernel void @dependent(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %row = mul i64 %x, %n
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %i1, %loop ]
  %k = add i64 %row, %i
  %from = getelementptr float, ptr addrspace(1) %q, i64 %k
  %v = load float, ptr addrspace(1) %from
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  %before = getelementptr i8, ptr addrspace(1) %at, i64 -4
  %w = load float, ptr addrspace(1) %before
  %product = fmul float %v, %w
  store float %product, ptr addrspace(1) %at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define spir_kernel void @running(
; CHECK-SAME: #[[ALONE]]
define spir_kernel void @running(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %row = mul i64 %x, %n
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %k = add i64 %row, %i
  %from = getelementptr float, ptr addrspace(1) %q, i64 %k
  %v = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %v
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  store float %next, ptr addrspace(1) %at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define spir_kernel void @work(
; CHECK-SAME: #[[WIDE:[0-9]+]]
define spir_kernel void @work(ptr addrspace(1) %p, i64 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %row = mul i64 %x, %n
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %k = add i64 %row, %i
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  %v = load float, ptr addrspace(1) %at
  %v0 = call float @llvm.sqrt.f32(float %v)
  %v1 = fmul float %v0, %v0
  %v2 = fmul float %v1, %v1
  %v3 = fmul float %v2, %v2
  %v4 = fmul float %v3, %v3
  %v5 = fmul float %v4, %v4
  %v6 = fmul float %v5, %v5
  %v7 = fmul float %v6, %v6
  %v8 = fmul float %v7, %v7
  %v9 = fmul float %v8, %v8
  %v10 = fmul float %v9, %v9
  %v11 = fmul float %v10, %v10
  %v12 = fmul float %v11, %v11
  %v13 = fmul float %v12, %v12
  %v14 = fmul float %v13, %v13
  %v15 = fmul float %v14, %v14
  %v16 = fmul float %v15, %v15
  %v17 = fmul float %v16, %v16
  %v18 = fmul float %v17, %v17
  %v19 = fmul float %v18, %v18
  %v20 = fmul float %v19, %v19
  %v21 = fmul float %v20, %v20
  %v22 = fmul float %v21, %v21
  %v23 = fmul float %v22, %v22
  %v24 = fmul float %v23, %v23
  %v25 = fmul float %v24, %v24
  %v26 = fmul float %v25, %v25
  %v27 = fmul float %v26, %v26
  %v28 = fmul float %v27, %v27
  %v29 = fmul float %v28, %v28
  %v30 = fmul float %v29, %v29
  %v31 = fmul float %v30, %v30
  %v32 = fmul float %v31, %v31
  %v33 = fmul float %v32, %v32
  %v34 = fmul float %v33, %v33
  %v35 = fmul float %v34, %v34
  %v36 = fmul float %v35, %v35
  %v37 = fmul float %v36, %v36
  %v38 = fmul float %v37, %v37
  %v39 = fmul float %v38, %v38
  %v40 = fmul float %v39, %v39
  store float %v40, ptr addrspace(1) %at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define spir_kernel void @sums(
; CHECK-SAME: #[[WIDE]]
define spir_kernel void @sums(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %row = mul i64 %x, %n
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %k = add i64 %row, %i
  %from = getelementptr float, ptr addrspace(1) %q, i64 %k
  %v = load float, ptr addrspace(1) %from
  %next = fadd float %sum, %v
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %done
done:
  %at = getelementptr float, ptr addrspace(1) %p, i64 %x
  store float %next, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @columns(
; CHECK-SAME: #[[WIDE]]
define spir_kernel void @columns(ptr addrspace(1) %p, i64 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %row = mul i64 %i, %n
  %k = add i64 %row, %x
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  %v = load float, ptr addrspace(1) %at
  %w = fmul float %v, 2.0
  store float %w, ptr addrspace(1) %at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define spir_kernel void @short(
; CHECK-SAME: #[[WIDE]]
define spir_kernel void @short(ptr addrspace(1) %p) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %row = mul i64 %x, 16
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %k = add i64 %row, %i
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  %v = load float, ptr addrspace(1) %at
  %w = fmul float %v, 2.0
  store float %w, ptr addrspace(1) %at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, 16
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-DAG: attributes #[[ALONE]] = {{.*}}"weft-vector-width"="1"
; CHECK-DAG: attributes #[[DEPENDENT]] = {{.*}}"weft-vector-width"="16" "weft-written-rows"="1"
; CHECK-DAG: attributes #[[WIDE]] = {{.*}}"weft-vector-width"="16"
