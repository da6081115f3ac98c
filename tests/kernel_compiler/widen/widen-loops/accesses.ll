; Neighbours are one vector, reversed ones a shuffled one, one address is read once, the rest are gathers; behind a
; guard they are masked when some lanes do not run, and a short block is not jumped over.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: wide.before:
; CHECK:   %[[LIMIT:.*]] = and i64 %n, -4
; CHECK: x.loop.wide:
; CHECK:   %[[X:.*]] = phi i64
; CHECK:   load <4 x i32>, ptr addrspace(1)
; CHECK:   load i32, ptr addrspace(1) %q
; CHECK:   shufflevector <4 x i32> {{.*}} <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK:   call <4 x i32> @llvm.masked.gather
; CHECK:   br label %then.wide
; CHECK: then.wide:
; CHECK:   icmp eq i4 {{.*}}, -1
; CHECK: some.lanes:
; CHECK:   call void @llvm.masked.store.v4i32
; CHECK: all.lanes:
; CHECK:   store <4 x i32>
; CHECK: x.next.wide:
; CHECK:   add nuw i64 %[[X]], 4
; CHECK: wide.after:
; CHECK:   icmp ult i64 %[[LIMIT]], %n
; CHECK: wide.rest:
; CHECK:   %[[REST:.*]] = phi i64 [ 0, %wide.before ], [ %[[LIMIT]], %wide.after ]
; CHECK: x.loop:
; CHECK:   phi i64 [ %[[REST]], %wide.rest ], [ %step, %x.next ]
; CHECK-NOT: weft.item.loop
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %u = load i32, ptr addrspace(1) %q
  %back = sub i64 %n, %x
  %p.back = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %back
  %r = load i32, ptr addrspace(1) %p.back
  %far = zext i32 %r to i64
  %p.far = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %far
  %g = load i32, ptr addrspace(1) %p.far
  %sum = add i32 %v, %g
  %c = icmp ugt i32 %sum, %u
  br i1 %c, label %then, label %x.next
then:
  store i32 %sum, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; What has no vector form runs for the lanes that need it, one after the other.
; CHECK-LABEL: define spir_kernel void @atomic(
; CHECK: lane:
; CHECK:   call i64 @llvm.cttz.i64
; CHECK:   atomicrmw add ptr addrspace(1)
; CHECK:   br i1 {{.*}}, label %lane, label %lanes.done
define spir_kernel void @atomic(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %old = atomicrmw add ptr addrspace(1) %p.x, i32 1 monotonic
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Updates of local memory whose old value is not used: once for each lane, unless some do not run. The index comes from memory, the
; address is a scalar's.
; CHECK-LABEL: define spir_kernel void @count(
; CHECK: x.loop.wide:
; CHECK:   %[[BINS:.*]] = load <4 x i8>, ptr addrspace(1)
; CHECK:   store <4 x i8> %[[BINS]], ptr %[[LANES:.*]], align 64
; CHECK:   %[[LANE:.*]] = getelementptr inbounds i8, ptr %[[LANES]], i64 0
; CHECK:   %[[BIN:.*]] = load volatile i8, ptr %[[LANE]]
; CHECK:   %[[WIDE:.*]] = zext i8 %[[BIN]] to i64
; CHECK:   %[[COUNT:.*]] = getelementptr i32, ptr addrspace(3) %counts, i64 %[[WIDE]]
; CHECK:   atomicrmw add ptr addrspace(3) %[[COUNT]], i32 1 monotonic
; CHECK-COUNT-3: atomicrmw add ptr addrspace(3) %{{.*}}, i32 1 monotonic
; CHECK: sometimes.wide:
; CHECK:   br i1 {{.*}}, label %all.lanes, label %some.lanes
; CHECK: lane:
; CHECK:   atomicrmw add ptr addrspace(3)
; CHECK:   br i1 {{.*}}, label %lane, label %lanes.done
; CHECK: all.lanes:
; CHECK-COUNT-4: atomicrmw add ptr addrspace(3) %{{.*}}, i32 2 monotonic
; CHECK: wide.after:
define spir_kernel void @count(ptr addrspace(1) %p, ptr addrspace(3) %counts, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %x
  %bin = load i8, ptr addrspace(1) %p.x
  %wide = zext i8 %bin to i64
  %count = getelementptr inbounds i32, ptr addrspace(3) %counts, i64 %wide
  %old = atomicrmw add ptr addrspace(3) %count, i32 1 monotonic
  %some = icmp ugt i8 %bin, 9
  br i1 %some, label %sometimes, label %x.next
sometimes:
  %other = atomicrmw add ptr addrspace(3) %count, i32 2 monotonic
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Width 1 leaves the loop alone.
; CHECK-LABEL: define spir_kernel void @narrow(
; CHECK-NOT: wide.before
define spir_kernel void @narrow(ptr addrspace(1) %p, i64 %n) #1 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 1, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
attributes #1 = { "weft-vector-width"="1" }
!0 = !{}
