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

; A pointer found in memory leads anywhere.
; CHECK: define spir_kernel void @follows(ptr addrspace(1) "weft-access"="1" %p) #[[OTHER:[0-9]+]]
; CHECK: attributes #[[OTHER]] = { "weft-kernel-flags"="4" }
define spir_kernel void @follows(ptr addrspace(1) %p) {
  %q = load ptr addrspace(1), ptr addrspace(1) %p
  store i32 1, ptr addrspace(1) %q
  ret void
}
