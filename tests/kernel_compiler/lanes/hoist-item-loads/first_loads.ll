; What all work-items load from one place before they write is loaded before the loop.
; RUN: weft-opt --passes='hoist-item-loads,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @all(
; CHECK:       entry:
; CHECK-NEXT:    %second = getelementptr i32, ptr addrspace(1) %q, i64 1
; CHECK-NEXT:    %a = load i32, ptr addrspace(1) %q
; CHECK-NEXT:    %b = load i32, ptr addrspace(1) %second
; CHECK-NEXT:    br label %x.loop
; CHECK:         store i32 %sum, ptr addrspace(1) %at
; CHECK-NEXT:    %late = load i32, ptr addrspace(1) %q
define spir_kernel void @all(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %a = load i32, ptr addrspace(1) %q, !llvm.access.group !1
  %second = getelementptr i32, ptr addrspace(1) %q, i64 1
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %own = load i32, ptr addrspace(1) %at, !llvm.access.group !1
  br label %more.loads
more.loads:
  %b = load i32, ptr addrspace(1) %second, !llvm.access.group !1
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(1) %at, !llvm.access.group !1
  %late = load i32, ptr addrspace(1) %q, !llvm.access.group !1
  %last = add i32 %late, %own
  store i32 %last, ptr addrspace(1) %at, !llvm.access.group !1
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; if (c && x < s) ...: it is loaded if there is such a work-item.
; CHECK-LABEL: define spir_kernel void @some(
; CHECK:         %[[C:.*]] = freeze i1 %c
; CHECK:         %[[S:.*]] = freeze i64 %s
; CHECK:         %[[BELOW:.*]] = icmp ne i64 %[[S]], 0
; CHECK:         %[[SOME:.*]] = and i1 %{{.*}}, %[[BELOW]]
; CHECK:         br i1 %[[SOME]], label %[[THEN:.*]], label %[[BEFORE:.*]]
; CHECK:       [[THEN]]:
; CHECK-NEXT:    %[[LOADED:.*]] = load i32, ptr addrspace(1) %q
; CHECK:       [[BEFORE]]:
; CHECK-NEXT:    %a = phi i32 [ %[[LOADED]], %[[THEN]] ], [ 0, %entry ]
; CHECK:       then:
; CHECK-NOT:     load i32, ptr addrspace(1) %q
; CHECK:         store i32 %a
define spir_kernel void @some(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %s, i1 %c, i64 %n) {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %below = icmp ult i64 %x, %s
  %inside = select i1 %c, i1 %below, i1 false
  br i1 %inside, label %then, label %x.next
then:
  %a = load i32, ptr addrspace(1) %q, !llvm.access.group !1
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 %a, ptr addrspace(1) %at, !llvm.access.group !1
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; What a work-item writes to its own variables, before the branch or behind it, is no other one's.
; CHECK-LABEL: define spir_kernel void @array(
; CHECK:         %a = load i32, ptr addrspace(1) %q
; CHECK:         %b = phi i32
; CHECK:         %c = phi i32
; CHECK:       x.loop:
; CHECK-NOT:     load i32, ptr addrspace(1) %q
; CHECK-NOT:     load i32, ptr addrspace(1) %second
; CHECK:         store i32 %v, ptr addrspace(1) %at
; CHECK-NEXT:    %late = load i32, ptr addrspace(1) %third
define spir_kernel void @array(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %s, i64 %n) {
entry:
  %own = alloca [4 x i32]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  call void @llvm.memset.p0.i64(ptr %own, i8 0, i64 16, i1 false)
  %a = load i32, ptr addrspace(1) %q, !llvm.access.group !1
  store i32 %a, ptr %own
  %inside = icmp ult i64 %x, %s
  br i1 %inside, label %then, label %x.next
then:
  %second = getelementptr i32, ptr addrspace(1) %q, i64 1
  %third = getelementptr i32, ptr addrspace(1) %q, i64 2
  %b = load i32, ptr addrspace(1) %second, !llvm.access.group !1
  %own1 = getelementptr i32, ptr %own, i64 1
  store i32 %b, ptr %own1
  %c = load i32, ptr addrspace(1) %third, !llvm.access.group !1
  %own2 = getelementptr i32, ptr %own, i64 2
  store i32 %c, ptr %own2
  %v = load i32, ptr %own1
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 %v, ptr addrspace(1) %at, !llvm.access.group !1
  %late = load i32, ptr addrspace(1) %third, !llvm.access.group !1
  store i32 %late, ptr addrspace(1) %at, !llvm.access.group !1
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Left alone: behind a condition of each work-item's, at a place of its own, volatile, private, and where others may write
; (no access group, as atomics have none).
; CHECK-LABEL: define spir_kernel void @left(
; CHECK:       x.loop:
; CHECK:         load i32, ptr addrspace(1) %at
; CHECK:         load i32, ptr %own
; CHECK:         load atomic i32, ptr addrspace(1) %q
; CHECK:         load i32, ptr addrspace(1) %q
; CHECK:       then:
; CHECK:         load i32, ptr addrspace(1) %q
define spir_kernel void @left(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
entry:
  %own = alloca i32
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at, !llvm.access.group !1
  %w = load i32, ptr %own, !llvm.access.group !1
  %u = load atomic i32, ptr addrspace(1) %q unordered, align 4
  %t = load i32, ptr addrspace(1) %q
  %some = icmp eq i32 %v, %w
  br i1 %some, label %then, label %x.next
then:
  %a = load i32, ptr addrspace(1) %q, !llvm.access.group !1
  %b = add i32 %a, %u
  %c = add i32 %b, %t
  store i32 %c, ptr addrspace(1) %at, !llvm.access.group !1
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A kernel with sub-groups is left alone.
; CHECK-LABEL: define spir_kernel void @lanes(
; CHECK:       entry:
; CHECK-NEXT:    br label %x.loop
define spir_kernel void @lanes(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-subgroups"="1" {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %a = load i32, ptr addrspace(1) %q, !llvm.access.group !1
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 %a, ptr addrspace(1) %at, !llvm.access.group !1
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

!0 = !{}
!1 = distinct !{}
