; Constructors run by their priority, then in the list's order; what was registered to be destroyed is destroyed the last first, if it
; is there. Lists and other run-time functions go.
; RUN: weft-opt --passes='lower-cxx-objects,verify' -S %s | FileCheck %s

; CHECK-NOT: llvm.
; CHECK: @methods = internal constant [1 x ptr] zeroinitializer
; CHECK-NOT: llvm.
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @second, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @third, ptr null }, { i32, ptr, ptr } { i32 101, ptr @first, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr @first], section "llvm.metadata"
@methods = internal constant [1 x ptr] [ptr @__cxa_pure_virtual]

declare spir_func i32 @atexit(ptr)
declare spir_func void @__cxa_pure_virtual()

; CHECK: define internal spir_func void @_ZdlPU3AS4v(ptr addrspace(4) %0) {
; CHECK-NEXT: ret void
declare spir_func void @_ZdlPU3AS4v(ptr addrspace(4))

define spir_func void @destroy1() {
  call spir_func void @_ZdlPU3AS4v(ptr addrspace(4) null)
  ret void
}

define spir_func void @destroy2() {
  ret void
}

; CHECK: define internal spir_func void @first()
define internal spir_kernel void @first() !kernel_arg_name !0 {
  ret void
}

; CHECK: define internal spir_func void @second()
; CHECK: store i8 1, ptr addrspace(1) @[[ONE:weft.constructed[.0-9]*]]
define internal spir_func void @second() {
  %r = call spir_func i32 @atexit(ptr @destroy1)
  ret void
}

; CHECK: define internal spir_func void @third()
; CHECK: store i8 1, ptr addrspace(1) @[[TWO:weft.constructed[.0-9]*]]
define internal spir_func void @third() {
  %r = call spir_func i32 @atexit(ptr @destroy2)
  ret void
}

; CHECK: define spir_kernel void @weft.initialise()
; CHECK-NEXT: call spir_func void @first()
; CHECK-NEXT: call spir_func void @second()
; CHECK-NEXT: call spir_func void @third()
; CHECK-NEXT: ret void
; CHECK: define spir_kernel void @weft.finalise()
; CHECK: load i8, ptr addrspace(1) @[[TWO]]
; CHECK: call spir_func void @destroy2()
; CHECK: load i8, ptr addrspace(1) @[[ONE]]
; CHECK: call spir_func void @destroy1()

!0 = !{}
