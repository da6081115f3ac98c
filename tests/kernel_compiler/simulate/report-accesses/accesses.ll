; Each access of global, constant and generic memory calls the host before it, with its size and kind; the sum of what it says
; is the work-item's. Others do not. Functions pass the counter on, and are not what they were to their callers.
; RUN: weft-opt --passes='count-cycles,report-accesses,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @plain(
; CHECK: %[[ADDRESS:.*]] = addrspacecast ptr addrspace(1) %in to ptr
; CHECK: %[[GROUP:.*]] = add i64
; CHECK: %[[CYCLES:.*]] = call i64 %{{.*}}(ptr %{{.*}}, i64 %{{.*}}, ptr %[[ADDRESS]], i64 4, i32 1)
; CHECK: %[[BEFORE:.*]] = load i64, ptr %cycles
; CHECK: %[[AFTER:.*]] = add i64 %[[BEFORE]], %[[CYCLES]]
; CHECK: store i64 %[[AFTER]], ptr %cycles
; CHECK: %a = load i32, ptr addrspace(1) %in
; CHECK: call i64 %{{.*}}, i64 2, i32 1)
; CHECK: %b = load i16, ptr addrspace(2) %table
; CHECK-NOT: call i64
; CHECK: store i32 %a, ptr addrspace(3) %near
; CHECK: call i64 %{{.*}}, i64 8, i32 2)
; CHECK: store i64 1, ptr addrspace(4) %any
define spir_kernel void @plain(ptr addrspace(1) %in, ptr addrspace(2) %table, ptr addrspace(3) %near, ptr addrspace(4) %any) {
  %a = load i32, ptr addrspace(1) %in
  %b = load i16, ptr addrspace(2) %table
  store i32 %a, ptr addrspace(3) %near
  store i64 1, ptr addrspace(4) %any
  ret void
}

; CHECK-LABEL: define spir_kernel void @atomic(
; CHECK: call i64 %{{.*}}, i64 4, i32 4)
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
; CHECK: call i64 %{{.*}}, i64 4, i32 12)
; CHECK: cmpxchg
; CHECK: call i64 %{{.*}}, i64 4, i32 12)
; CHECK: load atomic
; CHECK: call i64 %{{.*}}(ptr %{{.*}}, i64 %{{.*}}, ptr null, i64 0, i32 8)
; CHECK: fence acq_rel
define spir_kernel void @atomic(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %b = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 seq_cst seq_cst
  %c = load atomic i32, ptr addrspace(1) %p acquire, align 4
  fence acq_rel
  ret void
}

; CHECK-LABEL: define spir_kernel void @block(
; CHECK: call i64 %{{.*}}, i64 24, i32 1)
; CHECK: call i64 %{{.*}}, i64 24, i32 2)
; CHECK: call void @llvm.memcpy
; CHECK: call i32 @inner(ptr addrspace(1) %p, ptr %{{[^)]*}}){{$}}
define spir_kernel void @block(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 24, i1 false)
  %r = call i32 @inner(ptr addrspace(1) %p) memory(argmem: read)
  store i32 %r, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define internal i32 @inner(
; CHECK-SAME: ptr {{.*}}%cycles) #[[INNER:[0-9]+]]
; CHECK: call i64 %{{.*}}, i64 4, i32 1)
; CHECK: load i64, ptr %cycles
define internal i32 @inner(ptr addrspace(1) %p) noinline memory(argmem: read) {
  %r = load i32, ptr addrspace(1) %p
  ret i32 %r
}

declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)

; CHECK: attributes #[[INNER]] = { noinline }
