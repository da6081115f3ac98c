; A loop that all work-items run alike before they write is run once, before the item loop.
; RUN: weft-opt --passes='hoist-item-loads,verify,verify<domtree>,verify<loops>' -S %s | FileCheck %s

; The number of iterations is loaded, too, and what stands behind the loop.
; CHECK-LABEL: define spir_kernel void @all(
; CHECK:         %count = load i64, ptr addrspace(1) %counts
; CHECK:       rounds:
; CHECK:         %v = load i32, ptr addrspace(1) %place
; CHECK:         br i1 %again, label %rounds, label %[[BEHIND:.*]]
; CHECK:       [[BEHIND]]:
; CHECK:         load i32, ptr addrspace(1) %second
; CHECK:       x.loop:
; CHECK-NOT:     load
; CHECK:         store i32 %total, ptr addrspace(1) %at
define spir_kernel void @all(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %counts, i64 %n) {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %count = load i64, ptr addrspace(1) %counts, !llvm.access.group !1
  br label %rounds
rounds:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %rounds ]
  %sum = phi i32 [ 0, %x.loop ], [ %sum.next, %rounds ]
  %place = getelementptr i32, ptr addrspace(1) %q, i64 %k
  %v = load i32, ptr addrspace(1) %place, !llvm.access.group !1
  %sum.next = add i32 %sum, %v
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, %count
  br i1 %again, label %rounds, label %behind
behind:
  %result = phi i32 [ %sum.next, %rounds ]
  %second = getelementptr i32, ptr addrspace(1) %q, i64 1
  %w = load i32, ptr addrspace(1) %second, !llvm.access.group !1
  %total = add i32 %result, %w
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 %total, ptr addrspace(1) %at, !llvm.access.group !1
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Loops within loops, within rows; the address follows from the row. Work-items that the guard lets pass run it if there are any.
; CHECK-LABEL: define spir_kernel void @some(
; CHECK:       y.loop:
; CHECK:         br i1 %{{.*}}, label %[[WITH:.*]], label %[[JOIN:.*]]
; CHECK:       [[WITH]]:
; CHECK:       rounds:
; CHECK:       inner:
; CHECK:         load float
; CHECK:       [[JOIN]]:
; CHECK-NEXT:    %sum.inner = phi float [ %{{.*}}, %{{.*}} ], [ 0.000000e+00, %y.loop ]
; CHECK:       x.loop:
; CHECK-NOT:     load
; CHECK:         store float
define spir_kernel void @some(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %s, i64 %w, i64 %n, i64 %h) {
entry:
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %entry ], [ %y.step, %y.next ]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %y.loop ], [ %step, %x.next ]
  %inside = icmp ult i64 %x, %s
  br i1 %inside, label %then, label %x.next
then:
  %row = mul i64 %y, %w
  br label %rounds
rounds:
  %k = phi i64 [ 0, %then ], [ %k.next, %rounds.next ]
  %sum = phi float [ 0.0, %then ], [ %sum.inner, %rounds.next ]
  br label %inner
inner:
  %j = phi i64 [ 0, %rounds ], [ %j.next, %inner ]
  %sum.j = phi float [ %sum, %rounds ], [ %sum.inner, %inner ]
  %column = add i64 %row, %j
  %place = getelementptr float, ptr addrspace(1) %q, i64 %column
  %v = load float, ptr addrspace(1) %place, !llvm.access.group !1
  %sum.inner = fadd float %sum.j, %v
  %j.next = add i64 %j, 1
  %j.again = icmp ult i64 %j.next, %k
  br i1 %j.again, label %inner, label %rounds.next
rounds.next:
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, 8
  br i1 %again, label %rounds, label %behind
behind:
  %line = mul i64 %y, %n
  %place.x = add i64 %line, %x
  %at = getelementptr float, ptr addrspace(1) %p, i64 %place.x
  store float %sum.inner, ptr addrspace(1) %at, !llvm.access.group !1
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %y.next, !weft.item.loop !0
y.next:
  %y.step = add nuw i64 %y, 1
  %y.more = icmp ult i64 %y.step, %h
  br i1 %y.more, label %y.loop, label %out
out:
  ret void
}

