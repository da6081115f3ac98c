; Lanes that go through memory, each from another start: the elements of several iterations are loaded at once, a vector for
; each lane, and transposed to one for each iteration.
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=128 -S %s | FileCheck %s
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=256 -S %s | FileCheck --check-prefix=REST %s
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=512 -S %s | FileCheck --check-prefix=AHEAD %s

; The last iterations, too few for a window, gather.
; CHECK-LABEL: define spir_kernel void @rows(
; CHECK: %[[WINDOW:.*]] = alloca [4 x <4 x float>]
; CHECK: x.loop.wide:
; CHECK:   %[[WHOLE:.*]] = and i64 %n, -4
; CHECK:   %[[STARTS:.*]] = getelementptr float, ptr addrspace(1) %a, <4 x i64>
; CHECK: body.wide:
; CHECK:   %[[INSIDE:.*]] = icmp ult i64 %[[ROUND:.*]], %[[WHOLE]]
; CHECK:   br i1 %[[INSIDE]], label %window.inside, label %window.none
; CHECK: window.inside:
; CHECK:   %[[PLACE:.*]] = and i64 %[[ROUND]], 3
; CHECK:   %[[FIRST:.*]] = icmp eq i64 %[[PLACE]], 0
; CHECK:   br i1 %[[FIRST]], label %window.fill, label %window.take
; CHECK: window.fill:
; CHECK:   %[[OFFSET:.*]] = mul i64 %[[ROUND]], 4
; CHECK:   %[[LANE:.*]] = extractelement <4 x ptr addrspace(1)> %[[STARTS]], i64 0
; CHECK:   getelementptr i8, ptr addrspace(1) %[[LANE]], i64 %[[OFFSET]]
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1) %{{.*}}, align 4
; CHECK:   shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
; CHECK:   shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
; CHECK-COUNT-4: store <4 x float>
; CHECK: window.take:
; CHECK:   getelementptr inbounds <4 x float>, ptr %[[WINDOW]], i64 %[[PLACE]]
; CHECK:   load <4 x float>
; CHECK: window.none:
; CHECK:   call <4 x float> @llvm.masked.gather
; CHECK: loaded:
; CHECK:   phi <4 x float> [ {{.*}}, %window.take ], [ {{.*}}, %window.none ]
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

