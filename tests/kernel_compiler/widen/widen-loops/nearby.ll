; Loads that are neighbours or lie near each other, in the order of the lanes' first and last one: two vectors are loaded, of which nothing
; behind the last lane's element, and permuted.
; RUN: sed -e s/BITS/512/ -e s/LANES/16/ %s | weft-opt --passes='widen-loops,verify,early-cse' -S | FileCheck --check-prefixes=CHECK,AVX512 %s
; RUN: sed -e s/BITS/256/ -e s/LANES/8/ %s | weft-opt --passes='widen-loops,verify,early-cse' -S | FileCheck --check-prefixes=CHECK,AVX2 %s
; RUN: sed -e s/BITS/0/ -e s/LANES/8/ %s | weft-opt --passes='widen-loops,verify' -S | FileCheck --check-prefix=NONE %s

; NONE-NOT: @llvm.masked.load
; CHECK-LABEL: define spir_kernel void @pair(
; CHECK: %[[INDEX:.*]] = sub <[[N:[0-9]+]] x i32>
; CHECK: %[[FIRST:.*]] = extractelement <[[N]] x i32> %[[INDEX]], i64 0
; CHECK: test.fails:
; CHECK: %[[LAST:.*]] = extractelement <[[N]] x i32> %[[INDEX]], i64 {{7|15}}
; CHECK: %[[DISTANCES:.*]] = sub <[[N]] x i32> %[[INDEX]], %{{.*}}
; CHECK: %[[MOST:.*]] = sub i32 %[[LAST]], %[[FIRST]]
; CHECK: icmp sle i32 %[[FIRST]], %[[LAST]]
; CHECK: icmp ult i32 %[[MOST]], {{16|32}}
; CHECK: icmp ule <[[N]] x i32> %[[DISTANCES]],
; CHECK: br i1 %{{.*}}, label %[[NEAR:.*]], label %[[FAR:.*]]
; CHECK: [[FAR]]:
; CHECK: @llvm.masked.gather
; CHECK: [[NEAR]]:
; CHECK: %[[COUNT:.*]] = add i32 %[[MOST]], 1
; CHECK: @llvm.masked.load
; CHECK: @llvm.usub.sat.i32(i32 %[[COUNT]], i32 {{8|16}})
; CHECK: @llvm.masked.load
; AVX512: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(<16 x i32> %{{.*}}, <16 x i32> %[[DISTANCES]], <16 x i32>
; AVX2: call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %{{.*}}, <8 x i32> %[[DISTANCES]])
; AVX2: call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> %{{.*}}, <8 x i32> %[[DISTANCES]])
; CHECK: wide.after:
define spir_kernel void @pair(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %size, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %t = trunc i64 %x to i32
  %twice = shl nuw nsw i32 %t, 1
  %bits = add i32 %size, -1
  %low = and i32 %t, %bits
  %i = sub i32 %twice, %low
  %wide = sext i32 %i to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  %a = load i32, ptr addrspace(1) %place
  %j = add i32 %i, %size
  %j.wide = sext i32 %j to i64
  %j.place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %j.wide
  %b = load i32, ptr addrspace(1) %j.place
  %least = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %result = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %x
  store i32 %least, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="LANES" }
!llvm.module.flags = !{!1}
!0 = !{}
!1 = !{i32 7, !"weft-permuted-bits", i32 BITS}
