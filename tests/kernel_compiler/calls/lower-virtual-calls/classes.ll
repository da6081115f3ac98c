; Objects begin with a class's number, of its table's name and the place in it. A virtual call branches by the number; classes with one function in
; common call it in one place. Pure virtual functions, functions of other types and tables of others are no targets. Offsets are chosen as constants;
; what else is read comes from the program's table. A table that nothing needs any more goes.
; RUN: weft-opt --passes='lower-virtual-calls,verify' -S %s | FileCheck %s

@_ZTV1A = linkonce_odr unnamed_addr addrspace(1) constant { [4 x ptr addrspace(1)] } { [4 x ptr addrspace(1)] [ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) addrspacecast (ptr @__cxa_pure_virtual to ptr addrspace(1)), ptr addrspace(1) addrspacecast (ptr @g to ptr addrspace(1))] }
@_ZTV1B = linkonce_odr unnamed_addr addrspace(1) constant { [4 x ptr addrspace(1)], [5 x ptr addrspace(1)] } { [4 x ptr addrspace(1)] [ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) addrspacecast (ptr @f to ptr addrspace(1)), ptr addrspace(1) addrspacecast (ptr @g to ptr addrspace(1))], [5 x ptr addrspace(1)] [ptr addrspace(1) inttoptr (i64 -24 to ptr addrspace(1)), ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) addrspacecast (ptr @f to ptr addrspace(1)), ptr addrspace(1) addrspacecast (ptr @h to ptr addrspace(1))] }
@_ZTVother = external unnamed_addr addrspace(1) constant { [3 x ptr addrspace(1)] }
; CHECK-NOT: @_ZTV
; CHECK: @_ZTT1B = {{.*}} [ptr addrspace(1) inttoptr (i64 [[B:6[0-9]*]] to ptr addrspace(1)), ptr addrspace(1) inttoptr (i64 [[BASE:6[0-9]*]] to ptr addrspace(1))]
@_ZTT1B = linkonce_odr addrspace(1) constant [2 x ptr addrspace(1)] [ptr addrspace(1) getelementptr inbounds ({ [4 x ptr addrspace(1)], [5 x ptr addrspace(1)] }, ptr addrspace(1) @_ZTV1B, i32 0, i32 0, i32 2), ptr addrspace(1) getelementptr inbounds ({ [4 x ptr addrspace(1)], [5 x ptr addrspace(1)] }, ptr addrspace(1) @_ZTV1B, i32 0, i32 1, i32 3)]

declare void @__cxa_pure_virtual()

define spir_func i32 @f(ptr addrspace(4) %this) {
  ret i32 1
}

define spir_func i32 @g(ptr addrspace(4) %this) {
  ret i32 2
}

define spir_func i64 @h(ptr addrspace(4) %this) {
  ret i64 3
}

; CHECK-LABEL: define spir_func void @construct
; CHECK: store ptr addrspace(1) inttoptr (i64 [[B]] to ptr addrspace(1)), ptr addrspace(4) %this
; CHECK: store ptr addrspace(1) inttoptr (i64 {{6[0-9]*}} to ptr addrspace(1)), ptr addrspace(4) %this
define spir_func void @construct(ptr addrspace(4) %this) {
  store ptr addrspace(1) getelementptr inbounds ({ [4 x ptr addrspace(1)], [5 x ptr addrspace(1)] }, ptr addrspace(1) @_ZTV1B, i32 0, i32 0, i32 2), ptr addrspace(4) %this, !tbaa !0
  store ptr addrspace(1) getelementptr inbounds ({ [3 x ptr addrspace(1)] }, ptr addrspace(1) @_ZTVother, i32 0, i32 0, i32 2), ptr addrspace(4) %this, !tbaa !0
  ret void
}

; CHECK-LABEL: define spir_func i32 @first
; CHECK: %class = load ptr addrspace(1)
; CHECK-NEXT: %1 = call spir_func i32 @weft.indirect_call(ptr addrspace(1) %class, ptr addrspace(4) %this)
; CHECK-NEXT: ret i32 %1
define spir_func i32 @first(ptr addrspace(4) %this) {
  %class = load ptr addrspace(1), ptr addrspace(4) %this, !tbaa !0
  %entry = getelementptr inbounds ptr addrspace(1), ptr addrspace(1) %class, i64 0
  %a = load ptr addrspace(1), ptr addrspace(1) %entry
  %b = call spir_func addrspace(1) i32 %a(ptr addrspace(4) %this)
  ret i32 %b
}

; CHECK-LABEL: define spir_func i32 @second
; CHECK: call spir_func i32 @weft.indirect_call.1(ptr addrspace(1) %class, ptr addrspace(4) %this)
define spir_func i32 @second(ptr addrspace(4) %this) {
  %class = load ptr addrspace(1), ptr addrspace(4) %this, !tbaa !0
  %entry = getelementptr inbounds ptr addrspace(1), ptr addrspace(1) %class, i64 1
  %a = load ptr addrspace(1), ptr addrspace(1) %entry
  %b = call spir_func addrspace(1) i32 %a(ptr addrspace(4) %this)
  ret i32 %b
}

; CHECK-LABEL: define spir_func i64 @offset
; CHECK: %1 = call spir_func i64 @weft.class_offset(ptr addrspace(1) %class)
; CHECK-NEXT: ret i64 %1
define spir_func i64 @offset(ptr addrspace(4) %this) {
  %class = load ptr addrspace(1), ptr addrspace(4) %this, !tbaa !0
  %entry = getelementptr i8, ptr addrspace(1) %class, i64 -24
  %a = load i64, ptr addrspace(1) %entry
  ret i64 %a
}

; A table of function pointers that is no class's.
; CHECK-LABEL: define spir_func i32 @pointers
; CHECK: call spir_func addrspace(1) i32 %a(
define spir_func i32 @pointers(ptr addrspace(4) %p) {
  %table = load ptr addrspace(1), ptr addrspace(4) %p
  %a = load ptr addrspace(1), ptr addrspace(1) %table
  %b = call spir_func addrspace(1) i32 %a(ptr addrspace(4) %p)
  ret i32 %b
}

; CHECK-LABEL: define internal spir_func i32 @weft.indirect_call(
; CHECK: switch i64 %{{.*}}, label %[[NONE:.*]] [
; CHECK-NEXT: i64 [[B]], label %[[F:[0-9]*]]
; CHECK-NEXT: i64 [[BASE]], label %[[F]]
; CHECK-NEXT: ]
; CHECK: call void @__weft_wrong_call()
; CHECK-NEXT: ret i32 0
; CHECK: [[F]]:
; CHECK-NEXT: call spir_func i32 @f(ptr addrspace(4) %1)
; CHECK-LABEL: define internal spir_func i32 @weft.indirect_call.1(
; CHECK: switch i64
; CHECK-NEXT: i64 {{.*}}, label %[[G:.*]]
; CHECK-NEXT: i64 [[B]], label %[[G]]
; CHECK-NEXT: ]
; CHECK-LABEL: define internal spir_func i64 @weft.class_offset(
; CHECK: call void @__weft_wrong_call()
; CHECK-NEXT: ret i64 0
; CHECK: ret i64 -24

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
