; Divisions in floating point take long: in a loop in which each waits for the one before, eight vectors side by side.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -weft-register-bits=256 -weft-register-count=32 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @divisions(
; CHECK: wide.before:
; CHECK:   and i64 %n, -32
; CHECK:   fdiv <32 x double>
; CHECK:   fdiv <4 x double>
define spir_kernel void @divisions(ptr addrspace(1) %p, i64 %n, i32 %rounds) #0 {
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
  %h1 = and i32 %h, 7
  %h2 = or i32 %h1, 3
  %h3 = udiv i32 123456, %h2
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

!0 = !{}
