; What all work-items of a row compute alike is done once for several vectors, where it is most of the work; and once for each vector where it
; is little. Where lanes' own stores take long, by fewer.
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=128 -mtriple=x86_64 -mcpu=skylake-avx512 -S %s \
; RUN:   | FileCheck %s

; CHECK-LABEL: define spir_kernel void @most(
; CHECK: and i64 %n, -32
; CHECK: loop.wide:
; CHECK:   load float, ptr addrspace(1)
; CHECK-NOT: load
; CHECK:   call float @llvm.fmuladd
; CHECK: store <32 x float>
; CHECK: and i64 %n, -8
; CHECK: and i64 %n, -4
define spir_kernel void @most(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %m, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %loop
loop:
  %sum = phi float [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i64 [ 0, %x.loop ], [ %k1, %loop ]
  %p.at = getelementptr inbounds float, ptr addrspace(1) %p, i64 %k
  %a = load float, ptr addrspace(1) %p.at
  %sum1 = call float @llvm.fmuladd.f32(float %sum, float 0.5, float %a)
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %m
  br i1 %again, label %loop, label %x.next
x.next:
  %q.at = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %sum1, ptr addrspace(1) %q.at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @half(
; CHECK: and i64 %n, -4
; CHECK-NOT: and i64 %n
define spir_kernel void @half(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %a = load float, ptr addrspace(1) %p
  %b = fmul float %a, 3.0
  %q.at = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  %c = load float, ptr addrspace(1) %q.at
  %d = fadd float %b, %c
  store float %d, ptr addrspace(1) %q.at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @stores(
; CHECK: and i64 %n, -8
; CHECK: and i64 %n, -4
; CHECK-NOT: and i64 %n
define spir_kernel void @stores(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r, ptr addrspace(1) %s, i64 %m, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %loop
loop:
  %sum = phi double [ 0.0, %x.loop ], [ %sum1, %loop ]
  %k = phi i64 [ 0, %x.loop ], [ %k1, %loop ]
  %p.at = getelementptr inbounds double, ptr addrspace(1) %p, i64 %k
  %a = load double, ptr addrspace(1) %p.at
  %b = fmul double %a, %a
  %c = fadd double %b, %a
  %d = fmul double %c, %b
  %sum1 = fadd double %sum, %d
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, 10
  br i1 %again, label %loop, label %x.next
x.next:
  %q.at = getelementptr inbounds double, ptr addrspace(1) %q, i64 %x
  store double %sum1, ptr addrspace(1) %q.at
  %r.at = getelementptr inbounds double, ptr addrspace(1) %r, i64 %x
  store double %sum1, ptr addrspace(1) %r.at
  %s.at = getelementptr inbounds double, ptr addrspace(1) %s, i64 %x
  store double %sum1, ptr addrspace(1) %s.at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)

attributes #0 = { "weft-vector-width"="4" }
!0 = !{}
