; Counters that a kernel only updates are a thread's own until the end of its entry point, if a work-item accesses no global
; memory behind the updates.
; RUN: weft-opt --passes='privatize-updates,verify' -S %s | FileCheck %s

declare void @__weft_barrier(i32)
declare i64 @__weft_local_id(i32)
declare i64 @__weft_local_size(i32)

; 256 counters by a byte. The other pointer is read before.
; CHECK-LABEL: define spir_kernel void @histogram(
; CHECK-SAME:  ptr addrspace(1) "weft-updated-copy"="1 32 256" %counters)
; CHECK:       atomicrmw add {{.*}} monotonic, align 4, !weft.own.update
define spir_kernel void @histogram(ptr addrspace(1) %data, ptr addrspace(1) %counters) {
  %byte = load i8, ptr addrspace(1) %data
  %index = zext i8 %byte to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %counters, i64 %index
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic, align 4
  ret void
}

; As many as fill half of the first-level cache, and no more.
; CHECK-LABEL: define spir_kernel void @many(
; CHECK-SAME:  ptr addrspace(1) "weft-updated-copy"="1 32 4096" %counters,
; CHECK:       atomicrmw add {{.*}}!weft.own.update
define spir_kernel void @many(ptr addrspace(1) %counters, i32 %i) {
  %index = and i32 %i, 4095
  %place = getelementptr inbounds i32, ptr addrspace(1) %counters, i32 %index
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic, align 4
  ret void
}
; CHECK-LABEL: define spir_kernel void @too_many(
; CHECK-SAME:  ptr addrspace(1) %counters,
; CHECK:       atomicrmw add ptr addrspace(1) %place, i64 1 monotonic, align 8{{$}}
define spir_kernel void @too_many(ptr addrspace(1) %counters, i32 %i) {
  %index = and i32 %i, 4095
  %place = getelementptr inbounds i64, ptr addrspace(1) %counters, i32 %index
  %old = atomicrmw add ptr addrspace(1) %place, i64 1 monotonic, align 8
  ret void
}

; Differences are applied as sums. A barrier and local memory behind the update show nothing.
; CHECK-LABEL: define spir_kernel void @two(
; CHECK-SAME:  ptr addrspace(1) "weft-updated-copy"="1 64 6" %counters,
; CHECK:       atomicrmw sub {{.*}}!weft.own.update
; CHECK:       atomicrmw add {{.*}}!weft.own.update
define spir_kernel void @two(ptr addrspace(1) %counters, ptr addrspace(3) %local, i64 %i) {
  %index = and i64 %i, 3
  %behind = getelementptr inbounds i64, ptr addrspace(1) %counters, i64 2
  %place = getelementptr inbounds i64, ptr addrspace(1) %behind, i64 %index
  %old = atomicrmw sub ptr addrspace(1) %place, i64 %i monotonic, align 8
  call void @__weft_barrier(i32 1)
  %value = load i64, ptr addrspace(3) %local
  %other = atomicrmw add ptr addrspace(1) %counters, i64 %value monotonic, align 8
  ret void
}

; A group adds up its 256 counters, whatever its size: the index begins with a local id and grows up to the limit.
; CHECK-LABEL: define spir_kernel void @sums(
; CHECK-SAME:  ptr addrspace(1) "weft-updated-copy"="1 32 256" %counters,
; CHECK:       atomicrmw add {{.*}}!weft.own.update
define spir_kernel void @sums(ptr addrspace(1) %counters, i32 %value) {
entry:
  %id = call i64 @__weft_local_id(i32 0)
  %first = trunc i64 %id to i32
  %size = call i64 @__weft_local_size(i32 0)
  %step = trunc i64 %size to i32
  br label %loop
loop:
  %o = phi i32 [ %first, %entry ], [ %next, %body ]
  %less = icmp slt i32 %o, 256
  br i1 %less, label %body, label %out
body:
  %index = sext i32 %o to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %counters, i64 %index
  %old = atomicrmw add ptr addrspace(1) %place, i32 %value monotonic, align 4
  %next = add nsw i32 %o, %step
  br label %loop
out:
  ret void
}

; An unsigned comparison excludes negative numbers, as a part of a condition too. The other way it says nothing.
; CHECK-LABEL: define spir_kernel void @guarded(
; CHECK-SAME:  ptr addrspace(1) "weft-updated-copy"="1 32 65" %counters, ptr addrspace(1) %others,
; CHECK:       atomicrmw add {{.*}}!weft.own.update
define spir_kernel void @guarded(ptr addrspace(1) %counters, ptr addrspace(1) %others, i32 %i, i1 %also) {
entry:
  %less = icmp ule i32 %i, 64
  %both = and i1 %also, %less
  br i1 %both, label %then, label %else
then:
  %index = zext i32 %i to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %counters, i64 %index
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic, align 4
  ret void
else:
  %other.index = zext i32 %i to i64
  %other = getelementptr inbounds i32, ptr addrspace(1) %others, i64 %other.index
  %old2 = atomicrmw add ptr addrspace(1) %other, i32 1 monotonic, align 4
  ret void
}

; CHECK-NOT: weft-updated-copy
; CHECK-NOT: weft.own.update

; What is less than 64 may be negative: a number from outside, and one that a loop makes less.
; CHECK-LABEL: define spir_kernel void @negative(
define spir_kernel void @negative(ptr addrspace(1) %counters, i32 %i) {
entry:
  %less = icmp slt i32 %i, 64
  br i1 %less, label %then, label %out
then:
  %index = sext i32 %i to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %counters, i64 %index
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic, align 4
  br label %out
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @falling(
define spir_kernel void @falling(ptr addrspace(1) %counters) {
entry:
  %id = call i64 @__weft_local_id(i32 0)
  %first = trunc i64 %id to i32
  br label %loop
loop:
  %o = phi i32 [ %first, %entry ], [ %next, %body ]
  %less = icmp slt i32 %o, 256
  br i1 %less, label %body, label %out
body:
  %index = sext i32 %o to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %counters, i64 %index
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic, align 4
  %next = add nsw i32 %o, -1
  br label %loop
out:
  ret void
}

; It may be what the other pointer points to that is read behind the update, in the next iteration.
; CHECK-LABEL: define spir_kernel void @loop(
define spir_kernel void @loop(ptr addrspace(1) %data, ptr addrspace(1) %counters, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds i8, ptr addrspace(1) %data, i64 %i
  %byte = load i8, ptr addrspace(1) %at
  %index = zext i8 %byte to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %counters, i64 %index
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; The result is used.
; CHECK-LABEL: define spir_kernel void @slots(
define spir_kernel void @slots(ptr addrspace(1) %out, ptr addrspace(1) %counter) {
  %slot = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic, align 4
  store i32 %slot, ptr addrspace(1) %out
  ret void
}

; Another access through the parameter, operations whose order matters, places that are not known.
; CHECK-LABEL: define spir_kernel void @others(
define spir_kernel void @others(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %i) {
  %first = load i32, ptr addrspace(1) %a
  %old = atomicrmw add ptr addrspace(1) %a, i32 %first monotonic, align 4
  %old2 = atomicrmw add ptr addrspace(1) %b, i32 1 monotonic, align 4
  %old3 = atomicrmw xor ptr addrspace(1) %b, i32 1 monotonic, align 4
  %place = getelementptr inbounds i32, ptr addrspace(1) %c, i64 %i
  %old4 = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic, align 4
  ret void
}
