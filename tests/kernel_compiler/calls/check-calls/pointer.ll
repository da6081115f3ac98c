; RUN: not weft-opt --passes=check-calls -disable-output %s 2>&1 | FileCheck %s
; RUN: weft-opt --passes=check-calls -disable-output %S/clean.ll

; CHECK: error: function 'apply' calls through a pointer
define i32 @apply(ptr %f) {
  %r = call i32 %f(i32 1)
  ret i32 %r
}
