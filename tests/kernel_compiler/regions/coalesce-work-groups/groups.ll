; Kernels that depend on their groups.
; RUN: weft-opt --passes='coalesce-work-groups,verify' -S %s | FileCheck %s --implicit-check-not='"weft-coalesced-groups"'

declare i64 @__weft_local_id(i32) memory(none)
declare i64 @__weft_group_id(i32) memory(none)
declare i64 @__weft_local_size(i32) memory(none)
declare ptr addrspace(3) @__weft_local_memory() memory(none)
declare void @__weft_barrier()

define spir_kernel void @local_id(ptr addrspace(1) %p) {
  %id = call i64 @__weft_local_id(i32 1)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @group_id(ptr addrspace(1) %p) {
  %id = call i64 @__weft_group_id(i32 2)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @some_id(ptr addrspace(1) %p, i32 %dimension) {
  %id = call i64 @__weft_local_id(i32 %dimension)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @local_memory(ptr addrspace(1) %p) {
  %memory = call ptr addrspace(3) @__weft_local_memory()
  %value = load i64, ptr addrspace(3) %memory
  store i64 %value, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @local_argument(ptr addrspace(1) %p, ptr addrspace(3) %memory) {
  %value = load i64, ptr addrspace(3) %memory
  store i64 %value, ptr addrspace(1) %p
  ret void
}

; CHECK: define spir_kernel void @barrier({{.*}}) {
define spir_kernel void @barrier(ptr addrspace(1) %p) {
  call void @__weft_barrier()
  store i64 1, ptr addrspace(1) %p
  ret void
}

; Flag 1: prints.
define spir_kernel void @prints(ptr addrspace(1) %p) #0 {
  store i64 1, ptr addrspace(1) %p
  ret void
}

; One work-item a group, and groups that lock each other out.
; CHECK: define spir_kernel void @locks({{.*}}) #[[WAITS:[0-9]+]]
define spir_kernel void @locks(ptr addrspace(1) %lock, ptr addrspace(1) %p) {
entry:
  br label %spin
spin:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %taken = icmp ne i32 %old, 0
  br i1 %taken, label %spin, label %work
work:
  %value = load i32, ptr addrspace(1) %p
  %more = add i32 %value, 1
  store i32 %more, ptr addrspace(1) %p
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  ret void
}

; Work-items of one group wait for each other.
; CHECK: define spir_kernel void @locks_group({{.*}}) {
define spir_kernel void @locks_group(ptr addrspace(3) %lock) {
entry:
  br label %spin
spin:
  %old = atomicrmw xchg ptr addrspace(3) %lock, i32 1 acquire
  %taken = icmp ne i32 %old, 0
  br i1 %taken, label %spin, label %done
done:
  ret void
}

; A group's sub-groups are its own.
define spir_kernel void @subgroups(ptr addrspace(1) %p) #1 {
  store i64 1, ptr addrspace(1) %p
  ret void
}

; The same in a function that stays one, whose result is not used.
define void @acquire(ptr addrspace(1) %lock) noinline {
entry:
  br label %try

try:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %free = icmp eq i32 %old, 0
  br i1 %free, label %held, label %try

held:
  ret void
}

; CHECK: define spir_kernel void @called_lock({{.*}}) #[[WAITS]]
define spir_kernel void @called_lock(ptr addrspace(1) %lock) {
  call void @acquire(ptr addrspace(1) %lock)
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  ret void
}

; Flag 1 << 27: may wait.
; CHECK: attributes #[[WAITS]] = { "weft-kernel-flags"="134217728" }
attributes #0 = { "weft-kernel-flags"="1" }
attributes #1 = { "weft-subgroups"="1" }
