; Accesses of images by all lanes are one call. Rows of coordinates go to memory, texels come back in rows, a channel each.
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=128 -S %s | FileCheck %s

declare <4 x float> @__weft_image_read_float(ptr addrspace(2), i64, i32, i32, i32, i32, i32) nounwind willreturn memory(inaccessiblemem: read)
declare void @__weft_image_write_float(ptr addrspace(2), i32, i32, i32, i32, i32, <4 x float>) nounwind willreturn memory(inaccessiblemem: readwrite)

; No vector is taken apart: red goes from row to row, the other channels are constants.
; CHECK-LABEL: define spir_kernel void @red(
; CHECK-DAG: %coordinates = alloca [16 x i32], align 64
; CHECK-DAG: %texels = alloca [16 x i32], align 64
; CHECK: loop.wide:
; CHECK: %[[X:.*]] = {{add|or|trunc}} {{.*}}<4 x i
; CHECK: store <4 x i32> %[[X]], ptr %{{.*}}, align 16
; CHECK: store <4 x i32> %{{.*}}, ptr
; CHECK: store <4 x i32> zeroinitializer, ptr
; CHECK: store <4 x i32> zeroinitializer, ptr
; CHECK: call void %{{.*}}(ptr %{{.*}}, i64 %s, i32 3, i32 4, ptr %coordinates, ptr %texels)
; CHECK: %[[RED:.*]] = load <4 x float>, ptr %{{.*}}, align 16
; CHECK: store <4 x float> %[[RED]], ptr %{{.*}}, align 16
; CHECK: store <4 x float> splat (float 1.000000e+00), ptr
; CHECK-NOT: shufflevector <16 x
; CHECK: call void %{{.*}}(ptr %{{.*}}, i32 3, i32 4, ptr %coordinates, ptr %texels)
; The last work-items are a vector, too.
; CHECK-NOT: @__weft_image_
; CHECK: select <4 x i1> %{{.*}}, <4 x i32> %{{.*}}, <4 x i32> splat (i32 -1)
; CHECK-NOT: @__weft_image_
; CHECK: {{^}}}
define spir_kernel void @red(ptr addrspace(2) %in, ptr addrspace(2) %out, i64 %s, i32 %y, i64 %n) #0 {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %step, %loop ]
  %column = trunc i64 %x to i32
  %t = call <4 x float> @__weft_image_read_float(ptr addrspace(2) %in, i64 %s, i32 3, i32 %column, i32 %y, i32 0, i32 0)
  %r = extractelement <4 x float> %t, i64 0
  %w = insertelement <4 x float> splat (float 1.0), float %r, i64 0
  call void @__weft_image_write_float(ptr addrspace(2) %out, i32 3, i32 %column, i32 %y, i32 0, i32 0, <4 x float> %w)
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %loop, label %out.block, !weft.item.loop !1
out.block:
  ret void
}

; A lane that does not run writes to x = -1, where no image is. What is the same for all is read once.
; CHECK-LABEL: define spir_kernel void @some(
; CHECK: loop.wide:
; CHECK: call <4 x float> @__weft_image_read_float(ptr addrspace(2) %in, i64 0, i32 3, i32 %y, i32 %y, i32 0, i32 0)
; CHECK: %[[COLUMN:.*]] = select <4 x i1> %{{.*}}, <4 x i32> %{{.*}}, <4 x i32> splat (i32 -1)
; CHECK: store <4 x i32> %[[COLUMN]], ptr %{{.*}}, align 16
; CHECK: call void %{{.*}}(ptr %{{.*}}, i32 3, i32 4, ptr %coordinates, ptr %texels)
define spir_kernel void @some(ptr addrspace(2) %in, ptr addrspace(2) %out, ptr addrspace(1) %p, i32 %y, i64 %n) #0 {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %step, %latch ]
  %column = trunc i64 %x to i32
  %t = call <4 x float> @__weft_image_read_float(ptr addrspace(2) %in, i64 0, i32 3, i32 %y, i32 %y, i32 0, i32 0)
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at
  %runs = icmp sgt i32 %v, 3
  br i1 %runs, label %write, label %latch
write:
  call void @__weft_image_write_float(ptr addrspace(2) %out, i32 3, i32 %column, i32 %v, i32 0, i32 0, <4 x float> %t)
  br label %latch
latch:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %loop, label %out.block, !weft.item.loop !1
out.block:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!1 = !{}
