; A structure passed by value is each work-item's own; only kernels stay visible.
; RUN: weft-opt --passes=prepare-kernels -S %s | FileCheck %s

%pair = type { i32, i32 }

; CHECK: define spir_kernel void @k(ptr noalias readonly align 4 "weft-by-value"="8" %p)
; CHECK: %[[COPY:.*]] = alloca %pair
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 4 %[[COPY]], ptr align 4 %p, i64 8
; CHECK: call void @helper(ptr %[[COPY]])
define spir_kernel void @k(ptr byval(%pair) align 4 %p) {
  call spir_func void @helper(ptr %p)
  ret void
}

; CHECK: define internal void @helper(ptr %p) #
define spir_func void @helper(ptr %p) noinline optnone {
  store i32 1, ptr %p
  ret void
}
