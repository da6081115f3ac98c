; Vectors that neighbours load and store side by side stay vectors, as many work-items' as fill a register, where nothing
; or little else is done but element by element.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)
declare i64 @__weft_local_size(i32) memory(none)
declare i64 @llvm.umin.i64(i64, i64)
declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)

; CHECK-LABEL: define spir_kernel void @stream(
; CHECK-SAME: #[[FOUR:[0-9]+]]
; CHECK: fadd <4 x float>
define spir_kernel void @stream(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %w = load <4 x float>, ptr addrspace(1) %q.x
  %sum = fadd <4 x float> %v, %w
  store <4 x float> %sum, ptr addrspace(1) %p.x
  ret void
}

; Neighbours that lie one behind the other downwards are turned by one shuffle of whole vectors.
; CHECK-LABEL: define spir_kernel void @backwards(
; CHECK-SAME: #[[FOUR]]
; CHECK: fadd <4 x float>
define spir_kernel void @backwards(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = sub i64 1000, %id
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %id
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %sum = fadd <4 x float> %v, %v
  store <4 x float> %sum, ptr addrspace(1) %q.x
  ret void
}

; Vectors of 32 or 64 bits that lie anywhere are gathered and scattered as numbers; longer ones are not.
; CHECK-LABEL: define spir_kernel void @cells(
; CHECK-SAME: #[[EIGHT:[0-9]+]]
; CHECK: add <4 x i16>
define spir_kernel void @cells(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %t) {
  %x = call i64 @__weft_global_id(i32 0)
  %t.x = getelementptr i64, ptr addrspace(1) %t, i64 %x
  %i = load i64, ptr addrspace(1) %t.x
  %p.i = getelementptr <4 x i16>, ptr addrspace(1) %p, i64 %i
  %q.i = getelementptr <4 x i16>, ptr addrspace(1) %q, i64 %i
  %v = load <4 x i16>, ptr addrspace(1) %p.i
  %sum = add <4 x i16> %v, %v
  store <4 x i16> %sum, ptr addrspace(1) %q.i
  ret void
}

; Clamped neighbours are neighbours mostly, and so are those that begin again at 0.
; CHECK-LABEL: define spir_kernel void @clamped(
; CHECK-SAME: #[[FOUR]]
; CHECK: fadd <4 x float>
define spir_kernel void @clamped(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %last) {
  %x = call i64 @__weft_global_id(i32 0)
  %next = add i64 %x, 1
  %near = call i64 @llvm.umin.i64(i64 %next, i64 %last)
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %p.near = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %near
  %q.x = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %w = load <4 x float>, ptr addrspace(1) %p.near
  %sum = fadd <4 x float> %v, %w
  store <4 x float> %sum, ptr addrspace(1) %q.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @wrapped(
; CHECK-SAME: #[[FOUR]]
; CHECK: fadd <4 x float>
define spir_kernel void @wrapped(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %last) {
  %x = call i64 @__weft_global_id(i32 0)
  %next = add i64 %x, 1
  %near = and i64 %next, %last
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %p.near = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %near
  %q.x = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %w = load <4 x float>, ptr addrspace(1) %p.near
  %sum = fadd <4 x float> %v, %w
  store <4 x float> %sum, ptr addrspace(1) %q.x
  ret void
}

; The longest counts.
; CHECK-LABEL: define spir_kernel void @bytes(
; CHECK-SAME: #[[FOUR]]
; CHECK: zext <4 x i8>
define spir_kernel void @bytes(ptr addrspace(1) %p) {
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x i8>, ptr addrspace(1) %p, i64 %x
  %v = load <4 x i8>, ptr addrspace(1) %p.x
  %w = zext <4 x i8> %v to <4 x i32>
  %y = lshr <4 x i32> %w, splat (i32 1)
  %z = trunc <4 x i32> %y to <4 x i8>
  store <4 x i8> %z, ptr addrspace(1) %p.x
  ret void
}

; An index of 32 bits goes round a loop, by the same for all.
; CHECK-LABEL: define spir_kernel void @rounds(
; CHECK-SAME: #[[EIGHT]]
; CHECK: fadd <2 x float>
define spir_kernel void @rounds(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %size = call i64 @__weft_local_size(i32 0)
  %first = trunc i64 %x to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %id = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi <2 x float> [ zeroinitializer, %entry ], [ %sum1, %loop ]
  %wide = zext i32 %id to i64
  %p.x = getelementptr <2 x float>, ptr addrspace(1) %p, i64 %wide
  %v = load <2 x float>, ptr addrspace(1) %p.x
  %sum1 = fadd <2 x float> %sum, %v
  %further = add i64 %wide, %size
  %next = trunc i64 %further to i32
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  %a = extractelement <2 x float> %sum1, i32 0
  %b = extractelement <2 x float> %sum1, i32 1
  %c = fadd float %a, %b
  %q.x = getelementptr float, ptr addrspace(1) %q, i64 %x
  store float %c, ptr addrspace(1) %q.x
  ret void
}

; What is taken apart would be shuffled.
; CHECK-LABEL: define spir_kernel void @length(
; CHECK-SAME: #[[SPLIT:[0-9]+]]
; CHECK-NOT: extractelement
define spir_kernel void @length(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.x
  %w = fmul <4 x float> %v, %v
  %a = extractelement <4 x float> %w, i32 0
  %b = extractelement <4 x float> %w, i32 1
  %c = extractelement <4 x float> %w, i32 2
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  %q.x = getelementptr float, ptr addrspace(1) %q, i64 %x
  store float %abc, ptr addrspace(1) %q.x
  ret void
}

; Each second one: all are loaded, and shuffled as numbers.
; CHECK-LABEL: define spir_kernel void @second(
; CHECK-SAME: #[[EIGHT]]
; CHECK: load <2 x i32>
define spir_kernel void @second(ptr addrspace(1) %p) {
  %x = call i64 @__weft_global_id(i32 0)
  %x2 = mul i64 %x, 2
  %p.x = getelementptr <2 x i32>, ptr addrspace(1) %p, i64 %x2
  %v = load <2 x i32>, ptr addrspace(1) %p.x
  store <2 x i32> %v, ptr addrspace(1) %p.x
  ret void
}

; What lies in private memory is no neighbour.
; CHECK-LABEL: define spir_kernel void @private(
; CHECK-SAME: #[[SPLIT]]
; CHECK-NOT: store <4 x i32>
define spir_kernel void @private(ptr addrspace(1) %p, i64 %n) {
  %own = alloca [4 x <4 x i32>]
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %x
  %v = load <4 x i32>, ptr addrspace(1) %p.x
  %at = getelementptr <4 x i32>, ptr %own, i64 %n
  store <4 x i32> %v, ptr %at
  ret void
}

; Three elements take the room of four.
; CHECK-LABEL: define spir_kernel void @three(
; CHECK-SAME: #[[SPLIT]]
; CHECK-NOT: fadd <3 x float>
define spir_kernel void @three(ptr addrspace(1) %p) {
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <3 x float>, ptr addrspace(1) %p, i64 %x
  %v = load <3 x float>, ptr addrspace(1) %p.x
  %w = fadd <3 x float> %v, %v
  store <3 x float> %w, ptr addrspace(1) %p.x
  ret void
}

; Rounds that wait for each other do so element by element.
; CHECK-LABEL: define spir_kernel void @chain(
; CHECK-SAME: #[[SPLIT]]
; CHECK-NOT: mul <4 x i32>
define spir_kernel void @chain(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %x
  %v = load <4 x i32>, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %h = phi <4 x i32> [ %v, %entry ], [ %h2, %loop ]
  %h1 = mul <4 x i32> %h, splat (i32 12345)
  %h2 = xor <4 x i32> %h1, %v
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  store <4 x i32> %h2, ptr addrspace(1) %at
  ret void
}

; A remainder is taken number by number.
; CHECK-LABEL: define spir_kernel void @remainder(
; CHECK-SAME: #[[SPLIT]]
; CHECK-NOT: urem <4 x i32>
define spir_kernel void @remainder(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x i32>, ptr addrspace(1) %p.x
  %w = load <4 x i32>, ptr addrspace(1) %q.x
  %r = urem <4 x i32> %v, %w
  store <4 x i32> %r, ptr addrspace(1) %p.x
  ret void
}

; So is what asks for any of a vector's elements.
; CHECK-LABEL: define spir_kernel void @any(
; CHECK-SAME: #[[SPLIT]]
; CHECK-NOT: icmp sgt <4 x i32>
define spir_kernel void @any(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r) {
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %x
  %q.x = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x i32>, ptr addrspace(1) %p.x
  %w = load <4 x i32>, ptr addrspace(1) %q.x
  %more = icmp sgt <4 x i32> %v, %w
  %any = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %more)
  %number = zext i1 %any to i32
  %r.x = getelementptr i32, ptr addrspace(1) %r, i64 %x
  store i32 %number, ptr addrspace(1) %r.x
  ret void
}

; Vectors of three elements get a fourth, which memory has, too.
; CHECK-LABEL: define spir_kernel void @padded(
; CHECK-SAME: #[[FOUR]]
; CHECK: %[[SUM:.*]] = phi <4 x float> [ %first, %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK: %v = load <4 x float>
; CHECK: %[[MORE:.*]] = fcmp ogt <4 x float> %v, splat (float 2.000000e+00)
; CHECK: %[[TURNED:.*]] = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> <i32 2, i32 0, i32 1, i32 poison>
; CHECK: %[[ONE:.*]] = select <4 x i1> %[[MORE]], <4 x float> %v, <4 x float> %[[TURNED]]
; CHECK: %[[NEXT]] = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %[[ONE]], <4 x float> %{{.*}}, <4 x float> %[[SUM]])
; CHECK: store <4 x float> %[[NEXT]]
define spir_kernel void @padded(ptr addrspace(1) %p, ptr addrspace(1) %q, <3 x float> %each, i32 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %first = load <4 x float>, ptr addrspace(1) %p.x
  %start = shufflevector <4 x float> %first, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi <3 x float> [ %start, %entry ], [ %next, %loop ]
  %row = mul i32 %k, %n
  %wide = sext i32 %row to i64
  %at = add i64 %x, %wide
  %p.at = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %at
  %v = load <4 x float>, ptr addrspace(1) %p.at
  %cut = shufflevector <4 x float> %v, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %more = fcmp ogt <3 x float> %cut, splat (float 2.0)
  %turned = shufflevector <3 x float> %cut, <3 x float> poison, <3 x i32> <i32 2, i32 0, i32 1>
  %one = select <3 x i1> %more, <3 x float> %cut, <3 x float> %turned
  %next = call <3 x float> @llvm.fmuladd.v3f32(<3 x float> %one, <3 x float> %each, <3 x float> %sum)
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %end
end:
  %result = shufflevector <3 x float> %next, <3 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %q.x = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %x
  store <4 x float> %result, ptr addrspace(1) %q.x
  ret void
}

; By data, work-items are not neighbours mostly.
; CHECK-LABEL: define spir_kernel void @chosen(
; CHECK-NOT: #[[FOUR]]
; CHECK: {{^}}}
define spir_kernel void @chosen(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %data) {
  %x = call i64 @__weft_global_id(i32 0)
  %data.x = getelementptr i32, ptr addrspace(1) %data, i64 %x
  %number = load i32, ptr addrspace(1) %data.x
  %more = icmp sgt i32 %number, 3
  %near = select i1 %more, i64 %x, i64 7
  %p.near = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %near
  %q.x = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x float>, ptr addrspace(1) %p.near
  store <4 x float> %v, ptr addrspace(1) %q.x
  ret void
}

; A store is not tested.
; CHECK-LABEL: define spir_kernel void @stored(
; CHECK-NOT: #[[FOUR]]
; CHECK: {{^}}}
define spir_kernel void @stored(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %last) {
  %x = call i64 @__weft_global_id(i32 0)
  %near = and i64 %x, %last
  %p.x = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %x
  %q.near = getelementptr <4 x float>, ptr addrspace(1) %q, i64 %near
  %v = load <4 x float>, ptr addrspace(1) %p.x
  store <4 x float> %v, ptr addrspace(1) %q.near
  ret void
}

; CHECK: attributes #[[FOUR]] = { {{.*}}"weft-vector-width"="4"
; CHECK: attributes #[[EIGHT]] = { {{.*}}"weft-vector-width"="8"
; CHECK: attributes #[[SPLIT]] = { {{.*}}"weft-vector-width"="16"
