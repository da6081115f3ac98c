; Quotients are the same in all lanes but where a row ends: loads at them are tested for that.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK: %[[Q:.*]] = fptoui <4 x double>
; CHECK: %[[FIRST:.*]] = extractelement <4 x i32> %[[Q]], i64 0
; CHECK: %[[SAME:.*]] = icmp eq <4 x i32> %[[Q]],
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK: test.holds:
; CHECK: load float, ptr addrspace(1)
; CHECK: shufflevector <4 x float>
define spir_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %w, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %i = trunc i64 %x to i32
  %row = udiv i32 %i, %w
  %index = zext i32 %row to i64
  %place = getelementptr inbounds float, ptr addrspace(1) %q, i64 %index
  %v = load float, ptr addrspace(1) %place
  %p.x = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  store float %v, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A row of 64 bits, times a length that no constant says.
; CHECK-LABEL: define spir_kernel void @long_rows(
; CHECK: icmp eq <4 x i64>
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK: mul i64 %{{.*}}, %w
; CHECK: load float, ptr addrspace(1)
define spir_kernel void @long_rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w, i64 %first, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %item = add i64 %first, %x
  %row = lshr i64 %item, 6
  %index = mul i64 %row, %w
  %place = getelementptr inbounds float, ptr addrspace(1) %q, i64 %index
  %v = load float, ptr addrspace(1) %place
  %p.x = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  store float %v, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Rows of few work-items end within most vectors.
; CHECK-LABEL: define spir_kernel void @short_rows(
; CHECK-NOT: test.holds
; CHECK: call <4 x float> @llvm.masked.gather
define spir_kernel void @short_rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %first, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %item = add i64 %first, %x
  %row = lshr i64 %item, 2
  %place = getelementptr inbounds float, ptr addrspace(1) %q, i64 %row
  %v = load float, ptr addrspace(1) %place
  %p.x = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  store float %v, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A divisor of 1 for lanes whose remainder would not be defined changes nothing.
; CHECK-LABEL: define spir_kernel void @guarded(
; CHECK: br i1 %{{.*}}, label %test.holds, label %test.fails
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK: load <4 x float>, ptr addrspace(1)
define spir_kernel void @guarded(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %w, i64 %n) #0 {
entry:
  %is.minus = icmp eq i32 %w, -1
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %i = trunc i64 %x to i32
  %is.least = icmp eq i32 %i, -2147483648
  %is.wrong = and i1 %is.minus, %is.least
  %divisor = select i1 %is.wrong, i32 1, i32 %w
  %column = srem i32 %i, %divisor
  %index = sext i32 %column to i64
  %place = getelementptr inbounds float, ptr addrspace(1) %q, i64 %index
  %v = load float, ptr addrspace(1) %place
  %p.x = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  store float %v, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Of the lanes that run, if any does, behind a condition of data: one load for these.
; CHECK-LABEL: define spir_kernel void @of_some(
; CHECK: %[[C:.*]] = freeze <4 x i1>
; CHECK: %[[ANY:.*]] = icmp ne i4 %{{.*}}, 0
; CHECK: br i1 %[[ANY]], label %then
; CHECK: %[[SAME:.*]] = icmp eq <4 x i64>
; CHECK: %[[IDLE:.*]] = xor <4 x i1> %[[C]], splat (i1 true)
; CHECK: or <4 x i1> %[[SAME]], %[[IDLE]]
; CHECK: %[[TEST:.*]] = and i1 %{{.*}}, %[[ANY]]
; CHECK: br i1 %[[TEST]], label %test.holds, label %test.fails
; CHECK: test.holds:
; CHECK: load float, ptr addrspace(1)
define spir_kernel void @of_some(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %c, i64 %first, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %c.x = getelementptr inbounds i32, ptr addrspace(1) %c, i64 %x
  %data = load i32, ptr addrspace(1) %c.x
  %some = icmp sgt i32 %data, 5
  br i1 %some, label %then, label %x.next
then:
  %item = add i64 %first, %x
  %row = lshr i64 %item, 6
  %place = getelementptr inbounds float, ptr addrspace(1) %q, i64 %row
  %v = load float, ptr addrspace(1) %place
  %p.x = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  store float %v, ptr addrspace(1) %p.x
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
