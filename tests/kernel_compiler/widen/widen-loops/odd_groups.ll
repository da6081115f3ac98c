; Scattered groups of fewer bytes than a cell has, in which part of an aligned word is not known: a cell begins so far before
; the first member that it is within aligned words in which members are.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck %s

; Three bytes: four from an even address.
; CHECK-LABEL: define spir_kernel void @three(
; CHECK: x.loop.wide:
; CHECK: %[[EVEN:.*]] = call <4 x ptr addrspace(1)> @llvm.ptrmask.v4p1.v4i64(<4 x ptr addrspace(1)> %[[AT:.*]], <4 x i64> splat (i64 -2))
; CHECK: %[[CELL:.*]] = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 2 %[[EVEN]],
; CHECK: ptrtoint <4 x ptr addrspace(1)> %[[AT]] to <4 x i64>
; CHECK: and <4 x i32> %{{.*}}, splat (i32 1)
; CHECK: %[[BYTES:.*]] = lshr <4 x i32> %[[CELL]],
; CHECK: trunc <4 x i32> %[[BYTES]] to <4 x i8>
; CHECK: lshr <4 x i32> %[[BYTES]], splat (i32 8)
; CHECK: lshr <4 x i32> %[[BYTES]], splat (i32 16)
; CHECK-NOT: gather
; CHECK: wide.after:
define spir_kernel void @three(ptr addrspace(1) %in, ptr addrspace(1) %index, ptr addrspace(1) %out, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %index.x = getelementptr inbounds i32, ptr addrspace(1) %index, i64 %x
  %i = load i32, ptr addrspace(1) %index.x
  %wide = sext i32 %i to i64
  %in.0 = getelementptr inbounds i8, ptr addrspace(1) %in, i64 %wide
  %a = load i8, ptr addrspace(1) %in.0
  %in.1 = getelementptr i8, ptr addrspace(1) %in.0, i64 1
  %b = load i8, ptr addrspace(1) %in.1
  %in.2 = getelementptr i8, ptr addrspace(1) %in.0, i64 2
  %c = load i8, ptr addrspace(1) %in.2
  %ab = mul i8 %a, %b
  %abc = sub i8 %ab, %c
  %out.x = getelementptr inbounds i8, ptr addrspace(1) %out, i64 %x
  store i8 %abc, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

; Three shorts, which are at even addresses: eight bytes from a multiple of four.
; CHECK-LABEL: define spir_kernel void @six(
; CHECK: x.loop.wide:
; CHECK-NOT: gather
; CHECK: %[[FOURS:.*]] = call {{.*}}ptrmask.v4p1.v4i64({{.*}}, <4 x i64> splat (i64 -4))
; CHECK: %[[CELL:.*]] = call <4 x i64> @llvm.masked.gather.v4i64.v4p1(<4 x ptr addrspace(1)> align 4 %[[FOURS]],
; CHECK: lshr <4 x i64> %[[CELL]],
; CHECK-NOT: gather
; CHECK: wide.after:
define spir_kernel void @six(ptr addrspace(1) %in, ptr addrspace(1) %index, ptr addrspace(1) %out, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %index.x = getelementptr inbounds i32, ptr addrspace(1) %index, i64 %x
  %i = load i32, ptr addrspace(1) %index.x
  %wide = sext i32 %i to i64
  %in.0 = getelementptr inbounds i16, ptr addrspace(1) %in, i64 %wide
  %a = load i16, ptr addrspace(1) %in.0, align 2
  %in.1 = getelementptr i8, ptr addrspace(1) %in.0, i64 2
  %b = load i16, ptr addrspace(1) %in.1, align 2
  %in.2 = getelementptr i8, ptr addrspace(1) %in.0, i64 4
  %c = load i16, ptr addrspace(1) %in.2, align 2
  %sum = add i16 %a, %b
  %ab = mul i16 %sum, %c
  %out.x = getelementptr inbounds i16, ptr addrspace(1) %out, i64 %x
  store i16 %ab, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

; Six bytes: three and three.
; CHECK-LABEL: define spir_kernel void @six_bytes(
; CHECK: x.loop.wide:
; CHECK: ptrmask.v4p1.v4i64({{.*}}, <4 x i64> splat (i64 -2))
; CHECK: gather.v4i32
; CHECK: ptrmask.v4p1.v4i64({{.*}}, <4 x i64> splat (i64 -2))
; CHECK: gather.v4i32
; CHECK-NOT: gather
; CHECK: wide.after:
define spir_kernel void @six_bytes(ptr addrspace(1) %in, ptr addrspace(1) %index, ptr addrspace(1) %out, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %index.x = getelementptr inbounds i32, ptr addrspace(1) %index, i64 %x
  %i = load i32, ptr addrspace(1) %index.x
  %wide = sext i32 %i to i64
  %in.0 = getelementptr inbounds i8, ptr addrspace(1) %in, i64 %wide
  %a = load i8, ptr addrspace(1) %in.0
  %in.1 = getelementptr i8, ptr addrspace(1) %in.0, i64 1
  %b = load i8, ptr addrspace(1) %in.1
  %in.2 = getelementptr i8, ptr addrspace(1) %in.0, i64 2
  %c = load i8, ptr addrspace(1) %in.2
  %in.3 = getelementptr i8, ptr addrspace(1) %in.0, i64 3
  %d = load i8, ptr addrspace(1) %in.3
  %in.4 = getelementptr i8, ptr addrspace(1) %in.0, i64 4
  %e = load i8, ptr addrspace(1) %in.4
  %in.5 = getelementptr i8, ptr addrspace(1) %in.0, i64 5
  %f = load i8, ptr addrspace(1) %in.5
  %ab = mul i8 %a, %b
  %abc = sub i8 %ab, %c
  %abcd = mul i8 %abc, %d
  %abcde = sub i8 %abcd, %e
  %all = mul i8 %abcde, %f
  %out.x = getelementptr inbounds i8, ptr addrspace(1) %out, i64 %x
  store i8 %all, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
