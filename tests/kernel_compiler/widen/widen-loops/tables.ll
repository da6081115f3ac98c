; A look-up in a table of constants that fits in two registers of 512 bits is a permutation of these, whatever the index is; other look-ups are
; gathers.
; RUN: sed -e s/BITS/512/ -e s/LANES/8/ %s | weft-opt --passes='work-item-loops,widen-loops,verify' -S | FileCheck %s
; RUN: sed -e s/BITS/512/ -e s/LANES/16/ %s | weft-opt --passes='work-item-loops,widen-loops,verify' -S | FileCheck --check-prefix=WIDE %s
; RUN: sed -e s/BITS/256/ -e s/LANES/8/ %s | weft-opt --passes='work-item-loops,widen-loops,verify' -S | FileCheck --check-prefix=AVX2 %s

@doubles = internal addrspace(2) constant [16 x double] [double 0.0, double 1.0, double 2.0, double 3.0, double 4.0, double 5.0, double 6.0, double 7.0, double 8.0, double 9.0, double 10.0, double 11.0, double 12.0, double 13.0, double 14.0, double 15.0]
@few = internal addrspace(2) constant [3 x float] [float 1.0, float 2.0, float 4.0]
@long = internal addrspace(2) constant [17 x double] [double 0.0, double 1.0, double 2.0, double 3.0, double 4.0, double 5.0, double 6.0, double 7.0, double 8.0, double 9.0, double 10.0, double 11.0, double 12.0, double 13.0, double 14.0, double 15.0, double 16.0]
@changed = internal addrspace(2) global [2 x float] [float 1.0, float 2.0]

declare i64 @__weft_local_id(i32) memory(none)

; CHECK-LABEL: @two_registers(
; CHECK: call <8 x i64> @llvm.x86.avx512.vpermi2var.q.512(<8 x i64> <i64 0, i64 4607182418800017408,
; CHECK-NOT: gather
; WIDE-LABEL: @two_registers(
; WIDE-COUNT-2: call <8 x i64> @llvm.x86.avx512.vpermi2var.q.512(
; AVX2-LABEL: @two_registers(
; AVX2: gather
define spir_kernel void @two_registers(ptr addrspace(1) %p, ptr addrspace(1) %q) #0 {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %x
  %v = load i64, ptr addrspace(1) %at
  %from = getelementptr inbounds [16 x double], ptr addrspace(2) @doubles, i64 0, i64 %v
  %r = load double, ptr addrspace(2) %from
  %to = getelementptr double, ptr addrspace(1) %q, i64 %x
  store double %r, ptr addrspace(1) %to
  ret void
}

; From the second number on, in a branch: what other lanes have does not matter.
; CHECK-LABEL: @few_numbers(
; CHECK: add <8 x i32> %{{.*}}, splat (i32 1)
; CHECK: call <8 x i32> @llvm.x86.avx2.permd(<8 x i32> <i32 1065353216, i32 1073741824, i32 1082130432, i32 0, i32 0, i32 0, i32 0, i32 0>, <8 x i32> %{{.*}})
; CHECK-NOT: gather
; WIDE-LABEL: @few_numbers(
; WIDE: call <16 x i32> @llvm.x86.avx512.permvar.si.512(
define spir_kernel void @few_numbers(ptr addrspace(1) %p) #0 {
entry:
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at
  %more = icmp sgt i32 %v, 5
  br i1 %more, label %look, label %out
look:
  %index = zext i32 %v to i64
  %from = getelementptr inbounds float, ptr addrspace(2) getelementptr (i8, ptr addrspace(2) @few, i64 4), i64 %index
  %r = load float, ptr addrspace(2) %from
  store float %r, ptr addrspace(1) %at
  br label %out
out:
  ret void
}

; CHECK-LABEL: @too_long(
; CHECK: gather
define spir_kernel void @too_long(ptr addrspace(1) %p, ptr addrspace(1) %q) #0 {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %p, i64 %x
  %v = load i64, ptr addrspace(1) %at
  %from = getelementptr inbounds [17 x double], ptr addrspace(2) @long, i64 0, i64 %v
  %r = load double, ptr addrspace(2) %from
  %to = getelementptr double, ptr addrspace(1) %q, i64 %x
  store double %r, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: @no_constants(
; CHECK: gather
define spir_kernel void @no_constants(ptr addrspace(1) %p) #0 {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at
  %index = zext i32 %v to i64
  %from = getelementptr inbounds [2 x float], ptr addrspace(2) @changed, i64 0, i64 %index
  %r = load float, ptr addrspace(2) %from
  store float %r, ptr addrspace(1) %at
  ret void
}

attributes #0 = { "weft-vector-width"="LANES" "weft-forced-width"="1" }

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"weft-permuted-bits", i32 BITS}
