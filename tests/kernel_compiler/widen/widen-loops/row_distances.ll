; Lanes that each write a row of their own: no vector of them runs where the first two rows lie within 16 bytes of a multiple of 2048 apart
; (rows). Nothing is tested where choose-width has not found such rows (others), or nothing is known of their places (table).
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK: wide.before:
; CHECK: %[[ROW:.*]] = mul i64 0, %n
; CHECK: %[[A:.*]] = getelementptr float, ptr addrspace(1) %p, i64 %[[ROW]]
; CHECK: %[[NEXT:.*]] = mul i64 1, %n
; CHECK: %[[B:.*]] = getelementptr float, ptr addrspace(1) %p, i64 %[[NEXT]]
; CHECK: %[[TO:.*]] = ptrtoint ptr addrspace(1) %[[B]] to i64
; CHECK: %[[FROM:.*]] = ptrtoint ptr addrspace(1) %[[A]] to i64
; CHECK: %[[DISTANCE:.*]] = sub i64 %[[TO]], %[[FROM]]
; CHECK: %[[MOVED:.*]] = add i64 %[[DISTANCE]], 15
; CHECK: %[[BESIDE:.*]] = and i64 %[[MOVED]], 2047
; CHECK: %[[GOOD:.*]] = icmp ugt i64 %[[BESIDE]], 30
; CHECK: %[[KNOWN:.*]] = freeze i1 %[[GOOD]]
; CHECK: %[[RUNS:.*]] = and i1 %{{.*}}, %[[KNOWN]]
; CHECK: br i1 %[[RUNS]], label %x.loop.wide, label %wide.rest
define spir_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %size, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %row = mul i64 %x, %n
  %at.row = getelementptr float, ptr addrspace(1) %p, i64 %row
  br label %loop
loop:
  %i = phi i64 [ 1, %x.loop ], [ %i1, %loop ]
  %place = phi ptr addrspace(1) [ %at.row, %x.loop ], [ %at, %loop ]
  %v = load float, ptr addrspace(1) %place
  %w = fmul float %v, 2.0
  %at = getelementptr float, ptr addrspace(1) %place, i64 1
  store float %w, ptr addrspace(1) %place
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %n
  br i1 %again, label %loop, label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @constant(
; CHECK: ptrtoint
; CHECK: br i1 %{{.*}}, label %x.loop.wide, label %wide.rest
define spir_kernel void @constant(ptr addrspace(1) %p, i64 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %row = mul i64 %x, 4096
  br label %loop
loop:
  %i = phi i64 [ 1, %x.loop ], [ %i1, %loop ]
  %k = add i64 %row, %i
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  store float 2.0, ptr addrspace(1) %at
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, 4096
  br i1 %again, label %loop, label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @others(
; CHECK-NOT: ptrtoint
; CHECK: {{^}}}
define spir_kernel void @others(ptr addrspace(1) %p, i64 %size, i64 %n) #1 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %row = mul i64 %x, %n
  br label %loop
loop:
  %i = phi i64 [ 1, %x.loop ], [ %i1, %loop ]
  %k = add i64 %row, %i
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  store float 2.0, ptr addrspace(1) %at
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %n
  br i1 %again, label %loop, label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @table(
; CHECK-NOT: ptrtoint
; CHECK: {{^}}}
define spir_kernel void @table(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %size, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %q.x = getelementptr i64, ptr addrspace(1) %q, i64 %x
  %row = load i64, ptr addrspace(1) %q.x
  br label %loop
loop:
  %i = phi i64 [ 1, %x.loop ], [ %i1, %loop ]
  %k = add i64 %row, %i
  %at = getelementptr float, ptr addrspace(1) %p, i64 %k
  store float 2.0, ptr addrspace(1) %at
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %n
  br i1 %again, label %loop, label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="8" "weft-forced-width"="1" "weft-written-rows"="1" "target-features"="+avx512f,+avx512bw,+avx512dq,+avx512vl" }
attributes #1 = { "weft-vector-width"="8" "weft-forced-width"="1" "target-features"="+avx512f,+avx512bw,+avx512dq,+avx512vl" }
!0 = !{}
