; More lanes than an integer of 64 bits has bits.
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=512 -weft-register-count=64 -S %s | FileCheck %s

; The last lane that runs stores.
; CHECK-LABEL: define spir_kernel void @last(
; CHECK: mul <128 x i32>
; CHECK: %[[ZEROS:.*]] = call {{.*}}i128 @llvm.ctlz.i128(i128 %{{.*}}, i1 false)
; CHECK: %[[CUT:.*]] = trunc i128 %[[ZEROS]] to i64
; CHECK: %[[LANE:.*]] = sub i64 127, %[[CUT]]
; CHECK: %[[VALUE:.*]] = extractelement <128 x i32> %{{.*}}, i64 %[[LANE]]
; CHECK: store i32 %[[VALUE]], ptr addrspace(1) %q
; CHECK: call {{.*}} @llvm.ctlz.i32
; CHECK: sub i64 31
define spir_kernel void @last(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i32 %rounds) #0 {
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
  br i1 %again, label %loop, label %found
found:
  %is = icmp eq i32 %h3, 7
  br i1 %is, label %then, label %x.next
then:
  store i32 %h3, ptr addrspace(1) %q
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="16" }

!0 = !{}
