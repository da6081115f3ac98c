; Four rows at once where groups have several: what they share is loaded once, each has its own sum. Where the group's size is known,
; all of its rows that registers hold.
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=128 -mtriple=x86_64 -mcpu=skylake-avx512 -S %s \
; RUN:   | FileCheck %s

; CHECK-LABEL: define spir_kernel void @tile(
; CHECK: and i64 %n, -16
; CHECK: loop.wide:
; CHECK:   phi <16 x float>
; CHECK:   load float, ptr addrspace(3)
; CHECK:   load float, ptr addrspace(3)
; CHECK:   load float, ptr addrspace(3)
; CHECK:   load float, ptr addrspace(3)
; CHECK:   load <4 x float>, ptr addrspace(3)
; CHECK-NOT: load
; CHECK:   call <16 x float> @llvm.fmuladd
; CHECK: and i64 %n, -4
; CHECK: call <4 x float> @llvm.fmuladd
define spir_kernel void @tile(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %r, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x = and i64 %item, 3
  %y = lshr i64 %item, 2
  %p.row = getelementptr inbounds [4 x float], ptr addrspace(3) %p, i64 %y
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i64 [ 0, %x.loop ], [ %k1, %loop ]
  %p.at = getelementptr inbounds float, ptr addrspace(3) %p.row, i64 %k
  %a = load float, ptr addrspace(3) %p.at
  %q.at = getelementptr inbounds [4 x float], ptr addrspace(3) %q, i64 %k, i64 %x
  %b = load float, ptr addrspace(3) %q.at
  %sum1 = call float @llvm.fmuladd.f32(float %a, float %b, float %sum)
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, 4
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds float, ptr addrspace(1) %r, i64 %item
  store float %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !1
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @tile_of_16(
; CHECK: and i64 %n, -64
; CHECK:   load <4 x float>, ptr addrspace(3)
; CHECK-NOT: load
; CHECK:   call <64 x float> @llvm.fmuladd
; CHECK: and i64 %n, -8
define spir_kernel void @tile_of_16(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %r, i64 %n) #0 !reqd_work_group_size !2 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x = and i64 %item, 3
  %y = lshr i64 %item, 2
  %p.row = getelementptr inbounds [4 x float], ptr addrspace(3) %p, i64 %y
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i64 [ 0, %x.loop ], [ %k1, %loop ]
  %p.at = getelementptr inbounds float, ptr addrspace(3) %p.row, i64 %k
  %a = load float, ptr addrspace(3) %p.at
  %q.at = getelementptr inbounds [4 x float], ptr addrspace(3) %q, i64 %k, i64 %x
  %b = load float, ptr addrspace(3) %q.at
  %sum1 = call float @llvm.fmuladd.f32(float %a, float %b, float %sum)
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, 16
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds float, ptr addrspace(1) %r, i64 %item
  store float %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !1
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @tile_of_6(
; CHECK: and i64 %n, -16
; CHECK:   call <16 x float> @llvm.fmuladd
; CHECK: and i64 %n, -8
define spir_kernel void @tile_of_6(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %r, i64 %n) #0 !reqd_work_group_size !3 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x = and i64 %item, 3
  %y = lshr i64 %item, 2
  %p.row = getelementptr inbounds [4 x float], ptr addrspace(3) %p, i64 %y
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i64 [ 0, %x.loop ], [ %k1, %loop ]
  %p.at = getelementptr inbounds float, ptr addrspace(3) %p.row, i64 %k
  %a = load float, ptr addrspace(3) %p.at
  %q.at = getelementptr inbounds [4 x float], ptr addrspace(3) %q, i64 %k, i64 %x
  %b = load float, ptr addrspace(3) %q.at
  %sum1 = call float @llvm.fmuladd.f32(float %a, float %b, float %sum)
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, 16
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds float, ptr addrspace(1) %r, i64 %item
  store float %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !1
out:
  ret void
}

; The rows share nothing.
; CHECK-LABEL: define spir_kernel void @own_columns(
; CHECK: and i64 %n, -16
; CHECK:   call <16 x float> @llvm.fmuladd
define spir_kernel void @own_columns(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %r, i64 %n) #0 !reqd_work_group_size !2 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x = and i64 %item, 3
  %y = lshr i64 %item, 2
  %p.row = getelementptr inbounds [4 x float], ptr addrspace(3) %p, i64 %y
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i64 [ 0, %x.loop ], [ %k1, %loop ]
  %p.at = getelementptr inbounds float, ptr addrspace(3) %p.row, i64 %k
  %a = load float, ptr addrspace(3) %p.at
  %q.at = getelementptr inbounds [64 x float], ptr addrspace(3) %q, i64 %k, i64 %item
  %b = load float, ptr addrspace(3) %q.at
  %sum1 = call float @llvm.fmuladd.f32(float %a, float %b, float %sum)
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, 16
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds float, ptr addrspace(1) %r, i64 %item
  store float %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !1
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @few_iterations(
; CHECK: and i64 %n, -16
; CHECK:   call <16 x float> @llvm.fmuladd
define spir_kernel void @few_iterations(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %r, i64 %n) #0 !reqd_work_group_size !2 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x = and i64 %item, 3
  %y = lshr i64 %item, 2
  %p.row = getelementptr inbounds [4 x float], ptr addrspace(3) %p, i64 %y
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i64 [ 0, %x.loop ], [ %k1, %loop ]
  %p.at = getelementptr inbounds float, ptr addrspace(3) %p.row, i64 %k
  %a = load float, ptr addrspace(3) %p.at
  %q.at = getelementptr inbounds [4 x float], ptr addrspace(3) %q, i64 %k, i64 %x
  %b = load float, ptr addrspace(3) %q.at
  %sum1 = call float @llvm.fmuladd.f32(float %a, float %b, float %sum)
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, 4
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds float, ptr addrspace(1) %r, i64 %item
  store float %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !1
out:
  ret void
}

; Rows that run under masks of their own load each for itself.
; CHECK-LABEL: define spir_kernel void @guarded(
; CHECK-NOT: and i64 %n, -64
; CHECK: {{^}}}
define spir_kernel void @guarded(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %r, i64 %n, i64 %m) #0 !reqd_work_group_size !2 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x = and i64 %item, 3
  %y = lshr i64 %item, 2
  %p.row = getelementptr inbounds [4 x float], ptr addrspace(3) %p, i64 %y
  %in = icmp ult i64 %y, %m
  br i1 %in, label %loop, label %x.next
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i64 [ 0, %x.loop ], [ %k1, %loop ]
  %p.at = getelementptr inbounds float, ptr addrspace(3) %p.row, i64 %k
  %a = load float, ptr addrspace(3) %p.at
  %q.at = getelementptr inbounds [4 x float], ptr addrspace(3) %q, i64 %k, i64 %x
  %b = load float, ptr addrspace(3) %q.at
  %sum1 = call float @llvm.fmuladd.f32(float %a, float %b, float %sum)
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, 16
  br i1 %again, label %loop, label %x.next
x.next:
  %sum2 = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %r.at = getelementptr inbounds float, ptr addrspace(1) %r, i64 %item
  store float %sum2, ptr addrspace(1) %r.at
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !1
out:
  ret void
}

; A bound that is one for all lanes of a row: each row is tested with its own.
; CHECK-LABEL: define spir_kernel void @bound_of_row(
; CHECK: and i64 %n, -16
; CHECK: loop.wide:
; CHECK: icmp sle i32 %[[Y0:.*]], %[[PLACE0:.*]]
; CHECK: icmp sle i32 %[[PLACE0]],
; CHECK: icmp sle i32 %[[Y1:.*]], %[[PLACE1:.*]]
; CHECK: icmp sle i32 %[[PLACE1]],
; CHECK: icmp sle i32 %[[Y2:.*]], %[[PLACE2:.*]]
; CHECK: icmp sle i32 %[[PLACE2]],
; CHECK: icmp sle i32 %[[Y3:.*]], %[[PLACE3:.*]]
; CHECK: br i1 {{.*}}, label %{{.*}}inside.wide, label
; CHECK: and i64 %n, -4
; CHECK: ret void
define spir_kernel void @bound_of_row(ptr addrspace(3) %p, ptr addrspace(1) %r, i64 %n, i32 %count) #0 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x.long = and i64 %item, 3
  %y.long = lshr i64 %item, 2
  %x = trunc i64 %x.long to i32
  %y = trunc i64 %y.long to i32
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i32 [ 0, %x.loop ], [ %k1, %loop ]
  %place = add nsw i32 %x, %k
  %clamped = call i32 @llvm.smax.i32(i32 %place, i32 %y)
  %index = sext i32 %clamped to i64
  %p.at = getelementptr inbounds float, ptr addrspace(3) %p, i64 %index
  %a = load float, ptr addrspace(3) %p.at
  %sum1 = call float @llvm.fmuladd.f32(float %a, float %a, float %sum)
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %count
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds float, ptr addrspace(1) %r, i64 %item
  store float %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !1
out:
  ret void
}

; The divisor of a row: no multiple of it is one for all lanes, so several rows have the general version alone.
; CHECK-LABEL: define spir_kernel void @divisor_of_row(
; CHECK: and i64 %n, -16
; CHECK: [[HOLDS:%.*]] = and <16 x i1> {{.*}}, zeroinitializer
; CHECK: [[SAFE:%.*]] = freeze <16 x i1> [[HOLDS]]
; CHECK: [[BITS:%.*]] = bitcast <16 x i1> {{.*}} to i16
; CHECK: [[ANY:%.*]] = icmp ne i16 [[BITS]], 0
; CHECK: br i1 [[ANY]], label %loop.split1.inside.body, label %loop.split1.wide
; CHECK: and i64 %n, -4
; CHECK: ret void
define spir_kernel void @divisor_of_row(ptr addrspace(3) %p, ptr addrspace(1) %r, i64 %n, i32 %count) #0 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x.long = and i64 %item, 3
  %y.long = lshr i64 %item, 2
  %x = trunc i64 %x.long to i32
  %y = trunc i64 %y.long to i32
  %divisor = add i32 %y, 64
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i32 [ 0, %x.loop ], [ %k1, %loop ]
  %place = add nsw i32 %x, %k
  %quotient = sdiv i32 %place, %divisor
  %part = call i32 @llvm.smax.i32(i32 %quotient, i32 0)
  %index = sext i32 %part to i64
  %p.at = getelementptr inbounds float, ptr addrspace(3) %p, i64 %index
  %a = load float, ptr addrspace(3) %p.at
  %sum2 = call float @llvm.fmuladd.f32(float %a, float %a, float %sum)
  %sum3 = call float @llvm.fmuladd.f32(float %sum2, float %sum2, float %a)
  %sum4 = call float @llvm.fmuladd.f32(float %sum3, float %sum3, float %a)
  %sum5 = call float @llvm.fmuladd.f32(float %sum4, float %sum4, float %a)
  %sum6 = call float @llvm.fmuladd.f32(float %sum5, float %sum5, float %a)
  %sum7 = call float @llvm.fmuladd.f32(float %sum6, float %sum6, float %a)
  %sum1 = call float @llvm.fmuladd.f32(float %sum7, float %sum7, float %a)
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %count
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds float, ptr addrspace(1) %r, i64 %item
  store float %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !1
out:
  ret void
}

; Lanes of one row update places of their own, those of two rows meet.
; CHECK-LABEL: define spir_kernel void @updates(
; CHECK-NOT: and i64 %n, -16
; CHECK-NOT: and i64 %n, -8
; CHECK: and i64 %n, -4
; CHECK: store <4 x i32> {{.*}}, ptr addrspace(3)
; CHECK: ret void
define spir_kernel void @updates(ptr addrspace(3) %p, ptr addrspace(3) %q, i64 %n, i32 %count) #0 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x = and i64 %item, 3
  %p.at = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %item
  %a = load i32, ptr addrspace(3) %p.at
  br label %loop
loop:
  %sum = phi i32 [ %a, %x.loop ], [ %sum1, %loop ]
  %k = phi i32 [ 0, %x.loop ], [ %k1, %loop ]
  %square = mul i32 %sum, %sum
  %sum1 = add i32 %square, %k
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %count
  br i1 %again, label %loop, label %x.next
x.next:
  %q.at = getelementptr inbounds i32, ptr addrspace(3) %q, i64 %x
  %old = atomicrmw add ptr addrspace(3) %q.at, i32 %sum1 monotonic
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !1
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!1 = !{i32 4}
!2 = !{i32 4, i32 16, i32 1}
!3 = !{i32 4, i32 6, i32 1}
