; Addresses of functions are numbers, in every address space; a call through a pointer calls the function of its type with the number.
; Any other number is noted. Kernels' addresses are those of their bodies. A function that is called by another type than its own stays as it is.
; RUN: weft-opt --passes='lower-indirect-calls,verify' -S %s | FileCheck %s

%pair = type { i64, i64 }

; CHECK: @table = addrspace(1) constant [2 x ptr addrspace(1)] [ptr addrspace(1) inttoptr (i64 6819992765288357792 to ptr addrspace(1)), ptr addrspace(1) inttoptr (i64 6830425634010816176 to ptr addrspace(1))]
@table = addrspace(1) constant [2 x ptr addrspace(1)] [ptr addrspace(1) addrspacecast (ptr @one to ptr addrspace(1)), ptr addrspace(1) addrspacecast (ptr @two to ptr addrspace(1))]

define spir_func i32 @one(i32 %a) {
  ret i32 %a
}

define spir_func i32 @two(i32 %a) {
  ret i32 7
}

define spir_func void @by_value(ptr byval(%pair) %p) {
  ret void
}

define spir_func void @by_pointer(ptr %p) {
  ret void
}

define spir_func void @__clang_ocl_kern_imp_k() {
  ret void
}

define spir_kernel void @k() {
  call spir_func void @__clang_ocl_kern_imp_k()
  ret void
}

; CHECK-LABEL: define spir_func i32 @calls
; CHECK: call spir_func i32 @weft.indirect_call(ptr addrspace(1) %f, i32 5)
; CHECK: call spir_func void @weft.indirect_call{{.*}}(ptr %g, ptr byval(%pair) %p)
; CHECK: store ptr inttoptr (i64 6808383195416975376 to ptr), ptr %p
; CHECK: store ptr inttoptr (i64 6801419737811779056 to ptr), ptr %p
; CHECK: store ptr inttoptr (i64 6817828791721651584 to ptr), ptr %p
; CHECK: call spir_func i32 @one(i64 1)
define spir_func i32 @calls(ptr addrspace(1) %f, ptr %g, ptr %p) {
  %r = call spir_func addrspace(1) i32 %f(i32 5)
  call spir_func void %g(ptr byval(%pair) %p)
  store ptr @by_value, ptr %p
  store ptr @by_pointer, ptr %p
  store ptr @k, ptr %p
  %s = call spir_func i32 @one(i64 1)
  ret i32 %r
}

; CHECK-LABEL: define internal spir_func i32 @weft.indirect_call(ptr addrspace(1) %0, i32 %1)
; CHECK: switch i64 %{{.*}}, label %[[NONE:.*]] [
; CHECK-NEXT: i64 6819992765288357792, label %[[ONE:.*]]
; CHECK-NEXT: i64 6830425634010816176, label %
; CHECK-NEXT: ]
; CHECK: [[NONE]]:
; CHECK-NEXT: call void @__weft_wrong_call()
; CHECK-NEXT: ret i32 0
; CHECK: [[ONE]]:
; CHECK-NEXT: call spir_func i32 @one(i32 %1)
; CHECK-LABEL: define internal spir_func void @weft.indirect_call
; CHECK: i64 6808383195416975376, label
; CHECK-NOT: i64 64
; CHECK: call spir_func void @by_value(ptr byval(%pair) %1)
