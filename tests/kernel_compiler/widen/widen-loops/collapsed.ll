; Vectors of two rows: an access for each row of neighbours, one for what a row shares, half a gather where the rows
; read the same, and one access for the whole vector where the rows follow each other.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK: x.loop.wide:
; CHECK: %[[I:.*]] = phi i64
; CHECK: %[[X0:.*]] = and i64 %[[I]], 3
; CHECK: %[[NEXT:.*]] = add i64 %[[I]], 4
; CHECK: %[[X1:.*]] = and i64 %[[NEXT]], 3
; CHECK: %[[Y0:.*]] = lshr i64 %[[I]], 2
; CHECK: %[[Y1:.*]] = lshr i64 %{{.*}}, 2
; CHECK: %[[L0:.*]] = mul i64 %[[Y0]], %width
; CHECK: %[[L1:.*]] = mul i64 %[[Y1]], %width
; CHECK: %[[A:.*]] = load <4 x i32>, ptr addrspace(1)
; CHECK: %[[B:.*]] = load <4 x i32>, ptr addrspace(1)
; CHECK: shufflevector <4 x i32> %[[A]], <4 x i32> %[[B]], <8 x i32>
; CHECK: load i32, ptr addrspace(1)
; CHECK: load i32, ptr addrspace(1)
; CHECK: %[[COLUMN:.*]] = call <4 x i32> @llvm.masked.gather.v4i32
; CHECK: shufflevector <4 x i32> %[[COLUMN]], <4 x i32> %[[COLUMN]], <8 x i32>
; CHECK: store <8 x i32>
; CHECK: %[[LOW:.*]] = shufflevector <8 x i1> {{.*}} <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: call void @llvm.masked.store.v4i32.p1(<4 x i32> %{{.*}}, {{.*}}, <4 x i1> %[[LOW]])
; CHECK: call void @llvm.masked.store.v4i32.p1(
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %width) #0 {
entry:
  br label %x.loop
x.loop:
  %i = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x = and i64 %i, 3
  %y = lshr i64 %i, 2
  %line = mul i64 %y, %width
  %place = add i64 %line, %x
  %p.place = getelementptr i32, ptr addrspace(1) %p, i64 %place
  %v = load i32, ptr addrspace(1) %p.place
  %p.line = getelementptr i32, ptr addrspace(1) %p, i64 %line
  %first = load i32, ptr addrspace(1) %p.line
  %p.column = getelementptr [8 x i32], ptr addrspace(1) %p, i64 %x
  %column = load i32, ptr addrspace(1) %p.column
  %both = add i32 %v, %first
  %sum = add i32 %both, %column
  %q.tile = getelementptr [4 x i32], ptr addrspace(1) %q, i64 %y, i64 %x
  store i32 %sum, ptr addrspace(1) %q.tile
  %c = icmp sgt i32 %sum, 7
  br i1 %c, label %then, label %x.next
then:
  store i32 %sum, ptr addrspace(1) %p.place
  br label %x.next
x.next:
  %step = add nuw i64 %i, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Rows that go backwards through memory.
; CHECK-LABEL: define spir_kernel void @backwards(
; CHECK: x.loop.wide:
; CHECK: %[[FIRST:.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 -12
; CHECK: %[[A:.*]] = load <4 x i32>, ptr addrspace(1) %[[FIRST]]
; CHECK: %[[AR:.*]] = shufflevector <4 x i32> %[[A]], <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: %[[B:.*]] = load <4 x i32>, ptr addrspace(1)
; CHECK: %[[BR:.*]] = shufflevector <4 x i32> %[[B]], <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: shufflevector <4 x i32> %[[AR]], <4 x i32> %[[BR]], <8 x i32>
; CHECK: %[[STORED:.*]] = shufflevector <4 x i32> %{{.*}}, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: store <4 x i32> %[[STORED]], ptr addrspace(1)
; CHECK: store <4 x i32> %{{.*}}, ptr addrspace(1)
; CHECK: wide.after:
define spir_kernel void @backwards(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %width) #0 {
entry:
  br label %x.loop
x.loop:
  %i = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %x = and i64 %i, 3
  %y = lshr i64 %i, 2
  %line = mul i64 %y, %width
  %place = sub i64 %line, %x
  %p.place = getelementptr i32, ptr addrspace(1) %p, i64 %place
  %v = load i32, ptr addrspace(1) %p.place
  %q.place = getelementptr i32, ptr addrspace(1) %q, i64 %place
  store i32 %v, ptr addrspace(1) %q.place
  %step = add nuw i64 %i, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="8" "weft-forced-width"="1" }
!0 = !{}
