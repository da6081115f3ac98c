; What the program reads from a table by a number of its own is read from the program's table; a class that has none gives zeros.
; RUN: weft-opt --passes='lower-virtual-calls,verify' -S %s | FileCheck %s

; CHECK: @_ZTV1A = linkonce_odr
@_ZTV1A = linkonce_odr unnamed_addr addrspace(1) constant { [3 x ptr addrspace(1)] } { [3 x ptr addrspace(1)] [ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) addrspacecast (ptr @f to ptr addrspace(1))] }
; CHECK: @weft.no_class = private unnamed_addr addrspace(1) constant [48 x i8] zeroinitializer, align 8

define spir_func i32 @f(ptr addrspace(4) %this) {
  ret i32 1
}

; CHECK-LABEL: define spir_func ptr @member
; CHECK: %class = load ptr addrspace(1)
; CHECK-NEXT: %[[PLACE:.*]] = call spir_func ptr addrspace(1) @weft.class_place(ptr addrspace(1) %class, i64 %member)
; CHECK-NEXT: load ptr, ptr addrspace(1) %[[PLACE]]
define spir_func ptr @member(ptr addrspace(4) %this, i64 %member) {
  %class = load ptr addrspace(1), ptr addrspace(4) %this, !tbaa !0
  %place = getelementptr i8, ptr addrspace(1) %class, i64 %member
  %function = load ptr, ptr addrspace(1) %place
  ret ptr %function
}

; CHECK-LABEL: define spir_func ptr @other
; CHECK: %[[TABLE:.*]] = call spir_func ptr addrspace(1) @weft.class_table(ptr addrspace(1) %class)
; CHECK-NEXT: getelementptr ptr, ptr addrspace(1) %[[TABLE]], i64 %member
define spir_func ptr @other(ptr addrspace(4) %this, i64 %member) {
  %class = load ptr addrspace(1), ptr addrspace(4) %this, !tbaa !0
  %place = getelementptr ptr, ptr addrspace(1) %class, i64 %member
  %function = load ptr, ptr addrspace(1) %place
  ret ptr %function
}

; CHECK-LABEL: define internal spir_func ptr addrspace(1) @weft.class_place(
; CHECK: call void @__weft_wrong_call()
; CHECK-NEXT: ret ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @weft.no_class, i64 24)
; CHECK: %[[OFFSET:.*]] = add i64 %1, 16
; CHECK: %[[ADDRESS:.*]] = getelementptr i8, ptr addrspace(1) @_ZTV1A, i64 %[[OFFSET]]
; CHECK: %[[INSIDE:.*]] = icmp ule i64 %[[OFFSET]], 16
; CHECK: select i1 %[[INSIDE]], ptr addrspace(1) %[[ADDRESS]], ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @weft.no_class, i64 24)

; CHECK-LABEL: define internal spir_func ptr addrspace(1) @weft.class_table(
; CHECK: call void @__weft_wrong_call()
; CHECK-NEXT: ret ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @weft.no_class, i64 24)
; CHECK: ret ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @_ZTV1A, i64 16)

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
