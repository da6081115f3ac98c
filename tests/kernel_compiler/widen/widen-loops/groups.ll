; Accesses whose addresses differ by constants are made together: pixels as words, structures as vectors and shuffles.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; The bytes of an aligned word are parts of it, those that are not read too; stores of all its bytes are one store.
; CHECK-LABEL: define spir_kernel void @pixels(
; CHECK: x.loop.wide:
; CHECK:   %[[WORD:.*]] = load <4 x i32>, ptr addrspace(1) {{.*}}, align 4
; CHECK:   trunc <4 x i32> %[[WORD]] to <4 x i8>
; CHECK:   lshr <4 x i32> %[[WORD]], splat (i32 16)
; CHECK-NOT: llvm.masked
; CHECK:   or <4 x i32> {{.*}}, splat (i32 -16777216)
; CHECK:   store <4 x i32> {{.*}}, align 4
; CHECK: wide.after:
define spir_kernel void @pixels(ptr addrspace(1) align 4 %in, ptr addrspace(1) align 4 %out, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %in.0 = getelementptr inbounds <4 x i8>, ptr addrspace(1) %in, i64 %x
  %r = load i8, ptr addrspace(1) %in.0
  %in.2 = getelementptr i8, ptr addrspace(1) %in.0, i64 2
  %b = load i8, ptr addrspace(1) %in.2
  %out.0 = getelementptr inbounds <4 x i8>, ptr addrspace(1) %out, i64 %x
  store i8 %b, ptr addrspace(1) %out.0
  %out.1 = getelementptr i8, ptr addrspace(1) %out.0, i64 1
  store i8 0, ptr addrspace(1) %out.1
  %out.2 = getelementptr i8, ptr addrspace(1) %out.0, i64 2
  store i8 %r, ptr addrspace(1) %out.2
  %out.3 = getelementptr i8, ptr addrspace(1) %out.0, i64 3
  store i8 -1, ptr addrspace(1) %out.3
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

; Three of four members: nothing is read behind the last one of the last lane. Of an index in 32 bits, with sums in it.
; CHECK-LABEL: define spir_kernel void @padded(
; CHECK: x.loop.wide:
; CHECK:   load <4 x i32>, ptr addrspace(1)
; CHECK:   getelementptr i8, ptr addrspace(1) {{.*}}, i64 16
; CHECK:   getelementptr i8, ptr addrspace(1) {{.*}}, i64 32
; CHECK:   getelementptr i8, ptr addrspace(1) {{.*}}, i64 44
; CHECK:   %[[LAST:.*]] = load <4 x i32>, ptr addrspace(1)
; CHECK:   shufflevector <4 x i32> %[[LAST]], <4 x i32> poison, <4 x i32> <i32 1, i32 2, i32 3, i32 poison>
; CHECK-NOT: llvm.masked.gather
; CHECK: wide.after:
define spir_kernel void @padded(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %cut = trunc i64 %x to i32
  %i = mul i32 %cut, 4
  %i.0 = sext i32 %i to i64
  %in.0 = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i.0
  %a = load float, ptr addrspace(1) %in.0
  %i.one = add i32 %i, 1
  %i.1 = sext i32 %i.one to i64
  %in.1 = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i.1
  %b = load float, ptr addrspace(1) %in.1
  %in.2 = getelementptr i8, ptr addrspace(1) %in.1, i64 4
  %c = load float, ptr addrspace(1) %in.2
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  %out.x = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %abc, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

; A store that may touch a member in between: the loads stay where they are. So do stores that leave gaps, here where
; nothing is known of masked stores. Without gathers, lanes load from lane 0's address and a constant.
; CHECK-LABEL: define spir_kernel void @between(
; CHECK: x.loop.wide:
; CHECK:   getelementptr i8, ptr addrspace(1) %{{.*}}, i64 96
; CHECK-NEXT:   load i32, ptr addrspace(1)
; CHECK:   call void @llvm.masked.scatter
; CHECK-COUNT-4:   load i32, ptr addrspace(1)
; CHECK: wide.after:
define spir_kernel void @between(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %in.0 = getelementptr inbounds [8 x i32], ptr addrspace(1) %in, i64 %x
  %a = load i32, ptr addrspace(1) %in.0
  %out.0 = getelementptr inbounds [8 x i32], ptr addrspace(1) %out, i64 %x
  store i32 %a, ptr addrspace(1) %out.0
  %in.1 = getelementptr i8, ptr addrspace(1) %in.0, i64 4
  %b = load i32, ptr addrspace(1) %in.1
  %out.1 = getelementptr i8, ptr addrspace(1) %out.0, i64 4
  store i32 %b, ptr addrspace(1) %out.1
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

; Behind a mask, together when all lanes run. A pair anywhere: one gather of both.
; CHECK-LABEL: define spir_kernel void @masked(
; CHECK: x.loop.wide:
; CHECK:   %[[PAIR:.*]] = call <4 x i32> @llvm.masked.gather.v4i32
; CHECK:   trunc <4 x i32> %[[PAIR]] to <4 x i16>
; CHECK:   lshr <4 x i32> %[[PAIR]], splat (i32 16)
; CHECK:   icmp eq i4 {{.*}}, -1
; CHECK:   br i1 {{.*}}, label %all.lanes, label %not.all.lanes
; CHECK: not.all.lanes:
; CHECK:   icmp ne i4 {{.*}}, 0
; CHECK:   br i1 {{.*}}, label %some.lanes, label %accessed
; CHECK: some.lanes:
; CHECK:   call void @llvm.masked.scatter
; CHECK:   call void @llvm.masked.scatter
; CHECK: all.lanes:
; CHECK:   store <4 x i32>
; CHECK:   store <4 x i32>
; CHECK: wide.after:
define spir_kernel void @masked(ptr addrspace(1) %index, ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %index.x = getelementptr inbounds i32, ptr addrspace(1) %index, i64 %x
  %i = load i32, ptr addrspace(1) %index.x
  %wide = zext i32 %i to i64
  %in.0 = getelementptr inbounds [2 x i16], ptr addrspace(1) %in, i64 %wide
  %low = load i16, ptr addrspace(1) %in.0
  %in.1 = getelementptr i8, ptr addrspace(1) %in.0, i64 2
  %high = load i16, ptr addrspace(1) %in.1
  %a = zext i16 %low to i32
  %b = zext i16 %high to i32
  %less = icmp ult i32 %a, %b
  br i1 %less, label %then, label %x.next
then:
  %out.0 = getelementptr inbounds [2 x i32], ptr addrspace(1) %out, i64 %x
  store i32 %b, ptr addrspace(1) %out.0
  %out.1 = getelementptr i8, ptr addrspace(1) %out.0, i64 4
  store i32 %a, ptr addrspace(1) %out.1
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
