; In a loop of scalars an index of 32 bits is summed up in 64: what stays in the loop first, then what changes.
; RUN: weft-opt --passes='extend-indices,verify' -S %s | FileCheck %s

; CHECK-LABEL: define i32 @sum(
; CHECK: [[FIRST:%.*]] = sext i32 %first to i64
; CHECK: [[STEP:%.*]] = sext i32 %step to i64
; CHECK: [[STAYS:%.*]] = sub nsw i64 [[FIRST]], [[STEP]]
; CHECK: [[ROW:%.*]] = sext i32 %row to i64
; CHECK: [[INDEX:%.*]] = add nsw i64 [[STAYS]], [[ROW]]
; CHECK: getelementptr inbounds i8, ptr %data, i64 [[INDEX]]
define i32 @sum(ptr %data, i32 %first, i32 %step, i32 %n) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %row = mul nsw i32 %k, 256
  %part = add nsw i32 %first, %row
  %index = sub nsw i32 %part, %step
  %index.long = sext i32 %index to i64
  %place = getelementptr inbounds i8, ptr %data, i64 %index.long
  %byte = load i8, ptr %place
  %value = zext i8 %byte to i32
  %more = add i32 %sum, %value
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret i32 %more
}

; The sum may wrap.
; CHECK-LABEL: define void @wraps(
; CHECK: %index = add i32 %first, %k
; CHECK: sext i32 %index to i64
define void @wraps(ptr %data, i32 %first, i32 %n) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %index = add i32 %first, %k
  %index.long = sext i32 %index to i64
  %place = getelementptr inbounds i8, ptr %data, i64 %index.long
  store i8 0, ptr %place
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

; A loop of vectors.
; CHECK-LABEL: define void @vectors(
; CHECK: %index = add nsw i32 %first, %k
; CHECK: sext i32 %index to i64
define void @vectors(ptr %data, i32 %first, i32 %n, <4 x i32> %value) {
entry:
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %index = add nsw i32 %first, %k
  %index.long = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr %data, i64 %index.long
  %old = load <4 x i32>, ptr %place
  %sum = add <4 x i32> %old, %value
  store <4 x i32> %sum, ptr %place
  %next = add nuw nsw i32 %k, 4
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}
