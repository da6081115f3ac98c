; Each work-item begins a region with no cycles and leaves what it took, also where it has returned before; the host
; hears of them when all have come to the barrier, or to the end.
; RUN: weft-opt --passes='function(split-at-barriers,spill-at-barriers),count-cycles,function(work-item-loops),verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare void @__weft_barrier()

; CHECK-NOT: !weft.cycles
; CHECK: %[[BASE:.*]] = call ptr @__weft_cycle_memory()
; CHECK: %[[FIRST:.*]] = add nuw i64 0, 10000001
; CHECK: %[[SECOND:.*]] = add nuw i64 0, 1000000000
; CHECK: region0.end:
; CHECK: %[[CONTEXT:.*]] = call ptr @__weft_context()
; CHECK: %[[FIELD:.*]] = getelementptr inbounds i8, ptr %[[CONTEXT]], i64 48
; CHECK: %[[MEASURE:.*]] = load ptr, ptr %[[FIELD]]
; CHECK: call void %[[MEASURE]](ptr %[[CONTEXT]], i64 %{{.*}}, i32 0)
; CHECK: x.loop:
; CHECK: %[[ITEM:.*]] = add nuw i64 %{{.*}}, %x
; CHECK: item.end:
; CHECK: %[[PLACE:.*]] = getelementptr inbounds i64, ptr %[[BASE]], i64 %[[ITEM]]
; CHECK: store i64 %[[FIRST]], ptr %[[PLACE]], align 4, !llvm.access.group
; CHECK: region1.end:
; CHECK: call void %{{.*}}(ptr %{{.*}}, i64 %{{.*}}, i32 1)
; CHECK: item.end{{.*}}:
; CHECK: %[[SUM:.*]] = phi i64 [ 0, %x.loop{{.*}} ], [ %[[SECOND]], %out{{.*}} ]
; CHECK: store i64 %[[SUM]], ptr
; CHECK: attributes #{{[0-9]+}} = { {{.*}}"weft-kernel-flags"="66" {{.*}}"weft-spill-per-item"="1"
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {
entry:
  %lid = call i64 @__weft_local_id(i32 0)
  %early = icmp ugt i64 %lid, %n
  br i1 %early, label %out, label %on
on:
  call void @__weft_barrier()
  store i32 1, ptr addrspace(1) %p
  br label %out
out:
  ret void
}
