; A kernel whose ids are places in a plane gets a second version, in which its work-items follow each other from row to row.
; RUN: weft-opt --passes='interchange-items,verify' -S %s | FileCheck %s

declare i64 @__weft_first_item(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_size(i32) nounwind willreturn memory(none)
declare i64 @__weft_global_offset(i32) nounwind willreturn memory(none)
declare i64 @llvm.umax.i64(i64, i64)

; A constant number of columns; work-items that return early go on with the next column.
; CHECK-LABEL: define spir_kernel void @constant(
; CHECK: choice:
; CHECK: %[[BEGIN:.*]] = add nuw i64
; CHECK: %[[END:.*]] = add nuw i64 %[[BEGIN]],
; CHECK: icmp ult i64 %[[END]], 2147483648
; CHECK: br i1 %interchange, label %rows, label %entry
; CHECK: entry:
; CHECK: srem i32
; CHECK: next.column:
; CHECK: %[[NEXT:.*]] = add nuw nsw i64 %{{.*}}, 1
; CHECK: columns:
; CHECK: %[[COLUMN:.*]] = phi i64 [ 0, %rows ], [ %[[NEXT]], %next.column ]
; CHECK: call void @__weft_barrier()
; CHECK: icmp ult i64 %[[COLUMN]], 1024
; CHECK: br i1 %{{.*}}, label %[[ITEM:.*]], label %columns.end
; CHECK: [[ITEM]]:
; CHECK: %[[PLACE:.*]] = call i64 @__weft_local_id(i32 0)
; CHECK: %[[INSIDE:.*]] = icmp ult i64 %[[PLACE]],
; CHECK: %[[ROW:.*]] = add nuw nsw i64 %{{.*}}, %[[PLACE]]
; CHECK: %[[FIRST:.*]] = mul nuw nsw i64 %[[ROW]], 1024
; CHECK: %[[ID:.*]] = add nuw nsw i64 %[[FIRST]], %[[COLUMN]]
; CHECK: br i1 %[[INSIDE]], label %entry.row, label %next.column
; CHECK: entry.row:
; CHECK: trunc i64 %[[ID]] to i32
; CHECK: br i1 %{{.*}}, label %body.row, label %exit.row
; CHECK: body.row:
; CHECK-NOT: {{[su](rem|div) }}
; CHECK: trunc nuw nsw i64 %[[COLUMN]] to i32
; CHECK: trunc nuw nsw i64 %[[ROW]] to i32
; CHECK-NOT: {{[su](rem|div) }}
; CHECK: store
; CHECK: exit.row:
; CHECK-NEXT: br label %next.column
; CHECK: columns.end:
; CHECK-NEXT: ret void
define spir_kernel void @constant(ptr addrspace(1) %p, i32 %n, i32 %height) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %i = trunc i64 %id to i32
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %x = srem i32 %i, 1024
  %y = sdiv i32 %i, 1024
  %column = mul nsw i32 %x, %height
  %at = add nsw i32 %column, %y
  %index = sext i32 %at to i64
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  store i32 %i, ptr addrspace(1) %to
  br label %exit
exit:
  ret void
}

; The number of columns is computed before the choice.
; CHECK-LABEL: define spir_kernel void @argument(
; CHECK: choice:
; CHECK: %[[COLUMNS:.*]] = zext i32 %{{.*}} to i64
; CHECK: icmp uge i64 %[[COLUMNS]], 64
; CHECK: br i1 %interchange, label %rows, label %entry
; CHECK: entry.row:
; CHECK-NOT: {{[su](rem|div) }}
; CHECK: store
define spir_kernel void @argument(ptr addrspace(1) %p, i32 %width, i64 %height) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %isNone = icmp eq i32 %width, 0
  %divisor = select i1 %isNone, i32 1, i32 %width
  %by = sext i32 %divisor to i64
  %x = urem i64 %id, %by
  %y = udiv i64 %id, %by
  %column = mul i64 %x, %height
  %at = add i64 %column, %y
  %to = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %at
  store i64 %id, ptr addrspace(1) %to
  ret void
}

; A quotient by -1 is negated (lower-division).
; CHECK-LABEL: define spir_kernel void @negated(
; CHECK: choice:
; CHECK: br i1 %interchange, label %rows, label %entry
; CHECK: entry.row:
; CHECK-NOT: {{[su](rem|div) |%y.row =}}
; CHECK: store
define spir_kernel void @negated(ptr addrspace(1) %p, i32 %width, i32 %height) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %i = trunc i64 %id to i32
  %next = add i32 %width, 1
  %unsafe = icmp ult i32 %next, 2
  %divisor = select i1 %unsafe, i32 1, i32 %width
  %x = srem i32 %i, %divisor
  %quotient = sdiv i32 %i, %divisor
  %isNegated = icmp eq i32 %width, -1
  %negated = sub i32 0, %quotient
  %y = select i1 %isNegated, i32 %negated, i32 %quotient
  %column = mul i32 %x, %height
  %at = add i32 %column, %y
  %index = sext i32 %at to i64
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; The greater of a number and one is a divisor, too.
; CHECK-LABEL: define spir_kernel void @greater(
; CHECK: choice:
; CHECK: call i64 @llvm.umax.i64(
; CHECK: br i1 %interchange, label %rows, label %entry
define spir_kernel void @greater(ptr addrspace(1) %p, i64 %width, i64 %height) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %divisor = call i64 @llvm.umax.i64(i64 %width, i64 1)
  %x = urem i64 %id, %divisor
  %y = udiv i64 %id, %divisor
  %column = mul i64 %x, %height
  %at = add i64 %column, %y
  %to = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %at
  store i64 %id, ptr addrspace(1) %to
  ret void
}

; Powers of two divide by shifts and masks.
; CHECK-LABEL: define spir_kernel void @shifted(
; CHECK: br i1 %interchange, label %rows, label %entry
; CHECK: entry.row:
; CHECK-NOT: and
; CHECK-NOT: lshr
; CHECK: store
define spir_kernel void @shifted(ptr addrspace(1) %p, i64 %height) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %x = and i64 %id, 255
  %y = lshr i64 %id, 8
  %column = mul i64 %x, %height
  %at = add i64 %column, %y
  %to = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %at
  store i64 %id, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "weft-coalesced-groups"="1" "weft-interchanged-ids"="1" }
