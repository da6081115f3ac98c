; Short vectors of structures are accessed together as numbers of their size: whole vectors in memory's order, and shuffles of numbers.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @fields(
; CHECK: x.loop.wide:
; CHECK:   load <4 x i32>, ptr addrspace(1) {{.*}}, align 4
; CHECK:   load <4 x i32>, ptr addrspace(1) {{.*}}, align 4
; CHECK-NOT: load
; CHECK:   %[[FIRST:.*]] = shufflevector <4 x i32> {{.*}}, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; CHECK:   %[[SECOND:.*]] = shufflevector <4 x i32> {{.*}}, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK-DAG:   %[[A:.*]] = bitcast <4 x i32> %[[FIRST]] to <16 x i8>
; CHECK-DAG:   %[[B:.*]] = bitcast <4 x i32> %[[SECOND]] to <16 x i8>
; CHECK:   add <16 x i8> %[[A]], %[[B]]
; CHECK: wide.after:
define spir_kernel void @fields(ptr addrspace(1) align 4 %in, ptr addrspace(1) align 4 %out, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %in.0 = getelementptr inbounds [8 x i8], ptr addrspace(1) %in, i64 %x
  %a = load <4 x i8>, ptr addrspace(1) %in.0, align 4
  %in.1 = getelementptr i8, ptr addrspace(1) %in.0, i64 4
  %b = load <4 x i8>, ptr addrspace(1) %in.1, align 4
  %sum = add <4 x i8> %a, %b
  %out.0 = getelementptr inbounds <4 x i8>, ptr addrspace(1) %out, i64 %x
  store <4 x i8> %sum, ptr addrspace(1) %out.0, align 4
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

; Without masks in the CPU, those of some lanes are gathered and scattered as numbers.
; CHECK-LABEL: define spir_kernel void @some(
; CHECK: x.loop.wide:
; CHECK:   %[[GATHERED:.*]] = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(
; CHECK:   bitcast <4 x i32> %[[GATHERED]] to <8 x i16>
; CHECK:   shufflevector <4 x i32> {{.*}}, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
; CHECK:   call void @llvm.masked.scatter.v4i32.v4p1(
; CHECK:   shufflevector <4 x i32> {{.*}}, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
; CHECK: wide.after:
define spir_kernel void @some(ptr addrspace(1) align 4 %in, ptr addrspace(1) align 4 %c, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %after ]
  %c.x = getelementptr inbounds i32, ptr addrspace(1) %c, i64 %x
  %bit = load i32, ptr addrspace(1) %c.x, align 4
  %is = icmp sgt i32 %bit, 0
  br i1 %is, label %access, label %after
access:
  %in.0 = getelementptr inbounds [8 x i8], ptr addrspace(1) %in, i64 %x
  %a = load <2 x i16>, ptr addrspace(1) %in.0, align 4
  %in.1 = getelementptr i8, ptr addrspace(1) %in.0, i64 4
  %b = load <2 x i16>, ptr addrspace(1) %in.1, align 4
  store <2 x i16> %b, ptr addrspace(1) %in.0, align 4
  store <2 x i16> %a, ptr addrspace(1) %in.1, align 4
  br label %after
after:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
