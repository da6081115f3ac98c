; An inner loop: as many vectors side by side as its chain of operations takes to come to an end, if there are registers,
; then two, one, and the rest. Not where each lane steps through a row of memory, and not where the source's width was
; asked for.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -weft-register-bits=128 -weft-register-count=16 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @chain(
; CHECK: wide.before:
; CHECK:   and i64 %n, -16
; CHECK:   mul <16 x i32>
; CHECK: wide.rest:
; CHECK:   %[[REST:.*]] = phi i64
; CHECK:   %[[LIMIT:.*]] = and i64 %n, -8
; CHECK:   icmp ult i64 %[[REST]], %[[LIMIT]]
; CHECK:   mul <8 x i32>
; CHECK:   and i64 %n, -4
; CHECK:   mul <4 x i32>
define spir_kernel void @chain(ptr addrspace(1) %p, i64 %n, i32 %rounds) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  br label %loop
loop:
  %h = phi i32 [ %v, %x.loop ], [ %h3, %loop ]
  %i = phi i32 [ 0, %x.loop ], [ %i1, %loop ]
  %h1 = mul i32 %h, 12345
  %h2 = lshr i32 %h1, 3
  %h3 = xor i32 %h1, %h2
  %i1 = add i32 %i, 1
  %again = icmp ult i32 %i1, %rounds
  br i1 %again, label %loop, label %x.next
x.next:
  store i32 %h3, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Few iterations of the inner loop: the CPU overlaps two vector iterations by itself.
; CHECK-LABEL: define spir_kernel void @few_rounds(
; CHECK-NOT: <8 x
; CHECK: and i64 %n, -4
; CHECK: mul <4 x i32>
; CHECK-NOT: <8 x
; CHECK: {{^}}}
define spir_kernel void @few_rounds(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  br label %loop
loop:
  %h = phi i32 [ %v, %x.loop ], [ %h3, %loop ]
  %i = phi i32 [ 0, %x.loop ], [ %i1, %loop ]
  %h1 = mul i32 %h, 12345
  %h2 = lshr i32 %h1, 3
  %h3 = xor i32 %h1, %h2
  %i1 = add i32 %i, 1
  %again = icmp ult i32 %i1, 4
  br i1 %again, label %loop, label %x.next
x.next:
  store i32 %h3, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Of few rounds, but whose chain fills the CPU's schedulers.
; CHECK-LABEL: define spir_kernel void @waiting_rounds(
; CHECK: and i64 %n, -16
; CHECK: mul <16 x i32>
; CHECK: and i64 %n, -4
; CHECK: mul <4 x i32>
define spir_kernel void @waiting_rounds(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  br label %loop
loop:
  %h = phi i32 [ %v, %x.loop ], [ %h3, %loop ]
  %i = phi i32 [ 0, %x.loop ], [ %i1, %loop ]
  %h1 = mul i32 %h, 12345
  %h2 = lshr i32 %h1, 3
  %h3 = xor i32 %h1, %h2
  %i1 = add i32 %i, 1
  %again = icmp ult i32 %i1, 12
  br i1 %again, label %loop, label %x.next
x.next:
  store i32 %h3, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; The same without a loop; a chain that is not so long stays one vector.
; CHECK-LABEL: define spir_kernel void @straight(
; CHECK: and i64 %n, -32
; CHECK: mul <32 x i32>
; CHECK: and i64 %n, -4
; CHECK: mul <4 x i32>
define spir_kernel void @straight(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %h0 = mul i32 %v, %v
  %h1 = mul i32 %h0, %h0
  %h2 = mul i32 %h1, %h1
  %h3 = mul i32 %h2, %h2
  %h4 = mul i32 %h3, %h3
  %h5 = mul i32 %h4, %h4
  %h6 = mul i32 %h5, %h5
  %h7 = mul i32 %h6, %h6
  %h8 = mul i32 %h7, %h7
  store i32 %h8, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @straight_and_short(
; CHECK-NOT: <8 x
; CHECK: and i64 %n, -4
; CHECK: mul <4 x i32>
; CHECK-NOT: <8 x
; CHECK: {{^}}}
define spir_kernel void @straight_and_short(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %h0 = mul i32 %v, %v
  %h1 = mul i32 %h0, %h0
  %h2 = mul i32 %h1, %h1
  %h3 = mul i32 %h2, %h2
  %h4 = mul i32 %h3, %h3
  %h5 = mul i32 %h4, %h4
  %h6 = mul i32 %h5, %h5
  %h7 = mul i32 %h6, %h6
  store i32 %h7, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A polynomial: as many as there are registers for, its coefficients' too.
; CHECK-LABEL: define spir_kernel void @few_numbers(
; CHECK: and i64 %n, -16
; CHECK: fmul <16 x float>
; CHECK: and i64 %n, -4
; CHECK: fmul <4 x float>
define spir_kernel void @few_numbers(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  %v = load float, ptr addrspace(1) %p.x
  %m0 = fmul float %v, %v
  %a0 = fadd float %m0, 1.0
  %m1 = fmul float %a0, %v
  %a1 = fadd float %m1, 2.0
  %m2 = fmul float %a1, %v
  %a2 = fadd float %m2, 1.0
  %m3 = fmul float %a2, %v
  %a3 = fadd float %m3, 2.0
  %m4 = fmul float %a3, %v
  %a4 = fadd float %m4, 1.0
  %m5 = fmul float %a4, %v
  %a5 = fadd float %m5, 2.0
  %m6 = fmul float %a5, %v
  %a6 = fadd float %m6, 1.0
  %m7 = fmul float %a6, %v
  %a7 = fadd float %m7, 2.0
  %m8 = fmul float %a7, %v
  %a8 = fadd float %m8, 1.0
  %m9 = fmul float %a8, %v
  %a9 = fadd float %m9, 2.0
  %m10 = fmul float %a9, %v
  %a10 = fadd float %m10, 1.0
  %m11 = fmul float %a10, %v
  %a11 = fadd float %m11, 2.0
  %m12 = fmul float %a11, %v
  %a12 = fadd float %m12, 1.0
  store float %a12, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @many_numbers(
; CHECK-NOT: <8 x
; CHECK: and i64 %n, -4
; CHECK: fmul <4 x float>
; CHECK-NOT: <8 x
; CHECK: {{^}}}
define spir_kernel void @many_numbers(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  %v = load float, ptr addrspace(1) %p.x
  %m0 = fmul float %v, %v
  %a0 = fadd float %m0, 1.0
  %m1 = fmul float %a0, %v
  %a1 = fadd float %m1, 2.0
  %m2 = fmul float %a1, %v
  %a2 = fadd float %m2, 3.0
  %m3 = fmul float %a2, %v
  %a3 = fadd float %m3, 4.0
  %m4 = fmul float %a3, %v
  %a4 = fadd float %m4, 5.0
  %m5 = fmul float %a4, %v
  %a5 = fadd float %m5, 6.0
  %m6 = fmul float %a5, %v
  %a6 = fadd float %m6, 7.0
  %m7 = fmul float %a6, %v
  %a7 = fadd float %m7, 8.0
  %m8 = fmul float %a7, %v
  %a8 = fadd float %m8, 9.0
  %m9 = fmul float %a8, %v
  %a9 = fadd float %m9, 10.0
  %m10 = fmul float %a9, %v
  %a10 = fadd float %m10, 11.0
  %m11 = fmul float %a10, %v
  %a11 = fadd float %m11, 12.0
  %m12 = fmul float %a11, %v
  %a12 = fadd float %m12, 13.0
  store float %a12, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A sum of squares waits for its additions only: two.
; CHECK-LABEL: define spir_kernel void @short_chain(
; CHECK: wide.before:
; CHECK:   and i64 %n, -8
; CHECK:   mul <8 x i32>
; CHECK: wide.rest:
; CHECK:   and i64 %n, -4
; CHECK:   mul <4 x i32>
define spir_kernel void @short_chain(ptr addrspace(1) %p, i64 %n, i32 %rounds) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  br label %loop
loop:
  %sum = phi i32 [ %v, %x.loop ], [ %sum1, %loop ]
  %i = phi i32 [ 0, %x.loop ], [ %i1, %loop ]
  %u = xor i32 %v, %i
  %square = mul i32 %u, %u
  %sum1 = add i32 %sum, %square
  %i1 = add i32 %i, 1
  %again = icmp ult i32 %i1, %rounds
  br i1 %again, label %loop, label %x.next
x.next:
  store i32 %sum1, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK-NOT: <8 x
; CHECK: and i64 %n, -4
define spir_kernel void @rows(ptr addrspace(1) %p, i64 %n, i64 %columns) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %row = mul i64 %x, %columns
  br label %loop
loop:
  %sum = phi i32 [ 0, %x.loop ], [ %sum1, %loop ]
  %i = phi i64 [ 0, %x.loop ], [ %i1, %loop ]
  %at = add i64 %row, %i
  %p.at = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %at
  %v = load i32, ptr addrspace(1) %p.at
  %sum1 = add i32 %sum, %v
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %columns
  br i1 %again, label %loop, label %x.next
x.next:
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  store i32 %sum1, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @forced(
; CHECK-NOT: <8 x
; CHECK: and i64 %n, -4
define spir_kernel void @forced(ptr addrspace(1) %p, i64 %n, i32 %rounds) #1 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  br label %loop
loop:
  %h = phi i32 [ %v, %x.loop ], [ %h1, %loop ]
  %i = phi i32 [ 0, %x.loop ], [ %i1, %loop ]
  %h1 = mul i32 %h, 12345
  %i1 = add i32 %i, 1
  %again = icmp ult i32 %i1, %rounds
  br i1 %again, label %loop, label %x.next
x.next:
  store i32 %h1, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A private array that may become values takes registers: one vector's elements fit them, two vectors' do not.
; CHECK-LABEL: define spir_kernel void @array(
; CHECK-NOT: <8 x
; CHECK: and i64 %n, -4
; CHECK: mul <4 x i32>
; CHECK-NOT: <8 x
; CHECK: {{^}}}
define spir_kernel void @array(ptr addrspace(1) %p, i64 %n, i32 %rounds) #0 {
entry:
  %own = alloca [12 x i32]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  br label %loop
loop:
  %h = phi i32 [ %v, %x.loop ], [ %h3, %loop ]
  %i = phi i32 [ 0, %x.loop ], [ %i1, %loop ]
  %h1 = mul i32 %h, 12345
  %h2 = lshr i32 %h1, 3
  %own.i = getelementptr inbounds i32, ptr %own, i32 %i
  %old = load i32, ptr %own.i
  %h3 = xor i32 %old, %h2
  store i32 %h1, ptr %own.i
  %i1 = add i32 %i, 1
  %again = icmp ult i32 %i1, %rounds
  br i1 %again, label %loop, label %x.next
x.next:
  store i32 %h3, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
attributes #1 = { "weft-vector-width"="4" "weft-forced-width"="1" }

!0 = !{}
