; A cycle of the call graph is an error that names each function on it, and so is a call through a pointer.
; RUN: not weft-opt --passes=check-calls -disable-output %s 2>&1 | FileCheck %s

; CHECK: error: function '{{odd|even}}' calls itself, through '{{odd|even}}'; OpenCL does not allow recursion
define i32 @odd(i32 %n) {
  %r = call i32 @even(i32 %n)
  ret i32 %r
}

define i32 @even(i32 %n) {
  %r = call i32 @odd(i32 %n)
  ret i32 %r
}
