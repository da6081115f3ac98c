; Work-items do not wait for each other by images: groups that only access them run as one.
; RUN: weft-opt --passes=coalesce-work-groups -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)
declare void @__weft_image_write_float(ptr addrspace(2), i32, i32, i32, i32, i32, <4 x float>)

; CHECK: define spir_kernel void @k({{.*}}) #[[ALL:[0-9]+]]
; CHECK: attributes #[[ALL]] = {{{.*}}"weft-coalesced-groups"="1"
define spir_kernel void @k(ptr addrspace(2) %i) {
  %id = call i64 @__weft_global_id(i32 0)
  %x = trunc i64 %id to i32
  call void @__weft_image_write_float(ptr addrspace(2) %i, i32 3, i32 %x, i32 2, i32 0, i32 0, <4 x float> zeroinitializer)
  ret void
}
