; Accesses to clamped neighbours: a version without the clamps where the first and the last lane lie within the bounds, and
; the general one. No version where the clamp decides nothing, or where the index may have wrapped before the clamp.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @neighbour(
; CHECK: %[[FIRST:.*]] = add i32 %{{.*}}, %step
; CHECK: %[[LAST:.*]] = add i32 %[[FIRST]], 7
; CHECK: icmp sle i32 0, %[[FIRST]]
; CHECK: icmp sle i32 %[[FIRST]], %[[LAST]]
; CHECK: icmp sle i32 %{{.*}}, %most
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %[[EDGE:.*]], !prof
; CHECK: [[INSIDE]]:
; CHECK-NOT: gather
; CHECK: load <8 x i32>, ptr addrspace(1)
; CHECK: [[EDGE]]:
; CHECK: call <8 x i32> @llvm.smax
; CHECK: call <8 x i32> @llvm.masked.gather
; CHECK: phi <8 x i32>
; What is left for the scalar loop has one version.
; CHECK-NOT: @__weft_lanes_between
define spir_kernel void @neighbour(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %step, i32 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i32
  %at = add i32 %i, %step
  %low = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %kept = call i32 @llvm.smin.i32(i32 %low, i32 %most)
  %index = sext i32 %kept to i64
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Remainders, and bits of a mask: as long as no lane begins again at 0.
; CHECK-LABEL: define spir_kernel void @remainder(
; CHECK: %[[FIRST:.*]] = add i64 %{{.*}}, 3
; CHECK: %[[END:.*]] = sub i64 %most, 1
; CHECK: icmp sle i64 0, %[[FIRST]]
; CHECK: icmp sle i64 %{{.*}}, %[[END]]
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %[[EDGE:.*]], !prof
; CHECK: [[INSIDE]]:
; CHECK-NOT: rem
; CHECK: load <8 x i32>, ptr addrspace(1)
; CHECK: [[EDGE]]:
; CHECK: urem
define spir_kernel void @remainder(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %at = add i64 %x, 3
  %index = urem i64 %at, %most
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; The lanes of a mask need not begin at 0: all have the same bits above it, which are taken away.
; CHECK-LABEL: define spir_kernel void @mask(
; CHECK: %[[PAST:.*]] = add i64 %most, 1
; CHECK: %[[BOTH:.*]] = and i64 %most, %[[PAST]]
; CHECK: icmp eq i64 %[[BOTH]], 0
; CHECK: %[[ABOVE:.*]] = xor i64 %most, -1
; CHECK: %[[BEGIN:.*]] = and i64 %{{.*}}, %[[ABOVE]]
; CHECK: %[[END:.*]] = or i64 %[[BEGIN]], %most
; CHECK: icmp sle i64 %[[BEGIN]], %{{.*}}
; CHECK: icmp sle i64 %{{.*}}, %[[END]]
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %{{.*}}, !prof
; CHECK: [[INSIDE]]:
; CHECK: sub i64 %{{.*}}, %[[BEGIN]]
; CHECK: load <8 x i32>, ptr addrspace(1)
define spir_kernel void @mask(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %at = add i64 %x, 3
  %index = and i64 %at, %most
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; The other one of a pair: the bits that change are none in which lanes differ.
; CHECK-LABEL: define spir_kernel void @pair(
; CHECK: and i64 %most, 7
; CHECK: x.loop.wide:
; CHECK: %[[BEGIN:.*]] = and i64 %{{.*}}, -8
; CHECK: %[[OTHER:.*]] = xor i64 %[[BEGIN]], %most
; CHECK: %[[LOST:.*]] = sub i64 %[[BEGIN]], %[[OTHER]]
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %[[EDGE:.*]], !prof
; CHECK: [[INSIDE]]:
; CHECK: sub i64 %{{.*}}, %[[LOST]]
; CHECK-NOT: gather
; CHECK: load <8 x i32>, ptr addrspace(1)
; CHECK: [[EDGE]]:
; CHECK: xor <8 x i64>
define spir_kernel void @pair(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %index = xor i64 %x, %most
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; The store comes behind both versions: its lanes are neighbours behind one of them, which a test says of those that run.
; CHECK-LABEL: define spir_kernel void @store(
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %{{.*}}, !prof
; CHECK: x.loop.split.wide:
; CHECK: %[[INDEX:.*]] = phi <8 x i64>
; CHECK: write.body:
; CHECK: %[[AS:.*]] = icmp eq <8 x i64> %[[INDEX]]
; CHECK: %[[OFF:.*]] = xor <8 x i1> %[[RUNS:.*]], splat (i1 true)
; CHECK: or <8 x i1> %[[AS]], %[[OFF]]
; CHECK: call void @llvm.masked.scatter
; CHECK: call void @llvm.masked.store.v8i32.p1(<8 x i32> {{.*}}, <8 x i1> %[[RUNS]])
define spir_kernel void @store(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %index = and i64 %x, %most
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %small = icmp slt i32 %v, 7
  br i1 %small, label %write, label %x.next
write:
  store i32 7, ptr addrspace(1) %p.kept
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Most numbers are past a constant.
; CHECK-LABEL: define spir_kernel void @small_table(
; CHECK-NOT: !prof
; CHECK: {{^}}}
define spir_kernel void @small_table(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %at = add i64 %x, 3
  %index = and i64 %at, 255
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Numbers of 16 bits wrap more than once between the lanes of a vector, which the test would not see: no version.
; CHECK-LABEL: define spir_kernel void @narrow(
; CHECK-NOT: !prof
; CHECK: {{^}}}
define spir_kernel void @narrow(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i16
  %at = mul i16 %i, 12000
  %kept = call i16 @llvm.smax.i16(i16 %at, i16 0)
  %index = sext i16 %kept to i64
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Both blocks have two versions, and what the second one clamps is computed in the first one.
; CHECK-LABEL: define spir_kernel void @after(
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !prof
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !prof
; CHECK: ret void
define spir_kernel void @after(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %most, i1 %again) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i32
  %kept = call i32 @llvm.smin.i32(i32 %i, i32 %most)
  %index = sext i32 %kept to i64
  %second = add i32 %i, 5
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  br i1 %again, label %then, label %x.next
then:
  %second.kept = call i32 @llvm.smin.i32(i32 %second, i32 %most)
  %second.index = sext i32 %second.kept to i64
  %p.second = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %second.index
  %w = load i32, ptr addrspace(1) %p.second
  br label %x.next
x.next:
  %result = phi i32 [ %v, %x.loop ], [ %w, %then ]
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %result, ptr addrspace(1) %q.x
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; The loop is one block, which is its own latch.
; CHECK-LABEL: define spir_kernel void @block(
; CHECK: load <8 x i32>, ptr addrspace(1)
; CHECK: call <8 x i32> @llvm.masked.gather
define spir_kernel void @block(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %step, i32 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.loop ]
  %i = trunc i64 %x to i32
  %at = add i32 %i, %step
  %low = call i32 @llvm.smax.i32(i32 %at, i32 0)
  %kept = call i32 @llvm.smin.i32(i32 %low, i32 %most)
  %index = sext i32 %kept to i64
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @value(
; CHECK-NOT: !prof
; CHECK: {{^}}}
define spir_kernel void @value(ptr addrspace(1) %p, i64 %n, i32 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i32
  %kept = call i32 @llvm.smin.i32(i32 %i, i32 %most)
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %kept, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @wrapped(
; CHECK-NOT: !prof
; CHECK: {{^}}}
define spir_kernel void @wrapped(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %step, i64 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i32
  %at = add i32 %i, %step
  %long = sext i32 %at to i64
  %kept = call i64 @llvm.smin.i64(i64 %long, i64 %most)
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %kept
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; What no clamp decides is computed once for both versions: the place of the store stays linear.
; CHECK-LABEL: define spir_kernel void @common(
; CHECK-NOT: llvm.masked.scatter
; CHECK: store <8 x i32>
; CHECK-NOT: llvm.masked.scatter
; CHECK: {{^}}}
define spir_kernel void @common(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %row, i32 %most) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i32
  %kept = call i32 @llvm.smin.i32(i32 %i, i32 %most)
  %at = add i32 %row, %i
  %index = sext i32 %at to i64
  %beside = add i32 %row, %kept
  %index.beside = sext i32 %beside to i64
  %p.beside = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index.beside
  %v = load i32, ptr addrspace(1) %p.beside
  %q.at = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %index
  store i32 %v, ptr addrspace(1) %q.at
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Selects: an unsigned number below a bound; one that differs from a bound, on either side of it; a mirrored number.
; CHECK-LABEL: define spir_kernel void @below(
; CHECK-DAG: icmp sle i32 0, %
; CHECK-DAG: icmp ne i32 %size, -2147483648
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %{{.*}}, !prof
; CHECK: [[INSIDE]]:
; CHECK-NOT: gather
; CHECK: load <8 x i32>
define spir_kernel void @below(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i32
  %is = icmp ult i32 %i, %size
  %after = add i32 %i, 1
  %kept = select i1 %is, i32 %after, i32 %size
  %index = sext i32 %kept to i64
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @differs(
; CHECK-DAG: icmp ne i32 %size, 2147483647
; CHECK-DAG: icmp ne i32 %size, -2147483648
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %{{.*}}, !prof
; CHECK: [[INSIDE]]:
; CHECK-NOT: gather
; CHECK: load <8 x i32>
define spir_kernel void @differs(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i32
  %before = add i32 %i, -1
  %is = icmp eq i32 %i, %size
  %kept = select i1 %is, i32 0, i32 %before
  %index = sext i32 %kept to i64
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @mirrored(
; CHECK-DAG: icmp sle i32 0, %
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %{{.*}}, !prof
; CHECK: [[INSIDE]]:
; CHECK-NOT: gather
; CHECK: load <8 x i32>
define spir_kernel void @mirrored(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i32
  %sign = ashr i32 %i, 31
  %low = xor i32 %sign, %i
  %back = sub i32 %size, %low
  %is = icmp slt i32 %low, %size
  %kept = select i1 %is, i32 %low, i32 %back
  %index = sext i32 %kept to i64
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; An absolute value of a number that gets less from lane to lane: the last lane's is the lowest.
; CHECK-LABEL: define spir_kernel void @absolute(
; CHECK: %[[FIRST:.*]] = sub i32 %size, %
; CHECK: %[[LAST:.*]] = add i32 %[[FIRST]], -7
; CHECK: icmp sle i32 0, %[[LAST]]
; CHECK: icmp sle i32 %[[LAST]], %[[FIRST]]
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !prof
define spir_kernel void @absolute(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %i = trunc i64 %x to i32
  %left = sub i32 %size, %i
  %far = call i32 @llvm.abs.i32(i32 %left, i1 true)
  %kept = sub i32 %size, %far
  %index = sext i32 %kept to i64
  %p.kept = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %v = load i32, ptr addrspace(1) %p.kept
  %q.x = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

declare i32 @llvm.abs.i32(i32, i1)
declare i16 @llvm.smax.i16(i16, i16)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i64 @llvm.smin.i64(i64, i64)

attributes #0 = { "weft-vector-width"="8" "target-features"="+avx2" }
!0 = !{}
