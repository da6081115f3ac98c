; A yield is a call of the host. A kernel that comes to one bears a flag, and another one if it comes to __weft_alone, here in a function.
; RUN: weft-opt --passes=lower-waits -S %s | FileCheck %s

declare void @__weft_yield()
declare void @__weft_alone()

; CHECK-LABEL: define spir_kernel void @waits(i1 %c)
; CHECK-SAME: #[[WAITS:[0-9]+]] {
; CHECK: wait:
; CHECK: %[[CONTEXT:.*]] = call ptr @__weft_context()
; CHECK: %[[YIELD:.*]] = load ptr, ptr %{{.*}}, !invariant.load
; CHECK: call void %[[YIELD]](ptr %[[CONTEXT]])
; CHECK-NOT: call void @__weft_yield()
define spir_kernel void @waits(i1 %c) {
  br i1 %c, label %wait, label %done
wait:
  call void @__weft_yield()
  br label %done
done:
  ret void
}

; CHECK: define spir_kernel void @alone() #[[ALONE:[0-9]+]]
define spir_kernel void @alone() {
  call void @reserve()
  ret void
}

; CHECK-NOT: call void @__weft_alone()
define void @reserve() {
  call void @__weft_alone()
  ret void
}

; CHECK: attributes #[[WAITS]] = { "weft-kernel-flags"="536870912" }
; CHECK: attributes #[[ALONE]] = { "weft-kernel-flags"="268435456" }
