; Atomic updates of one place by all lanes are one operation with the sum, or what else it is.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; What lanes find there is what the operation found and the sum of the lanes before. Under a mask only if a lane runs.
; CHECK-LABEL: define spir_kernel void @counters(
; CHECK: x.loop.wide:
; CHECK: %[[SUM:.*]] = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %[[V:.*]])
; CHECK: %[[OLD:.*]] = atomicrmw add ptr addrspace(1) %c, i32 %[[SUM]] monotonic
; CHECK: %[[ONE:.*]] = insertelement <4 x i32> poison, i32 %[[OLD]]
; CHECK: %[[ALL:.*]] = shufflevector <4 x i32> %[[ONE]]
; CHECK: add <4 x i32> %[[ALL]],
; CHECK: br i1 %any, label %then.body, label %x.next.wide
; CHECK: %[[SOME:.*]] = select <4 x i1> %{{.*}}, <4 x i32> %{{.*}}, <4 x i32> splat (i32 -2147483648)
; CHECK: %[[MAX:.*]] = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %[[SOME]])
; CHECK: atomicrmw max ptr addrspace(1) %c.max, i32 %[[MAX]] monotonic
; CHECK: wide.after:
define spir_kernel void @counters(ptr addrspace(1) %p, ptr addrspace(1) %c, ptr addrspace(1) %c.max, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %old = atomicrmw add ptr addrspace(1) %c, i32 %v monotonic
  store i32 %old, ptr addrspace(1) %p.x
  %is = icmp sgt i32 %v, 3
  br i1 %is, label %then, label %x.next
then:
  %unused = atomicrmw max ptr addrspace(1) %c.max, i32 %v monotonic
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
