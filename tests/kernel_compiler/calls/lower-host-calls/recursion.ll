; A call begins where the count allows it and the frame is above the stack's end; without room the count is negative from then on.
; RUN: weft-opt --passes='lower-host-calls,verify' -S %s | FileCheck %s

declare i1 @__weft_begin_call()
declare void @__weft_end_call()

; CHECK-LABEL: define internal i32 @call(i32 %x, ptr "weft-item-context" %context)
; CHECK: [[HERE:%.*]] = alloca i8
; CHECK: [[PLACE:%.*]] = getelementptr inbounds{{.*}} i8, ptr %context, i64 [[OFFSET:[0-9]+]]
; CHECK: [[LEFT:%.*]] = load i32, ptr [[PLACE]]
; CHECK: [[END:%.*]] = load i64, {{.*}}!invariant.load
; CHECK: [[COUNTED:%.*]] = icmp sgt i32 [[LEFT]], 0
; CHECK: [[FRAME:%.*]] = ptrtoint ptr [[HERE]] to i64
; CHECK: [[ABOVE:%.*]] = icmp ugt i64 [[FRAME]], [[END]]
; CHECK: [[HAS:%.*]] = and i1 [[COUNTED]], [[ABOVE]]
; CHECK: [[LESS:%.*]] = sub i32 [[LEFT]], 1
; CHECK: [[NEXT:%.*]] = select i1 [[HAS]], i32 [[LESS]], i32 -2147483648
; CHECK: store i32 [[NEXT]], ptr [[PLACE]]
; CHECK: br i1 [[HAS]], label %entered, label %none
; CHECK: entered:
; CHECK: [[AGAIN:%.*]] = getelementptr inbounds{{.*}} i8, ptr %context, i64 [[OFFSET]]
; CHECK: [[BEFORE:%.*]] = load i32, ptr [[AGAIN]]
; CHECK: [[MORE:%.*]] = add i32 [[BEFORE]], 1
; CHECK: store i32 [[MORE]], ptr [[AGAIN]]
define internal i32 @call(i32 %x, ptr "weft-item-context" %context) noinline {
  %has = call i1 @__weft_begin_call()
  br i1 %has, label %entered, label %none
entered:
  call void @__weft_end_call()
  ret i32 %x
none:
  ret i32 0
}
