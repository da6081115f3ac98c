; The first function of a table may be null, where a virtual base that is all that the class begins with lies elsewhere: the place that objects
; point to is before it.
; RUN: weft-opt --passes='lower-virtual-calls,verify' -S %s | FileCheck %s

@_ZTV1Z = linkonce_odr unnamed_addr addrspace(1) constant { [5 x ptr addrspace(1)], [6 x ptr addrspace(1)] } { [5 x ptr addrspace(1)] [ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) addrspacecast (ptr @f to ptr addrspace(1)), ptr addrspace(1) addrspacecast (ptr @f to ptr addrspace(1))], [6 x ptr addrspace(1)] [ptr addrspace(1) inttoptr (i64 -16 to ptr addrspace(1)), ptr addrspace(1) null, ptr addrspace(1) inttoptr (i64 -16 to ptr addrspace(1)), ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) addrspacecast (ptr @g to ptr addrspace(1))] }

define spir_func i32 @f(ptr addrspace(4) %this) {
  ret i32 1
}

define spir_func i32 @g(ptr addrspace(4) %this) {
  ret i32 2
}

; CHECK-LABEL: define spir_func void @construct
; CHECK: store ptr addrspace(1) inttoptr (i64 [[Z:6[0-9]*]] to ptr addrspace(1)), ptr addrspace(4) %this
; CHECK: store ptr addrspace(1) inttoptr (i64 [[Y:6[0-9]*]] to ptr addrspace(1)), ptr addrspace(4) %y
define spir_func void @construct(ptr addrspace(4) %this, ptr addrspace(4) %y) {
  store ptr addrspace(1) getelementptr inbounds ({ [5 x ptr addrspace(1)], [6 x ptr addrspace(1)] }, ptr addrspace(1) @_ZTV1Z, i32 0, i32 0, i32 3), ptr addrspace(4) %this, !tbaa !0
  store ptr addrspace(1) getelementptr inbounds ({ [5 x ptr addrspace(1)], [6 x ptr addrspace(1)] }, ptr addrspace(1) @_ZTV1Z, i32 0, i32 1, i32 4), ptr addrspace(4) %y, !tbaa !0
  ret void
}

define spir_func i32 @second(ptr addrspace(4) %this) {
  %class = load ptr addrspace(1), ptr addrspace(4) %this, !tbaa !0
  %entry = getelementptr inbounds ptr addrspace(1), ptr addrspace(1) %class, i64 1
  %a = load ptr addrspace(1), ptr addrspace(1) %entry
  %b = call spir_func addrspace(1) i32 %a(ptr addrspace(4) %this)
  ret i32 %b
}

; CHECK-LABEL: define internal spir_func i32 @weft.indirect_call(
; CHECK: i64 [[Z]], label %[[F:.*]]
; CHECK-NEXT: i64 [[Y]], label %[[G:.*]]
; CHECK: [[F]]:
; CHECK-NEXT: call spir_func i32 @f(
; CHECK: [[G]]:
; CHECK-NEXT: call spir_func i32 @g(

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
