; A cycle with a call by number is none without it. One that is left is an error, and so are barriers on the way.
; RUN: split-file %s %t
; RUN: weft-opt --passes=check-calls -disable-output %t/bounded.ll
; RUN: not weft-opt --passes=check-calls -disable-output %t/named.ll 2>&1 | FileCheck --check-prefix=NAMED %s
; RUN: not weft-opt --passes=check-calls -disable-output %t/barrier.ll 2>&1 | FileCheck --check-prefix=BARRIER %s

;--- bounded.ll
define i32 @call(ptr %f) "weft-indirect-call" {
  %r = call i32 @again(ptr %f)
  ret i32 %r
}
define i32 @again(ptr %f) {
  %r = call i32 @call(ptr %f)
  ret i32 %r
}

;--- named.ll
; NAMED-NOT: 'again'
; NAMED: error: function 'named' calls itself, directly; OpenCL does not allow recursion
; NAMED-NOT: error
define internal i32 @call(ptr %f) "weft-indirect-call" {
  %r = call i32 @again(ptr %f)
  ret i32 %r
}
define internal i32 @again(ptr %f) {
  %r = call i32 @call(ptr %f)
  %s = call i32 @named(ptr %f)
  ret i32 %r
}
define internal i32 @named(ptr %f) {
  %r = call i32 @named(ptr %f)
  ret i32 %r
}
define spir_kernel void @k(ptr %f) {
  %r = call i32 @call(ptr %f)
  ret void
}

;--- barrier.ll
; BARRIER: error: function 'again' calls itself, by a pointer or as a virtual function; then it cannot have a barrier
; BARRIER-NOT: error
declare void @__weft_barrier()
define i32 @call(ptr %f) "weft-indirect-call" {
  %r = call i32 @again(ptr %f)
  ret i32 %r
}
define i32 @again(ptr %f) {
  %r = call i32 @call(ptr %f)
  call void @waits()
  ret i32 %r
}
define void @waits() {
  call void @__weft_barrier()
  ret void
}
