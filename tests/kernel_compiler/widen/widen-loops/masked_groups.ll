; Behind a mask, structures side by side are vectors whose elements have the mask of their lane, where the CPU has such accesses.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck --check-prefixes=CHECK,MASKS %s
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=x86-64-v2 -S %s | FileCheck --check-prefixes=CHECK,APART %s

; The third of four members is read by none. The structures go backwards: the last lane's comes first.
; CHECK-LABEL: define spir_kernel void @backwards(
; CHECK:  some.lanes:
; MASKS:    %[[LANE:.*]] = shufflevector <4 x i1> %[[ACTIVE:.*]], <4 x i1> poison, <4 x i32> <i32 3, i32 3, i32 3, i32 3>
; MASKS:    %[[USED:.*]] = and <4 x i1> %[[LANE]], <i1 true, i1 true, i1 false, i1 true>
; MASKS:    %[[CELLS:.*]] = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) {{.*}}, <4 x i1> %[[USED]],
; MASKS:    freeze <4 x i32> %[[CELLS]]
; MASKS:    shufflevector <4 x i1> %[[ACTIVE]], <4 x i1> poison, <4 x i32> <i32 2, i32 2, i32 2, i32 2>
; MASKS:    call <4 x i32> @llvm.masked.load
; APART-COUNT-3: llvm.masked.gather
; CHECK:  all.lanes:
; CHECK: wide.after:
define spir_kernel void @backwards(ptr addrspace(1) noalias align 4 %in, ptr addrspace(1) noalias align 4 %out, ptr addrspace(1) noalias %flags, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %latch ]
  %flag.at = getelementptr inbounds i8, ptr addrspace(1) %flags, i64 %x
  %flag = load i8, ptr addrspace(1) %flag.at
  %set = icmp ne i8 %flag, 0
  br i1 %set, label %then, label %latch
then:
  %back = sub nsw i64 1000, %x
  %in.0 = getelementptr inbounds [4 x i32], ptr addrspace(1) %in, i64 %back
  %a = load i32, ptr addrspace(1) %in.0, align 4
  %in.1 = getelementptr inbounds i8, ptr addrspace(1) %in.0, i64 4
  %b = load i32, ptr addrspace(1) %in.1, align 4
  %in.3 = getelementptr inbounds i8, ptr addrspace(1) %in.0, i64 12
  %c = load i32, ptr addrspace(1) %in.3, align 4
  %sum = add i32 %a, %b
  %all = xor i32 %sum, %c
  %out.at = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %x
  store i32 %all, ptr addrspace(1) %out.at, align 4
  br label %latch
latch:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

; Stores.
; CHECK-LABEL: define spir_kernel void @stores(
; CHECK:  some.lanes:
; MASKS:    %[[LANES:.*]] = shufflevector <4 x i1> %[[ACTIVE:.*]], <4 x i1> poison, <4 x i32> <i32 0, i32 0, i32 1, i32 1>
; MASKS:    call void @llvm.masked.store.v4i32.p1(<4 x i32> {{.*}}, <4 x i1> %[[LANES]])
; MASKS:    %[[MORE:.*]] = shufflevector <4 x i1> %[[ACTIVE]], <4 x i1> poison, <4 x i32> <i32 2, i32 2, i32 3, i32 3>
; MASKS:    call void @llvm.masked.store.v4i32.p1(<4 x i32> {{.*}}, <4 x i1> %[[MORE]])
; APART-COUNT-2: llvm.masked.scatter
; CHECK: wide.after:
define spir_kernel void @stores(ptr addrspace(1) noalias align 4 %out, ptr addrspace(1) noalias %flags, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %latch ]
  %flag.at = getelementptr inbounds i8, ptr addrspace(1) %flags, i64 %x
  %flag = load i8, ptr addrspace(1) %flag.at
  %set = icmp ne i8 %flag, 0
  br i1 %set, label %then, label %latch
then:
  %number = zext i8 %flag to i32
  %out.0 = getelementptr inbounds [2 x i32], ptr addrspace(1) %out, i64 %x
  store i32 %number, ptr addrspace(1) %out.0, align 4
  %out.1 = getelementptr inbounds i8, ptr addrspace(1) %out.0, i64 4
  store i32 7, ptr addrspace(1) %out.1, align 4
  br label %latch
latch:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out.block, !weft.item.loop !0
out.block:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!llvm.module.flags = !{!1}
!0 = !{}
!1 = !{i32 7, !"weft-slow-gathers", i32 1}
