; A loop that each work-item leaves when its own data say so, after a chain of operations: scalar code waits for the chain and then
; for a branch that nothing foresees, once for each work-item. So lanes pay, although gathers are slow.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @chain(
; CHECK: call <16 x i32> @llvm.masked.gather
define spir_kernel void @chain(ptr addrspace(1) %counts, ptr addrspace(1) %v, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %counts, i64 %x
  %count = load i32, ptr addrspace(1) %p
  br label %round
round:
  %k = phi i32 [ %count, %x.loop ], [ %k1, %round ]
  %sum = phi i32 [ 0, %x.loop ], [ %sum1, %round ]
  %index = zext i32 %k to i64
  %p.v = getelementptr inbounds i32, ptr addrspace(1) %v, i64 %index
  %value = load i32, ptr addrspace(1) %p.v
  %sum1 = add i32 %sum, %value
  %k3 = mul i32 %k, 3
  %k1 = lshr i32 %k3, 2
  %again = icmp ne i32 %k1, 0
  br i1 %again, label %round, label %x.next
x.next:
  store i32 %sum1, ptr addrspace(1) %p
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Where all leave together, as from a loop with the range's size as its step, no lane waits: lanes pay earlier.
; CHECK-LABEL: define spir_kernel void @together(
; CHECK: call <16 x float> @llvm.masked.gather
define spir_kernel void @together(ptr addrspace(1) %index, ptr addrspace(1) %v, i64 %size, i64 %count, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %some = icmp ult i64 %x, %count
  br i1 %some, label %round, label %x.next
round:
  %i = phi i64 [ %x, %x.loop ], [ %i1, %round ]
  %p = getelementptr inbounds i64, ptr addrspace(1) %index, i64 %i
  %at = load i64, ptr addrspace(1) %p
  %p.v = getelementptr inbounds float, ptr addrspace(1) %v, i64 %at
  %a = load float, ptr addrspace(1) %p.v
  %far = xor i64 %at, 64
  %p.far = getelementptr inbounds float, ptr addrspace(1) %v, i64 %far
  %b = load float, ptr addrspace(1) %p.far
  %b1 = fadd float %b, 1.0
  %b2 = fmul float %b1, %a
  %b3 = fadd float %b2, %b
  %b4 = fmul float %b3, %b1
  %c = fmul float %b4, %a
  store float %c, ptr addrspace(1) %p
  %i1 = add i64 %i, %size
  %again = icmp ult i64 %i1, %count
  br i1 %again, label %round, label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "weft-vector-width"="16" }
!llvm.module.flags = !{!1}
!0 = !{}
!1 = !{i32 7, !"weft-slow-gathers", i32 1}
