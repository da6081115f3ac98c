; Whole numbers of up to 32 bits are divided as floating point that holds them exactly; others, and by constants, as
; they are. Lanes that do not run do not divide by nought.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: x.loop.wide:
; CHECK:   uitofp <4 x i32> {{.*}} to <4 x double>
; CHECK:   %[[Q:.*]] = fdiv <4 x double>
; CHECK:   fptoui <4 x double> %[[Q]] to <4 x i32>
; CHECK:   sext <4 x i16> {{.*}} to <4 x i32>
; CHECK:   sitofp <4 x i32> {{.*}} to <4 x float>
; CHECK:   %[[R:.*]] = fdiv <4 x float>
; CHECK:   fptosi <4 x float> %[[R]] to <4 x i32>
; CHECK:   mul <4 x i16>
; CHECK:   sub <4 x i16>
; CHECK:   udiv <4 x i32> {{.*}}, splat (i32 7)
; CHECK: then.wide:
; CHECK:   %[[D:.*]] = select <4 x i1> {{.*}}, <4 x i64> {{.*}}, <4 x i64> splat (i64 1)
; CHECK:   sdiv <4 x i64> {{.*}}, %[[D]]
; CHECK: x.next.wide:
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %s, ptr addrspace(1) %l, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %q = udiv i32 1000, %v
  %s.x = getelementptr inbounds i16, ptr addrspace(1) %s, i64 %x
  %h = load i16, ptr addrspace(1) %s.x
  %r = srem i16 1000, %h
  store i16 %r, ptr addrspace(1) %s.x
  %seventh = udiv i32 %q, 7
  store i32 %seventh, ptr addrspace(1) %p.x
  %c = icmp ugt i32 %q, 5
  br i1 %c, label %then, label %x.next
then:
  %l.x = getelementptr inbounds i64, ptr addrspace(1) %l, i64 %x
  %w = load i64, ptr addrspace(1) %l.x
  %wq = sdiv i64 1000, %w
  store i64 %wq, ptr addrspace(1) %l.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; By a divisor that all lanes have, dividends are multiplied by a reciprocal that is slightly too large.
; CHECK-LABEL: define spir_kernel void @shared(
; CHECK: x.loop.wide:
; CHECK:   %[[A:.*]] = sitofp <4 x i32> {{.*}} to <4 x double>
; CHECK:   %[[B:.*]] = sitofp i32 %d to double
; CHECK:   %[[R:.*]] = fdiv double 0x3FF0000000000002, %[[B]]
; CHECK:   %[[S:.*]] = insertelement <4 x double> poison, double %[[R]], i64 0
; CHECK:   %[[T:.*]] = shufflevector <4 x double> %[[S]]
; CHECK:   %[[P:.*]] = fmul <4 x double> %[[A]], %[[T]]
; CHECK:   fptosi <4 x double> %[[P]] to <4 x i32>
; CHECK:   sub <4 x i32>
; CHECK:   uitofp <4 x i32> {{.*}} to <4 x float>
; CHECK:   fdiv float 0x3FF0000040000000,
; CHECK:   fmul <4 x float>
; CHECK:   fptoui <4 x float>
; CHECK: x.next.wide:
define spir_kernel void @shared(ptr addrspace(1) %p, ptr addrspace(1) %s, i64 %n, i32 %d, i16 %h) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %r = srem i32 %v, %d
  store i32 %r, ptr addrspace(1) %p.x
  %s.x = getelementptr inbounds i16, ptr addrspace(1) %s, i64 %x
  %w = load i16, ptr addrspace(1) %s.x
  %q = udiv i16 %w, %h
  store i16 %q, ptr addrspace(1) %s.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }

!0 = !{}
