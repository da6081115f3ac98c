; Lanes that leave a loop one after the other, with little to do but gather: the scalar loop is faster. Unless a width
; was asked for.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK-NOT: <4 x
; CHECK-LABEL: define spir_kernel void @forced(
; CHECK: <4 x
define spir_kernel void @rows(ptr addrspace(1) %starts, ptr addrspace(1) %columns, ptr addrspace(1) %v, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %starts, i64 %x
  %end = load i32, ptr addrspace(1) %p
  br label %round
round:
  %k = phi i32 [ 0, %x.loop ], [ %k1, %round ]
  %sum = phi i32 [ 0, %x.loop ], [ %sum1, %round ]
  %at = add i32 %k, %end
  %index = zext i32 %at to i64
  %p.c = getelementptr inbounds i32, ptr addrspace(1) %columns, i64 %index
  %column = load i32, ptr addrspace(1) %p.c
  %far = zext i32 %column to i64
  %p.v = getelementptr inbounds i32, ptr addrspace(1) %v, i64 %far
  %value = load i32, ptr addrspace(1) %p.v
  %sum1 = add i32 %sum, %value
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, %end
  br i1 %again, label %round, label %x.next
x.next:
  store i32 %sum1, ptr addrspace(1) %p
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

define spir_kernel void @forced(ptr addrspace(1) %starts, ptr addrspace(1) %columns, ptr addrspace(1) %v, i64 %n) #1 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %starts, i64 %x
  %end = load i32, ptr addrspace(1) %p
  br label %round
round:
  %k = phi i32 [ 0, %x.loop ], [ %k1, %round ]
  %sum = phi i32 [ 0, %x.loop ], [ %sum1, %round ]
  %at = add i32 %k, %end
  %index = zext i32 %at to i64
  %p.c = getelementptr inbounds i32, ptr addrspace(1) %columns, i64 %index
  %column = load i32, ptr addrspace(1) %p.c
  %far = zext i32 %column to i64
  %p.v = getelementptr inbounds i32, ptr addrspace(1) %v, i64 %far
  %value = load i32, ptr addrspace(1) %p.v
  %sum1 = add i32 %sum, %value
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, %end
  br i1 %again, label %round, label %x.next
x.next:
  store i32 %sum1, ptr addrspace(1) %p
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
attributes #1 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
