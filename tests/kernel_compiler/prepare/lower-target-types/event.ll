; RUN: weft-opt --passes=lower-target-types,verify -S %s | FileCheck %s --implicit-check-not='target("spirv'

; CHECK: call ptr @copy(ptr null)
; CHECK: define ptr @copy(ptr %e)
; CHECK: %slot = alloca ptr
define void @caller() {
  %e = call target("spirv.Event") @copy(target("spirv.Event") zeroinitializer)
  ret void
}

define target("spirv.Event") @copy(target("spirv.Event") %e) {
  %slot = alloca target("spirv.Event")
  store target("spirv.Event") %e, ptr %slot
  %r = load target("spirv.Event"), ptr %slot
  ret target("spirv.Event") %r
}
