; A dimension along which memory is contiguous becomes x: all queries change, and the required size of a group. Steps of y do not help
; where x has neighbours already, or where both are alike (a transposition); blocks of work-items are of both then.
; RUN: weft-opt --passes='swap-dimensions,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)
declare i64 @__weft_global_size(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @columns(
; CHECK-SAME: #[[SWAPPED:[0-9]+]] !reqd_work_group_size ![[SIZE:[0-9]+]]
; CHECK: %x = call i64 @__weft_global_id(i32 1)
; CHECK: %y = call i64 @__weft_global_id(i32 0)
; CHECK: %z = call i64 @__weft_global_id(i32 2)
; CHECK: %size = call i64 @__weft_global_size(i32 0)
define spir_kernel void @columns(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %z = call i64 @__weft_global_id(i32 2)
  %size = call i64 @__weft_global_size(i32 1)
  %row = mul i64 %x, %size
  %i = add i64 %row, %y
  %i.z = add i64 %i, %z
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %place
  store float %v, ptr addrspace(1) %place
  ret void
}

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK: %x = call i64 @__weft_global_id(i32 0)
define spir_kernel void @rows(ptr addrspace(1) %p) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %size = call i64 @__weft_global_size(i32 0)
  %row = mul i64 %y, %size
  %i = add i64 %row, %x
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %place
  store float %v, ptr addrspace(1) %place
  ret void
}

; CHECK-LABEL: define spir_kernel void @transpose(
; CHECK: %x = call i64 @__weft_global_id(i32 0)
define spir_kernel void @transpose(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %size = call i64 @__weft_global_size(i32 0)
  %row = mul i64 %y, %size
  %column = mul i64 %x, %size
  %i = add i64 %row, %x
  %j = add i64 %column, %y
  %from = getelementptr float, ptr addrspace(1) %p, i64 %i
  %to = getelementptr float, ptr addrspace(1) %q, i64 %j
  %v = load float, ptr addrspace(1) %from
  store float %v, ptr addrspace(1) %to
  ret void
}

; Reads along z, stores along x: vectors go along x, as both are alike, and blocks along z; with more reads it is the other way around.
; The third dimension comes last in both. Then stores are far apart along vectors, which limits their lanes; loads that are do not.
; CHECK-LABEL: define spir_kernel void @layers(
; CHECK-SAME: #[[LAYERS:[0-9]+]]
; CHECK: %x = call i64 @__weft_global_id(i32 0)
; CHECK: %y = call i64 @__weft_global_id(i32 2)
; CHECK: %z = call i64 @__weft_global_id(i32 1)
define spir_kernel void @layers(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %z = call i64 @__weft_global_id(i32 2)
  %size = call i64 @__weft_global_size(i32 0)
  %layer = mul i64 %z, %size
  %column = mul i64 %x, %size
  %row = mul i64 %y, %size
  %i.z = add i64 %layer, %x
  %i = add i64 %i.z, %row
  %j.x = add i64 %column, %z
  %j = add i64 %j.x, %row
  %from = getelementptr float, ptr addrspace(1) %p, i64 %j
  %to = getelementptr float, ptr addrspace(1) %q, i64 %i
  %v = load float, ptr addrspace(1) %from
  store float %v, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define spir_kernel void @more_layers(
; CHECK-SAME: #[[MORE:[0-9]+]] !reqd_work_group_size ![[LAYERSIZE:[0-9]+]]
; CHECK: %x = call i64 @__weft_global_id(i32 1)
; CHECK: %y = call i64 @__weft_global_id(i32 2)
; CHECK: %z = call i64 @__weft_global_id(i32 0)
define spir_kernel void @more_layers(ptr addrspace(1) %p, ptr addrspace(1) %q) !reqd_work_group_size !1 {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %z = call i64 @__weft_global_id(i32 2)
  %size = call i64 @__weft_global_size(i32 0)
  %layer = mul i64 %z, %size
  %column = mul i64 %x, %size
  %row = mul i64 %y, %size
  %i.z = add i64 %layer, %x
  %i = add i64 %i.z, %row
  %j.x = add i64 %column, %z
  %j = add i64 %j.x, %row
  %from = getelementptr float, ptr addrspace(1) %p, i64 %j
  %next = getelementptr float, ptr addrspace(1) %from, i64 1
  %third = getelementptr float, ptr addrspace(1) %from, i64 2
  %to = getelementptr float, ptr addrspace(1) %q, i64 %i
  %v = load float, ptr addrspace(1) %from
  %v.next = load float, ptr addrspace(1) %next
  %v.third = load float, ptr addrspace(1) %third
  %two = fadd float %v, %v.next
  %three = fadd float %two, %v.third
  store float %three, ptr addrspace(1) %to
  ret void
}

; Numbers that all follow each other along z do so along y next.
; CHECK-LABEL: define spir_kernel void @reversed(
; CHECK-SAME: #[[REVERSED:[0-9]+]]
; CHECK: %x = call i64 @__weft_global_id(i32 2)
; CHECK: %y = call i64 @__weft_global_id(i32 1)
; CHECK: %z = call i64 @__weft_global_id(i32 0)
define spir_kernel void @reversed(ptr addrspace(1) %p) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %z = call i64 @__weft_global_id(i32 2)
  %size = call i64 @__weft_global_size(i32 0)
  %layer = mul i64 %x, %size
  %plane = add i64 %layer, %y
  %column = mul i64 %plane, %size
  %i = add i64 %column, %z
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %place
  %two = fadd float %v, %v
  store float %two, ptr addrspace(1) %place
  ret void
}

; Work-items that part: stores to layers do not limit the lanes.
; CHECK-LABEL: define spir_kernel void @parting(
; CHECK-SAME: #[[PARTING:[0-9]+]]
define spir_kernel void @parting(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %z = call i64 @__weft_global_id(i32 2)
  %size = call i64 @__weft_global_size(i32 0)
  %inside = icmp ult i64 %z, %n
  br i1 %inside, label %then, label %exit
then:
  %layer = mul i64 %z, %size
  %i = add i64 %layer, %x
  %column = mul i64 %x, %size
  %j = add i64 %column, %z
  %from = getelementptr float, ptr addrspace(1) %p, i64 %j
  %next = getelementptr float, ptr addrspace(1) %from, i64 1
  %third = getelementptr float, ptr addrspace(1) %from, i64 2
  %to = getelementptr float, ptr addrspace(1) %q, i64 %i
  %v = load float, ptr addrspace(1) %from
  %v.next = load float, ptr addrspace(1) %next
  %v.third = load float, ptr addrspace(1) %third
  %two = fadd float %v, %v.next
  %three = fadd float %two, %v.third
  store float %three, ptr addrspace(1) %to
  br label %exit
exit:
  ret void
}

; By what they have read: selections, as a rule.
; CHECK-LABEL: define spir_kernel void @selecting(
; CHECK-SAME: #[[MORE]]
define spir_kernel void @selecting(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %z = call i64 @__weft_global_id(i32 2)
  %size = call i64 @__weft_global_size(i32 0)
  %layer = mul i64 %z, %size
  %i = add i64 %layer, %x
  %column = mul i64 %x, %size
  %j = add i64 %column, %z
  %from = getelementptr i32, ptr addrspace(1) %p, i64 %j
  %next = getelementptr i32, ptr addrspace(1) %from, i64 1
  %third = getelementptr i32, ptr addrspace(1) %from, i64 2
  %to = getelementptr i32, ptr addrspace(1) %q, i64 %i
  %v = load i32, ptr addrspace(1) %from
  %v.next = load i32, ptr addrspace(1) %next
  %v.third = load i32, ptr addrspace(1) %third
  %less = icmp ult i32 %v, %v.next
  br i1 %less, label %then, label %end
then:
  %sum = add i32 %v, %v.third
  br label %end
end:
  %either = phi i32 [ %v, %entry ], [ %sum, %then ]
  store i32 %either, ptr addrspace(1) %to
  ret void
}

; CHECK: attributes #[[SWAPPED]] = { "weft-swapped-dimension"="1" }
; CHECK: attributes #[[LAYERS]] = { "weft-second-dimension"="2" }
; CHECK: attributes #[[MORE]] = { "weft-far-lanes"="8" "weft-swapped-dimension"="2" }
; CHECK: attributes #[[REVERSED]] = { "weft-second-dimension"="1" "weft-swapped-dimension"="2" }
; CHECK: attributes #[[PARTING]] = { "weft-swapped-dimension"="2" }
; CHECK: ![[SIZE]] = !{i32 8, i32 16, i32 1}
; CHECK: ![[LAYERSIZE]] = !{i32 4, i32 16, i32 8}
!0 = !{i32 16, i32 8, i32 1}
!1 = !{i32 16, i32 8, i32 4}
