; Whole vectors of work-items that a guard lets pass have a loop of their own, without the guard, where there are several. Not
; where others do something, too, nor in long loops, nor where work-items are scalars.
; RUN: weft-opt --passes='split-guarded-items,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @wide(
; CHECK: %[[LIMIT:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %n)
; CHECK: %[[VECTORS:.*]] = and i64 %[[LIMIT]], -128
; CHECK: %passing.end = select i1 true, i64 %[[VECTORS]], i64 0
; CHECK: %[[ANY:.*]] = icmp ne i64 %passing.end, 0
; CHECK: br i1 %[[ANY]], label %items.passing, label %items.rest
; CHECK: x.loop.passing:
; CHECK-NEXT: phi i64 [ 0, %items.passing ]
; CHECK-NOT: br i1
; CHECK: store i32
; CHECK: %[[NEXT:.*]] = add nuw i64
; CHECK: %[[AGAIN:.*]] = icmp ult i64 %[[NEXT]], %passing.end
; CHECK: br i1 %[[AGAIN]], label %x.loop.passing, label %items.passed{{.*}}!weft.item.loop{{.*}}!weft.item.part ![[WHOLE:[0-9]+]]
; CHECK: items.passed:
; CHECK-NEXT: %[[LEFT:.*]] = icmp ult i64 %passing.end, %[[LIMIT]]
; CHECK-NEXT: br i1 %[[LEFT]], label %items.rest, label %out
; CHECK: items.rest:
; CHECK-NEXT: %[[REST:.*]] = phi i64 [ 0, %entry ], [ %passing.end, %items.passed ]
; CHECK: x.loop:
; CHECK-NEXT: phi i64 [ %[[REST]], %items.rest ]
; CHECK: %passes = icmp ult
; CHECK: br i1 %passes, label %inside, label %x.next
; CHECK: !weft.item.part ![[LAST:[0-9]+]]
define spir_kernel void @wide(ptr addrspace(1) %a, i64 %limit, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %passes = icmp ult i64 %x, %limit
  br i1 %passes, label %inside, label %x.next
inside:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %x
  store i32 1, ptr addrspace(1) %p
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; The limit may be a sum that is known at the launch. Where an id of 32 bits would wrap around all work-items are the rest.
; CHECK-LABEL: define spir_kernel void @cut(
; CHECK: %[[SMALL:.*]] = icmp ule i64 %{{.*}}, 2147483648
; CHECK: %[[EXACT:.*]] = and i1 %[[SMALL]], true
; CHECK: %[[VECTORS:.*]] = and i64 %{{.*}}, -128
; CHECK: %passing.end = select i1 %[[EXACT]], i64 %[[VECTORS]], i64 0
; CHECK: x.loop.passing:
define spir_kernel void @cut(ptr addrspace(1) %a, i32 %size, i32 %t, i64 %offset, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %id = add nuw i64 %x, %offset
  %c = trunc i64 %id to i32
  %bound = sub nsw i32 %size, %t
  %passes = icmp slt i32 %c, %bound
  br i1 %passes, label %inside, label %x.next
inside:
  %far = sext i32 %c to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %far
  store i32 1, ptr addrspace(1) %p
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @both(
; CHECK-NOT: passing
; CHECK: {{^}}}
define spir_kernel void @both(ptr addrspace(1) %a, i64 %limit, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %x
  %passes = icmp ult i64 %x, %limit
  br i1 %passes, label %inside, label %outside
inside:
  store i32 1, ptr addrspace(1) %p
  br label %x.next
outside:
  store i32 2, ptr addrspace(1) %p
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @scalar(
; CHECK-NOT: passing
; CHECK: {{^}}}
define spir_kernel void @scalar(ptr addrspace(1) %a, i64 %limit, i64 %n) #1 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %passes = icmp ult i64 %x, %limit
  br i1 %passes, label %inside, label %x.next
inside:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %x
  store i32 1, ptr addrspace(1) %p
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-DAG: ![[WHOLE]] = !{i32 1}
; CHECK-DAG: ![[LAST]] = !{i32 2}
attributes #0 = { "weft-vector-width"="16" }
attributes #1 = { "weft-vector-width"="1" }
!0 = !{}
