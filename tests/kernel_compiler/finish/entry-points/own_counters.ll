; Counters of a thread's own have addresses that may be those of any pointer to global memory that was loaded again.
; RUN: weft-opt --passes='entry-points,always-inline,function(gvn),verify' -S %s | FileCheck %s

; CHECK: define {{.*}}@k(
; CHECK: %[[P:p.*]] = load ptr addrspace(1), ptr %{{lane.*}}
; CHECK-NEXT: store i32 7, ptr addrspace(1) %[[P]]
; CHECK-NEXT: %{{again.*}} = load i32, ptr addrspace(1) %{{shared.*}}
define spir_kernel void @k(ptr addrspace(1) "weft-updated-copy"="1 32 8" %counters, i64 %i, i64 %j) {
  %lanes = alloca [4 x ptr addrspace(1)]
  %shared = getelementptr inbounds i32, ptr addrspace(1) %counters, i64 %i
  %old = load i32, ptr addrspace(1) %shared
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) %shared
  %place = getelementptr inbounds i32, ptr addrspace(1) %counters, i64 %j
  store ptr addrspace(1) %place, ptr %lanes
  %lane = getelementptr inbounds ptr addrspace(1), ptr %lanes, i64 %i
  %p = load ptr addrspace(1), ptr %lane
  store i32 7, ptr addrspace(1) %p
  %again = load i32, ptr addrspace(1) %shared
  %more = add i32 %again, 1
  store i32 %more, ptr addrspace(1) %shared
  ret void
}
