; One element of a private array, the same for all lanes that run: all lanes' elements are loaded, and stored whole with what
; the others have. Where perhaps no lane runs, the index means nothing, and accesses have a mask.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: guarded.wide:
; CHECK-NOT: masked
; CHECK: %[[VALUE:.*]] = load <4 x i32>, ptr %
; CHECK: %[[SUM:.*]] = add <4 x i32> %[[VALUE]],
; CHECK: %[[KEPT:.*]] = load <4 x i32>, ptr %[[AT:.*]], align 4
; CHECK: %[[ALL:.*]] = select <4 x i1> %{{.*}}, <4 x i32> %[[SUM]], <4 x i32> %[[KEPT]]
; CHECK: store <4 x i32> %[[ALL]], ptr %[[AT]]
; CHECK: short.wide:
; CHECK: call void @llvm.masked.store.v4i32.p0(
; CHECK: x.next.wide:
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %i) #0 {
entry:
  %array = alloca [8 x i32]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %array.i = getelementptr inbounds i32, ptr %array, i64 %i
  %c = icmp ugt i32 %v, 5
  br i1 %c, label %guarded, label %join
guarded:
  %u = load i32, ptr addrspace(1) %q
  %j = zext i32 %u to i64
  %array.j = getelementptr inbounds i32, ptr %array, i64 %j
  %value = load i32, ptr %array.j
  %sum = add i32 %value, %v
  store i32 %sum, ptr %array.i
  br label %join
join:
  %d = icmp ugt i32 %v, 7
  br i1 %d, label %short, label %x.next
short:
  store i32 %v, ptr %array.i
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
