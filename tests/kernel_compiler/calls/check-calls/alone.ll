; A function may be the whole cycle.
; RUN: not weft-opt --passes=check-calls -disable-output %s 2>&1 | FileCheck %s

; CHECK: error: function 'alone' calls itself, directly; OpenCL does not allow recursion
define i32 @alone(i32 %n) {
  %r = call i32 @alone(i32 %n)
  ret i32 %r
}
