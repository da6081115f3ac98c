; A sum that a loop keeps in one place in memory is loaded and stored once: vectors become scalars, as where the sum is a value. Where
; each iteration has a place of its own (apart), accesses as scalars lose more than is won.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @together(
; CHECK-NOT: fadd <8 x half>
; CHECK: {{^}}}
define spir_kernel void @together(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %k = sext i32 %i to i64
  %from = add i64 %y, %k
  %b = getelementptr <8 x half>, ptr addrspace(1) %q, i64 %from
  %v = load <8 x half>, ptr addrspace(1) %b
  %at = getelementptr <8 x half>, ptr addrspace(1) %p, i64 %x
  %sum = load <8 x half>, ptr addrspace(1) %at
  %new = fadd <8 x half> %sum, %v
  store <8 x half> %new, ptr addrspace(1) %at
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define spir_kernel void @apart(
; CHECK: fadd <8 x half>
define spir_kernel void @apart(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n, i64 %w) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %k = sext i32 %i to i64
  %from = add i64 %y, %k
  %b = getelementptr <8 x half>, ptr addrspace(1) %q, i64 %from
  %v = load <8 x half>, ptr addrspace(1) %b
  %row = mul i64 %k, %w
  %to = add i64 %row, %x
  %at = getelementptr <8 x half>, ptr addrspace(1) %p, i64 %to
  %sum = load <8 x half>, ptr addrspace(1) %at
  %new = fadd <8 x half> %sum, %v
  store <8 x half> %new, ptr addrspace(1) %at
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
