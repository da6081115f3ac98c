; One element of a private array, the same for all lanes that run: all lanes' elements are loaded, and stored whole. With what the
; others have, if those load it: not where the mask is made once, and its block dominates all loads. Where perhaps no lane runs, the
; index means nothing, and that is asked.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: guarded.wide:
; CHECK-NOT: masked
; CHECK: %[[VALUE:.*]] = load <4 x i32>, ptr %
; CHECK: %[[SUM:.*]] = add <4 x i32> %[[VALUE]],
; CHECK-NEXT: store <4 x i32> %[[SUM]], ptr
; CHECK: %[[ANY:any.*]] = icmp ne i4
; CHECK: short.wide:
; CHECK: br i1 %[[ANY]], label %some.lanes, label %accessed
; CHECK: some.lanes:
; CHECK: %[[KEPT:.*]] = load <4 x i32>, ptr %[[AT:.*]], align 4
; CHECK: %[[ALL:.*]] = select <4 x i1> %{{.*}}, <4 x i32> %{{.*}}, <4 x i32> %[[KEPT]]
; CHECK: store <4 x i32> %[[ALL]], ptr %[[AT]]
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

; All lanes may have left the loop in the round's first block. The mask is another one in each round.
; CHECK-LABEL: define spir_kernel void @leaving(
; CHECK: body.wide:
; CHECK: br i1 %any{{.*}}, label %some.lanes, label %accessed
; CHECK: some.lanes:
; CHECK: load <4 x i32>
; CHECK: accessed:
; CHECK: phi <4 x i32> {{.*}}[ zeroinitializer, %body.wide ]
; CHECK: br i1 %{{.*}}, label %some.lanes{{.*}}, label %accessed
; CHECK: %[[KEPT:.*]] = load <4 x i32>
; CHECK: %[[ALL:.*]] = select <4 x i1> %{{.*}}, <4 x i32> %{{.*}}, <4 x i32> %[[KEPT]]
; CHECK: store <4 x i32> %[[ALL]]
define spir_kernel void @leaving(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %array = alloca [8 x i32]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %limit = load i32, ptr addrspace(1) %p.x
  br label %round
round:
  %i = phi i32 [ 0, %x.loop ], [ %i1, %body ]
  %goes = icmp ult i32 %i, %limit
  br i1 %goes, label %body, label %x.next
body:
  %at = zext i32 %i to i64
  %array.i = getelementptr inbounds i32, ptr %array, i64 %at
  %value = load i32, ptr %array.i
  %sum = add i32 %value, %limit
  store i32 %sum, ptr %array.i
  %i1 = add i32 %i, 1
  br label %round
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
