; Each kernel lays out what it uses, at its alignment, and says where; group memory follows.
; RUN: weft-opt --passes=lower-local-memory -S %s | FileCheck %s

@a = internal addrspace(3) global [3 x i8] undef, align 1
@b = internal addrspace(3) global [4 x i64] undef, align 8

declare ptr addrspace(3) @__weft_group_memory(i32, i32)

; CHECK-NOT: addrspace(3) global
; CHECK: define spir_kernel void @first() #[[FIRST:[0-9]+]]
; CHECK-DAG: %[[B:.*]] = getelementptr inbounds i8, ptr addrspace(3) %{{.*}}, i64 8
; CHECK-DAG: store i64 1, ptr addrspace(3) %[[B]]
define spir_kernel void @first() {
  store i8 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @a, i64 2)
  store i64 1, ptr addrspace(3) @b
  ret void
}

; CHECK: define spir_kernel void @second() #[[SECOND:[0-9]+]]
define spir_kernel void @second() {
  store i8 1, ptr addrspace(3) @a
  %m = call ptr addrspace(3) @__weft_group_memory(i32 100, i32 16)
  store i8 2, ptr addrspace(3) %m
  ret void
}
; CHECK-DAG: attributes #[[FIRST]] = { "weft-local-size"="{{(40|48)}}" "weft-local-variables"="0:3,8:32" }
; CHECK-DAG: attributes #[[SECOND]] = { "weft-local-size"="116" "weft-local-variables"="0:3" }
