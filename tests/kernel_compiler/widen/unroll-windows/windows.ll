; Loops with transposed loads go through whole windows, whose places are known; the first loop is left with the rest.
; RUN: weft-opt --passes='widen-loops,unroll-windows,verify' -weft-register-bits=128 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK: %[[WINDOW:.*]] = alloca [4 x <4 x float>]
; CHECK: x.loop.wide:
; CHECK:   %[[WHOLE:.*]] = and i64 %n, -4
; CHECK:   %[[NONE:.*]] = icmp eq i64 %[[WHOLE]], 0
; CHECK:   br i1 %[[NONE]], label %windows.rest, label %windows
; CHECK: windows:
; CHECK:   phi i64 [ 0, %x.loop.wide ], [ %[[DONE:.*]], %[[LAST:.*]] ]
; CHECK:   phi <4 x float> [ zeroinitializer, %x.loop.wide ], [ %{{.*}}, %[[LAST]] ]
; CHECK-NOT: br i1
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1)
; CHECK-COUNT-4: store <4 x float> %{{.*}}, ptr %{{.*}}
; CHECK:   %[[PLACE:.*]] = getelementptr inbounds <4 x float>, ptr %[[WINDOW]], i64 0
; CHECK:   load <4 x float>, ptr %[[PLACE]]
; CHECK-NOT: br i1
; CHECK-NOT: load <4 x float>, ptr addrspace(1)
; CHECK:   %[[LAST_PLACE:.*]] = getelementptr inbounds <4 x float>, ptr %[[WINDOW]], i64 3
; CHECK:   load <4 x float>, ptr %[[LAST_PLACE]]
; CHECK: [[LAST]]:
; CHECK:   %[[END:.*]] = icmp eq i64 %[[DONE]], %[[WHOLE]]
; CHECK:   br i1 %[[END]], label %windows.rest, label %windows
; No whole window is left.
; CHECK: body.wide:
; CHECK:   br i1 false, label %window.inside, label %window.none
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

; The iteration that leaves the loop behind its load stays in the first loop.
; CHECK-LABEL: define spir_kernel void @at_end(
; CHECK: x.loop.wide:
; CHECK:   %[[WHOLE:.*]] = and i64 %umax, -4
; CHECK:   %[[FEWER:.*]] = call i64 @llvm.usub.sat.i64(i64 %[[WHOLE]], i64 1)
; CHECK:   %[[BOUND:.*]] = and i64 %[[FEWER]], -4
; CHECK:   icmp eq i64 %[[BOUND]], 0
; CHECK:   icmp eq i64 %{{.*}}, %[[BOUND]]
; CHECK:   %[[INSIDE:.*]] = icmp ult i64 %{{.*}}, %[[WHOLE]]
; CHECK:   br i1 %[[INSIDE]], label %window.inside, label %window.none
; CHECK: wide.after:
define spir_kernel void @at_end(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %row = mul i64 %x, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %x.loop ], [ %sum.next, %loop ]
  %at = add i64 %row, %k
  %a.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %a.at
  %sum.next = fadd float %sum, %v
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %x.next
x.next:
  %out.x = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %sum.next, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

; Loops with atomic operations stay as they are.
; CHECK-LABEL: define spir_kernel void @atomic(
; CHECK-NOT: windows
; CHECK: window.fill:
; CHECK-NOT: windows
; CHECK: wide.after:
define spir_kernel void @atomic(ptr addrspace(1) noalias readonly %a, ptr addrspace(1) noalias %out, i64 %n, i64 %items) #0 {
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
  %old = atomicrmw fadd ptr addrspace(1) %out, float %v monotonic
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

; So do those behind a mask.
; CHECK-LABEL: define spir_kernel void @masked(
; CHECK-NOT: windows
; CHECK: window.fill:
; CHECK-NOT: windows
; CHECK: wide.after:
define spir_kernel void @masked(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %b.x = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %x
  %row = load i32, ptr addrspace(1) %b.x
  %some = icmp sgt i32 %row, 5
  br i1 %some, label %loop, label %x.next
loop:
  %k = phi i32 [ 0, %x.loop ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %x.loop ], [ %sum.next, %loop ]
  %at = add nsw i32 %row, %k
  %wide = sext i32 %at to i64
  %a.at = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %wide
  %v = load i32, ptr addrspace(1) %a.at
  %sum.next = add i32 %sum, %v
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %store
store:
  store i32 %sum.next, ptr addrspace(1) %b.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
