; Sub-group functions stay where they are, and only a barrier touches memory.
; RUN: weft-opt --passes=prepare-kernels -S %s | FileCheck %s

; CHECK: declare i32 @__weft_sub_lane() #[[LANE:[0-9]+]]
; CHECK: declare i32 @__weft_sub_ballot(i32) #[[BALLOT:[0-9]+]]
; CHECK: declare void @__weft_sub_barrier() #[[BARRIER:[0-9]+]]
; CHECK-DAG: attributes #[[LANE]] = { nosync nounwind speculatable willreturn memory(none) {{.*}}}
; CHECK-DAG: attributes #[[BALLOT]] = { convergent nomerge nounwind willreturn memory(none) {{.*}}}
; CHECK-DAG: attributes #[[BARRIER]] = { convergent nomerge nounwind willreturn "{{.*}}}
declare spir_func i32 @__weft_sub_lane()
declare spir_func i32 @__weft_sub_ballot(i32)
declare spir_func void @__weft_sub_barrier()
