; The last work-items are one more vector, with a mask: lanes past the end are not stored, a branch of theirs does not
; count, and no loop over single work-items is left.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: x.loop.wide:
; CHECK:   phi i64
; CHECK:   load <4 x i64>
; CHECK: wide.rest:
; CHECK:   %[[FIRST:.*]] = phi i64
; CHECK:   %[[LEFT:.*]] = sub i64 %n, %[[FIRST]]
; CHECK:   %[[MASK:.*]] = icmp ult <4 x i32> <i32 0, i32 1, i32 2, i32 3>,
; CHECK: x.loop.wide{{.*}}:
; CHECK-NOT: phi
; CHECK:   call <4 x i64> @llvm.masked.load.v4i64{{.*}}<4 x i1> %[[MASK]]
; CHECK:   select <4 x i1> %[[MASK]]
; CHECK: then.body{{.*}}:
; CHECK:   call void @llvm.masked.store.v4i64
; CHECK: x.next.wide{{.*}}:
; CHECK:   br label %out
; CHECK: out:
; CHECK-NEXT: ret void
; CHECK-NEXT: }
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr i64, ptr addrspace(1) %p, i64 %x
  %v = load i64, ptr addrspace(1) %p.x
  %some = icmp ugt i64 %v, 7
  br i1 %some, label %then, label %x.next
then:
  %u = load i64, ptr addrspace(1) %q
  store i64 %u, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" "weft-masked-tail"="1" }
!0 = !{}
