; A load by an index that was clamped: a test says whether the lanes' elements are neighbours, and then one vector is loaded.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @clamped(
; CHECK: x.loop.wide:
; CHECK: %[[INDEX:.*]] = call <4 x i32> @llvm.smax.v4i32(
; CHECK: %[[FIRST:.*]] = extractelement <4 x i32> %[[INDEX]], i64 0
; CHECK: %[[SAME:.*]] = icmp eq <4 x i32> %[[INDEX]], %{{.*}}
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %[[SAME]] to i4
; CHECK: %[[ALL:.*]] = icmp eq i4 %[[BITS]], -1
; CHECK: br i1 %[[ALL]], label %test.holds, label %test.fails
; CHECK: test.fails:
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: test.holds:
; CHECK: %[[WIDE:.*]] = sext i32 %[[FIRST]] to i64
; CHECK: %[[AT:.*]] = getelementptr {{.*}}i32, ptr addrspace(1) %p, i64 %[[WIDE]]
; CHECK: load <4 x i32>, ptr addrspace(1) %[[AT]]
define spir_kernel void @clamped(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %last) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %cut = trunc i64 %x to i32
  %before = add i32 %cut, -1
  %least = call i32 @llvm.smin.i32(i32 %before, i32 %last)
  %index = call i32 @llvm.smax.i32(i32 %least, i32 0)
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %result
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Floats that have become an index, and a size that is not 4 bytes.
; CHECK-LABEL: define spir_kernel void @rounded(
; CHECK: x.loop.wide:
; CHECK: fptosi <4 x float>
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
; CHECK: load <4 x i64>, ptr addrspace(1)
define spir_kernel void @rounded(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %cut = trunc i64 %x to i32
  %f = sitofp i32 %cut to float
  %centre = fadd float %f, 5.000000e-01
  %index = fptosi float %centre to i32
  %wide = sext i32 %index to i64
  %bytes = shl i64 %wide, 3
  %place = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %bytes
  %v = load i64, ptr addrspace(1) %place
  %result = getelementptr inbounds i64, ptr addrspace(1) %q, i64 %x
  store i64 %v, ptr addrspace(1) %result
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Nothing says that these are neighbours: an index from memory, and every other element.
; CHECK-LABEL: define spir_kernel void @scattered(
; CHECK-NOT: test.holds
; CHECK: ret void
define spir_kernel void @scattered(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %last) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %found = load i32, ptr addrspace(1) %result
  %least = call i32 @llvm.smin.i32(i32 %found, i32 %last)
  %wide = sext i32 %least to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  %cut = trunc i64 %x to i32
  %double = shl i32 %cut, 1
  %least2 = call i32 @llvm.smin.i32(i32 %double, i32 %last)
  %wide2 = sext i32 %least2 to i64
  %place2 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide2
  %v2 = load i32, ptr addrspace(1) %place2
  %sum = add i32 %v, %v2
  store i32 %sum, ptr addrspace(1) %result
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
