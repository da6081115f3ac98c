; On a CPU without gathers scattered loads of a vector cost more than those of a work-item: not widened where
; there is nothing else to gain, and a mask is asked once for all of them where there is.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=haswell -S %s | FileCheck --check-prefixes=CHECK,LANES %s
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck --check-prefixes=CHECK,GATHERS %s

; CHECK-LABEL: define spir_kernel void @lookups(
; LANES-NOT: masked.gather
; GATHERS: masked.gather
; CHECK: ret void
define spir_kernel void @lookups(ptr addrspace(1) %table, ptr addrspace(1) %i, ptr addrspace(1) %out, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.i = getelementptr inbounds i32, ptr addrspace(1) %i, i64 %x
  %first = load i32, ptr addrspace(1) %p.i
  %first.far = sext i32 %first to i64
  %p.a = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %first.far
  %a = load i32, ptr addrspace(1) %p.a
  %a.far = sext i32 %a to i64
  %p.b = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %a.far
  %b = load i32, ptr addrspace(1) %p.b
  %p.out = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %x
  store i32 %b, ptr addrspace(1) %p.out
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.end, !weft.item.loop !0
out.end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @guarded(
; LANES: some.lanes:
; LANES-NEXT: masked.gather{{.*}} <8 x i1> %
; LANES: all.lanes:
; LANES-NEXT: masked.gather{{.*}} splat (i1 true)
; GATHERS-NOT: all.lanes
; GATHERS: masked.gather{{.*}} <8 x i1> %
; CHECK: ret void
define spir_kernel void @guarded(ptr addrspace(1) %table, ptr addrspace(1) %v, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds float, ptr addrspace(1) %v, i64 %x
  %r = load float, ptr addrspace(1) %p
  %r2 = fmul float %r, %r
  %r3 = fadd float %r2, %r
  %r4 = fmul float %r3, %r2
  %r5 = fadd float %r4, %r3
  %r6 = fmul float %r5, %r4
  %r7 = fadd float %r6, %r5
  %r8 = fmul float %r7, %r6
  %r9 = fadd float %r8, %r7
  %r10 = fmul float %r9, %r8
  %test = fcmp ogt float %r10, 0.0
  br i1 %test, label %then, label %x.next
then:
  %number = fptosi float %r10 to i32
  %low = and i32 %number, 255
  %far = zext i32 %low to i64
  %p.t = getelementptr inbounds float, ptr addrspace(1) %table, i64 %far
  %t = load float, ptr addrspace(1) %p.t
  %s = fadd float %t, %r10
  br label %x.next
x.next:
  %value = phi float [ %r10, %x.loop ], [ %s, %then ]
  store float %value, ptr addrspace(1) %p
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="8" }
!0 = !{}
