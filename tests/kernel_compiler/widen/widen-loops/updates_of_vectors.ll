; A number that is made of a vector's elements is taken from the vector of all lanes' numbers.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @pairs(
; CHECK: x.loop.wide:
; CHECK: atomicrmw add ptr addrspace(3) {{.*}}, i32 %{{.*}} monotonic
; CHECK: atomicrmw add ptr addrspace(3)
; CHECK: atomicrmw add ptr addrspace(3)
; CHECK: atomicrmw add ptr addrspace(3)
; CHECK: wide.after:
define spir_kernel void @pairs(ptr addrspace(1) %p, ptr addrspace(3) %h, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds i16, ptr addrspace(1) %p, i64 %x
  %v = load i16, ptr addrspace(1) %p.x
  %first = insertelement <2 x i16> poison, i16 %v, i64 0
  %both = insertelement <2 x i16> %first, i16 7, i64 1
  %number = bitcast <2 x i16> %both to i32
  %index = zext i32 %number to i64
  %h.at = getelementptr inbounds i32, ptr addrspace(3) %h, i64 %index
  %old = atomicrmw add ptr addrspace(3) %h.at, i32 %number monotonic
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
