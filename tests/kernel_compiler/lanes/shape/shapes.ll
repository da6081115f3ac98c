; How values differ between lanes: uniform, strided, as an address, varying; through casts, address arithmetic,
; loops, selects and joins.
; RUN: weft-opt --passes='print<shape>' -disable-output %s 2>&1 | FileCheck %s

declare i64 @__weft_group_id(i32) memory(none)

; CHECK-LABEL: shapes of k:
; CHECK: strided(1):{{.*}}%x = phi
; CHECK: strided(1):{{.*}}%id =
; CHECK: strided(3):{{.*}}%triple =
; CHECK: strided(1):{{.*}}%cut =
; CHECK: address(1):{{.*}}%index =
; CHECK: strided(1):{{.*}}%again =
; CHECK: address(4):{{.*}}%p.i =
; CHECK: strided(12):{{.*}}%p.3 =
; CHECK: strided(-4):{{.*}}%p.back =
; CHECK: varying:{{.*}}%v =
; CHECK: uniform:{{.*}}%u =
; CHECK: varying:{{.*}}%less =
; CHECK: strided(1):{{.*}}%either =
; CHECK: strided(1):{{.*}}%low =
; CHECK: address(4):{{.*}}%scaled =
; CHECK: address(4):{{.*}}%masked =
; CHECK: varying:{{.*}}%rough =
; CHECK: strided(-1):{{.*}}%mirrored =
; CHECK: address(4):{{.*}}%beside =
; CHECK: strided(4):{{.*}}%slot =
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i1 %c) #0 {
entry:
  %array = alloca [8 x float]
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %group = call i64 @__weft_group_id(i32 0)
  %id = add i64 %group, %x
  %triple = mul i64 %x, 3
  %cut = trunc i64 %id to i32
  %index = zext i32 %cut to i64
  %again = trunc i64 %index to i32
  %p.i = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %p.3 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %triple
  %minus = sub i64 %n, %x
  %p.back = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %minus
  %v = load i32, ptr addrspace(1) %p.i
  %u = load i32, ptr addrspace(1) %p
  %less = icmp ult i64 %id, %n
  %either = select i1 %c, i64 %x, i64 %id
  %low = and i64 %x, 7
  %high = shl i64 %x, 32
  %higher = add i64 %high, 1099511627776
  %scaled = ashr exact i64 %higher, 30
  %times = shl i64 %id, 2
  %masked = and i64 %times, 17179869180
  %rough = and i64 %times, 17179869176
  %mirrored = xor i32 %cut, -1
  %beside = getelementptr i32, ptr addrspace(1) %p, i64 %index
  %slot = getelementptr inbounds [8 x float], ptr %array, i64 0, i64 %n
  store float 1.0, ptr %slot
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Lanes leave the loop at different times: what it counts is uniform within, and varies outside. Only the blocks
; that some lanes run alone are partial.
; CHECK-LABEL: shapes of loops:
; CHECK: %round: divergent loses-lanes
; CHECK: uniform:{{.*}}%i = phi
; CHECK: %round.next: partial
; CHECK: %done:
; CHECK: varying:{{.*}}phi i64 [ %i, %round ]
; CHECK: %then: partial
; CHECK: %join:
; CHECK: varying:{{.*}}%j = phi
define spir_kernel void @loops(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %round
round:
  %i = phi i64 [ 0, %x.loop ], [ %i.next, %round.next ]
  %i.next = add i64 %i, 1
  %leave = icmp ugt i64 %i, %x
  br i1 %leave, label %done, label %round.next
round.next:
  br label %round
done:
  %count = phi i64 [ %i, %round ]
  %odd = trunc i64 %x to i1
  br i1 %odd, label %then, label %join
then:
  br label %join
join:
  %j = phi i64 [ 0, %done ], [ 1, %then ]
  %sum = add i64 %count, %j
  %p.x = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %sum, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!0 = !{}