; Behind a mask, a lane that does not run gets the place of one that does. The index has 32 bits; the loop is tested at its
; end, so it has one more iteration than it goes back.
; CHECK-LABEL: define spir_kernel void @masked(
; CHECK: alloca [4 x <4 x i32>]
; CHECK:   %[[TIMES:.*]] = call i64 @llvm.umax.i64(i64 %{{.*}}, i64 1)
; CHECK:   and i64 %[[TIMES]], -4
; CHECK: window.fill:
; CHECK:   %[[SOME:.*]] = extractelement <4 x ptr addrspace(1)> %[[STARTS:.*]], i64 %
; CHECK:   select <4 x i1> %{{.*}}, <4 x ptr addrspace(1)> %[[STARTS]], <4 x ptr addrspace(1)>
; CHECK-COUNT-4: load <4 x i32>, ptr addrspace(1) %{{.*}}, align 4
; CHECK: window.none:
; CHECK:   call <4 x i32> @llvm.masked.gather{{.*}}(<4 x ptr addrspace(1)> align 4 %{{.*}}, <4 x i1> %{{.*}},
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

; What the loop may write is not read before its time.
; CHECK-LABEL: define spir_kernel void @written(
; CHECK-NOT: alloca
; CHECK:   call <4 x float> @llvm.masked.gather
; CHECK: wide.after:
define spir_kernel void @written(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %row = mul i64 %x, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %loop ]
  %at = add i64 %row, %k
  %a.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %a.at
  %out.at = getelementptr inbounds float, ptr addrspace(1) %out, i64 %at
  store float %v, ptr addrspace(1) %out.at
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

; A load that some lanes leave out, and loops whose number of iterations is not known.
; CHECK-LABEL: define spir_kernel void @sometimes(
; CHECK-NOT: alloca [
; CHECK: wide.after:
define spir_kernel void @sometimes(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %row = mul i64 %x, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %next ]
  %sum = phi float [ 0.0, %x.loop ], [ %sum.next, %next ]
  %at = add i64 %row, %k
  %less = fcmp olt float %sum, 8.0
  br i1 %less, label %add, label %next
add:
  %a.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %a.at
  %added = fadd float %sum, %v
  br label %next
next:
  %sum.next = phi float [ %sum, %loop ], [ %added, %add ]
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %until
until:
  %u = phi i64 [ 0, %next ], [ %u.next, %until ]
  %b.sum = phi float [ %sum.next, %next ], [ %b.next, %until ]
  %b.row = add i64 %row, %u
  %b.at = getelementptr inbounds float, ptr addrspace(1) %out, i64 %b.row
  %w = load float, ptr addrspace(1) %b.at
  %b.next = fadd float %b.sum, %w
  %u.next = add nuw i64 %u, 1
  %end.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %u
  %limit = load float, ptr addrspace(1) %end.at
  %on = fcmp olt float %limit, 1.0
  br i1 %on, label %until, label %x.next
x.next:
  %out.x = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %b.next, ptr addrspace(1) %out.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

; Elements that lie side by side, those that all lanes share, and too few iterations.
; CHECK-LABEL: define spir_kernel void @others(
; CHECK-NOT: alloca [
; CHECK: wide.after:
define spir_kernel void @others(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, i64 %items) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %row = mul i64 %x, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %x.loop ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %x.loop ], [ %sum.next, %loop ]
  %at = add i64 %x, %k
  %a.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %a.at
  %b.at = getelementptr inbounds float, ptr addrspace(1) %b, i64 %k
  %w = load float, ptr addrspace(1) %b.at
  %vw = fmul float %v, %w
  %sum.next = fadd float %sum, %vw
  %k.next = add nuw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %few
few:
  %f = phi i64 [ 0, %loop ], [ %f.next, %few ]
  %f.sum = phi float [ %sum.next, %loop ], [ %f.sum.next, %few ]
  %f.row = add i64 %row, %f
  %f.at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %f.row
  %u = load float, ptr addrspace(1) %f.at
  %f.sum.next = fadd float %f.sum, %u
  %f.next = add nuw i64 %f, 1
  %f.again = icmp ult i64 %f.next, 3
  br i1 %f.again, label %few, label %x.next
x.next:
  %b.x = getelementptr inbounds float, ptr addrspace(1) %b, i64 %x
  store float %f.sum.next, ptr addrspace(1) %b.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %items
  br i1 %more, label %x.loop, label %end, !weft.item.loop !0
end:
  ret void
}

; Behind the last window of eight, four iterations at once, which take their places in it.
; REST-LABEL: define spir_kernel void @eight_lanes(
; REST: %[[WINDOW:.*]] = alloca [8 x <8 x float>]
; REST:   %[[WHOLE:.*]] = and i64 %n, -8
; REST:   %[[MOST:.*]] = and i64 %n, -4
; REST:   %[[INSIDE:.*]] = icmp ult i64 %[[ROUND:.*]], %[[MOST]]
; REST: window.inside:
; REST:   %[[PLACE:.*]] = and i64 %[[ROUND]], 7
; REST:   icmp ult i64 %[[ROUND]], %[[WHOLE]]
; REST:   br i1 %{{.*}}, label %window.whole, label %window.rest
; REST: window.rest:
; REST:   %[[PART:.*]] = getelementptr inbounds <8 x float>, ptr %[[WINDOW]], i64 %[[PLACE]]
; REST:   and i64 %[[PLACE]], 3
; REST:   br i1 %{{.*}}, label %[[FILL:.*]], label %window.take
; REST: [[FILL]]:
; REST-COUNT-8: load <4 x float>, ptr addrspace(1) %{{.*}}, align 4
; REST:   getelementptr inbounds <8 x float>, ptr %[[PART]], i64 3
; REST:   store <8 x float>
define spir_kernel void @eight_lanes(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %items) #1 {
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

; A window of a cache line for each lane: the lines of the next but one are fetched with it, if there is one.
; AHEAD-LABEL: define spir_kernel void @sixteen_lanes(
; AHEAD:   %[[WHOLE:.*]] = and i64 %n, -16
; AHEAD: window.fill{{.*}}:
; AHEAD-NOT: prefetch
; AHEAD: window.fill{{.*}}:
; AHEAD:   %[[LATER:.*]] = add nuw i64 %{{.*}}, 32
; AHEAD:   %[[IS:.*]] = icmp ult i64 %[[LATER]], %[[WHOLE]]
; AHEAD:   br i1 %[[IS]], label %window.ahead, label %window.fetched
; AHEAD: window.ahead:
; AHEAD-COUNT-16: call void @llvm.prefetch.p1(ptr addrspace(1) %{{.*}}, i32 0, i32 3, i32 1)
; AHEAD: window.fetched:
; AHEAD-NOT: prefetch
; AHEAD: wide.after:
define spir_kernel void @sixteen_lanes(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %items) #2 {
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

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
attributes #1 = { "weft-vector-width"="8" "weft-forced-width"="1" }
attributes #2 = { "weft-vector-width"="16" "weft-forced-width"="1" }
!0 = !{}
