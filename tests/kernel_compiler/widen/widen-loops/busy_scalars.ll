; Of a kernel whose work-items stay alone, too, a region ends with the last one that has something to do. The width 1 that is asked for is
; the reference: it stays as it is, and so does a kernel of one region.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @some(
; CHECK: x.next:
; CHECK: icmp ult i64 %step, %n
; CHECK: %items.busy = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %n)
; CHECK: icmp ult i64 %step2, %items.busy
define spir_kernel void @some(ptr addrspace(3) %p, i32 %s, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %at = getelementptr <16 x i32>, ptr addrspace(3) %p, i64 %x
  store <16 x i32> zeroinitializer, ptr addrspace(3) %at
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %between, !weft.item.loop !0
between:
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %between ], [ %step2, %y.next ]
  %id = trunc i64 %y to i32
  %some = icmp slt i32 %id, %s
  br i1 %some, label %then, label %y.next
then:
  %to = getelementptr <16 x i32>, ptr addrspace(3) %p, i64 %y
  %v = load <16 x i32>, ptr addrspace(3) %to
  %w = add <16 x i32> %v, splat (i32 1)
  store <16 x i32> %w, ptr addrspace(3) %to
  br label %y.next
y.next:
  %step2 = add nuw i64 %y, 1
  %more2 = icmp ult i64 %step2, %n
  br i1 %more2, label %y.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @asked(
; CHECK-NOT: items.busy
; CHECK: {{^}}}
define spir_kernel void @asked(ptr addrspace(3) %p, i32 %s, i64 %n) #1 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %between, !weft.item.loop !0
between:
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %between ], [ %step2, %y.next ]
  %id = trunc i64 %y to i32
  %some = icmp slt i32 %id, %s
  br i1 %some, label %then, label %y.next
then:
  %to = getelementptr <16 x i32>, ptr addrspace(3) %p, i64 %y
  store <16 x i32> zeroinitializer, ptr addrspace(3) %to
  br label %y.next
y.next:
  %step2 = add nuw i64 %y, 1
  %more2 = icmp ult i64 %step2, %n
  br i1 %more2, label %y.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="1" }
attributes #1 = { "weft-forced-width"="1" "weft-vector-width"="1" }

!0 = !{}
