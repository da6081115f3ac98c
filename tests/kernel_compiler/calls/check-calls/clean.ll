; Two calls of one function are no recursion.
; RUN: weft-opt --passes=check-calls -S %s | FileCheck %s

; CHECK: define i32 @leaf
define i32 @leaf(i32 %n) {
  ret i32 %n
}

define i32 @caller(i32 %n) {
  %a = call i32 @leaf(i32 %n)
  %b = call i32 @leaf(i32 %a)
  ret i32 %b
}
