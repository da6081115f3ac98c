; A kernel of a thousand instructions gets a second version, as sines and powers of vectors have; one of 1,600 stays as it is.
; RUN: sed -e 's/^ *HUNDRED$/TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN/' \
; RUN:     -e '/^TEN/s/TEN/ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE/g' -e '/^ONE/s/ *ONE/call void @work()\n/g' %s \
; RUN:   | weft-opt --passes='interchange-items,verify' -S | FileCheck %s

declare i64 @__weft_first_item(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_global_offset(i32) nounwind willreturn memory(none)
declare void @work() nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @large(
; CHECK: br i1 %interchange, label %rows, label %entry
; CHECK: columns.end:
define spir_kernel void @large(ptr addrspace(1) %p, i64 %height) #0 {
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
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  %to = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %at
  store i64 %id, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @too_large(
; CHECK-NOT: br i1
; CHECK: {{^}}}
define spir_kernel void @too_large(ptr addrspace(1) %p, i64 %height) #0 {
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
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  HUNDRED
  %to = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %at
  store i64 %id, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "weft-coalesced-groups"="1" "weft-interchanged-ids"="1" }
