; A loop counts for as many iterations as it has. A CPU runs loops of few for several work-items at once, so that none waits, and a minimum is
; one operation: vectors with gaps between them stay.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @few(
; CHECK: select <4 x i1>
; CHECK: ret void
define spir_kernel void @few(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %rows = alloca [41 x <4 x double>], align 32
  %x = call i64 @__weft_global_id(i32 0)
  %first = mul i64 %x, 3
  %p0 = getelementptr <4 x double>, ptr addrspace(1) %p, i64 %first
  %v0 = load <4 x double>, ptr addrspace(1) %p0
  store <4 x double> %v0, ptr %rows
  %at1 = add i64 %first, 1
  %p1 = getelementptr <4 x double>, ptr addrspace(1) %p, i64 %at1
  %v1 = load <4 x double>, ptr addrspace(1) %p1
  %rows1 = getelementptr <4 x double>, ptr %rows, i64 1
  store <4 x double> %v1, ptr %rows1
  %at2 = add i64 %first, 2
  %p2 = getelementptr <4 x double>, ptr addrspace(1) %p, i64 %at2
  %v2 = load <4 x double>, ptr addrspace(1) %p2
  %rows2 = getelementptr <4 x double>, ptr %rows, i64 2
  store <4 x double> %v2, ptr %rows2
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %body ]
  %more = icmp slt i32 %k, 3
  br i1 %more, label %body, label %done
body:
  %k1 = add nsw i32 %k, 1
  %a.at = getelementptr <4 x double>, ptr %rows, i32 %k
  %a = load <4 x double>, ptr %a.at
  %b.at = getelementptr <4 x double>, ptr %rows, i32 %k1
  %b = load <4 x double>, ptr %b.at
  %less = fcmp olt <4 x double> %b, %a
  %low = select <4 x i1> %less, <4 x double> %b, <4 x double> %a
  %more.b = fcmp olt <4 x double> %a, %b
  %high = select <4 x i1> %more.b, <4 x double> %b, <4 x double> %a
  store <4 x double> %low, ptr %a.at
  store <4 x double> %high, ptr %b.at
  br label %loop
done:
  %result = load <4 x double>, ptr %rows1
  %q.x = getelementptr <4 x double>, ptr addrspace(1) %q, i64 %x
  store <4 x double> %result, ptr addrspace(1) %q.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @many(
; CHECK-NOT: <4 x i1>
; CHECK: ret void
define spir_kernel void @many(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %rows = alloca [41 x <4 x double>], align 32
  %x = call i64 @__weft_global_id(i32 0)
  %first = mul i64 %x, 3
  %p0 = getelementptr <4 x double>, ptr addrspace(1) %p, i64 %first
  %v0 = load <4 x double>, ptr addrspace(1) %p0
  store <4 x double> %v0, ptr %rows
  %at1 = add i64 %first, 1
  %p1 = getelementptr <4 x double>, ptr addrspace(1) %p, i64 %at1
  %v1 = load <4 x double>, ptr addrspace(1) %p1
  %rows1 = getelementptr <4 x double>, ptr %rows, i64 1
  store <4 x double> %v1, ptr %rows1
  %at2 = add i64 %first, 2
  %p2 = getelementptr <4 x double>, ptr addrspace(1) %p, i64 %at2
  %v2 = load <4 x double>, ptr addrspace(1) %p2
  %rows2 = getelementptr <4 x double>, ptr %rows, i64 2
  store <4 x double> %v2, ptr %rows2
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %body ]
  %more = icmp slt i32 %k, 40
  br i1 %more, label %body, label %done
body:
  %k1 = add nsw i32 %k, 1
  %a.at = getelementptr <4 x double>, ptr %rows, i32 %k
  %a = load <4 x double>, ptr %a.at
  %b.at = getelementptr <4 x double>, ptr %rows, i32 %k1
  %b = load <4 x double>, ptr %b.at
  %less = fcmp olt <4 x double> %b, %a
  %low = select <4 x i1> %less, <4 x double> %b, <4 x double> %a
  %more.b = fcmp olt <4 x double> %a, %b
  %high = select <4 x i1> %more.b, <4 x double> %b, <4 x double> %a
  store <4 x double> %low, ptr %a.at
  store <4 x double> %high, ptr %b.at
  br label %loop
done:
  %result = load <4 x double>, ptr %rows1
  %q.x = getelementptr <4 x double>, ptr addrspace(1) %q, i64 %x
  store <4 x double> %result, ptr addrspace(1) %q.x
  ret void
}
