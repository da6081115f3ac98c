; RUN: weft-opt --passes='print<weft-uniformity>' -disable-output %s 2>&1 | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare i64 @__weft_group_id(i32) memory(none)

; An early return of some work-items leaves the loop of the others uniform. All read the same from one place.
; CHECK-LABEL: uniformity of k:
; CHECK: varying:{{.*}}%lid =
; CHECK: uniform:{{.*}}%gid =
; CHECK: varying:{{.*}}%early =
; CHECK: varying:{{.*}}br i1 %early
; CHECK: uniform:{{.*}}%i = phi
; CHECK: uniform:{{.*}}%c = load
; CHECK: uniform:{{.*}}%g = load
; CHECK: uniform:{{.*}}%more =
; CHECK: uniform:{{.*}}br i1 %more
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(2) %constants, i64 %n) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %gid = call i64 @__weft_group_id(i32 0)
  %early = icmp ugt i64 %lid, %n
  br i1 %early, label %out, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c = load i32, ptr addrspace(2) %constants
  %g = load i32, ptr addrspace(1) %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Where divergent ways meet, the value that came varies; a loop left at different times does not keep its
; counter uniform for those outside.
; CHECK-LABEL: uniformity of joins:
; CHECK: varying:{{.*}}%x = phi
; CHECK: varying:{{.*}}%j = phi
; CHECK: varying:{{.*}}%after =
define spir_kernel void @joins(i64 %n) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %odd = trunc i64 %lid to i1
  br i1 %odd, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %x = phi i64 [ 1, %left ], [ 2, %right ]
  br label %loop
loop:
  %j = phi i64 [ 0, %join ], [ %next, %loop ]
  %next = add i64 %j, 1
  %more = icmp ult i64 %next, %lid
  br i1 %more, label %loop, label %out
out:
  %after = add i64 %j, %n
  ret void
}

; Not from places of their own, and not where the source says that another one may write.
; CHECK-LABEL: uniformity of loads:
; CHECK: uniform:{{.*}}%shared = load
; CHECK: varying:{{.*}}%own = load
; CHECK: varying:{{.*}}%watched = load
; CHECK: varying:{{.*}}%generic = load
define spir_kernel void @loads(ptr addrspace(3) %p, ptr addrspace(4) %q) {
  %lid = call i64 @__weft_local_id(i32 0)
  %shared = load i32, ptr addrspace(3) %p
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %lid
  %own = load i32, ptr addrspace(3) %at
  %watched = load volatile i32, ptr addrspace(3) %p
  %generic = load i32, ptr addrspace(4) %q
  ret void
}

; Atomics may be a lock, under which each work-item reads what the one before it wrote.
; CHECK-LABEL: uniformity of lock:
; CHECK: varying:{{.*}}%counted = load
define spir_kernel void @lock(ptr addrspace(1) %p, ptr addrspace(1) %count) {
entry:
  br label %wait
wait:
  %old = atomicrmw xchg ptr addrspace(1) %p, i32 1 acquire
  %taken = icmp eq i32 %old, 1
  br i1 %taken, label %wait, label %enter
enter:
  %counted = load i32, ptr addrspace(1) %count
  %next = add i32 %counted, 1
  store i32 %next, ptr addrspace(1) %count
  store atomic i32 0, ptr addrspace(1) %p release, align 4
  ret void
}
