; A sampler is a number: one that the source writes down, and what __weft_sampler_number asks for.
; RUN: weft-opt --passes='lower-target-types,verify' -S %s | FileCheck %s

declare target("spirv.Sampler") @__translate_sampler_initializer(i32)
declare i64 @__weft_sampler_number(target("spirv.Sampler"))

; CHECK-LABEL: define i64 @sampler(
; CHECK-NOT: call
; CHECK: ret i64 18
define target("spirv.Sampler") @sampler() {
  %s = call target("spirv.Sampler") @__translate_sampler_initializer(i32 18)
  ret target("spirv.Sampler") %s
}

; CHECK-LABEL: define spir_kernel void @number(i64 "weft-sampler" %s, ptr %p)
; CHECK-NOT: call
; CHECK: store i64 %s, ptr %p
define spir_kernel void @number(target("spirv.Sampler") %s, ptr %p) {
  %v = alloca target("spirv.Sampler")
  store target("spirv.Sampler") %s, ptr %v
  %again = load target("spirv.Sampler"), ptr %v
  %n = call i64 @__weft_sampler_number(target("spirv.Sampler") %again)
  store i64 %n, ptr %p
  %first = call i64 @__weft_sampler_number(target("spirv.Sampler") %s)
  store i64 %first, ptr %p
  ret void
}
