; Between barriers, the vector iterations of a group whose size is known are unrolled, if they are few. Not where a loop is in
; them, where they are many, or where the last group may be smaller.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

declare i64 @__weft_local_size(i32)

; CHECK-LABEL: define spir_kernel void @few(
; CHECK: br i1 %{{.*}}, label %x.loop.wide, {{.*}}, !llvm.loop ![[FEW:[0-9]+]]
; CHECK: br i1 %{{.*}}, label %y.loop.wide, {{.*}}, !llvm.loop ![[FEW2:[0-9]+]]
define spir_kernel void @few(ptr addrspace(3) %p) #0 !reqd_work_group_size !1 {
entry:
  %size = call i64 @__weft_local_size(i32 0)
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %x.step, %x.next ]
  %at = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %x
  %id = trunc i64 %x to i32
  store i32 %id, ptr addrspace(3) %at
  br label %x.next
x.next:
  %x.step = add nuw i64 %x, 1
  %x.more = icmp ult i64 %x.step, %size
  br i1 %x.more, label %x.loop, label %second, !weft.item.loop !0
second:
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %second ], [ %y.step, %y.next ]
  %there = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %y
  %v = load i32, ptr addrspace(3) %there
  br label %loop
loop:
  %h = mul i32 %v, 3
  store i32 %h, ptr addrspace(3) %there
  br label %y.next
y.next:
  %y.step = add nuw i64 %y, 1
  %y.more = icmp ult i64 %y.step, %size
  br i1 %y.more, label %y.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @inner(
; CHECK: br i1 %{{.*}}, label %x.loop.wide, {{.*}}, !llvm.loop !
; CHECK-NOT: .loop.wide, {{.*}}!llvm.loop
; CHECK: {{^}}}
define spir_kernel void @inner(ptr addrspace(3) %p) #0 !reqd_work_group_size !1 {
entry:
  %size = call i64 @__weft_local_size(i32 0)
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %x.step, %x.next ]
  %at = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %x
  %id = trunc i64 %x to i32
  store i32 %id, ptr addrspace(3) %at
  br label %x.next
x.next:
  %x.step = add nuw i64 %x, 1
  %x.more = icmp ult i64 %x.step, %size
  br i1 %x.more, label %x.loop, label %second, !weft.item.loop !0
second:
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %second ], [ %y.step, %y.next ]
  %there = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %y
  %v = load i32, ptr addrspace(3) %there
  br label %loop
loop:
  %i = phi i32 [ 0, %y.loop ], [ %i1, %loop ]
  %h = phi i32 [ %v, %y.loop ], [ %h1, %loop ]
  %h1 = mul i32 %h, 3
  %i1 = add i32 %i, 1
  %again = icmp ult i32 %i1, 100
  br i1 %again, label %loop, label %done
done:
  store i32 %h1, ptr addrspace(3) %there
  br label %y.next
y.next:
  %y.step = add nuw i64 %y, 1
  %y.more = icmp ult i64 %y.step, %size
  br i1 %y.more, label %y.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @many(
; CHECK-NOT: .loop.wide, {{.*}}!llvm.loop
; CHECK: {{^}}}
define spir_kernel void @many(ptr addrspace(3) %p) #0 !reqd_work_group_size !2 {
entry:
  %size = call i64 @__weft_local_size(i32 0)
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %x.step, %x.next ]
  %at = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %x
  %id = trunc i64 %x to i32
  store i32 %id, ptr addrspace(3) %at
  br label %x.next
x.next:
  %x.step = add nuw i64 %x, 1
  %x.more = icmp ult i64 %x.step, %size
  br i1 %x.more, label %x.loop, label %second, !weft.item.loop !0
second:
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %second ], [ %y.step, %y.next ]
  %there = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %y
  %v = load i32, ptr addrspace(3) %there
  br label %loop
loop:
  %h = mul i32 %v, 3
  store i32 %h, ptr addrspace(3) %there
  br label %y.next
y.next:
  %y.step = add nuw i64 %y, 1
  %y.more = icmp ult i64 %y.step, %size
  br i1 %y.more, label %y.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @uneven(
; CHECK-NOT: .loop.wide, {{.*}}!llvm.loop
; CHECK: {{^}}}
define spir_kernel void @uneven(ptr addrspace(3) %p) #1 !reqd_work_group_size !1 {
entry:
  %size = call i64 @__weft_local_size(i32 0)
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %x.step, %x.next ]
  %at = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %x
  %id = trunc i64 %x to i32
  store i32 %id, ptr addrspace(3) %at
  br label %x.next
x.next:
  %x.step = add nuw i64 %x, 1
  %x.more = icmp ult i64 %x.step, %size
  br i1 %x.more, label %x.loop, label %second, !weft.item.loop !0
second:
  br label %y.loop
y.loop:
  %y = phi i64 [ 0, %second ], [ %y.step, %y.next ]
  %there = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %y
  %v = load i32, ptr addrspace(3) %there
  br label %loop
loop:
  %h = mul i32 %v, 3
  store i32 %h, ptr addrspace(3) %there
  br label %y.next
y.next:
  %y.step = add nuw i64 %y, 1
  %y.more = icmp ult i64 %y.step, %size
  br i1 %y.more, label %y.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-DAG: ![[FEW]] = distinct !{![[FEW]], ![[FULL:[0-9]+]], ![[PLAIN:[0-9]+]]}
; CHECK-DAG: ![[FEW2]] = distinct !{![[FEW2]], ![[FULL]], ![[PLAIN]]}
; CHECK-DAG: ![[FULL]] = !{!"llvm.loop.unroll.full"}
; CHECK-DAG: ![[PLAIN]] = !{!"llvm.loop.vectorize.enable", i1 false}
attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" "uniform-work-group-size"="true" }
attributes #1 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
!1 = !{i32 32, i32 1, i32 1}
!2 = !{i32 128, i32 1, i32 1}
