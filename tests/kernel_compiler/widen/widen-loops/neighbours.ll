; A load by an index that was a float and clamped: a test says whether the lanes' elements are neighbours, and then one vector is
; loaded. (Where an integer is clamped the code has two versions: clamps.ll.)
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @clamped(
; CHECK: x.loop.wide:
; CHECK: %[[INDEX:.*]] = fptosi <4 x float>
; CHECK: %[[FIRST:.*]] = extractelement <4 x i32> %[[INDEX]], i64 0
; CHECK: %[[SAME:.*]] = icmp eq <4 x i32> %[[INDEX]], %{{.*}}
; CHECK: %[[ITS:.*]] = extractelement <4 x i32> %[[INDEX]], i64 0
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %[[SAME]] to i4
; CHECK: %[[LAST:.*]] = add i32 %[[ITS]], 3
; CHECK: %[[ORDERED:.*]] = icmp sle i32 %[[ITS]], %[[LAST]]
; CHECK: %[[EQUAL:.*]] = icmp eq i4 %[[BITS]], -1
; CHECK: %[[ALL:.*]] = and i1 %[[ORDERED]], %[[EQUAL]]
; CHECK: br i1 %[[ALL]], label %test.holds, label %test.fails
; CHECK: test.fails:
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: test.holds:
; CHECK: %[[AGAIN:.*]] = extractelement <4 x i32> %[[INDEX]], i64 0
; CHECK: %[[WIDE:.*]] = sext i32 %[[AGAIN]] to i64
; CHECK: %[[AT:.*]] = getelementptr {{.*}}i32, ptr addrspace(1) %p, i64 %[[WIDE]]
; CHECK: load <4 x i32>, ptr addrspace(1) %[[AT]]
define spir_kernel void @clamped(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %cut = trunc i64 %x to i32
  %f = sitofp i32 %cut to float
  %before = fadd float %f, -1.0
  %is = fcmp ogt float %before, 0.0
  %most = select i1 %is, float %before, float 0.0
  %index = fptosi float %most to i32
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A size that is not 4 bytes.
; CHECK-LABEL: define spir_kernel void @rounded(
; CHECK: x.loop.wide:
; CHECK: fptosi <4 x float>
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
; CHECK: load <4 x i64>, ptr addrspace(1)
define spir_kernel void @rounded(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
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
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; An unsigned index must not wrap between lanes either, from 2^32 - 1 to 0.
; CHECK-LABEL: define spir_kernel void @unsigned(
; CHECK: x.loop.wide:
; CHECK: fptoui <4 x float>
; CHECK: icmp ule i32
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
; CHECK: load <4 x i64>, ptr addrspace(1)
define spir_kernel void @unsigned(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %cut = trunc i64 %x to i32
  %f = sitofp i32 %cut to float
  %centre = fadd float %f, 5.000000e-01
  %index = fptoui float %centre to i32
  %wide = zext i32 %index to i64
  %bytes = shl i64 %wide, 3
  %place = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %bytes
  %v = load i64, ptr addrspace(1) %place
  %result = getelementptr inbounds i64, ptr addrspace(1) %q, i64 %x
  store i64 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Wrapped around at the end of a row, by a remainder and by a mask; mirrored at both ends.
; CHECK-LABEL: define spir_kernel void @remainder(
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
define spir_kernel void @remainder(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %cut = trunc i64 %x to i32
  %before = sub i32 %cut, 1
  %around = add i32 %before, %size
  %index = srem i32 %around, %size
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @masked(
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
define spir_kernel void @masked(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %cut = trunc i64 %x to i32
  %before = sub i32 %cut, 1
  %mask = sub i32 %size, 1
  %index = and i32 %before, %mask
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; By a constant: a table of 64 elements is 64 long, by its mask as by its remainder; one of 32 is too short.
; CHECK-LABEL: define spir_kernel void @table(
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
; CHECK-NOT: label %test.holds
define spir_kernel void @table(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n, i64 %first) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %id = add i64 %x, %first
  %index = and i64 %id, 63
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %place
  %short = and i64 %id, 31
  %place.short = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %short
  %w = load i32, ptr addrspace(1) %place.short
  %sum = add i32 %v, %w
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %sum, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @mirrored(
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
define spir_kernel void @mirrored(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %cut = trunc i64 %x to i32
  %before = sub i32 %cut, 1
  %sign = ashr i32 %before, 31
  %low = xor i32 %before, %sign
  %last = sub i32 %size, 1
  %inside = icmp slt i32 %low, %last
  %back = sub i32 %size, %low
  %index = select i1 %inside, i32 %low, i32 %back
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @absolute(
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
define spir_kernel void @absolute(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %cut = trunc i64 %x to i32
  %before = sub i32 %cut, 1
  %index = call i32 @llvm.abs.i32(i32 %before, i1 true)
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; The other one of a pair, in steps that all lanes share. The index was extended and multiplied by shifts.
; CHECK-LABEL: define spir_kernel void @pair(
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
; CHECK: test.holds:
; CHECK: load <4 x i32>, ptr addrspace(1)
define spir_kernel void @pair(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %pairs) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %other = xor i64 %pairs, %x
  %high = shl i64 %other, 32
  %bytes = ashr exact i64 %high, 30
  %place = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %bytes
  %v = load i32, ptr addrspace(1) %place
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; In pairs of neighbours lanes change places.
; CHECK-LABEL: define spir_kernel void @near_pair(
; CHECK-NOT: test.holds
; CHECK: call <4 x i32> @llvm.masked.gather
define spir_kernel void @near_pair(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %cut = trunc i64 %x to i32
  %other = xor i32 %cut, 2
  %wide = sext i32 %other to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Within the lanes of a vector: no neighbours.
; CHECK-LABEL: define spir_kernel void @short_remainder(
; CHECK-NOT: test.holds
; CHECK: {{^}}}
define spir_kernel void @short_remainder(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %cut = trunc i64 %x to i32
  %index = srem i32 %cut, 7
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Nothing says that these are neighbours: an index from memory.
; CHECK-LABEL: define spir_kernel void @scattered(
; CHECK-NOT: test.holds
; CHECK: {{^}}}
define spir_kernel void @scattered(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %last) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %found = load i32, ptr addrspace(1) %result
  %least = call i32 @llvm.smin.i32(i32 %found, i32 %last)
  %wide = sext i32 %least to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %v = load i32, ptr addrspace(1) %place
  store i32 %v, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Two channels of a pixel: vectors that are shuffled, where the pixels are neighbours.
; CHECK-LABEL: define spir_kernel void @channels(
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
; CHECK: test.fails:
; CHECK: call <4 x i64> @llvm.masked.gather
; CHECK: test.holds:
; CHECK: %[[A:.*]] = load <4 x i32>
; CHECK: %[[B:.*]] = load <4 x i32>
; CHECK: shufflevector <4 x i32> %[[A]], <4 x i32> %
define spir_kernel void @channels(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %cut = trunc i64 %x to i32
  %f = sitofp i32 %cut to float
  %index = fptosi float %f to i32
  %wide = sext i32 %index to i64
  %red = getelementptr inbounds {i32, i32}, ptr addrspace(1) %p, i64 %wide
  %green = getelementptr inbounds i8, ptr addrspace(1) %red, i64 4
  %r = load i32, ptr addrspace(1) %red
  %g = load i32, ptr addrspace(1) %green
  %sum = add i32 %r, %g
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %sum, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.smin.i32(i32, i32)

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
