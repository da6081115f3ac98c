; Each class by its own digit: integer 1, multiply 10, divide 100, real 1000, its division 10000, wide 100000, its
; division 1000000, branch 10^7, local access 10^8, global access 10^9.
; RUN: weft-opt --passes='count-cycles,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare float @llvm.fmuladd.f32(float, float, float)
declare double @llvm.sqrt.f64(double)
declare i32 @llvm.umin.i32(i32, i32)
declare void @llvm.assume(i1)
declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)

; Additions of any width are one each; casts of integers and questions about ids are none.
; CHECK-LABEL: @integers(
; CHECK: %[[SUM:.*]] = alloca i64, align 8, !weft.cycles
; CHECK: add nuw i64 %{{.*}}, 149
define spir_kernel void @integers(i32 %a, i64 %b) {
  %id = call i64 @__weft_local_id(i32 0)
  %narrow = trunc i64 %id to i32
  %sum = add i32 %a, %narrow
  %shift = shl i64 %b, %id
  %product = mul i32 %sum, %a
  %eighth = mul i32 %product, 8
  %quotient = udiv i32 %eighth, %a
  %third = udiv i32 %quotient, 3
  %least = call i32 @llvm.umin.i32(i32 %third, i32 %a)
  %inverse = mul i32 %least, %least
  %half = sdiv i32 %inverse, 7
  %test = icmp eq i32 %half, 0
  call void @llvm.assume(i1 %test)
  ret void
}

; CHECK-LABEL: @reals(
; CHECK: add nuw i64 %{{.*}}, 1215000
define spir_kernel void @reals(float %a, double %b, i32 %c) {
  %sum = fadd float %a, 1.0
  %both = call float @llvm.fmuladd.f32(float %sum, float %a, float %sum)
  %quotient = fdiv float %both, %a
  %wide = fpext float %quotient to double
  %more = fmul double %wide, %b
  %root = call double @llvm.sqrt.f64(double %more)
  %number = sitofp i32 %c to float
  %test = fcmp olt float %number, %a
  ret void
}

; An index counts, a constant one does not. Vectors count by elements, atomic accesses twice, blocks by 8 bytes.
; CHECK-LABEL: @memory(
; CHECK: add nuw i64 %{{.*}}, 13000000001
define spir_kernel void @memory(ptr addrspace(1) %g, ptr addrspace(2) %c, ptr addrspace(3) %l, i64 %i) {
  %own = alloca i32
  %place = getelementptr i32, ptr addrspace(1) %g, i64 %i
  %field = getelementptr { i32, i32 }, ptr addrspace(1) %g, i64 0, i32 1
  %a = load i32, ptr addrspace(1) %place
  %b = load <4 x i32>, ptr addrspace(2) %c
  store i32 %a, ptr addrspace(1) %field
  store i32 %a, ptr addrspace(3) %l
  store i32 %a, ptr %own
  %old = atomicrmw add ptr addrspace(1) %g, i32 1 seq_cst
  %near = atomicrmw add ptr addrspace(3) %l, i32 1 seq_cst
  %pair = cmpxchg ptr addrspace(3) %l, i32 0, i32 1 seq_cst seq_cst
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) %l, ptr addrspace(1) %g, i64 12, i1 false)
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) %l, ptr addrspace(1) %g, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: @branches(
; CHECK: add nuw i64 %{{.*}}, 10000001
; CHECK: yes:
; CHECK-NEXT: br label %no
; CHECK: no:
; CHECK-NEXT: ret void
define spir_kernel void @branches(i32 %a) {
  %test = icmp eq i32 %a, 0
  br i1 %test, label %yes, label %no
yes:
  br label %no
no:
  ret void
}

; Few cases are compared by halves: three take two decisions, and nine take four.
; CHECK-LABEL: @cases(
; CHECK: add nuw i64 %{{.*}}, 20000002
; CHECK: add nuw i64 %{{.*}}, 40000004
define spir_kernel void @cases(i32 %a, i64 %b) {
  switch i32 %a, label %more [
    i32 0, label %end
    i32 1, label %more
    i32 2, label %end
  ]
more:
  switch i64 %b, label %end [
    i64 1000, label %end
    i64 20000, label %end
    i64 300000, label %end
    i64 4000000, label %end
    i64 50000000, label %end
    i64 600000000, label %end
    i64 7000000000, label %end
    i64 80000000000, label %end
    i64 -1, label %end
  ]
end:
  ret void
}
