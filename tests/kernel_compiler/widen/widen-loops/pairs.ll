; Where vectors do not pay, two work-items run side by side as scalars, if each would wait for itself: look-ups that follow
; from each other. Not if lanes may leave the loop at different times, which pays then, if there is enough else to do, or if lanes need masks.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @chain(
; CHECK-SAME: #[[PAIR:[0-9]+]]
; CHECK-NOT: <{{[0-9]+}} x
; CHECK: %far{{.*}} = zext i32
; CHECK: %far{{.*}} = zext i32
; CHECK: load i32
; CHECK: load i32
; CHECK-NOT: <{{[0-9]+}} x
; The CPU divides one pair of numbers at a time.
; CHECK-LABEL: define spir_kernel void @divided(
; CHECK-SAME: #[[ALONE:[0-9]+]]
; CHECK-LABEL: define spir_kernel void @leaving(
; CHECK-SAME: #[[LANES:[0-9]+]]
; CHECK-LABEL: define spir_kernel void @enough(
; CHECK-SAME: #[[ALONE]]
; Behind a guard the loops end where it does, and there may be nothing to do.
; CHECK-LABEL: define spir_kernel void @guarded(
; CHECK-SAME: #[[PAIR]]
; CHECK: %items.some = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %items.busy)
; CHECK: %[[SOME:.*]] = icmp ult i64 0, %items.some
; CHECK: br i1 %[[SOME]], label %{{.*}}, label %out
; CHECK: and i64 %items.some, -2
; CHECK-NOT: <{{[0-9]+}} x
; CHECK: %more = icmp ult i64 %step, %items.some
; CHECK-LABEL: define spir_kernel void @both(
; CHECK-SAME: #[[ALONE]]
; Vectors of the source stay whole.
; CHECK-LABEL: define spir_kernel void @vectors(
; CHECK-SAME: #[[ALONE]]
; CHECK-DAG: attributes #[[PAIR]] = {{{.*}}"weft-scalar-lanes"="1"{{.*}}"weft-vector-width"="2"
; CHECK-DAG: attributes #[[LANES]] = { {{.*}}"weft-vector-width"="4" }
; CHECK-DAG: attributes #[[ALONE]] = { {{.*}}"weft-vector-width"="1" }
define spir_kernel void @chain(ptr addrspace(1) %v, ptr addrspace(1) %table, i32 %rounds, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %v, i64 %x
  %start = load i32, ptr addrspace(1) %p
  br label %round
round:
  %k = phi i32 [ 0, %x.loop ], [ %k1, %round ]
  %s = phi i32 [ %start, %x.loop ], [ %s1, %round ]
  %low = and i32 %s, 255
  %far = zext i32 %low to i64
  %p.t = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %far
  %s1 = load i32, ptr addrspace(1) %p.t
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, %rounds
  br i1 %again, label %round, label %x.next
x.next:
  store i32 %s1, ptr addrspace(1) %p
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

define spir_kernel void @divided(ptr addrspace(1) %v, i64 %dividend, i32 %rounds, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i64, ptr addrspace(1) %v, i64 %x
  %start = load i64, ptr addrspace(1) %p
  br label %round
round:
  %k = phi i32 [ 0, %x.loop ], [ %k1, %round ]
  %s = phi i64 [ %start, %x.loop ], [ %s1, %round ]
  %odd = or i64 %s, 1
  %s1 = udiv i64 %dividend, %odd
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, %rounds
  br i1 %again, label %round, label %x.next
x.next:
  store i64 %s1, ptr addrspace(1) %p
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

define spir_kernel void @leaving(ptr addrspace(1) %v, ptr addrspace(1) %table, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %v, i64 %x
  %start = load i32, ptr addrspace(1) %p
  br label %round
round:
  %s = phi i32 [ %start, %x.loop ], [ %s1, %round ]
  %low = and i32 %s, 255
  %far = zext i32 %low to i64
  %p.t = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %far
  %s1 = load i32, ptr addrspace(1) %p.t
  %again = icmp ult i32 %s1, 100
  br i1 %again, label %round, label %x.next
x.next:
  store i32 %s1, ptr addrspace(1) %p
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

define spir_kernel void @enough(ptr addrspace(1) %v, ptr addrspace(1) %table, i32 %rounds, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %v, i64 %x
  %start = load i32, ptr addrspace(1) %p
  br label %round
round:
  %k = phi i32 [ 0, %x.loop ], [ %k1, %round ]
  %s = phi i32 [ 0, %x.loop ], [ %s1, %round ]
  %at = add i32 %k, %start
  %far = zext i32 %at to i64
  %p.t = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %far
  %t = load i32, ptr addrspace(1) %p.t
  %far.t = zext i32 %t to i64
  %p.u = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %far.t
  %u = load i32, ptr addrspace(1) %p.u
  %s1 = add i32 %s, %u
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, %rounds
  br i1 %again, label %round, label %x.next
x.next:
  store i32 %s1, ptr addrspace(1) %p
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

define spir_kernel void @guarded(ptr addrspace(1) %v, ptr addrspace(1) %table, i32 %rounds, i64 %limit, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %v, i64 %x
  %some = icmp ult i64 %x, %limit
  br i1 %some, label %inside, label %outside
inside:
  %start = load i32, ptr addrspace(1) %p
  br label %round
round:
  %k = phi i32 [ 0, %inside ], [ %k1, %round ]
  %s = phi i32 [ %start, %inside ], [ %s1, %round ]
  %low = and i32 %s, 255
  %far = zext i32 %low to i64
  %p.t = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %far
  %s1 = load i32, ptr addrspace(1) %p.t
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, %rounds
  br i1 %again, label %round, label %done
done:
  store i32 %s1, ptr addrspace(1) %p
  br label %x.next
outside:
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

define spir_kernel void @both(ptr addrspace(1) %v, ptr addrspace(1) %table, i32 %rounds, i64 %limit, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %v, i64 %x
  %some = icmp ult i64 %x, %limit
  br i1 %some, label %inside, label %outside
inside:
  %start = load i32, ptr addrspace(1) %p
  br label %round
round:
  %k = phi i32 [ 0, %inside ], [ %k1, %round ]
  %s = phi i32 [ %start, %inside ], [ %s1, %round ]
  %low = and i32 %s, 255
  %far = zext i32 %low to i64
  %p.t = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %far
  %s1 = load i32, ptr addrspace(1) %p.t
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, %rounds
  br i1 %again, label %round, label %done
done:
  store i32 %s1, ptr addrspace(1) %p
  br label %x.next
outside:
  store i32 7, ptr addrspace(1) %p
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

define spir_kernel void @vectors(ptr addrspace(1) %v, ptr addrspace(1) %table, i32 %rounds, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %v, i64 %x
  %start = load i32, ptr addrspace(1) %p
  br label %round
round:
  %k = phi i32 [ 0, %x.loop ], [ %k1, %round ]
  %s = phi i32 [ %start, %x.loop ], [ %s1, %round ]
  %low = and i32 %s, 255
  %far = zext i32 %low to i64
  %p.t = getelementptr inbounds <4 x i32>, ptr addrspace(1) %table, i64 %far
  %t = load <4 x i32>, ptr addrspace(1) %p.t
  %s1 = extractelement <4 x i32> %t, i32 1
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, %rounds
  br i1 %again, label %round, label %x.next
x.next:
  store i32 %s1, ptr addrspace(1) %p
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!0 = !{}
