; Shuffles by numbers that are not constants are the CPU's permutations: of AVX-512, of AVX2, and through memory without either. A block's
; address is the first lane's, and its access one vector.
; RUN: sed -e s/BITS/512/ -e s/LANES/16/ %s | weft-opt --passes='work-item-loops,widen-loops,verify' -S | FileCheck --check-prefix=AVX512 %s
; RUN: sed -e s/BITS/256/ -e s/LANES/8/ %s | weft-opt --passes='work-item-loops,widen-loops,verify' -S | FileCheck --check-prefix=AVX2 %s
; RUN: sed -e s/BITS/0/ -e s/LANES/8/ %s | weft-opt --passes='work-item-loops,widen-loops,verify' -S | FileCheck --check-prefix=NONE %s

declare i64 @__weft_local_id(i32) memory(none)
declare i32 @__weft_sub_lane() memory(none)
declare i32 @__weft_sub_shuffle_uint(i32, i32) memory(none) convergent
declare i32 @__weft_sub_shuffle2_uint(i32, i32, i32) memory(none) convergent
declare i64 @__weft_sub_shuffle2_ulong(i64, i64, i32) memory(none) convergent
declare ptr addrspace(1) @__weft_sub_first_global(ptr addrspace(1)) memory(none) convergent

; AVX512-LABEL: @one(
; AVX512: call <16 x i32> @llvm.x86.avx512.permvar.si.512(
; AVX512-NOT: exchange
; AVX2-LABEL: @one(
; AVX2: call <8 x i32> @llvm.x86.avx2.permd(
; AVX2-NOT: exchange
; NONE-LABEL: @one(
; NONE: call <8 x i32> @llvm.masked.gather
define spir_kernel void @one(ptr addrspace(1) %p) #0 {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at
  %s = call i32 @__weft_sub_shuffle_uint(i32 %v, i32 %v)
  store i32 %s, ptr addrspace(1) %at
  ret void
}

; AVX512-LABEL: @two(
; AVX512: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
; A constant number: a shuffle of both.
; AVX512: shufflevector <16 x i32> %{{.*}}, <16 x i32> %{{.*}}, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
; AVX2-LABEL: @two(
; AVX2: [[LOW:%.*]] = call <8 x i32> @llvm.x86.avx2.permd(
; AVX2: [[HIGH:%.*]] = call <8 x i32> @llvm.x86.avx2.permd(
; AVX2: select <8 x i1> %{{.*}}, <8 x i32> [[HIGH]], <8 x i32> [[LOW]]
; NONE-LABEL: @two(
; NONE: call <8 x i32> @llvm.masked.gather
define spir_kernel void @two(ptr addrspace(1) %p) #0 {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at
  %w = mul i32 %v, %v
  %s = call i32 @__weft_sub_shuffle2_uint(i32 %v, i32 %w, i32 %v)
  %lane = call i32 @__weft_sub_lane()
  %third = add i32 %lane, 3
  %t = call i32 @__weft_sub_shuffle2_uint(i32 %v, i32 %w, i32 %third)
  %r = xor i32 %s, %t
  store i32 %r, ptr addrspace(1) %at
  ret void
}

; Two registers of each source: pairs of them by an instruction, then one of the pairs. AVX2 permutes halves of longs.
; AVX512-LABEL: @longs(
; AVX512-COUNT-4: call <8 x i64> @llvm.x86.avx512.vpermi2var.q.512(
; AVX2-LABEL: @longs(
; AVX2-COUNT-8: call <8 x i32> @llvm.x86.avx2.permd(
define spir_kernel void @longs(ptr addrspace(1) %p) #0 {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %x
  %v = load i64, ptr addrspace(1) %at
  %w = mul i64 %v, %v
  %k = trunc i64 %v to i32
  %s = call i64 @__weft_sub_shuffle2_ulong(i64 %v, i64 %w, i32 %k)
  store i64 %s, ptr addrspace(1) %at
  ret void
}

; AVX512-LABEL: @block(
; AVX512-NOT: gather
; AVX512: load <16 x i32>
; AVX512-NOT: scatter
; AVX512: store <16 x i32>
define spir_kernel void @block(ptr addrspace(1) %p) #0 {
  %x = call i64 @__weft_local_id(i32 0)
  %first = and i64 %x, -16
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %first
  %uniform = call ptr addrspace(1) @__weft_sub_first_global(ptr addrspace(1) %at)
  %lane = call i32 @__weft_sub_lane()
  %long = zext i32 %lane to i64
  %mine = getelementptr i32, ptr addrspace(1) %uniform, i64 %long
  %v = load i32, ptr addrspace(1) %mine
  %w = mul i32 %v, %v
  store i32 %w, ptr addrspace(1) %mine
  ret void
}

attributes #0 = { "weft-vector-width"="LANES" "weft-forced-width"="1" "weft-subgroups"="1" }

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"weft-permuted-bits", i32 BITS}
