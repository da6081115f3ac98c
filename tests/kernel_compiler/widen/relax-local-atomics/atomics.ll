; Local memory is one thread's; global memory is not.
; RUN: weft-opt --passes='relax-local-atomics,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:   %[[OLD:.*]] = load i32, ptr addrspace(3) %l
; CHECK:   %[[NEW:.*]] = add i32 %[[OLD]], 1
; CHECK:   store i32 %[[NEW]], ptr addrspace(3) %l
; CHECK:   load i32, ptr addrspace(3) %l
; CHECK:   select i1
; CHECK:   store i32 %{{.*}}, ptr addrspace(3) %l
; CHECK:   atomicrmw add ptr addrspace(1) %g, i32 1 monotonic
define spir_kernel void @k(ptr addrspace(3) %l, ptr addrspace(1) %g) {
  %a = atomicrmw add ptr addrspace(3) %l, i32 1 monotonic
  %b = cmpxchg ptr addrspace(3) %l, i32 %a, i32 7 monotonic monotonic
  %c = atomicrmw add ptr addrspace(1) %g, i32 1 monotonic
  ret void
}
