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

; A loop shares what it uses where it uses memory.
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

; CHECK: define spir_kernel void @table({{.*}} #[[APART]]
define spir_kernel void @table(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %end ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  br label %round
round:
  %w = phi i32 [ 0, %x.loop ], [ %next, %round ]
  %place = getelementptr i32, ptr addrspace(1) %q, i32 %w
  %next = load i32, ptr addrspace(1) %place
  %again = icmp ugt i32 %next, 99
  br i1 %again, label %round, label %end
end:
  store i32 %next, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK: attributes #[[BESIDE]] = { "weft-forced-width"="1" "weft-vector-width"="4" }
; CHECK: attributes #[[APART]] = { "weft-forced-width"="1" "weft-shares-rows"="1" "weft-vector-width"="4" }
attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
