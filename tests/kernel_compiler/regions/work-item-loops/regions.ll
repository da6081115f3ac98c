; Two regions, each in loops over x, y and z; a value across the barrier is an array in the spill memory.
; RUN: weft-opt --passes='split-at-barriers,spill-at-barriers,work-item-loops,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()

; CHECK: define spir_kernel void @k({{.*}}) #[[KERNEL:[0-9]+]]
; CHECK-NOT: @__weft_local_id
; CHECK-NOT: call void @__weft_barrier
; CHECK: call ptr @__weft_spill_memory()
; CHECK: z.loop:
; CHECK: y.loop:
; CHECK: x.loop:
; CHECK: region1:
; CHECK: !llvm.loop
; CHECK: br i1 {{.*}}, label %y.loop{{[0-9]*}}, label %z.next{{.*}}, !llvm.loop
; CHECK: attributes #[[KERNEL]] = { {{.*}}"weft-spill-per-item"="5"
define spir_kernel void @k(ptr addrspace(1) %p) {
  %lid = call i64 @__weft_local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %lid
  %loaded = load i32, ptr addrspace(1) %at
  call void @__weft_barrier()
  store i32 %loaded, ptr addrspace(1) %at
  ret void
}
; CHECK: !{!"llvm.loop.unroll.disable"}
; CHECK: !{!"weft.loop.single"}
