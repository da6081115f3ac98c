; Vectors of the source that fill registers stay where they are most of the work: when they would not fit the registers
; as lanes' scalars, or are loaded and stored more than computed with. A loop of few that waits for itself gets scalars.
; What a loop does counts more than what stands around it. Four neighbours' vectors, which lie one behind the other, share a loop.
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
; CHECK-SAME: #[[FOUR:[0-9]+]]
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

; Two of them fill the registers; the scalars before the loop are more than the vectors within it, but run once.
; CHECK-LABEL: define spir_kernel void @rounds(
; CHECK-SAME: #[[KEPT]]
; CHECK: fmul <16 x float>
define spir_kernel void @rounds(ptr addrspace(1) %p, float %f, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <16 x float>, ptr addrspace(1) %p, i64 %x
  %v = load <16 x float>, ptr addrspace(1) %at
  %f1 = fadd float %f, 1.0
  %f2 = fmul float %f1, %f
  %f3 = fadd float %f2, 2.0
  %f4 = fmul float %f3, %f
  %one = insertelement <16 x float> poison, float %f4, i32 0
  %c = shufflevector <16 x float> %one, <16 x float> poison, <16 x i32> zeroinitializer
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %a = phi <16 x float> [ %c, %entry ], [ %a2, %loop ]
  %b = phi <16 x float> [ %v, %entry ], [ %b2, %loop ]
  %a1 = fmul <16 x float> %a, %b
  %a2 = fadd <16 x float> %a1, %b
  %b2 = fmul <16 x float> %a2, %b
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  store <16 x float> %b2, ptr addrspace(1) %at
  ret void
}

; They do not fit the registers, and scalars are more, but every vector is loaded.
; CHECK-LABEL: define spir_kernel void @loads(
; CHECK-SAME: #[[KEPT]]
; CHECK: fadd <16 x float>
define spir_kernel void @loads(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %step, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %to = getelementptr <16 x float>, ptr addrspace(1) %q, i64 %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %k = phi i64 [ %x, %entry ], [ %k1, %loop ]
  %sum = phi <16 x float> [ zeroinitializer, %entry ], [ %sum1, %loop ]
  %at = getelementptr <16 x float>, ptr addrspace(1) %p, i64 %k
  %v = load <16 x float>, ptr addrspace(1) %at
  %sum1 = fadd <16 x float> %sum, %v
  %k1 = add i64 %k, %step
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  store <16 x float> %sum1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: attributes #[[SPLIT]] = { "weft-vector-width"="8" }
; CHECK-DAG: attributes #[[KEPT]] = { "weft-vector-width"="1" }
; CHECK-DAG: attributes #[[FOUR]] = { "weft-vector-width"="4" }
