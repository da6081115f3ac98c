; Loads leave loops that store to another address space, by LLVM's own passes; those that a store may change stay.
; RUN: weft-opt --passes='loop-mssa(licm),verify' -S %s | FileCheck %s
; Without our analysis none leaves.
; RUN: weft-opt --aa-pipeline=basic-aa --passes='loop-mssa(licm),verify' -S %s | FileCheck --check-prefix=STAYS %s

declare void @llvm.masked.scatter.v4i32.v4p1(<4 x i32>, <4 x ptr addrspace(1)>, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)>, <4 x i1>, <4 x i32>)

; for (i = 0; i < n; i++) tile[i] = *factor * i, with a global factor and a local tile.
; CHECK-LABEL: @local_stores(
; CHECK: load i32, ptr addrspace(1) %factor
; CHECK: round:
; CHECK-NOT: load
; CHECK: ret
; STAYS-LABEL: @local_stores(
; STAYS: round:
; STAYS: load i32, ptr addrspace(1) %factor
define void @local_stores(ptr addrspace(1) %factor, ptr addrspace(3) %tile, i32 %n) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %f = load i32, ptr addrspace(1) %factor
  %x = mul i32 %f, %i
  %place = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  store i32 %x, ptr addrspace(3) %place
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret void
}

; A private variable that a function is given, beside global and local stores, a scatter and an atomic operation.
; CHECK-LABEL: @private_variable(
; CHECK: load i32, ptr %own
; CHECK: round:
; CHECK-NOT: load
; CHECK: ret
; STAYS-LABEL: @private_variable(
; STAYS: round:
; STAYS: load i32, ptr %own
define void @private_variable(ptr %own, ptr addrspace(1) %g, ptr addrspace(3) %l, <4 x ptr addrspace(1)> %many, i32 %n) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %x = load i32, ptr %own
  store i32 %x, ptr addrspace(1) %g
  store i32 %x, ptr addrspace(3) %l
  %old = atomicrmw add ptr addrspace(1) %g, i32 1 monotonic
  call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> splat (i32 1), <4 x ptr addrspace(1)> align 4 %many, <4 x i1> splat (i1 true))
  %next = add i32 %i, %x
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret void
}

; CHECK-LABEL: @gathered(
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: round:
; CHECK-NOT: gather
; CHECK: ret
; STAYS-LABEL: @gathered(
; STAYS: round:
; STAYS: call <4 x i32> @llvm.masked.gather
define void @gathered(<4 x ptr addrspace(1)> %many, ptr addrspace(3) %l, i32 %n) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %many, <4 x i1> splat (i1 true), <4 x i32> poison)
  %place = getelementptr <4 x i32>, ptr addrspace(3) %l, i32 %i
  store <4 x i32> %x, ptr addrspace(3) %place
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret void
}

; A generic pointer may lead to each of them.
; CHECK-LABEL: @generic_stores(
; CHECK: round:
; CHECK: load i32, ptr %own
; CHECK: load i32, ptr addrspace(1) %g
; CHECK: load i32, ptr addrspace(3) %l
define void @generic_stores(ptr addrspace(4) %p, ptr %own, ptr addrspace(1) %g, ptr addrspace(3) %l, i32 %n) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %a = load i32, ptr %own
  %b = load i32, ptr addrspace(1) %g
  %c = load i32, ptr addrspace(3) %l
  %ab = add i32 %a, %b
  %abc = add i32 %ab, %c
  store i32 %abc, ptr addrspace(4) %p
  %next = add i32 %i, %abc
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret void
}

; A buffer may be a global and a constant argument, or two global ones; what an integer is made is a pointer of its space; and an
; atomic operation that orders others, or a call, is none that a load may pass.
; CHECK-LABEL: @may_be_the_same(
; CHECK: round:
; CHECK: load i32, ptr addrspace(2) %c
; CHECK: load i32, ptr addrspace(1) %g
; CHECK: load i32, ptr addrspace(1) %h
define void @may_be_the_same(ptr addrspace(2) %c, ptr addrspace(1) %g, i64 %bits, i32 %n) {
entry:
  %h = inttoptr i64 %bits to ptr addrspace(1)
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %a = load i32, ptr addrspace(2) %c
  %b = load i32, ptr addrspace(1) %g
  store i32 %a, ptr addrspace(1) %g
  %d = load i32, ptr addrspace(1) %h
  store i32 %b, ptr addrspace(1) %g
  %next = add i32 %i, %d
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret void
}

; CHECK-LABEL: @ordered(
; CHECK: round:
; CHECK: load i32, ptr addrspace(3) %l
define void @ordered(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 %n) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %old = atomicrmw add ptr addrspace(1) %g, i32 1 acq_rel
  %x = load i32, ptr addrspace(3) %l
  %next = add i32 %i, %x
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %out
out:
  ret void
}
