; What says how far groups of several rows may be coalesced: whether their rows use the same memory.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK: define spir_kernel void @beside({{.*}} #[[BESIDE:[0-9]+]]
define spir_kernel void @beside(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %sum = add i32 %v, 1
  store i32 %sum, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK: define spir_kernel void @apart({{.*}} #[[APART:[0-9]+]]
define spir_kernel void @apart(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds [256 x i32], ptr addrspace(1) %p, i64 %x
  store i32 7, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A loop that uses no memory shares none.
; CHECK: define spir_kernel void @alone({{.*}} #[[BESIDE]]
define spir_kernel void @alone(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %end ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  br label %round
round:
  %w = phi i32 [ %v, %x.loop ], [ %half, %round ]
  %half = lshr i32 %w, 1
  %again = icmp ugt i32 %half, 99
  br i1 %again, label %round, label %end
end:
  store i32 %half, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A table that is the same for all rows, and places of each row's own in it.
; CHECK: define spir_kernel void @table({{.*}} #[[APART]]
define spir_kernel void @table(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %place = load i32, ptr addrspace(1) %p.x
  %q.place = getelementptr i32, ptr addrspace(1) %q, i32 %place
  %v = load i32, ptr addrspace(1) %q.place
  store i32 %v, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK: define spir_kernel void @places({{.*}} #[[BESIDE]]
define spir_kernel void @places(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %rows) #0 {
entry:
  br label %z.loop
z.loop:
  %z = phi i64 [ 0, %entry ], [ %z.step, %z.end ]
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %z.loop ], [ %y.step, %y.end ]
  %begin = mul i64 %y, %n
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %y.loop ], [ %step, %x.loop ]
  %item = add i64 %begin, %x
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %item
  %place = load i32, ptr addrspace(1) %p.x
  %q.place = getelementptr i32, ptr addrspace(1) %q, i32 %place
  %v = load i32, ptr addrspace(1) %q.place
  store i32 %v, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %y.end, !weft.item.loop !0
y.end:
  %y.step = add nuw i64 %y, 1
  %more.y = icmp ult i64 %y.step, %rows
  br i1 %more.y, label %y.loop, label %z.end
z.end:
  %z.step = add nuw i64 %z, 1
  %more.z = icmp ult i64 %z.step, 1
  br i1 %more.z, label %z.loop, label %out, !weft.item.nest !0
out:
  ret void
}

; Rows go through memory the other way, by a length that no constant says.
; CHECK: define spir_kernel void @turned({{.*}} #[[APART]]
define spir_kernel void @turned(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %rows) #0 {
entry:
  br label %z.loop
z.loop:
  %z = phi i64 [ 0, %entry ], [ %z.step, %z.end ]
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %z.loop ], [ %y.step, %y.end ]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %y.loop ], [ %step, %x.loop ]
  %begin.x = mul i64 %x, %rows
  %item = add i64 %begin.x, %y
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %item
  %place = load i32, ptr addrspace(1) %p.x
  %q.place = getelementptr i32, ptr addrspace(1) %q, i32 %place
  %v = load i32, ptr addrspace(1) %q.place
  store i32 %v, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %y.end, !weft.item.loop !0
y.end:
  %y.step = add nuw i64 %y, 1
  %more.y = icmp ult i64 %y.step, %rows
  br i1 %more.y, label %y.loop, label %z.end
z.end:
  %z.step = add nuw i64 %z, 1
  %more.z = icmp ult i64 %z.step, 1
  br i1 %more.z, label %z.loop, label %out, !weft.item.nest !0
out:
  ret void
}

; All work-items of a column read the same elements, y is in no address.
; CHECK: define spir_kernel void @columns({{.*}} #[[SAME_ASKS:[0-9]+]]
define spir_kernel void @columns(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %rows) #0 {
entry:
  br label %z.loop
z.loop:
  %z = phi i64 [ 0, %entry ], [ %z.step, %z.end ]
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %z.loop ], [ %y.step, %y.end ]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %y.loop ], [ %step, %end ]
  br label %sum
sum:
  %k = phi i64 [ 0, %x.loop ], [ %next, %sum ]
  %total = phi i32 [ 0, %x.loop ], [ %more.total, %sum ]
  %row = mul i64 %k, %n
  %place = add i64 %row, %x
  %q.k = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %place
  %v = load i32, ptr addrspace(1) %q.k
  %more.total = add i32 %total, %v
  %next = add nuw i64 %k, 1
  %again = icmp ult i64 %next, 9
  br i1 %again, label %sum, label %end
end:
  %begin = mul i64 %y, %n
  %item = add i64 %begin, %x
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %item
  store i32 %more.total, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %y.end, !weft.item.loop !0
y.end:
  %y.step = add nuw i64 %y, 1
  %more.y = icmp ult i64 %y.step, %rows
  br i1 %more.y, label %y.loop, label %z.end
z.end:
  %z.step = add nuw i64 %z, 1
  %more.z = icmp ult i64 %z.step, 1
  br i1 %more.z, label %z.loop, label %out, !weft.item.nest !0
out:
  ret void
}

; Each row reads its own elements in a loop.
; CHECK: define spir_kernel void @windows({{.*}} #[[ASKS:[0-9]+]]
define spir_kernel void @windows(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %rows) #0 {
entry:
  br label %z.loop
z.loop:
  %z = phi i64 [ 0, %entry ], [ %z.step, %z.end ]
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %z.loop ], [ %y.step, %y.end ]
  %begin = mul i64 %y, %n
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %y.loop ], [ %step, %end ]
  %item = add i64 %begin, %x
  br label %sum
sum:
  %k = phi i64 [ 0, %x.loop ], [ %next, %sum ]
  %total = phi i32 [ 0, %x.loop ], [ %more.total, %sum ]
  %place = add i64 %item, %k
  %q.k = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %place
  %v = load i32, ptr addrspace(1) %q.k
  %more.total = add i32 %total, %v
  %next = add nuw i64 %k, 1
  %again = icmp ult i64 %next, 9
  br i1 %again, label %sum, label %end
end:
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %item
  store i32 %more.total, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %y.end, !weft.item.loop !0
y.end:
  %y.step = add nuw i64 %y, 1
  %more.y = icmp ult i64 %y.step, %rows
  br i1 %more.y, label %y.loop, label %z.end
z.end:
  %z.step = add nuw i64 %z, 1
  %more.z = icmp ult i64 %z.step, 1
  br i1 %more.z, label %z.loop, label %out, !weft.item.nest !0
out:
  ret void
}

