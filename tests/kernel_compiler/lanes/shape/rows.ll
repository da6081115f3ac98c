; Vectors of several rows: what is linear within each, and from each to the next; what is the same within each.
; RUN: weft-opt --passes='print<shape>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: shapes of k:
; CHECK: strided(1):{{.*}}%i = phi
; CHECK: strided(1) in rows of 4 by 0:{{.*}}%x =
; CHECK: strided(0) in rows of 4 by 1:{{.*}}%y =
; CHECK: strided(0) in rows of 4 by 16:{{.*}}%row =
; CHECK: strided(4):{{.*}}%in.tile =
; CHECK: strided(0) in rows of 4:{{.*}}%line =
; CHECK: strided(1) in rows of 4:{{.*}}%place =
; CHECK: strided(4) in rows of 4:{{.*}}%p.place =
; CHECK: strided(1):{{.*}}%item =
; CHECK: strided(4):{{.*}}%p.item =
; CHECK: strided(1):{{.*}}%wide =
; CHECK: uniform:{{.*}}%far =
; CHECK: varying:{{.*}}%v =
; CHECK: address(1) in rows of 4:{{.*}}%index =
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i64 %width) #0 {
entry:
  br label %x.loop
x.loop:
  %i = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %x = and i64 %i, 3
  %y = lshr i64 %i, 2
  %row = shl i64 %y, 4
  %in.tile = getelementptr [4 x i32], ptr addrspace(1) %p, i64 %y, i64 %x
  %line = mul i64 %y, %width
  %place = add i64 %line, %x
  %p.place = getelementptr i32, ptr addrspace(1) %p, i64 %place
  %four = shl i64 %y, 2
  %item = add i64 %four, %x
  %p.item = getelementptr i32, ptr addrspace(1) %p, i64 %item
  %wide = and i64 %i, 15
  %far = lshr i64 %i, 3
  %v = load i32, ptr addrspace(1) %p.place
  store i32 %v, ptr addrspace(1) %p.item
  %cut = trunc i64 %place to i32
  %index = zext i32 %cut to i64
  %p.index = getelementptr i64, ptr addrspace(1) %p, i64 %row
  store i64 %index, ptr addrspace(1) %p.index
  %step = add nuw i64 %i, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="8" }
!0 = !{}
