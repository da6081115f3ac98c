; Vectors of the source that fill half a register stay sooner in a loop that lanes leave at different times: lanes wait for the last of them.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @uneven(
; CHECK: load <8 x float>
define spir_kernel void @uneven(ptr addrspace(1) %p, ptr addrspace(1) %t, ptr addrspace(1) %q, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %t.x = getelementptr i32, ptr addrspace(1) %t, i64 %x
  %first = load i32, ptr addrspace(1) %t.x
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %next, %loop ]
  %s0 = phi <8 x float> [ zeroinitializer, %entry ], [ %s32, %loop ]
  %at = sext i32 %k to i64
  %p.at = getelementptr <8 x float>, ptr addrspace(1) %p, i64 %at
  %v = load <8 x float>, ptr addrspace(1) %p.at
  %s1 = fadd <8 x float> %s0, %v
  %s2 = fmul <8 x float> %s1, %v
  %s3 = fadd <8 x float> %s2, %v
  %s4 = fmul <8 x float> %s3, %v
  %s5 = fadd <8 x float> %s4, %v
  %s6 = fmul <8 x float> %s5, %v
  %s7 = fadd <8 x float> %s6, %v
  %s8 = fmul <8 x float> %s7, %v
  %s9 = fadd <8 x float> %s8, %v
  %s10 = fmul <8 x float> %s9, %v
  %s11 = fadd <8 x float> %s10, %v
  %s12 = fmul <8 x float> %s11, %v
  %s13 = fadd <8 x float> %s12, %v
  %s14 = fmul <8 x float> %s13, %v
  %s15 = fadd <8 x float> %s14, %v
  %s16 = fmul <8 x float> %s15, %v
  %s17 = fadd <8 x float> %s16, %v
  %s18 = fmul <8 x float> %s17, %v
  %s19 = fadd <8 x float> %s18, %v
  %s20 = fmul <8 x float> %s19, %v
  %s21 = fadd <8 x float> %s20, %v
  %s22 = fmul <8 x float> %s21, %v
  %s23 = fadd <8 x float> %s22, %v
  %s24 = fmul <8 x float> %s23, %v
  %s25 = fadd <8 x float> %s24, %v
  %s26 = fmul <8 x float> %s25, %v
  %s27 = fadd <8 x float> %s26, %v
  %s28 = fmul <8 x float> %s27, %v
  %s29 = fadd <8 x float> %s28, %v
  %s30 = fmul <8 x float> %s29, %v
  %s31 = fadd <8 x float> %s30, %v
  %s32 = fmul <8 x float> %s31, %v
  %next = lshr i32 %k, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  %q.x = getelementptr <8 x float>, ptr addrspace(1) %q, i64 %x
  store <8 x float> %s32, ptr addrspace(1) %q.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @even(
; CHECK-NOT: load <8 x float>
define spir_kernel void @even(ptr addrspace(1) %p, ptr addrspace(1) %t, ptr addrspace(1) %q, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %t.x = getelementptr i32, ptr addrspace(1) %t, i64 %x
  %first = load i32, ptr addrspace(1) %t.x
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s0 = phi <8 x float> [ zeroinitializer, %entry ], [ %s32, %loop ]
  %at = sext i32 %k to i64
  %p.at = getelementptr <8 x float>, ptr addrspace(1) %p, i64 %at
  %v = load <8 x float>, ptr addrspace(1) %p.at
  %s1 = fadd <8 x float> %s0, %v
  %s2 = fmul <8 x float> %s1, %v
  %s3 = fadd <8 x float> %s2, %v
  %s4 = fmul <8 x float> %s3, %v
  %s5 = fadd <8 x float> %s4, %v
  %s6 = fmul <8 x float> %s5, %v
  %s7 = fadd <8 x float> %s6, %v
  %s8 = fmul <8 x float> %s7, %v
  %s9 = fadd <8 x float> %s8, %v
  %s10 = fmul <8 x float> %s9, %v
  %s11 = fadd <8 x float> %s10, %v
  %s12 = fmul <8 x float> %s11, %v
  %s13 = fadd <8 x float> %s12, %v
  %s14 = fmul <8 x float> %s13, %v
  %s15 = fadd <8 x float> %s14, %v
  %s16 = fmul <8 x float> %s15, %v
  %s17 = fadd <8 x float> %s16, %v
  %s18 = fmul <8 x float> %s17, %v
  %s19 = fadd <8 x float> %s18, %v
  %s20 = fmul <8 x float> %s19, %v
  %s21 = fadd <8 x float> %s20, %v
  %s22 = fmul <8 x float> %s21, %v
  %s23 = fadd <8 x float> %s22, %v
  %s24 = fmul <8 x float> %s23, %v
  %s25 = fadd <8 x float> %s24, %v
  %s26 = fmul <8 x float> %s25, %v
  %s27 = fadd <8 x float> %s26, %v
  %s28 = fmul <8 x float> %s27, %v
  %s29 = fadd <8 x float> %s28, %v
  %s30 = fmul <8 x float> %s29, %v
  %s31 = fadd <8 x float> %s30, %v
  %s32 = fmul <8 x float> %s31, %v
  %next = lshr i32 %k, 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  %q.x = getelementptr <8 x float>, ptr addrspace(1) %q, i64 %x
  store <8 x float> %s32, ptr addrspace(1) %q.x
  ret void
}

; Those of a grid's loop leave it in the same iteration or the next one.
; CHECK-LABEL: define spir_kernel void @grid(
; CHECK-NOT: load <8 x float>
define spir_kernel void @grid(ptr addrspace(1) %p, ptr addrspace(1) %t, ptr addrspace(1) %q, i32 %n, i32 %size) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %first = trunc i64 %x to i32
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %next, %loop ]
  %s0 = phi <8 x float> [ zeroinitializer, %entry ], [ %s32, %loop ]
  %t.k = getelementptr i32, ptr addrspace(1) %t, i32 %k
  %place = load i32, ptr addrspace(1) %t.k
  %at = sext i32 %place to i64
  %p.at = getelementptr <8 x float>, ptr addrspace(1) %p, i64 %at
  %v = load <8 x float>, ptr addrspace(1) %p.at
  %s1 = fadd <8 x float> %s0, %v
  %s2 = fmul <8 x float> %s1, %v
  %s3 = fadd <8 x float> %s2, %v
  %s4 = fmul <8 x float> %s3, %v
  %s5 = fadd <8 x float> %s4, %v
  %s6 = fmul <8 x float> %s5, %v
  %s7 = fadd <8 x float> %s6, %v
  %s8 = fmul <8 x float> %s7, %v
  %s9 = fadd <8 x float> %s8, %v
  %s10 = fmul <8 x float> %s9, %v
  %s11 = fadd <8 x float> %s10, %v
  %s12 = fmul <8 x float> %s11, %v
  %s13 = fadd <8 x float> %s12, %v
  %s14 = fmul <8 x float> %s13, %v
  %s15 = fadd <8 x float> %s14, %v
  %s16 = fmul <8 x float> %s15, %v
  %s17 = fadd <8 x float> %s16, %v
  %s18 = fmul <8 x float> %s17, %v
  %s19 = fadd <8 x float> %s18, %v
  %s20 = fmul <8 x float> %s19, %v
  %s21 = fadd <8 x float> %s20, %v
  %s22 = fmul <8 x float> %s21, %v
  %s23 = fadd <8 x float> %s22, %v
  %s24 = fmul <8 x float> %s23, %v
  %s25 = fadd <8 x float> %s24, %v
  %s26 = fmul <8 x float> %s25, %v
  %s27 = fadd <8 x float> %s26, %v
  %s28 = fmul <8 x float> %s27, %v
  %s29 = fadd <8 x float> %s28, %v
  %s30 = fmul <8 x float> %s29, %v
  %s31 = fadd <8 x float> %s30, %v
  %s32 = fmul <8 x float> %s31, %v
  %next = add i32 %k, %size
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %q.x = getelementptr <8 x float>, ptr addrspace(1) %q, i64 %x
  store <8 x float> %s32, ptr addrspace(1) %q.x
  ret void
}
