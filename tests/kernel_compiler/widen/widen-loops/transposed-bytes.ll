; Lanes that go through bytes and shorts, each from another start: what 8 bytes have of several iterations is loaded as a number,
; of which each iteration takes a part.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck %s

; Eight iterations, then four, then one by one. The index has 32 bits, and does not wrap.
; CHECK-LABEL: define spir_kernel void @bytes(
; CHECK: %[[WINDOW:.*]] = alloca [8 x <4 x i8>]
; CHECK: x.loop.wide:
; CHECK:   and i64 %{{.*}}, -8
; CHECK:   and i64 %{{.*}}, -4
; CHECK: window.fill:
; CHECK:   %[[FOUR:.*]] = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 1
; CHECK-COUNT-4: lshr <4 x i32> %[[FOUR]],
; CHECK:   trunc <4 x i32> {{.*}} to <4 x i8>
; CHECK: window.fill{{[0-9]+}}:
; CHECK:   %[[EIGHT:.*]] = call <4 x i64> @llvm.masked.gather.v4i64.v4p1(<4 x ptr addrspace(1)> align 1
; CHECK-COUNT-8: lshr <4 x i64> %[[EIGHT]],
; CHECK:   trunc <4 x i64> {{.*}} to <4 x i8>
; CHECK: window.take:
; CHECK:   load <4 x i8>, ptr
; CHECK: wide.after:
define spir_kernel void @bytes(ptr addrspace(1) %a, ptr addrspace(1) %index, ptr addrspace(1) %out, i32 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %index.x = getelementptr inbounds i32, ptr addrspace(1) %index, i64 %x
  %start = load i32, ptr addrspace(1) %index.x
  br label %loop
loop:
  %k = phi i32 [ 0, %x.loop ], [ %k.next, %body ]
  %sum = phi i8 [ 0, %x.loop ], [ %sum.next, %body ]
  %again = icmp slt i32 %k, %n
  br i1 %again, label %body, label %x.next
body:
  %at = add nsw i32 %start, %k
  %wide = sext i32 %at to i64
  %a.at = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %wide
  %v = load i8, ptr addrspace(1) %a.at
  %sum.next = xor i8 %sum, %v
  %k.next = add nuw nsw i32 %k, 1
  br label %loop
x.next:
  %out.x = getelementptr inbounds i8, ptr addrspace(1) %out, i64 %x
  store i8 %sum, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

; The same with a sum that may wrap, and with a number of iterations that may: an object of 4 GiB has bytes at both ends.
; CHECK-LABEL: define spir_kernel void @wrapped(
; CHECK-NOT: alloca
; CHECK: x.loop.wide:
; CHECK: wide.after:
define spir_kernel void @wrapped(ptr addrspace(1) %a, ptr addrspace(1) %index, ptr addrspace(1) %out, i32 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %index.x = getelementptr inbounds i32, ptr addrspace(1) %index, i64 %x
  %start = load i32, ptr addrspace(1) %index.x
  br label %loop
loop:
  %k = phi i32 [ 0, %x.loop ], [ %k.next, %body ]
  %sum = phi i8 [ 0, %x.loop ], [ %sum.next, %body ]
  %again = icmp slt i32 %k, %n
  br i1 %again, label %body, label %x.next
body:
  %at = add i32 %start, %k
  %wide = sext i32 %at to i64
  %a.at = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %wide
  %v = load i8, ptr addrspace(1) %a.at
  %from = add nsw i32 %start, %k
  %wide.b = zext i32 %from to i64
  %b.at = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %wide.b
  %b = load i8, ptr addrspace(1) %b.at
  %both = xor i8 %b, %v
  %sum.next = xor i8 %sum, %both
  %k.next = add nuw nsw i32 %k, 1
  br label %loop
x.next:
  %out.x = getelementptr inbounds i8, ptr addrspace(1) %out, i64 %x
  store i8 %sum, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

; Four shorts.
; CHECK-LABEL: define spir_kernel void @shorts(
; CHECK: alloca [4 x <4 x i16>]
; CHECK: x.loop.wide:
; CHECK: window.fill:
; CHECK:   %[[FOUR:.*]] = call <4 x i64> @llvm.masked.gather.v4i64.v4p1(<4 x ptr addrspace(1)> align 2
; CHECK-COUNT-4: lshr <4 x i64> %[[FOUR]],
; CHECK:   trunc <4 x i64> {{.*}} to <4 x i16>
; CHECK: window.take:
; CHECK: wide.after:
define spir_kernel void @shorts(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %loop
loop:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %body ]
  %sum = phi i16 [ 0, %x.loop ], [ %sum.next, %body ]
  %again = icmp ult i64 %k, %n
  br i1 %again, label %body, label %x.next
body:
  %row = mul i64 %x, %n
  %at = add i64 %row, %k
  %a.at = getelementptr inbounds i16, ptr addrspace(1) %a, i64 %at
  %v = load i16, ptr addrspace(1) %a.at
  %sum.next = xor i16 %sum, %v
  %k.next = add nuw i64 %k, 1
  br label %loop
x.next:
  %out.x = getelementptr inbounds i16, ptr addrspace(1) %out, i64 %x
  store i16 %sum, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
