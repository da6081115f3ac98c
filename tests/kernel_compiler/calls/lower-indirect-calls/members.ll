; Clang passes the object of a call through a pointer to a member function as a private one; the function takes a generic one. What the object
; was before is passed.
; RUN: weft-opt --passes='lower-indirect-calls,verify' -S %s | FileCheck %s

define spir_func i32 @member(ptr addrspace(4) %this, i32 %a) {
  ret i32 %a
}

define spir_func i32 @constant(ptr addrspace(2) %a, i32 %b) {
  ret i32 %b
}

; CHECK-LABEL: define spir_func i32 @calls
; CHECK: call spir_func i32 @weft.indirect_call(ptr %f, ptr addrspace(4) %object, i32 1)
; CHECK: call spir_func i32 @weft.indirect_call.1(ptr %f, ptr %own, i32 1)
define spir_func i32 @calls(ptr addrspace(4) %object, ptr %own, ptr %f) {
  store ptr @member, ptr %own
  store ptr @constant, ptr %own
  %private = addrspacecast ptr addrspace(4) %object to ptr
  %a = call spir_func i32 %f(ptr nonnull %private, i32 1)
  %b = call spir_func i32 %f(ptr %own, i32 1)
  %c = add i32 %a, %b
  ret i32 %c
}

; CHECK-LABEL: define internal spir_func i32 @weft.indirect_call(
; CHECK-NOT: @constant
; CHECK: call spir_func i32 @member(ptr addrspace(4) %1, i32 %2)
; CHECK-LABEL: define internal spir_func i32 @weft.indirect_call.1(
; CHECK-NOT: @constant
; CHECK: %[[THIS:.*]] = addrspacecast ptr %1 to ptr addrspace(4)
; CHECK-NEXT: call spir_func i32 @member(ptr addrspace(4) %[[THIS]], i32 %2)
