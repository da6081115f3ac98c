; Vectors as long as a number are chosen as numbers, by one element of the mask each, and scattered as numbers. An element without a value
; leaves the others theirs.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @chosen(
; CHECK: %[[V:.*]] = load <16 x i8>
; CHECK: %[[SUM:.*]] = add <16 x i8> %[[V]]
; CHECK-DAG: %[[OLD:.*]] = freeze <16 x i8> %[[V]]
; CHECK-DAG: %[[NEW:.*]] = freeze <16 x i8> %[[SUM]]
; CHECK-DAG: %[[OLDS:.*]] = bitcast <16 x i8> %[[OLD]] to <4 x i32>
; CHECK-DAG: %[[NEWS:.*]] = bitcast <16 x i8> %[[NEW]] to <4 x i32>
; CHECK: select <4 x i1> %{{.*}}, <4 x i32> %[[NEWS]], <4 x i32> %[[OLDS]]
; CHECK-NOT: <16 x i1>
; CHECK: x.loop:
define spir_kernel void @chosen(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %next ]
  %p.x = getelementptr inbounds <4 x i8>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %v = load <4 x i8>, ptr addrspace(1) %p.x
  %s = load i32, ptr addrspace(1) %q.x
  %is = icmp sgt i32 %s, 0
  br i1 %is, label %then, label %next
then:
  %w = add <4 x i8> %v, splat (i8 3)
  br label %next
next:
  %y = phi <4 x i8> [ %v, %x.loop ], [ %w, %then ]
  store <4 x i8> %y, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @scattered(
; CHECK: %[[V:.*]] = load <8 x i16>
; CHECK: %[[KEPT:.*]] = freeze <8 x i16> %[[V]]
; CHECK: %[[CELLS:.*]] = bitcast <8 x i16> %[[KEPT]] to <4 x i32>
; CHECK: call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> %[[CELLS]]
define spir_kernel void @scattered(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, ptr addrspace(1) noalias %r, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds <2 x i16>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr inbounds i64, ptr addrspace(1) %q, i64 %x
  %v = load <2 x i16>, ptr addrspace(1) %p.x
  %s = load i64, ptr addrspace(1) %q.x
  %place = getelementptr <2 x i16>, ptr addrspace(1) %r, i64 %s
  store <2 x i16> %v, ptr addrspace(1) %place
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!0 = !{}
