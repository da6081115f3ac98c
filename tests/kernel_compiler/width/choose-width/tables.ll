; Vectors of a private array stay vectors where work-items look up different ones: lanes would gather each element. With one index
; for all, the elements of all lanes are neighbours.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @different(
; CHECK: load <4 x float>, ptr %from
define spir_kernel void @different(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
  %table = alloca [4 x <4 x float>]
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %a = load <4 x float>, ptr addrspace(1) %at
  %b = fmul <4 x float> %a, %a
  %c = fmul <4 x float> %b, %a
  %d = fmul <4 x float> %b, %b
  store <4 x float> %a, ptr %table
  %t1 = getelementptr [4 x <4 x float>], ptr %table, i64 0, i64 1
  store <4 x float> %b, ptr %t1
  %t2 = getelementptr [4 x <4 x float>], ptr %table, i64 0, i64 2
  store <4 x float> %c, ptr %t2
  %t3 = getelementptr [4 x <4 x float>], ptr %table, i64 0, i64 3
  store <4 x float> %d, ptr %t3
  %k = and i64 %x, 3
  %from = getelementptr [4 x <4 x float>], ptr %table, i64 0, i64 %k
  %r = load <4 x float>, ptr %from
  store <4 x float> %r, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @shared(
; CHECK-NOT: load <4 x float>, ptr %from
; CHECK: {{^}}}
define spir_kernel void @shared(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
  %table = alloca [4 x <4 x float>]
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %a = load <4 x float>, ptr addrspace(1) %at
  %b = fmul <4 x float> %a, %a
  %c = fmul <4 x float> %b, %a
  %d = fmul <4 x float> %b, %b
  store <4 x float> %a, ptr %table
  %t1 = getelementptr [4 x <4 x float>], ptr %table, i64 0, i64 1
  store <4 x float> %b, ptr %t1
  %t2 = getelementptr [4 x <4 x float>], ptr %table, i64 0, i64 2
  store <4 x float> %c, ptr %t2
  %t3 = getelementptr [4 x <4 x float>], ptr %table, i64 0, i64 3
  store <4 x float> %d, ptr %t3
  %k = and i64 %n, 3
  %from = getelementptr [4 x <4 x float>], ptr %table, i64 0, i64 %k
  %r = load <4 x float>, ptr %from
  store <4 x float> %r, ptr addrspace(1) %at
  ret void
}
