; Each lane's line is fetched before a scatter, where the launch stores more than the first-level cache holds.
; RUN: weft-opt --passes='prefetch-scatters,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck %s

declare void @llvm.masked.scatter.v4i32.v4p1(<4 x i32>, <4 x ptr addrspace(1)>, <4 x i1>)
declare void @llvm.masked.scatter.v4p0.v4p1(<4 x ptr>, <4 x ptr addrspace(1)>, <4 x i1>)
declare void @llvm.masked.scatter.v4i32.v4p3(<4 x i32>, <4 x ptr addrspace(3)>, <4 x i1>)

; CHECK-LABEL: define void @looked_up(
; CHECK: %[[XY:.*]] = mul i64
; CHECK: %[[ITEMS:.*]] = mul i64 %[[XY]],
; CHECK: %[[LARGE:.*]] = icmp ugt i64 %[[ITEMS]], 32768
; CHECK: br i1 %[[LARGE]],
; CHECK: %[[I:.*]] = extractelement <4 x i64> %wide, i64 0
; CHECK: %[[P:.*]] = getelementptr i32, ptr addrspace(1) %out, i64 %[[I]]
; CHECK: call void @llvm.prefetch.p1(ptr addrspace(1) %[[P]], i32 1, i32 3, i32 1)
; CHECK-COUNT-3: call void @llvm.prefetch.p1
; CHECK: call void @llvm.masked.scatter
define void @looked_up(ptr readnone %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) {
entry:
  %out = load ptr addrspace(1), ptr %args, !invariant.load !0
  %table = load <4 x i32>, ptr addrspace(1) %out
  %wide = sext <4 x i32> %table to <4 x i64>
  %to = getelementptr i32, ptr addrspace(1) %out, <4 x i64> %wide
  call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> %table, <4 x ptr addrspace(1)> align 4 %to, <4 x i1> splat (i1 true))
  ret void
}

; Pointers have no bits of their own.
; CHECK-LABEL: define void @pointers(
; CHECK: icmp ugt i64 %{{.*}}, 16384
; CHECK-COUNT-4: call void @llvm.prefetch.p1
define void @pointers(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) {
entry:
  %out = load ptr addrspace(1), ptr %args, !invariant.load !0
  %places = load <4 x i64>, ptr addrspace(1) %out
  %to = getelementptr ptr, ptr addrspace(1) %out, <4 x i64> %places
  call void @llvm.masked.scatter.v4p0.v4p1(<4 x ptr> zeroinitializer, <4 x ptr addrspace(1)> align 8 %to, <4 x i1> splat (i1 true))
  ret void
}

; In equal steps; in local memory; and in a function that is no entry point.
; CHECK-LABEL: define void @in_steps(
; CHECK-NOT: call void @llvm.prefetch
define void @in_steps(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) {
entry:
  %out = load ptr addrspace(1), ptr %args, !invariant.load !0
  %one = insertelement <4 x i64> poison, i64 %first, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i64> %all, <i64 0, i64 1, i64 2, i64 3>
  %places = mul <4 x i64> %lanes, splat (i64 1024)
  %to = getelementptr i32, ptr addrspace(1) %out, <4 x i64> %places
  call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> zeroinitializer, <4 x ptr addrspace(1)> align 4 %to, <4 x i1> splat (i1 true))
  ret void
}

define void @local(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) {
entry:
  %out = load ptr addrspace(3), ptr %args, !invariant.load !0
  %places = load <4 x i64>, ptr addrspace(3) %out
  %to = getelementptr i32, ptr addrspace(3) %out, <4 x i64> %places
  call void @llvm.masked.scatter.v4i32.v4p3(<4 x i32> zeroinitializer, <4 x ptr addrspace(3)> align 4 %to, <4 x i1> splat (i1 true))
  ret void
}

define void @called(ptr addrspace(1) %out, <4 x i64> %places) {
entry:
  %to = getelementptr i32, ptr addrspace(1) %out, <4 x i64> %places
  call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> zeroinitializer, <4 x ptr addrspace(1)> align 4 %to, <4 x i1> splat (i1 true))
  ret void
}

!0 = !{}
