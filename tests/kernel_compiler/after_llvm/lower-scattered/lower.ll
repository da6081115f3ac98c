; Gathers and scatters that the CPU lacks become accesses lane by lane: indices of 32 bits in pairs, lanes that do not run
; nowhere. What the CPU has is left alone, and what is too large to lie nowhere.
; RUN: weft-opt --passes='lower-scattered,verify' -mtriple=x86_64 -mcpu=haswell -S %s | FileCheck --check-prefixes=CHECK,LACKS %s
; RUN: weft-opt --passes='lower-scattered,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck --check-prefixes=CHECK,HAS %s

; CHECK-LABEL: @all(
; HAS: masked.gather
; LACKS-NEXT: %[[PAIRS:.*]] = bitcast <4 x i32> %index to <2 x i64>
; LACKS-NEXT: %[[TWO:.*]] = extractelement <2 x i64> %[[PAIRS]], i64 0
; LACKS-NEXT: %[[PAIR:.*]] = call i64 asm "", "=r,0"(i64 %[[TWO]])
; LACKS-NEXT: %[[LOW:.*]] = trunc i64 %[[PAIR]] to i32
; LACKS-NEXT: %[[FIRST:.*]] = sext i32 %[[LOW]] to i64
; LACKS-NEXT: %[[P:.*]] = getelementptr float, ptr addrspace(1) %p, i64 %[[FIRST]]
; LACKS-NEXT: %[[V:.*]] = load float, ptr addrspace(1) %[[P]], align 4
; LACKS-NEXT: insertelement <4 x float> poison, float %[[V]], i64 0
; LACKS-NEXT: ashr i64 %[[PAIR]], 32
; LACKS-NOT: select
; LACKS-NOT: masked.gather
; CHECK: ret
define <4 x float> @all(ptr addrspace(1) %p, <4 x i32> %index) {
  %wide = sext <4 x i32> %index to <4 x i64>
  %at = getelementptr float, ptr addrspace(1) %p, <4 x i64> %wide
  %v = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %at, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %v
}

; Addresses of 64 bits, a mask, and what lanes keep that do not run.
; CHECK-LABEL: @some(
; HAS: masked.gather
; LACKS: %nowhere = alloca i64
; LACKS: %[[BITS:.*]] = bitcast <4 x i1> %{{.*}} to i4
; LACKS: %[[P:.*]] = extractelement <4 x ptr> %at, i64 0
; LACKS: %[[BIT:.*]] = and i4 %[[BITS]], 1
; LACKS: %[[RUNS:.*]] = icmp ne i4 %[[BIT]], 0
; LACKS: %[[AT:.*]] = select i1 %[[RUNS]], ptr %[[P]], ptr %nowhere
; LACKS: load float, ptr %[[AT]], align 4
; LACKS: and i4 %[[BITS]], -8
; LACKS-NOT: br
; LACKS: %[[R:.*]] = select <4 x i1> %mask, <4 x float> %{{.*}}, <4 x float> %kept
; LACKS: ret <4 x float> %[[R]]
define <4 x float> @some(<4 x ptr> %at, <4 x i1> %mask, <4 x float> %kept) {
  %v = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at, <4 x i1> %mask, <4 x float> %kept)
  ret <4 x float> %v
}

; A mask that is a number needs no test.
; CHECK-LABEL: @known(
; LACKS-NOT: nowhere
; LACKS: %[[P:.*]] = extractelement <4 x ptr> %at, i64 1
; LACKS: %[[V:.*]] = load float, ptr %[[P]]
; LACKS: insertelement <4 x float> %kept, float %[[V]], i64 1
; LACKS-NOT: load
; CHECK: ret
define <4 x float> @known(<4 x ptr> %at, <4 x float> %kept) {
  %v = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at, <4 x i1> <i1 false, i1 true, i1 false, i1 false>, <4 x float> %kept)
  ret <4 x float> %v
}

; Stores, in the order of lanes.
; CHECK-LABEL: @stored(
; HAS: masked.scatter
; LACKS: addrspacecast ptr %nowhere to ptr addrspace(3)
; LACKS: %[[A:.*]] = extractelement <4 x i32> %v, i64 0
; LACKS: store i32 %[[A]]
; LACKS: %[[B:.*]] = extractelement <4 x i32> %v, i64 1
; LACKS: store i32 %[[B]]
; CHECK: ret
define void @stored(ptr addrspace(3) %p, <4 x i32> %index, <4 x i32> %v, <4 x i1> %mask) {
  %wide = sext <4 x i32> %index to <4 x i64>
  %at = getelementptr i32, ptr addrspace(3) %p, <4 x i64> %wide
  call void @llvm.masked.scatter.v4i32.v4p3(<4 x i32> %v, <4 x ptr addrspace(3)> align 4 %at, <4 x i1> %mask)
  ret void
}

; CHECK-LABEL: @large(
; CHECK: masked.gather
define <4 x i128> @large(<4 x ptr> %at, <4 x i1> %mask) {
  %v = call <4 x i128> @llvm.masked.gather.v4i128.v4p0(<4 x ptr> align 8 %at, <4 x i1> %mask, <4 x i128> poison)
  ret <4 x i128> %v
}
