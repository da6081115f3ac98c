; Vectors of one number come from memory where a loop has too few registers.
; RUN: weft-opt --passes='sink-broadcasts,verify' -weft-register-count=2 -weft-register-bits=128 -S %s | FileCheck %s
; RUN: weft-opt --passes='sink-broadcasts,verify' -weft-register-count=22 -weft-register-bits=128 -S %s | FileCheck %s --check-prefix=ROOM

; A loaded number is loaded in the loop; each use has its own.
; CHECK-LABEL: define void @loaded(
; CHECK: loop:
; CHECK: %[[FIRST:.*]] = load float, ptr addrspace(3) %factors
; CHECK-NEXT: insertelement <4 x float> poison, float %[[FIRST]], i64 0
; CHECK-NEXT: shufflevector
; CHECK-NEXT: %scaled = fmul
; CHECK: load float, ptr addrspace(3) %second
; CHECK: %sum = fadd
; ROOM-LABEL: define void @loaded(
; ROOM: loop:
; ROOM-NOT: load float,
; ROOM: {{^}}}
define void @loaded(ptr addrspace(3) %factors, ptr addrspace(1) %out, <4 x float> %x) {
entry:
  %second = getelementptr i8, ptr addrspace(3) %factors, i64 4
  %a = load float, ptr addrspace(3) %factors
  %a.0 = insertelement <4 x float> poison, float %a, i64 0
  %a.all = shufflevector <4 x float> %a.0, <4 x float> poison, <4 x i32> zeroinitializer
  %b = load float, ptr addrspace(3) %second
  %b.0 = insertelement <4 x float> poison, float %b, i64 0
  %b.all = shufflevector <4 x float> %b.0, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %i
  %old = load <4 x float>, ptr addrspace(1) %place
  %scaled = fmul <4 x float> %old, %a.all
  %moved = fadd <4 x float> %scaled, %x
  %sum = fadd <4 x float> %moved, %b.all
  store <4 x float> %sum, ptr addrspace(1) %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %done

done:
  ret void
}

; Lanes of one vector lie on the stack, where it is stored once.
; CHECK-LABEL: define void @lanes(
; CHECK: %[[SLOT:.*]] = alloca <4 x float>
; CHECK: store <4 x float> %y, ptr %[[SLOT]]
; CHECK-NOT: store
; CHECK: loop:
; CHECK: %[[PLACE:.*]] = getelementptr inbounds float, ptr %[[SLOT]], i64 1
; CHECK-NEXT: load float, ptr %[[PLACE]]
; CHECK: %[[OTHER:.*]] = getelementptr inbounds float, ptr %[[SLOT]], i64 3
; CHECK-NEXT: load float, ptr %[[OTHER]]
; ROOM-LABEL: define void @lanes(
; ROOM-NOT: alloca
; ROOM: {{^}}}
define void @lanes(ptr addrspace(1) %out, <4 x float> %x, <4 x float> %y) {
entry:
  %a.all = shufflevector <4 x float> %y, <4 x float> poison, <4 x i32> <i32 1, i32 1, i32 1, i32 1>
  %b = extractelement <4 x float> %y, i64 3
  %b.0 = insertelement <4 x float> poison, float %b, i64 0
  %b.all = shufflevector <4 x float> %b.0, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %i
  %old = load <4 x float>, ptr addrspace(1) %place
  %scaled = fmul <4 x float> %old, %a.all
  %moved = fadd <4 x float> %scaled, %x
  %sum = fadd <4 x float> %moved, %b.all
  store <4 x float> %sum, ptr addrspace(1) %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %done

done:
  ret void
}

; The loop, or what comes before it, may write to the number's place; a volatile load is made once; a phi takes no operand from memory.
; CHECK-LABEL: define void @left(
; CHECK: load float, ptr addrspace(1) %in
; CHECK: store float 0.000000e+00, ptr addrspace(3) %factors
; CHECK: loop:
; CHECK-NOT: load float,
; CHECK: {{^}}}
define void @left(ptr addrspace(1) %in, ptr addrspace(3) %factors, ptr addrspace(3) %watched, ptr addrspace(2) %first, ptr addrspace(1) %out, <4 x float> %x) {
entry:
  %a = load float, ptr addrspace(1) %in
  %a.0 = insertelement <4 x float> poison, float %a, i64 0
  %a.all = shufflevector <4 x float> %a.0, <4 x float> poison, <4 x i32> zeroinitializer
  %b = load float, ptr addrspace(3) %factors
  %b.0 = insertelement <4 x float> poison, float %b, i64 0
  %b.all = shufflevector <4 x float> %b.0, <4 x float> poison, <4 x i32> zeroinitializer
  store float 0.0, ptr addrspace(3) %factors
  %c = load volatile float, ptr addrspace(3) %watched
  %c.0 = insertelement <4 x float> poison, float %c, i64 0
  %c.all = shufflevector <4 x float> %c.0, <4 x float> poison, <4 x i32> zeroinitializer
  %d = load float, ptr addrspace(3) %watched
  %d.0 = insertelement <4 x float> poison, float %d, i64 0
  %d.all = shufflevector <4 x float> %d.0, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %carried = phi <4 x float> [ %x, %entry ], [ %d.all, %loop ]
  %place = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %i
  %old = load <4 x float>, ptr addrspace(1) %place
  %p = fmul <4 x float> %old, %a.all
  %q = fadd <4 x float> %p, %b.all
  %r = fadd <4 x float> %q, %c.all
  %s = fadd <4 x float> %r, %carried
  store <4 x float> %s, ptr addrspace(1) %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %done

done:
  ret void
}
