; Kernels that stay as they are: what differs from one that gets a second version is one thing.
; RUN: weft-opt --passes='interchange-items,verify' -S %s | FileCheck %s

; CHECK-NOT: choice

declare i64 @__weft_first_item(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_global_offset(i32) nounwind willreturn memory(none)

; No columns.
define spir_kernel void @rows_alone(ptr addrspace(1) %p) #0 {
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %y = lshr i64 %id, 8
  %to = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %y
  store i64 %id, ptr addrspace(1) %to
  ret void
}

; The number of columns is 8 bits of a number.
define spir_kernel void @cut(ptr addrspace(1) %p, i32 %n, i64 %height) #0 {
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %byte = trunc i32 %n to i8
  %width = zext i8 %byte to i64
  %x = urem i64 %id, %width
  %y = udiv i64 %id, %width
  %column = mul i64 %x, %height
  %at = add i64 %column, %y
  %to = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %at
  store i64 %id, ptr addrspace(1) %to
  ret void
}

; Each work-item has an array of its own.
define spir_kernel void @array(ptr addrspace(1) %p, i64 %height, i64 %k) #0 {
  %array = alloca [8 x i64]
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %x = and i64 %id, 255
  %y = lshr i64 %id, 8
  %column = mul i64 %x, %height
  %at = add i64 %column, %y
  %element = getelementptr inbounds i64, ptr %array, i64 %k
  store i64 %id, ptr %element
  %read = load i64, ptr %array
  %to = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %at
  store i64 %read, ptr addrspace(1) %to
  ret void
}

; Vectors suit rows no better, and columns are near each other.
define spir_kernel void @unsaid(ptr addrspace(1) %p, i64 %height) #1 {
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %x = and i64 %id, 255
  %y = lshr i64 %id, 8
  %row = mul i64 %y, %height
  %at = add i64 %row, %x
  %to = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %at
  store i64 %id, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "weft-coalesced-groups"="1" "weft-interchanged-ids"="1" }
attributes #1 = { "weft-coalesced-groups"="1" }
