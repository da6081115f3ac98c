; A region in which work-items from some id on do nothing ends with the last vector that has something to do.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; if (x < s) p[x]++;
; CHECK-LABEL: define spir_kernel void @below(
; CHECK: %[[S:.*]] = freeze i32 %s
; CHECK: %[[WIDE:.*]] = sext i32 %[[S]] to i64
; CHECK: %[[LIMIT:.*]] = call i64 @llvm.smax.i64(i64 %[[WIDE]], i64 0)
; CHECK: call i64 @llvm.umin.i64(i64 %[[LIMIT]], i64 %n)
; CHECK: call i64 @llvm.umax.i64(i64 %{{.*}}, i64 1)
; CHECK: add nuw i64 %{{.*}}, 3
; CHECK: and i64 %{{.*}}, -4
; CHECK: %items.busy = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %n)
; CHECK: and i64 %items.busy, -4
; CHECK: icmp ult i64 %{{.*}}, %items.busy
; CHECK: x.next:
; CHECK: icmp ult i64 %step, %items.busy
define spir_kernel void @below(ptr addrspace(3) %p, i32 %s, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %id = trunc i64 %x to i32
  %some = icmp slt i32 %id, %s
  br i1 %some, label %then, label %x.next
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %v = load i32, ptr addrspace(3) %at
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; if (c) { if (x <= s) p[x]++; } else if (x == 0) p[0] = 7; and all store where to go on.
; CHECK-LABEL: define spir_kernel void @chosen(
; CHECK: %[[C:.*]] = freeze i1 %c
; CHECK: %[[UP:.*]] = add nuw i64 %{{.*}}, 1
; CHECK: %[[A:.*]] = call i64 @llvm.umax.i64(i64 %[[UP]], i64 0)
; CHECK: %[[B:.*]] = call i64 @llvm.umax.i64(i64 %{{.*}}, i64 0)
; CHECK: select i1 %[[C]], i64 %[[A]], i64 %[[B]]
; CHECK: %items.busy =
define spir_kernel void @chosen(ptr addrspace(3) %p, i64 %s, i1 %c, i64 %n) #0 {
entry:
  %next = alloca i32, !weft.uniform !0
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  br i1 %c, label %first, label %second
first:
  %some = icmp ule i64 %x, %s
  br i1 %some, label %then, label %exit
then:
  %v = load i32, ptr addrspace(3) %at
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(3) %at
  br label %exit
exit:
  store i32 1, ptr %next
  br label %x.next
second:
  %zero = icmp eq i64 %x, 0
  br i1 %zero, label %write, label %x.next
write:
  store i32 7, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; if (c && x < s) p[x]++;
; CHECK-LABEL: define spir_kernel void @both(
; CHECK: %[[C:.*]] = freeze i1 %c
; CHECK: %[[SOME:.*]] = select i1 %[[C]], i64 %n, i64 0
; CHECK: %[[LIMIT:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %[[SOME]])
; CHECK: call i64 @llvm.umax.i64(i64 %[[LIMIT]], i64 0)
; CHECK: %items.busy =
define spir_kernel void @both(ptr addrspace(3) %p, i64 %s, i1 %c, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %below = icmp ult i64 %x, %s
  %some = select i1 %c, i1 %below, i1 false
  br i1 %some, label %then, label %x.next
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %v = load i32, ptr addrspace(3) %at
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; if (!(c || x >= s || v)) p[x]++; by `v` of each work-item nothing is known.
; CHECK-LABEL: define spir_kernel void @either(
; CHECK: %[[C:.*]] = freeze i1 %c
; CHECK: %[[NOT:.*]] = xor i1 %[[C]], true
; CHECK: %[[SOME:.*]] = select i1 %[[NOT]], i64 %n, i64 0
; CHECK: %[[LIMIT:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %[[SOME]])
; CHECK: call i64 @llvm.umax.i64(i64 %[[LIMIT]], i64 0)
; CHECK: %items.busy =
define spir_kernel void @either(ptr addrspace(3) %p, i64 %s, i1 %c, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %v = load i32, ptr addrspace(3) %at
  %above = icmp uge i64 %x, %s
  %not = or i1 %c, %above
  %odd = trunc i32 %v to i1
  %none = select i1 %not, i1 true, i1 %odd
  br i1 %none, label %x.next, label %then
then:
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; if ((int)(x + first) < s) p[x]++; all ids, if they may wrap around.
; CHECK-LABEL: define spir_kernel void @wraps(
; CHECK: %[[FIRST:.*]] = freeze i64 %first
; CHECK: %[[S:.*]] = freeze i32 %s
; CHECK: %[[END:.*]] = add i64 %{{.*}}, %n
; CHECK: %[[SMALL:.*]] = icmp ule i64 %[[END]], 2147483648
; CHECK: %[[LIMIT:.*]] = select i1 %[[SMALL]], i64 %{{.*}}, i64 %n
; CHECK: call i64 @llvm.umin.i64(i64 %[[LIMIT]], i64 %n)
; CHECK: %items.busy =
define spir_kernel void @wraps(ptr addrspace(3) %p, i32 %s, i64 %first, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %id = add nuw i64 %x, %first
  %cut = trunc i64 %id to i32
  %some = icmp slt i32 %cut, %s
  br i1 %some, label %then, label %x.next
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %v = load i32, ptr addrspace(3) %at
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Those above the limit store what those below do not.
; CHECK-LABEL: define spir_kernel void @elsewhere(
; CHECK-NOT: items.busy
; CHECK: {{^}}}
define spir_kernel void @elsewhere(ptr addrspace(3) %p, i64 %s, i64 %n) #0 {
entry:
  %next = alloca i32, !weft.uniform !0
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %some = icmp ult i64 %x, %s
  br i1 %some, label %then, label %otherwise
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 3, ptr addrspace(3) %at
  br label %x.next
otherwise:
  store i32 1, ptr %next
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; What those above the limit do is seen.
; CHECK-LABEL: define spir_kernel void @above(
; CHECK-NOT: items.busy
; CHECK: {{^}}}
define spir_kernel void @above(ptr addrspace(3) %p, i64 %s, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %some = icmp uge i64 %x, %s
  br i1 %some, label %then, label %x.next
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 3, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; An id cut to a byte says nothing.
; CHECK-LABEL: define spir_kernel void @cut(
; CHECK-NOT: items.busy
; CHECK: {{^}}}
define spir_kernel void @cut(ptr addrspace(3) %p, i8 %s, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %id = trunc i64 %x to i8
  %some = icmp ult i8 %id, %s
  br i1 %some, label %then, label %x.next
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 3, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; if (x == s) p[x]++; where the kernel has several regions: the vector of that work-item alone.
; CHECK-LABEL: define spir_kernel void @one(
; CHECK: %[[S:.*]] = freeze i64 %s
; CHECK: %[[FIRST:.*]] = call i64 @llvm.umin.i64(i64 %[[S]], i64 %n)
; CHECK: %[[BEGIN:.*]] = call i64 @llvm.umin.i64(i64 %[[FIRST]], i64 %n)
; CHECK: %items.busy = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %n)
; CHECK: %[[LATE:.*]] = icmp ult i64 %[[BEGIN]], %items.busy
; CHECK: %[[VECTOR:.*]] = and i64 %[[BEGIN]], -4
; CHECK: %items.first = select i1 %[[LATE]], i64 %[[VECTOR]], i64 0
; CHECK: icmp ult i64 %items.first, %{{.*}}
; CHECK: phi i64 [ %items.first,
; CHECK: %x.rest = phi i64 [ %items.first, %{{.*}} ]
define spir_kernel void @one(ptr addrspace(3) %p, i64 %s, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %some = icmp eq i64 %x, %s
  br i1 %some, label %then, label %x.next
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %v = load i32, ptr addrspace(3) %at
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; if (first + x + offset < s) p[x]++; of 64 bits that do not wrap, if work-items ask for s before anything else.
; CHECK-LABEL: define spir_kernel void @sums(
; CHECK: %[[FIRST:.*]] = freeze i64 %first
; CHECK: %[[PART:.*]] = add i64 0, %[[FIRST]]
; CHECK: %[[OFFSET:.*]] = freeze i64 %offset
; CHECK: %[[ADDED:.*]] = add i64 %[[PART]], %[[OFFSET]]
; CHECK: %s = load i64
; CHECK: %[[S:.*]] = freeze i64 %s
; CHECK: %[[LIMIT:.*]] = call i64 @llvm.usub.sat.i64(i64 %[[S]], i64 %[[ADDED]])
; CHECK: call i64 @llvm.umin.i64(i64 %[[LIMIT]], i64 %n)
; CHECK: %items.busy =
define spir_kernel void @sums(ptr addrspace(3) %p, ptr addrspace(1) %args, i64 %first, i64 %offset, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %local = add nuw i64 %first, %x
  %global = add nuw i64 %local, %offset
  %at.s = getelementptr i8, ptr addrspace(1) %args, i64 56
  %s = load i64, ptr addrspace(1) %at.s, !llvm.access.group !1
  %some = icmp ult i64 %global, %s
  br i1 %some, label %then, label %x.next
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %v = load i32, ptr addrspace(3) %at
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Sums that may wrap say nothing.
; CHECK-LABEL: define spir_kernel void @wrapping(
; CHECK-NOT: items.busy
; CHECK: {{^}}}
define spir_kernel void @wrapping(ptr addrspace(3) %p, i64 %s, i64 %first, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %global = add i64 %first, %x
  %some = icmp ult i64 %global, %s
  br i1 %some, label %then, label %x.next
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 3, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Nor does what a work-item's own store may have changed before.
; CHECK-LABEL: define spir_kernel void @own(
; CHECK-NOT: items.busy
; CHECK: {{^}}}
define spir_kernel void @own(ptr addrspace(3) %p, i64 %n) #0 {
entry:
  %own = alloca i64
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %s = load i64, ptr %own
  %some = icmp ult i64 %x, %s
  br i1 %some, label %then, label %x.next
then:
  store i64 %x, ptr %own
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 3, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Nor does what the loop's last block stores.
; CHECK-LABEL: define spir_kernel void @at_last(
; CHECK-NOT: items.busy
; CHECK: {{^}}}
define spir_kernel void @at_last(ptr addrspace(3) %p, i64 %s, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %some = icmp ult i64 %x, %s
  br i1 %some, label %then, label %x.next
then:
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %x
  %v = load i32, ptr addrspace(3) %at
  br label %x.next
x.next:
  %w = phi i32 [ 0, %x.loop ], [ %v, %then ]
  %p.x = getelementptr i32, ptr addrspace(3) %p, i64 %x
  store i32 %w, ptr addrspace(3) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
!1 = distinct !{}
