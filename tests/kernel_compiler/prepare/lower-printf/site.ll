; The arguments lie packed at their natural alignment, a vector's elements without padding.
; RUN: weft-opt --passes=lower-printf -S %s | FileCheck %s

@format = private unnamed_addr addrspace(2) constant [12 x i8] c"%d %v3f %s\0A\00"

declare i32 @printf(ptr addrspace(2), ...)

; CHECK: @weft.printf.args = private constant [3 x { i32, i32, i32, i32 }]
; CHECK-SAME: { i32 3, i32 1, i32 0, i32 4 }, { i32, i32, i32, i32 } { i32 6, i32 3, i32 4, i32 12 }, { i32, i32, i32, i32 } { i32 8, i32 1, i32 16, i32 8 }
; CHECK: @weft.printf.site = private constant { ptr, ptr, i32, i32 } { ptr {{.*}}@format{{.*}}, ptr @weft.printf.args, i32 3, i32 24 }
; CHECK: define spir_kernel void @k({{.*}}) #[[KERNEL:[0-9]+]]
; CHECK: %[[CONTEXT:.*]] = call ptr @__weft_context()
; CHECK: %[[PRINT:.*]] = load ptr
; CHECK: call i32 %[[PRINT]](ptr %[[CONTEXT]], ptr @weft.printf.site, ptr %printf.block)
; CHECK: attributes #[[KERNEL]] = { "weft-kernel-flags"="1" }
define spir_kernel void @k(i32 %i, <3 x float> %v, ptr addrspace(2) %s) {
  %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %i, <3 x float> %v, ptr addrspace(2) %s)
  ret void
}
