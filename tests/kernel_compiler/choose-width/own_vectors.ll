; Vectors of the source that fill registers stay where they are most of the work: when they would not fit the registers
; as lanes' scalars, or are loaded and stored more than computed with. A loop of few that waits for itself gets scalars.
; RUN: weft-opt --passes=choose-width -weft-register-bits=256 -weft-register-count=16 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @chain(
; CHECK-SAME: #[[SPLIT:[0-9]+]]
; CHECK-NOT: mul <8 x i32>
define spir_kernel void @chain(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <8 x i32>, ptr addrspace(1) %p, i64 %x
  %v = load <8 x i32>, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %h = phi <8 x i32> [ %v, %entry ], [ %h2, %loop ]
  %h1 = mul <8 x i32> %h, splat (i32 12345)
  %s = lshr <8 x i32> %h1, splat (i32 3)
  %h2 = xor <8 x i32> %h1, %s
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  store <8 x i32> %h2, ptr addrspace(1) %at
  ret void
}

; Three at once.
; CHECK-LABEL: define spir_kernel void @many(
; CHECK-SAME: #[[KEPT:[0-9]+]]
; CHECK: mul <8 x i32>
define spir_kernel void @many(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <8 x i32>, ptr addrspace(1) %p, i64 %x
  %v = load <8 x i32>, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %h = phi <8 x i32> [ %v, %entry ], [ %h2, %loop ]
  %h1 = mul <8 x i32> %h, splat (i32 12345)
  %s = lshr <8 x i32> %h1, splat (i32 3)
  %t = xor <8 x i32> %h1, %s
  %h2 = mul <8 x i32> %t, %v
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  store <8 x i32> %h2, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @sum(
; CHECK-SAME: #[[KEPT]]
; CHECK: fadd <8 x float>
define spir_kernel void @sum(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %to = getelementptr <8 x float>, ptr addrspace(1) %q, i64 %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %sum1, %loop ]
  %i.wide = zext i32 %i to i64
  %k = add i64 %x, %i.wide
  %at = getelementptr <8 x float>, ptr addrspace(1) %p, i64 %k
  %v = load <8 x float>, ptr addrspace(1) %at
  %sum1 = fadd <8 x float> %sum, %v
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  store <8 x float> %sum1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: attributes #[[SPLIT]] = { "weft-vector-width"="8" }
; CHECK-DAG: attributes #[[KEPT]] = { "weft-vector-width"="1" }
