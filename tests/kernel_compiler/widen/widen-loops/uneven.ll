; Lanes that leave a loop of gathers at different times: the loop's iterations are counted, of the vector and of its lanes, and where
; scalars would have taken less time the next 16 vectors' work-items run one after the other; where the next test says so again, four
; times as many.
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=512 -mtriple=x86_64 -mcpu=skylake-avx512 -S %s \
; RUN:   | FileCheck %s

; CHECK-LABEL: define spir_kernel void @sums_of_rows(
; CHECK: x.loop.wide:
; CHECK:   [[ITEMS:%.*]] = phi i64 [ 256, %wide.before ], [ [[THEN:%.*]], %alone.on ]
; CHECK: loop.wide:
; CHECK:   [[BITS:%.*]] = bitcast <16 x i1> {{.*}} to i16
; CHECK:   call {{.*}}i16 @llvm.ctpop.i16(i16 [[BITS]])
; CHECK:   add i32 %rounds{{.*}}, 1
; CHECK:   add i32 %rounds.lanes
; CHECK:   call <16 x i32> @llvm.masked.gather
; CHECK: alone:
; CHECK:   [[END:%.*]] = add nuw i64 [[FIRST:%.*]], [[ITEMS]]
; CHECK:   call i64 @llvm.umin.i64(i64 [[END]], i64
; CHECK:   [[MORE:%.*]] = shl nuw i64 [[ITEMS]], 2
; CHECK:   [[FEWER:%.*]] = call i64 @llvm.umin.i64(i64 [[MORE]], i64 4096)
; CHECK: alone.on:
; CHECK:   phi i64 [ [[FIRST]], %x.next.wide ], [ [[FIRST]], %alone ], [ {{.*}}, %alone.after ]
; CHECK:   [[THEN]] = phi i64 [ 256, %x.next.wide ], [ [[FEWER]], %alone ], [ [[FEWER]], %alone.after ]
; CHECK: x.loop.alone:
; CHECK:   phi i64 [ [[FIRST]], %alone.some ]
; CHECK-LABEL: define spir_kernel void @sums_alone(
define spir_kernel void @sums_of_rows(ptr addrspace(1) %starts, ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %start.at = getelementptr inbounds i32, ptr addrspace(1) %starts, i64 %x
  %start = load i32, ptr addrspace(1) %start.at
  %x1 = add i64 %x, 1
  %end.at = getelementptr inbounds i32, ptr addrspace(1) %starts, i64 %x1
  %end = load i32, ptr addrspace(1) %end.at
  br label %loop
loop:
  %sum = phi i32 [ 0, %x.loop ], [ %sum1, %loop ]
  %k = phi i32 [ %start, %x.loop ], [ %k1, %loop ]
  %k.long = sext i32 %k to i64
  %p.at = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %k.long
  %a = load i32, ptr addrspace(1) %p.at
  %a.long = sext i32 %a to i64
  %q.at = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %a.long
  %b = load i32, ptr addrspace(1) %q.at
  %sum1 = add i32 %sum, %b
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %end
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Without gathers a vector's iteration takes little longer than a work-item's.
; CHECK-NOT: rounds
; CHECK: {{^}}}
define spir_kernel void @sums_alone(ptr addrspace(1) %starts, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %end.at = getelementptr inbounds i32, ptr addrspace(1) %starts, i64 %x
  %end = load i32, ptr addrspace(1) %end.at
  br label %loop
loop:
  %sum = phi i32 [ 0, %x.loop ], [ %sum1, %loop ]
  %k = phi i32 [ 0, %x.loop ], [ %k1, %loop ]
  %sum3 = mul i32 %sum, 3
  %sum1 = add i32 %sum3, %k
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %end
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Nor where one gather loads several parts of a place.
; CHECK-NOT: rounds
; CHECK: {{^}}}
define spir_kernel void @parts(ptr addrspace(1) %starts, ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %end.at = getelementptr inbounds i32, ptr addrspace(1) %starts, i64 %x
  %end = load i32, ptr addrspace(1) %end.at
  br label %loop
loop:
  %sum = phi i16 [ 0, %x.loop ], [ %sum4, %loop ]
  %k = phi i32 [ %end, %x.loop ], [ %k1, %loop ]
  %k.long = sext i32 %k to i64
  %p.at = getelementptr inbounds [4 x i16], ptr addrspace(1) %p, i64 %k.long
  %a = load i16, ptr addrspace(1) %p.at
  %p.at2 = getelementptr inbounds i8, ptr addrspace(1) %p.at, i64 2
  %b = load i16, ptr addrspace(1) %p.at2
  %p.at3 = getelementptr inbounds i8, ptr addrspace(1) %p.at, i64 4
  %c = load i16, ptr addrspace(1) %p.at3
  %p.at4 = getelementptr inbounds i8, ptr addrspace(1) %p.at, i64 6
  %d = load i16, ptr addrspace(1) %p.at4
  %sum1 = add i16 %sum, %a
  %sum2 = add i16 %sum1, %b
  %sum3 = add i16 %sum2, %c
  %sum4 = add i16 %sum3, %d
  %third = mul i32 %k, 3
  %k1 = ashr i32 %third, 2
  %again = icmp sgt i32 %k1, 0
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds i16, ptr addrspace(1) %q, i64 %x
  store i16 %sum4, ptr addrspace(1) %r.at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Two gathers, and arithmetic of which scalar code begins no more in a cycle than vector code.
; CHECK-LABEL: define spir_kernel void @sums_of_polynomials(
; CHECK-NOT: rounds
; CHECK: {{^}}}
define spir_kernel void @sums_of_polynomials(ptr addrspace(1) %starts, ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %start.at = getelementptr inbounds i32, ptr addrspace(1) %starts, i64 %x
  %start = load i32, ptr addrspace(1) %start.at
  %x1 = add i64 %x, 1
  %end.at = getelementptr inbounds i32, ptr addrspace(1) %starts, i64 %x1
  %end = load i32, ptr addrspace(1) %end.at
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i32 [ %start, %x.loop ], [ %k1, %loop ]
  %k.long = sext i32 %k to i64
  %p.at = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %k.long
  %a = load i32, ptr addrspace(1) %p.at
  %a.long = sext i32 %a to i64
  %q.at = getelementptr inbounds float, ptr addrspace(1) %q, i64 %a.long
  %b = load float, ptr addrspace(1) %q.at
  %m0 = fmul float %b, %b
  %s0 = fadd float %m0, 1.0
  %m1 = fmul float %s0, %b
  %s1 = fadd float %m1, 1.0
  %m2 = fmul float %s1, %b
  %s2 = fadd float %m2, 1.0
  %m3 = fmul float %s2, %b
  %s3 = fadd float %m3, 1.0
  %sum1 = fadd float %sum, %s3
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %end
  br i1 %again, label %loop, label %x.next
x.next:
  %r.at = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %sum1, ptr addrspace(1) %r.at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="16" }
!0 = !{}