; What all work-items may take is computed before the guard, though the loop behind it takes that, too; what follows from a load
; behind the guard is not.
; CHECK-LABEL: define spir_kernel void @shared(
; CHECK:         %v = mul i64 %c, 7
; CHECK:         %w = xor i64 %v, 5
; CHECK:         br i1 %{{.*}}, label %[[SWITH:.*]], label %[[SJOIN:.*]]
; CHECK:       [[SWITH]]:
; CHECK:         load i64, ptr addrspace(1) %q
; CHECK:         add i64 %{{.*}}, %v
; CHECK:       rounds:
; CHECK:       [[SJOIN]]:
; CHECK-NOT:     phi i64 [ %v
; CHECK:       x.loop:
; CHECK:       else:
; CHECK:         store i64 %w
define spir_kernel void @shared(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %s, i64 %c, i64 %n) {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %v = mul i64 %c, 7
  %w = xor i64 %v, 5
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %x
  %inside = icmp ult i64 %x, %s
  br i1 %inside, label %then, label %else
then:
  %first = load i64, ptr addrspace(1) %q, !llvm.access.group !1
  %begin = add i64 %first, %v
  br label %rounds
rounds:
  %k = phi i64 [ 0, %then ], [ %k.next, %rounds ]
  %sum = phi i64 [ %begin, %then ], [ %sum.next, %rounds ]
  %far = add i64 %k, %w
  %place = getelementptr i64, ptr addrspace(1) %q, i64 %far
  %u = load i64, ptr addrspace(1) %place, !llvm.access.group !1
  %sum.next = add i64 %sum, %u
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, 8
  br i1 %again, label %rounds, label %behind
behind:
  store i64 %sum.next, ptr addrspace(1) %at, !llvm.access.group !1
  br label %x.next
else:
  store i64 %w, ptr addrspace(1) %at, !llvm.access.group !1
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Left alone: loops that write, even a variable of the work-item's; that load such a variable; whose length differs; that end in
; two places; and behind what is written.
; CHECK-LABEL: define spir_kernel void @left(
; CHECK:       x.loop:
; CHECK:       writes:
; CHECK:         store i32 %v0
; CHECK:       x2.loop:
; CHECK:       variable:
; CHECK:       x3.loop:
; CHECK:       own.length:
; CHECK:       x4.loop:
; CHECK:       two.ends:
; CHECK:       x5.loop:
; CHECK:       late:
define spir_kernel void @left(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
entry:
  %own = alloca [8 x i32]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %writes
writes:
  %k0 = phi i64 [ 0, %x.loop ], [ %k0.next, %writes ]
  %place0 = getelementptr i32, ptr addrspace(1) %q, i64 %k0
  %v0 = load i32, ptr addrspace(1) %place0, !llvm.access.group !1
  %own0 = getelementptr i32, ptr %own, i64 %k0
  store i32 %v0, ptr %own0
  %k0.next = add i64 %k0, 1
  %again0 = icmp ult i64 %k0.next, 8
  br i1 %again0, label %writes, label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %next2, !weft.item.loop !0
next2:
  br label %x2.loop
x2.loop:
  %x2 = phi i64 [ 0, %next2 ], [ %step2, %x2.next ]
  br label %variable
variable:
  %k1 = phi i64 [ 0, %x2.loop ], [ %k1.next, %variable ]
  %own1 = getelementptr i32, ptr %own, i64 %k1
  %v1 = load i32, ptr %own1, !llvm.access.group !1
  %k1.next = add i64 %k1, 1
  %again1 = icmp ult i64 %k1.next, 8
  br i1 %again1, label %variable, label %x2.next
x2.next:
  %l2 = load i32, ptr addrspace(1) %q
  %at2 = getelementptr i32, ptr addrspace(1) %p, i64 %x2
  store i32 %v1, ptr addrspace(1) %at2, !llvm.access.group !1
  %step2 = add nuw i64 %x2, 1
  %more2 = icmp ult i64 %step2, %n
  br i1 %more2, label %x2.loop, label %next3, !weft.item.loop !0
next3:
  br label %x3.loop
x3.loop:
  %x3 = phi i64 [ 0, %next3 ], [ %step3, %x3.next ]
  br label %own.length
own.length:
  %k2 = phi i64 [ 0, %x3.loop ], [ %k2.next, %own.length ]
  %place2 = getelementptr i32, ptr addrspace(1) %q, i64 %k2
  %v2 = load i32, ptr addrspace(1) %place2, !llvm.access.group !1
  %k2.next = add i64 %k2, 1
  %again2 = icmp ult i64 %k2.next, %x3
  br i1 %again2, label %own.length, label %x3.next
x3.next:
  %at3 = getelementptr i32, ptr addrspace(1) %p, i64 %x3
  store i32 %v2, ptr addrspace(1) %at3, !llvm.access.group !1
  %step3 = add nuw i64 %x3, 1
  %more3 = icmp ult i64 %step3, %n
  br i1 %more3, label %x3.loop, label %next4, !weft.item.loop !0
next4:
  br label %x4.loop
x4.loop:
  %x4 = phi i64 [ 0, %next4 ], [ %step4, %x4.next ]
  br label %two.ends
two.ends:
  %k3 = phi i64 [ 0, %x4.loop ], [ %k3.next, %two.more ]
  %place3 = getelementptr i32, ptr addrspace(1) %q, i64 %k3
  %v3 = load i32, ptr addrspace(1) %place3, !llvm.access.group !1
  %found = icmp eq i32 %v3, 0
  br i1 %found, label %x4.next, label %two.more
two.more:
  %k3.next = add i64 %k3, 1
  %again3 = icmp ult i64 %k3.next, 8
  br i1 %again3, label %two.ends, label %x4.next
x4.next:
  %at4 = getelementptr i32, ptr addrspace(1) %p, i64 %x4
  store i32 %v3, ptr addrspace(1) %at4, !llvm.access.group !1
  %step4 = add nuw i64 %x4, 1
  %more4 = icmp ult i64 %step4, %n
  br i1 %more4, label %x4.loop, label %next5, !weft.item.loop !0
next5:
  br label %x5.loop
x5.loop:
  %x5 = phi i64 [ 0, %next5 ], [ %step5, %x5.next ]
  %at5 = getelementptr i32, ptr addrspace(1) %p, i64 %x5
  store i32 0, ptr addrspace(1) %at5, !llvm.access.group !1
  br label %late
late:
  %k4 = phi i64 [ 0, %x5.loop ], [ %k4.next, %late ]
  %place4 = getelementptr i32, ptr addrspace(1) %q, i64 %k4
  %v4 = load i32, ptr addrspace(1) %place4, !llvm.access.group !1
  %k4.next = add i64 %k4, 1
  %again4 = icmp ult i64 %k4.next, 8
  br i1 %again4, label %late, label %x5.next
x5.next:
  store i32 %v4, ptr addrspace(1) %at5, !llvm.access.group !1
  %step5 = add nuw i64 %x5, 1
  %more5 = icmp ult i64 %step5, %n
  br i1 %more5, label %x5.loop, label %out, !weft.item.loop !0
out:
  ret void
}

!0 = !{}
!1 = distinct !{}
