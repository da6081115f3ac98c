; A kernel's own vectors, where they were left: all lanes' in one, one lane's behind the other's.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -weft-register-bits=256 -weft-register-count=16 -S %s | FileCheck %s

; Element by element; what is the same for all is repeated, a lane's number is each of its elements.
; CHECK-LABEL: define spir_kernel void @elements(
; CHECK: %[[ALL:.*]] = shufflevector <2 x float> %c, <2 x float> poison, <8 x i32> <i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1>
; CHECK: %[[V:.*]] = load <8 x float>, ptr addrspace(1) %{{.*}}, align 8
; CHECK: %[[S:.*]] = load <4 x float>
; CHECK: shufflevector <8 x float> poison, <8 x float> %{{.*}}, <8 x i32> <i32 8, i32 1,
; CHECK: %[[EACH:.*]] = shufflevector <4 x float> %[[S]], <4 x float> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
; CHECK: %[[W:.*]] = fmul <8 x float> %[[V]], %[[EACH]]
; CHECK: %[[Y:.*]] = fadd <8 x float> %[[W]], %[[ALL]]
; CHECK: store <8 x float> %[[Y]]
; CHECK-NOT: <8 x float>
; CHECK: x.loop:
define spir_kernel void @elements(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, <2 x float> %c, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds <2 x float>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  %v = load <2 x float>, ptr addrspace(1) %p.x
  %s = load float, ptr addrspace(1) %q.x
  %one = insertelement <2 x float> poison, float %s, i32 0
  %both = shufflevector <2 x float> %one, <2 x float> poison, <2 x i32> zeroinitializer
  %w = fmul <2 x float> %v, %both
  %y = fadd <2 x float> %w, %c
  store <2 x float> %y, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Long ones at a known distance are loaded one by one, and joined.
; CHECK-LABEL: define spir_kernel void @apart(
; CHECK: %[[LANE:.*]] = getelementptr i8, ptr addrspace(1) %[[AT:.*]], i64 0
; CHECK: %[[FIRST:.*]] = load <4 x float>, ptr addrspace(1) %[[LANE]], align 16
; CHECK: %[[NEXT:.*]] = getelementptr i8, ptr addrspace(1) %[[AT]], i64 48
; CHECK: %[[SECOND:.*]] = load <4 x float>, ptr addrspace(1) %[[NEXT]], align 16
; CHECK: getelementptr i8, ptr addrspace(1) %[[AT]], i64 96
; CHECK: getelementptr i8, ptr addrspace(1) %[[AT]], i64 144
; CHECK: shufflevector <4 x float> %[[FIRST]], <4 x float> %[[SECOND]], <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: store <16 x float>
; CHECK-NOT: lane:
; CHECK: {{^}}}
define spir_kernel void @apart(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds [3 x <4 x float>], ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr inbounds <4 x float>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %w = fmul <4 x float> %v, %v
  store <4 x float> %w, ptr addrspace(1) %q.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Elements taken out, put in, and in another order.
; CHECK-LABEL: define spir_kernel void @orders(
; CHECK: %[[V:.*]] = load <8 x i32>
; CHECK: %[[B:.*]] = shufflevector <8 x i32> %[[V]], <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: %[[TURNED:.*]] = shufflevector <8 x i32> %[[V]], <8 x i32> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
; CHECK: %[[SPREAD:.*]] = shufflevector <4 x i32> %[[B]], <4 x i32> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
; CHECK: shufflevector <8 x i32> %[[TURNED]], <8 x i32> %[[SPREAD]], <8 x i32> <i32 0, i32 9, i32 2, i32 11, i32 4, i32 13, i32 6, i32 15>
define spir_kernel void @orders(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds <2 x i32>, ptr addrspace(1) %p, i64 %x
  %v = load <2 x i32>, ptr addrspace(1) %p.x
  %b = extractelement <2 x i32> %v, i32 1
  %turned = shufflevector <2 x i32> %v, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %w = insertelement <2 x i32> %turned, i32 %b, i32 1
  store <2 x i32> %w, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A lane's mask is that of all its elements. Data decide for four lanes: no branch asks whether all run, or none.
; CHECK-LABEL: define spir_kernel void @masked(
; CHECK: x.loop.wide:
; CHECK-NOT: br i1
; CHECK: %[[MASK:.*]] = shufflevector <4 x i1> %{{.*}}, <4 x i1> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
; CHECK: call <8 x float> @llvm.masked.load.v8f32.p1({{.*}}<8 x i1> %[[MASK]]
; CHECK: %[[SAME:.*]] = shufflevector <4 x i1> %{{.*}}, <4 x i1> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
; CHECK: call void @llvm.masked.store.v8f32.p1({{.*}}<8 x i1> %[[SAME]]
define spir_kernel void @masked(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %next ]
  %p.x = getelementptr inbounds <2 x float>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %s = load i32, ptr addrspace(1) %q.x
  %is = icmp sgt i32 %s, 0
  br i1 %is, label %then, label %next
then:
  %v = load <2 x float>, ptr addrspace(1) %p.x
  %w = fmul <2 x float> %v, %v
  store <2 x float> %w, ptr addrspace(1) %p.x
  br label %next
next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A choice for each element that all lanes share.
; CHECK-LABEL: define spir_kernel void @chosen(
; CHECK: %[[ALL:.*]] = shufflevector <2 x i1> %c, <2 x i1> poison, <8 x i32> <i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1>
; CHECK: select <8 x i1> %[[ALL]], <8 x float>
; CHECK: select <8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false>, <8 x float>
define spir_kernel void @chosen(ptr addrspace(1) noalias %p, <2 x i1> %c, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds <2 x float>, ptr addrspace(1) %p, i64 %x
  %v = load <2 x float>, ptr addrspace(1) %p.x
  %w = fmul <2 x float> %v, %v
  %a = select <2 x i1> %c, <2 x float> %v, <2 x float> %w
  %b = select <2 x i1> <i1 true, i1 false>, <2 x float> %a, <2 x float> %w
  store <2 x float> %b, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; What lies anywhere is gathered as a number.
; CHECK-LABEL: define spir_kernel void @anywhere(
; CHECK: %[[CELLS:.*]] = call <4 x i64> @llvm.masked.gather.v4i64.v4p1({{.*}}<4 x ptr addrspace(1)> {{.*}}<4 x i1> splat (i1 true)
; CHECK: bitcast <4 x i64> %[[CELLS]] to <8 x float>
define spir_kernel void @anywhere(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %q.x = getelementptr inbounds i64, ptr addrspace(1) %q, i64 %x
  %i = load i64, ptr addrspace(1) %q.x
  %p.i = getelementptr inbounds <2 x float>, ptr addrspace(1) %p, i64 %i
  %v = load <2 x float>, ptr addrspace(1) %p.i
  %w0 = fmul <2 x float> %v, %v
  %w1 = fmul <2 x float> %w0, %v
  %w2 = fmul <2 x float> %w1, %w0
  %p.x = getelementptr inbounds <2 x float>, ptr addrspace(1) %p, i64 %x
  store <2 x float> %w2, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
