; RUN: weft-opt --passes=argument-access -S %s | FileCheck %s

; 1 reads, 2 writes, 7 escapes.
; CHECK: define spir_kernel void @k(ptr addrspace(1) "weft-access"="1" %in, ptr addrspace(1) "weft-access"="2" %out, ptr addrspace(1) "weft-access"="3" %both, ptr addrspace(1) "weft-access"="0" %unused, ptr addrspace(1) "weft-access"="7" %kept)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %both,
                           ptr addrspace(1) %unused, ptr addrspace(1) %kept) {
  %a = getelementptr i32, ptr addrspace(1) %in, i64 4
  %v = load i32, ptr addrspace(1) %a
  store i32 %v, ptr addrspace(1) %out
  %old = atomicrmw add ptr addrspace(1) %both, i32 1 seq_cst
  store ptr addrspace(1) %kept, ptr addrspace(1) %out
  ret void
}

; A pointer found in memory or made from an integer leads anywhere.
; CHECK: define spir_kernel void @follows(ptr addrspace(1) "weft-access"="1" %p) #[[FOLLOWS:[0-9]+]]
define spir_kernel void @follows(ptr addrspace(1) %p) {
  %q = load ptr addrspace(1), ptr addrspace(1) %p
  store i32 1, ptr addrspace(1) %q
  ret void
}

; CHECK: define spir_kernel void @list(ptr addrspace(1) "weft-access"="1" %head) #[[FOLLOWS]]
define spir_kernel void @list(ptr addrspace(1) %head) {
entry:
  br label %loop

loop:
  %node = phi ptr addrspace(1) [ %head, %entry ], [ %next, %loop ]
  %next = load ptr addrspace(1), ptr addrspace(1) %node
  %end = icmp eq ptr addrspace(1) %next, null
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

; CHECK: define spir_kernel void @makes(i64 %address) #[[FOLLOWS]]
define spir_kernel void @makes(i64 %address) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  store i32 1, ptr addrspace(1) %p
  ret void
}

; A variable is other memory, and so is what is not known to be anything else.
@variable = addrspace(1) global i32 0
; CHECK: define spir_kernel void @counts() #[[OTHER:[0-9]+]]
define spir_kernel void @counts() {
  store i32 1, ptr addrspace(1) @variable
  ret void
}

; CHECK: define spir_kernel void @both(ptr addrspace(1) "weft-access"="1" %p) #[[OTHER]]
define spir_kernel void @both(ptr addrspace(1) %p) {
  %q = load ptr addrspace(1), ptr addrspace(1) %p
  %frozen = freeze ptr addrspace(1) @variable
  store i32 1, ptr addrspace(1) %q
  store i32 1, ptr addrspace(1) %frozen
  ret void
}

; A block's address in a sub-group is the first lane's, which leads to the same memory.
declare ptr addrspace(1) @__weft_sub_first_global(ptr addrspace(1)) memory(none) convergent
; CHECK: define spir_kernel void @block(ptr addrspace(1) "weft-access"="1" %in, ptr addrspace(1) "weft-access"="2" %out) {
define spir_kernel void @block(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %from = call ptr addrspace(1) @__weft_sub_first_global(ptr addrspace(1) %in)
  %v = load i32, ptr addrspace(1) %from
  %to = call ptr addrspace(1) @__weft_sub_first_global(ptr addrspace(1) %out)
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: attributes #[[FOLLOWS]] = { "weft-kernel-flags"="1073741828" }
; CHECK-DAG: attributes #[[OTHER]] = { "weft-kernel-flags"="4" }