; One loop whose rows read the same, and one whose rows share lines.
; CHECK: define spir_kernel void @both({{.*}} #[[SAME:[0-9]+]]
define spir_kernel void @both(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %end ]
  br label %sum
sum:
  %k = phi i64 [ 0, %x.loop ], [ %next, %sum ]
  %total = phi i32 [ 0, %x.loop ], [ %more.total, %sum ]
  %row = mul i64 %k, %n
  %place = add i64 %row, %x
  %q.place = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %place
  %v = load i32, ptr addrspace(1) %q.place
  %more.total = add i32 %total, %v
  %next = add nuw i64 %k, 1
  %again = icmp ult i64 %next, 9
  br i1 %again, label %sum, label %end
end:
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %more.total, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %second, !weft.item.loop !0
second:
  br label %x2.loop
x2.loop:
  %x2 = phi i64 [ 0, %second ], [ %step2, %x2.loop ]
  %p.x2 = getelementptr inbounds [256 x i32], ptr addrspace(1) %p, i64 %x2
  store i32 7, ptr addrspace(1) %p.x2
  %step2 = add nuw i64 %x2, 1
  %more2 = icmp ult i64 %step2, %n
  br i1 %more2, label %x2.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK: attributes #[[BESIDE]] = { "weft-forced-width"="1" "weft-vector-width"="4" }
; CHECK: attributes #[[APART]] = { "weft-forced-width"="1" "weft-shares-rows"="2" "weft-vector-width"="4" }
; CHECK: attributes #[[SAME_ASKS]] = { "weft-forced-width"="1" "weft-kernel-flags"="1024" "weft-shares-rows"="1" "weft-vector-width"="4" }
; CHECK: attributes #[[ASKS]] = { "weft-forced-width"="1" "weft-kernel-flags"="1024" "weft-vector-width"="4" }
; CHECK: attributes #[[SAME]] = { "weft-forced-width"="1" "weft-shares-rows"="1" "weft-vector-width"="4" }
attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
