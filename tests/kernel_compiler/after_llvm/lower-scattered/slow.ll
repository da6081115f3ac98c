; Where gathers are slow, those of all lanes become loads if their places are computed. With a mask or by a look-up they are as
; good, and scatters are as good as stores.
; RUN: weft-opt --passes='lower-scattered,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck %s

; CHECK-LABEL: @all(
; CHECK-COUNT-8: load float
; CHECK-NOT: masked.gather
; CHECK: ret
define <8 x float> @all(ptr %p, i32 %x) {
  %one = insertelement <8 x i32> poison, i32 %x, i64 0
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  %lane = add <8 x i32> %all, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %index = mul <8 x i32> %lane, splat (i32 12)
  %wide = sext <8 x i32> %index to <8 x i64>
  %at = getelementptr float, ptr %p, <8 x i64> %wide
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> splat (i1 true), <8 x float> poison)
  ret <8 x float> %v
}

; CHECK-LABEL: @looked_up(
; CHECK: masked.gather
; CHECK: ret
define <8 x float> @looked_up(ptr %p, ptr %q) {
  %index = load <8 x i32>, ptr %q
  %wide = sext <8 x i32> %index to <8 x i64>
  %at = getelementptr float, ptr %p, <8 x i64> %wide
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> splat (i1 true), <8 x float> poison)
  ret <8 x float> %v
}

; CHECK-LABEL: @some(
; CHECK: masked.gather
; CHECK: masked.scatter
define void @some(<8 x ptr> %at, <8 x i1> %mask) {
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %at, <8 x i1> %mask, <8 x float> poison)
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %v, <8 x ptr> align 4 %at, <8 x i1> splat (i1 true))
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"weft-slow-gathers", i32 1}
