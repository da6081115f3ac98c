; A sampler that the source writes down is its number, where a pointer would stand; nothing is called for it.
; RUN: weft-opt --passes='lower-target-types,verify' -S %s | FileCheck %s

declare target("spirv.Sampler") @__translate_sampler_initializer(i32)

; CHECK-LABEL: define ptr @sampler(
; CHECK-NOT: call
; CHECK: ret ptr inttoptr (i32 18 to ptr)
define target("spirv.Sampler") @sampler() {
  %s = call target("spirv.Sampler") @__translate_sampler_initializer(i32 18)
  ret target("spirv.Sampler") %s
}
