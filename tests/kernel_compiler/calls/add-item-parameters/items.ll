; What a function that stays a call asks of the work-item becomes parameters of it, and of the functions that call it, up to kernels.
; RUN: weft-opt --passes='add-item-parameters,verify' -S %s | FileCheck %s

@tile = internal addrspace(3) global [4 x i32] undef
@format = internal addrspace(2) constant [3 x i8] c"%d\00"

declare i64 @__weft_global_id(i32)
declare i64 @__weft_local_size(i32)
declare i32 @printf(ptr addrspace(2), ...)

; CHECK: define internal i64 @leaf(i32 %d, i64 [[X:%[0-9]+]], i64 [[SIZE0:%[0-9]+]], i64 [[SIZE1:%[0-9]+]], i64 [[SIZE2:%[0-9]+]], ptr addrspace(3) [[TILE:%[0-9]+]])
; CHECK: icmp eq i32 %d, 1
; CHECK: select i1 {{.*}}, i64 [[SIZE1]], i64 [[SIZE2]]
; CHECK: icmp eq i32 %d, 0
; CHECK: select i1 {{.*}}, i64 [[SIZE0]], i64
; CHECK: getelementptr {{.*}}ptr addrspace(3) [[TILE]], i64 4
; CHECK: add i64 [[X]],
define internal i64 @leaf(i32 %d) noinline {
  %x = call i64 @__weft_global_id(i32 0)
  %size = call i64 @__weft_local_size(i32 %d)
  %shared = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 4)
  %wide = zext i32 %shared to i64
  %sum = add i64 %x, %size
  %all = add i64 %sum, %wide
  ret i64 %all
}

; CHECK: define internal i64 @inner(i64 [[A:%[0-9]+]], i64 [[B:%[0-9]+]], i64 [[C:%[0-9]+]], i64 [[D:%[0-9]+]], ptr addrspace(3) [[E:%[0-9]+]])
; CHECK: call i64 @leaf(i32 1, i64 [[A]], i64 [[B]], i64 [[C]], i64 [[D]], ptr addrspace(3) [[E]])
; CHECK: call i64 @leaf(i32 2, i64 [[A]], i64 [[B]], i64 [[C]], i64 [[D]], ptr addrspace(3) [[E]])
define internal i64 @inner() noinline {
  %a = call i64 @leaf(i32 1)
  %b = call i64 @leaf(i32 2)
  %sum = add i64 %a, %b
  ret i64 %sum
}

; What calls the host needs the context.
; CHECK: define internal void @prints(i32 %x, ptr "weft-item-context" %{{[0-9]+}})
; CHECK: call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %x)
define internal void @prints(i32 %x) noinline {
  %n = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %x)
  ret void
}

; What asks for nothing stays as it is.
; CHECK: define internal i32 @plain(i32 %x) #
define internal i32 @plain(i32 %x) noinline {
  %y = mul i32 %x, %x
  ret i32 %y
}

; CHECK: define spir_kernel void @k(ptr addrspace(1) %p)
; CHECK-DAG: [[CONTEXT:%.*]] = call ptr @__weft_context()
; CHECK-DAG: [[ID:%.*]] = call i64 @__weft_global_id(i32 0)
; CHECK-DAG: [[K0:%.*]] = call i64 @__weft_local_size(i32 0)
; CHECK-DAG: [[K1:%.*]] = call i64 @__weft_local_size(i32 1)
; CHECK-DAG: [[K2:%.*]] = call i64 @__weft_local_size(i32 2)
; CHECK: call i64 @inner(i64 [[ID]], i64 [[K0]], i64 [[K1]], i64 [[K2]], ptr addrspace(3) @tile)
; CHECK: call void @prints(i32 7, ptr [[CONTEXT]])
; CHECK: call i32 @plain(i32 7)
define spir_kernel void @k(ptr addrspace(1) %p) {
  %r = call i64 @inner()
  call void @prints(i32 7)
  %s = call i32 @plain(i32 7)
  store i64 %r, ptr addrspace(1) %p
  ret void
}

; A dimension may be another one for each work-item: none is asked for that is not constant.
; CHECK: define spir_kernel void @chooses(ptr addrspace(1) %p, i32 %d)
; CHECK-DAG: [[G0:%.*]] = call i64 @__weft_global_id(i32 0)
; CHECK-DAG: [[G1:%.*]] = call i64 @__weft_global_id(i32 1)
; CHECK-DAG: [[G2:%.*]] = call i64 @__weft_global_id(i32 2)
; CHECK-NOT: call
; CHECK: [[HIGH:%.*]] = select i1 %{{.*}}, i64 [[G1]], i64 [[G2]]
; CHECK: select i1 %{{.*}}, i64 [[G0]], i64 [[HIGH]]
define spir_kernel void @chooses(ptr addrspace(1) %p, i32 %d) {
  %id = call i64 @__weft_global_id(i32 %d)
  store i64 %id, ptr addrspace(1) %p
  ret void
}
