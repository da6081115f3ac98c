; Two vectors of work-items go through windows of transposed loads by turns, the second one a few windows behind, where each waits for
; its own sums.
; RUN: weft-opt --passes='widen-loops,unroll-windows,pair-windows,verify' -weft-register-bits=128 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK: x.loop.wide:
; CHECK:   %[[WAITS:.*]] = phi i1 [ false, %wide.enter ], [ %[[WAITS_NEXT:.*]], %x.next.wide ]
; CHECK:   %[[KEPT:.*]] = phi <4 x float> [ poison, %wide.enter ], [ %[[KEPT_NEXT:.*]], %x.next.wide ]
; CHECK:   br i1 %[[WAITS]], label %windows.rest, label %pair.first
; CHECK: pair.first:
; CHECK:   br i1 %{{.*}}, label %windows.rest, label %pair.more
; Whether there is a second vector.
; CHECK: pair.more:
; CHECK:   %[[SECOND:.*]] = add nuw i64 %{{.*}}, 4
; CHECK:   icmp ult i64 %[[SECOND]], %x.limit
; CHECK:   br i1 %{{.*}}, label %x.loop.wide.second, label %pair.alone
; CHECK: pair.start:
; CHECK:   %[[BEHIND:.*]] = and i64 %{{.*}}, -4
; CHECK:   %[[ALL:.*]] = add nuw i64 %[[WHOLE:.*]], %[[BEHIND]]
; CHECK: pair:
; CHECK:   %[[TURN:.*]] = phi i64 [ 0, %pair.start ]
; CHECK:   icmp ult i64 %[[TURN]], %[[WHOLE]]
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1)
; CHECK: pair.window:
; CHECK:   %[[FIRST:.*]] = phi <4 x float>
; CHECK:   icmp uge i64 %[[TURN]], %[[BEHIND]]
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1)
; CHECK: [[LAST:pair.window.*]]:
; CHECK:   %[[OTHER:.*]] = phi <4 x float>
; CHECK:   %[[NEXT:.*]] = add nuw i64 %[[TURN]], 4
; CHECK:   icmp eq i64 %[[NEXT]], %[[ALL]]
; CHECK:   br i1 %{{.*}}, label %windows.rest, label %pair
; CHECK: windows.rest:
; CHECK:   %[[WAITS_NEXT]] = phi i1 [ false, %x.loop.wide ], [ false, %pair.first ], [ false, %{{.*}} ], [ true, %[[LAST]] ]
; CHECK:   %[[KEPT_NEXT]] = phi <4 x float> [ poison, %x.loop.wide ], [ poison, %pair.first ], [ poison, %{{.*}} ], [ %[[OTHER]], %[[LAST]] ]
; CHECK:   phi <4 x float> [ %[[KEPT]], %x.loop.wide ], [ %{{.*}}, %{{.*}} ], [ zeroinitializer, %pair.first ], [ %[[FIRST]], %[[LAST]] ]
; CHECK: wide.after:
define spir_kernel void @rows(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %loop
loop:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %x.loop ], [ %sum.next, %body ]
  %again = icmp ult i64 %k, %n
  br i1 %again, label %body, label %x.next
body:
  %row = mul i64 %x, %n
  %at = add i64 %row, %k
  %a.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %a.at
  %sum.next = fadd float %sum, %v
  %k.next = add nuw i64 %k, 1
  br label %loop
x.next:
  %out.x = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %sum, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

; Sums of integers do not wait.
; CHECK-LABEL: define spir_kernel void @integers(
; CHECK: x.loop.wide:
; CHECK-NOT: pair
; CHECK: windows:
; CHECK-NOT: pair
; CHECK: wide.after:
define spir_kernel void @integers(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %loop
loop:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %body ]
  %sum = phi i32 [ 0, %x.loop ], [ %sum.next, %body ]
  %again = icmp ult i64 %k, %n
  br i1 %again, label %body, label %x.next
body:
  %row = mul i64 %x, %n
  %at = add i64 %row, %k
  %a.at = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  %v = load i32, ptr addrspace(1) %a.at
  %sum.next = add i32 %sum, %v
  %k.next = add nuw i64 %k, 1
  br label %loop
x.next:
  %out.x = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %x
  store i32 %sum, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

; The work of three windows takes longer than the sums.
; CHECK-LABEL: define spir_kernel void @enough(
; CHECK: x.loop.wide:
; CHECK-NOT: pair
; CHECK: windows:
; CHECK-NOT: pair
; CHECK: wide.after:
define spir_kernel void @enough(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %out, i64 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %loop
loop:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %x.loop ], [ %sum.next, %body ]
  %again = icmp ult i64 %k, %n
  br i1 %again, label %body, label %x.next
body:
  %row = mul i64 %x, %n
  %at = add i64 %row, %k
  %a.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %a.at
  %b.at = getelementptr inbounds float, ptr addrspace(1) %b, i64 %at
  %vb = load float, ptr addrspace(1) %b.at
  %b.square = fmul float %vb, %vb
  %b.sum = fadd float %b.square, 1.0
  %c.at = getelementptr inbounds float, ptr addrspace(1) %c, i64 %at
  %vc = load float, ptr addrspace(1) %c.at
  %c.square = fmul float %vc, %vc
  %c.sum = fadd float %c.square, 1.0
  %bc = fmul float %b.sum, %c.sum
  %product = fmul float %v, %bc
  %sum.next = fadd float %sum, %product
  %k.next = add nuw i64 %k, 1
  br label %loop
x.next:
  %out.x = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %sum, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

; What work-items write before their windows is not written earlier.
; CHECK-LABEL: define spir_kernel void @before(
; CHECK: x.loop.wide:
; CHECK-NOT: pair
; CHECK: windows:
; CHECK-NOT: pair
; CHECK: wide.after:
define spir_kernel void @before(ptr addrspace(1) noalias %a, ptr addrspace(1) %out, i64 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %out.first = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float 1.0, ptr addrspace(1) %out.first
  br label %loop
loop:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %x.loop ], [ %sum.next, %body ]
  %again = icmp ult i64 %k, %n
  br i1 %again, label %body, label %x.next
body:
  %row = mul i64 %x, %n
  %at = add i64 %row, %k
  %a.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %a.at
  %sum.next = fadd float %sum, %v
  %k.next = add nuw i64 %k, 1
  br label %loop
x.next:
  %out.x = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %sum, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
