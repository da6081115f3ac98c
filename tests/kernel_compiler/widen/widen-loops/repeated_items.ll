; Work-items that whole vectors leave are one vector more, which runs some of those before them again, where that changes no result: where
; arguments are told apart by the launch (copied) or by the source (restricted). Not where a work-item loads what it or another one has stored
; (in_place, neighbours), where it does something else than store (counted), where cycles are counted (cycles), or where lanes' numbers follow
; from that vectors begin at multiples of the width (columns, parts).
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @copied(
; CHECK: wide.before:
; CHECK:   [[LIMIT:%.*]] = and i64 %n, -4
; CHECK:   br i1 %{{.*}}, label %wide.enter, label %wide.rest
; CHECK: wide.enter:
; CHECK:   [[FIRST:%.*]] = phi i64 [ 0, %wide.before ], [ [[LAST:%.*]], %wide.again ]
; CHECK:   [[END:%.*]] = phi i64 [ [[LIMIT]], %wide.before ], [ %n, %wide.again ]
; CHECK: x.loop.wide:
; CHECK:   phi i64 [ [[FIRST]], %wide.enter ], [ [[NEXT:%.*]], %x.loop.wide ]
; CHECK:   load <4 x i32>
; CHECK:   [[MORE:%.*]] = icmp ult i64 [[NEXT]], [[END]]
; CHECK:   br i1 [[MORE]], label %x.loop.wide, label %wide.after
; CHECK: wide.after:
; CHECK:   [[LEFT:%.*]] = icmp ult i64 [[END]], %n
; CHECK:   br i1 [[LEFT]], label %wide.again, label %out
; CHECK: wide.again:
; CHECK:   [[LAST]] = sub i64 %n, 4
; CHECK:   [[COUNT:%.*]] = sub i64 %n, [[END]]
; CHECK:   [[MANY:%.*]] = icmp uge i64 [[COUNT]], 2
; CHECK:   [[APART:%.*]] = call i1 @__weft_apart()
; CHECK:   [[AGAIN:%.*]] = and i1 [[APART]], [[MANY]]
; CHECK:   br i1 [[AGAIN]], label %wide.enter, label %wide.rest
; CHECK: wide.rest:
; CHECK:   phi i64 [ 0, %wide.before ], [ [[END]], %wide.again ]
define spir_kernel void @copied(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %v = load i32, ptr addrspace(1) %from
  %w = mul i32 %v, 3
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %w, ptr addrspace(1) %to
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @restricted(
; CHECK-NOT: @__weft_apart
; CHECK: wide.again:
; CHECK-NOT: @__weft_apart
; CHECK: {{^}}}
define spir_kernel void @restricted(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %v = load i32, ptr addrspace(1) %from
  %w = mul i32 %v, 3
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %w, ptr addrspace(1) %to
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @in_place(
; CHECK: load <4 x i32>
; CHECK-NOT: wide.again
; CHECK: {{^}}}
define spir_kernel void @in_place(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %from
  %w = mul i32 %v, 3
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %w, ptr addrspace(1) %to
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @neighbours(
; CHECK: load <4 x i32>
; CHECK-NOT: wide.again
; CHECK: {{^}}}
define spir_kernel void @neighbours(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  %p.far = getelementptr inbounds i32, ptr addrspace(1) %p, i64 4096
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %p.far, i64 %x
  %v = load i32, ptr addrspace(1) %from
  %w = mul i32 %v, 3
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %w, ptr addrspace(1) %to
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @counted(
; CHECK: load <4 x i32>
; CHECK-NOT: wide.again
; CHECK: {{^}}}
define spir_kernel void @counted(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n) #0 {
entry:
  %p.count = getelementptr inbounds i32, ptr addrspace(1) %q, i64 4096
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %v = load i32, ptr addrspace(1) %from
  %w = mul i32 %v, 3
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %w, ptr addrspace(1) %to
  %old = atomicrmw add ptr addrspace(1) %p.count, i32 1 monotonic
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @cycles(
; CHECK: load <4 x i32>
; CHECK-NOT: wide.again
; CHECK: {{^}}}
define spir_kernel void @cycles(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n) #1 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %v = load i32, ptr addrspace(1) %from
  %w = mul i32 %v, 3
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %w, ptr addrspace(1) %to
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @columns(
; CHECK: load <4 x i32>
; CHECK-NOT: wide.again
; CHECK: {{^}}}
define spir_kernel void @columns(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %number = and i64 %x, 31
  %column = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %number
  %v = load i32, ptr addrspace(1) %column
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %u = load i32, ptr addrspace(1) %from
  %w = mul i32 %v, %u
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %w, ptr addrspace(1) %to
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @parts(
; CHECK: load <4 x i32>
; CHECK-NOT: wide.again
; CHECK: {{^}}}
define spir_kernel void @parts(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %number = lshr i64 %x, 5
  %column = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %number
  %v = load i32, ptr addrspace(1) %column
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  %u = load i32, ptr addrspace(1) %from
  %w = mul i32 %v, %u
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %w, ptr addrspace(1) %to
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
attributes #1 = { "weft-vector-width"="4" "weft-forced-width"="1" "weft-kernel-flags"="64" }
!0 = !{}
