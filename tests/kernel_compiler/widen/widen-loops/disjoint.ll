; Where lanes know that x has none of the bits of 3, x + 3 may be written x | 3. The lanes' sums are told from lane 0's, which
; may know nothing of the kind.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -weft-register-bits=128 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @fourths(
; CHECK: loop.wide:
; CHECK-NOT: or i64
; CHECK: add i64 %{{.*}}, 3
; CHECK-NOT: or i64
; CHECK: {{^}}}
define spir_kernel void @fourths(ptr addrspace(1) %p, i64 %first, i64 %n) #0 {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %step, %next ]
  %id = add i64 %first, %x
  %low = and i64 %id, 3
  %is.fourth = icmp eq i64 %low, 0
  br i1 %is.fourth, label %fourth, label %next
fourth:
  %sum = or disjoint i64 %id, 3
  br label %next
next:
  %value = phi i64 [ 0, %loop ], [ %sum, %fourth ]
  %at = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %x
  store i64 %value, ptr addrspace(1) %at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!0 = !{}
