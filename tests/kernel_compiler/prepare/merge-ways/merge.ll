; What all ways do with numbers of their own is done once behind them, where that is less work.
; RUN: weft-opt --passes='merge-ways,verify' -S %s | FileCheck %s

declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @__weft_scale_double(double, double) nounwind willreturn speculatable memory(none)
declare i32 @__weft_subgroup_add(i32) nounwind willreturn convergent nomerge memory(none)

define internal double @scaled(double %x) nounwind willreturn memory(none) {
  %s = call double @__weft_scale_double(double %x, double 3.0)
  %r = fdiv double 1.0, %s
  ret double %r
}

define internal i32 @summed(i32 %x) nounwind willreturn memory(none) {
  %r = call i32 @__weft_subgroup_add(i32 %x)
  ret i32 %r
}

; Operands of operands, too; loads stay. Flags that not all have are lost.
; CHECK-LABEL: define double @root(
; CHECK: left:
; CHECK-NEXT: load
; CHECK-NEXT: br
; CHECK: right:
; CHECK-NEXT: getelementptr
; CHECK-NEXT: load
; CHECK-NEXT: br
; CHECK: join:
; CHECK-NEXT: %[[X:.*]] = phi double [ %y, %right ], [ %x, %left ]
; CHECK-NEXT: %[[ROOT:.*]] = call nnan double @llvm.sqrt.f64(double %[[X]])
; CHECK-NEXT: fadd double %v, %[[ROOT]]
; CHECK-NEXT: ret
define double @root(i1 %c, double %v, ptr %at) {
  br i1 %c, label %left, label %right
left:
  %x = load double, ptr %at
  %root.x = call nnan double @llvm.sqrt.f64(double %x)
  %sum.x = fadd nsz double %root.x, %v
  br label %join
right:
  %at.y = getelementptr double, ptr %at, i64 1
  %y = load double, ptr %at.y
  %root.y = call nnan double @llvm.sqrt.f64(double %y)
  %sum.y = fadd double %v, %root.y
  br label %join
join:
  %r = phi double [ %sum.x, %left ], [ %sum.y, %right ]
  ret double %r
}

; Of three ways, one of which has two of its own.
; CHECK-LABEL: define double @three(
; CHECK: inner:
; CHECK-NEXT: %[[IN:.*]] = phi double [ %b, %second ], [ %a, %first ]
; CHECK-NEXT: br
; CHECK: join:
; CHECK-NEXT: %[[X:.*]] = phi double [ %v, %third ], [ %[[IN]], %inner ]
; CHECK-NEXT: call double @scaled(double %[[X]])
; CHECK-NEXT: ret
define double @three(i1 %c, i1 %d, double %a, double %b, double %v) {
  br i1 %c, label %way, label %third
way:
  br i1 %d, label %first, label %second
first:
  %s = call double @scaled(double %a)
  br label %inner
second:
  %t = call double @scaled(double %b)
  br label %inner
inner:
  %st = phi double [ %s, %first ], [ %t, %second ]
  br label %join
third:
  %u = call double @scaled(double %v)
  br label %join
join:
  %r = phi double [ %st, %inner ], [ %u, %third ]
  ret double %r
}

; Which work-items call it is part of what a function of the sub-group means.
; CHECK-LABEL: define i32 @subgroup(
; CHECK: left:
; CHECK-NEXT: call i32 @summed
; CHECK: right:
; CHECK-NEXT: call i32 @summed
define i32 @subgroup(i1 %c, i32 %x, i32 %y) {
  br i1 %c, label %left, label %right
left:
  %s = call i32 @summed(i32 %x)
  br label %join
right:
  %t = call i32 @summed(i32 %y)
  br label %join
join:
  %r = phi i32 [ %s, %left ], [ %t, %right ]
  ret i32 %r
}

; A division by a constant is a product; one by a number of each lane is not. Short ways stay.
; CHECK-LABEL: define i32 @constants(
; CHECK: left:
; CHECK-NEXT: udiv i32 %x, 3
; CHECK-NEXT: add i32 %x, %y
; CHECK: right:
; CHECK-NEXT: udiv i32 %x, 5
; CHECK-NEXT: add i32 %z, %w
define i32 @constants(i1 %c, i32 %x, i32 %y, i32 %z, i32 %w) {
  br i1 %c, label %left, label %right
left:
  %d = udiv i32 %x, 3
  %s = add i32 %x, %y
  br label %join
right:
  %e = udiv i32 %x, 5
  %t = add i32 %z, %w
  br label %join
join:
  %q = phi i32 [ %d, %left ], [ %e, %right ]
  %p = phi i32 [ %s, %left ], [ %t, %right ]
  %r = mul i32 %q, %p
  ret i32 %r
}

; Calls of two functions are two operations.
; CHECK-LABEL: define double @functions(
; CHECK: left:
; CHECK-NEXT: call double @llvm.sqrt.f64(double %x)
; CHECK: right:
; CHECK-NEXT: call double @llvm.fabs.f64(double %y)
define double @functions(i1 %c, double %x, double %y) {
  br i1 %c, label %left, label %right
left:
  %s = call double @llvm.sqrt.f64(double %x)
  br label %join
right:
  %t = call double @llvm.fabs.f64(double %y)
  br label %join
join:
  %r = phi double [ %s, %left ], [ %t, %right ]
  ret double %r
}

; What all work-items compute alike stays, too.
; CHECK-LABEL: define spir_kernel void @uniform(
; CHECK: left:
; CHECK: call double @scaled
; CHECK: right:
; CHECK: call double @scaled
define spir_kernel void @uniform(i1 %c, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  br i1 %c, label %left, label %right
left:
  %x = load double, ptr addrspace(1) %in
  %s = call double @scaled(double %x)
  br label %join
right:
  %at = getelementptr double, ptr addrspace(1) %in, i64 1
  %y = load double, ptr addrspace(1) %at
  %t = call double @scaled(double %y)
  br label %join
join:
  %r = phi double [ %s, %left ], [ %t, %right ]
  store double %r, ptr addrspace(1) %out
  ret void
}

; What is used elsewhere, a way that leads elsewhere, and a loop's header stay.
; CHECK-LABEL: define double @stays(
; CHECK: left:
; CHECK-NEXT: call double @llvm.sqrt.f64(double %x)
; CHECK: right:
; CHECK-NEXT: call double @llvm.sqrt.f64(double %y)
; CHECK: other:
; CHECK-NEXT: call double @llvm.sqrt.f64(double %x)
; CHECK: loop:
; CHECK-NEXT: phi double
; CHECK-NEXT: call double @llvm.sqrt.f64
define double @stays(i1 %c, i1 %d, double %x, double %y, ptr %out) {
  br i1 %c, label %left, label %right
left:
  %s = call double @llvm.sqrt.f64(double %x)
  store double %s, ptr %out
  br label %join
right:
  %t = call double @llvm.sqrt.f64(double %y)
  br i1 %d, label %join, label %other
join:
  %r = phi double [ %s, %left ], [ %t, %right ]
  ret double %r
other:
  %first = call double @llvm.sqrt.f64(double %x)
  br label %loop
loop:
  %v = phi double [ %first, %other ], [ %next, %loop ]
  %next = call double @llvm.sqrt.f64(double %v)
  br i1 %d, label %loop, label %done
done:
  ret double %v
}
