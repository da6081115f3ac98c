; The number that a loop counts with, 64 bits of it cut to 32 wherever it is used: strided, whatever it would wrap to.
; Where all of it is used, it is not.
; RUN: weft-opt --passes='print<shape>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: shapes of k:
; CHECK: strided(1):{{.*}}%i = phi
; CHECK: varying:{{.*}}%j = phi
; CHECK: strided(1):{{.*}}%cut =
; CHECK: address(1):{{.*}}%back =
; CHECK: address(4):{{.*}}%p.i =
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i64 %stride, i32 %end) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %round
round:
  %i = phi i64 [ %x, %x.loop ], [ %i.next, %body ]
  %j = phi i64 [ %x, %x.loop ], [ %i.next, %body ]
  %cut = trunc i64 %i to i32
  %c = icmp slt i32 %cut, %end
  br i1 %c, label %body, label %x.next
body:
  %high = shl i64 %i, 32
  %back = ashr exact i64 %high, 32
  %p.i = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %back
  store i64 %j, ptr addrspace(1) %p.i
  %i.next = add i64 %back, %stride
  br label %round
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; The same through sums: an int that the size of the range is added to several times a round. What one of the sums is used for
; whole, counts.
; CHECK-LABEL: shapes of sums:
; CHECK: strided(1):{{.*}}%i = phi
; CHECK: address(4):{{.*}}%p.i =
; CHECK: strided(1):{{.*}}%second =
; CHECK: address(4):{{.*}}%p.second =
define spir_kernel void @sums(ptr addrspace(1) %p, i64 %n, i64 %stride, i32 %end) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %round
round:
  %i = phi i64 [ %x, %x.loop ], [ %i.next, %round ]
  %k = phi i32 [ 0, %x.loop ], [ %k.next, %round ]
  %i.high = shl i64 %i, 32
  %i.back = ashr exact i64 %i.high, 30
  %p.i = getelementptr inbounds i8, ptr addrspace(1) %p, i64 %i.back
  store i32 1, ptr addrspace(1) %p.i
  %second = add i64 %i, %stride
  %second.high = shl i64 %second, 32
  %second.back = ashr exact i64 %second.high, 32
  %p.second = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %second.back
  store i32 2, ptr addrspace(1) %p.second
  %i.next = add i64 %second.back, %stride
  %k.next = add i32 %k, 1
  %c = icmp ult i32 %k.next, %end
  br i1 %c, label %round, label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: shapes of kept_sum:
; CHECK: varying:{{.*}}%i = phi
define spir_kernel void @kept_sum(ptr addrspace(1) %p, i64 %n, i64 %stride, i64 %end) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %round
round:
  %i = phi i64 [ %x, %x.loop ], [ %i.next, %round ]
  %i.high = shl i64 %i, 32
  %i.back = ashr exact i64 %i.high, 32
  %second = add i64 %i, %stride
  %i.next = add i64 %i.back, %stride
  %c = icmp slt i64 %second, %end
  br i1 %c, label %round, label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!0 = !{}
