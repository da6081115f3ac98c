; A filter along rows whose places are clamped: as many vectors at once as within the bounds wait for each other, if the row is so long
; that few of them reach a border.
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=512 -mtriple=x86_64 -mcpu=skylake-avx512 -S %s \
; RUN:   | FileCheck %s

; CHECK-LABEL: define spir_kernel void @filter(
; CHECK:   and i64 %n, -64
; CHECK:   [[LONG:%.*]] = icmp uge i64 %n, 512
; CHECK:   [[FITS:%.*]] = and i1 {{.*}}, [[LONG]]
; CHECK:   br i1 [[FITS]], label %x.loop.wide
; CHECK:   load <64 x float>
; CHECK:   call <64 x float> @llvm.masked.gather
; CHECK:   and i64 %n, -32
; CHECK-NOT: icmp uge i64 %n,
; CHECK:   load <32 x float>
define spir_kernel void @filter(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %weights, i64 %n, i32 %most, i32 %count) #0 {
entry:
  br label %x.loop
x.loop:
  %item = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %x = trunc i64 %item to i32
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i32 [ 0, %x.loop ], [ %k1, %loop ]
  %place = add nsw i32 %x, %k
  %low = call i32 @llvm.smax.i32(i32 %place, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %most)
  %index = sext i32 %clamped to i64
  %p.at = getelementptr inbounds float, ptr addrspace(1) %p, i64 %index
  %a = load float, ptr addrspace(1) %p.at
  %k.long = sext i32 %k to i64
  %weight.at = getelementptr inbounds float, ptr addrspace(1) %weights, i64 %k.long
  %weight = load float, ptr addrspace(1) %weight.at
  %sum1 = call float @llvm.fmuladd.f32(float %a, float %weight, float %sum)
  %k1 = add i32 %k, 1
  %again = icmp slt i32 %k1, %count
  br i1 %again, label %loop, label %x.next
x.next:
  %q.at = getelementptr inbounds float, ptr addrspace(1) %q, i64 %item
  store float %sum1, ptr addrspace(1) %q.at
  %step = add nuw i64 %item, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="16" }
!0 = !{}
