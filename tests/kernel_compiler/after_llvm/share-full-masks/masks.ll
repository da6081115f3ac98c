; Gathers and scatters of all lanes take a mask that the entry block sets.
; RUN: weft-opt --passes='share-full-masks,verify' -S %s | FileCheck %s
; RUN: weft-opt --passes='share-full-masks,verify' -S %s | llc-22 -o - | FileCheck --check-prefix=CODE %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Where k0 is written by what a gather has loaded, the next gather does not wait for that.
; CHECK-LABEL: @counts(
; CHECK-NEXT: entry:
; CHECK-NEXT: %[[ALL:.*]] = call <16 x i1> asm "", "=k,0"(<16 x i1> splat (i1 true))
; CHECK: call <16 x i32> @llvm.masked.gather{{.*}}, <16 x i1> %[[ALL]],
; CODE-LABEL: counts:
; CODE-COUNT-1: kxnor
; CODE: kmov{{[a-z]}} %[[K:k[0-7]]], %[[COPY:k[0-7]]]
; CODE: vpgatherdd {{.*}} {%[[COPY]]}
; CODE-NOT: kxnor
; CODE: retq
define void @counts(ptr %a, ptr %places, ptr %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i32, ptr %places, i64 %i
  %place = load <16 x i32>, ptr %from
  %addresses = getelementptr i32, ptr %a, <16 x i32> %place
  %x = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %addresses, <16 x i1> splat (i1 true), <16 x i32> poison)
  %positive = icmp sgt <16 x i32> %x, zeroinitializer
  %bits = bitcast <16 x i1> %positive to i16
  %to = getelementptr i16, ptr %b, i64 %i
  store i16 %bits, ptr %to
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; Several registers: one mask for all of them. Four lanes: a part of it.
; CHECK-LABEL: @sizes(
; CHECK: %[[ALL8:.*]] = call <8 x i1> asm
; CHECK-NOT: asm
; CHECK: %[[TWICE:.*]] = shufflevector <8 x i1> %[[ALL8]], <8 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0,
; CHECK-NEXT: call <16 x double> @llvm.masked.gather{{.*}}, <16 x i1> %[[TWICE]],
; CHECK: %[[FOUR:.*]] = shufflevector <8 x i1> %[[ALL8]], <8 x i1> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK-NEXT: call <4 x double> @llvm.masked.gather{{.*}}, <4 x i1> %[[FOUR]],
; CHECK: call void @llvm.masked.scatter{{.*}}, <8 x i1> %[[ALL8]])
; CHECK: ret void
; CODE-LABEL: sizes:
; CODE-COUNT-1: kxnor
; CODE-NOT: kxnor
; CODE: retq
define void @sizes(<16 x ptr> %many, <4 x ptr> %few, <8 x ptr> %places, ptr %a, <8 x double> %v) #0 {
  %x = call <16 x double> @llvm.masked.gather.v16f64.v16p0(<16 x ptr> align 8 %many, <16 x i1> splat (i1 true), <16 x double> poison)
  store <16 x double> %x, ptr %a
  %y = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %few, <4 x i1> splat (i1 true), <4 x double> poison)
  store <4 x double> %y, ptr %a
  call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %v, <8 x ptr> align 8 %places, <8 x i1> splat (i1 true))
  ret void
}

; Other masks stay, and what goes lane by lane keeps a mask that says so.
; CHECK-LABEL: @others(
; CHECK-NOT: asm
; CHECK: ret void
define void @others(<8 x ptr> %places, <8 x i1> %mask, <2 x ptr> %pair, ptr %a) #0 {
  %x = call <8 x double> @llvm.masked.gather.v8f64.v8p0(<8 x ptr> align 8 %places, <8 x i1> %mask, <8 x double> poison)
  store <8 x double> %x, ptr %a
  %y = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> align 8 %pair, <2 x i1> splat (i1 true), <2 x double> poison)
  store <2 x double> %y, ptr %a
  ret void
}

attributes #0 = { "target-cpu"="znver4" }
