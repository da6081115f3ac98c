; Planes that are turned over have few lanes and run in tiles, but not where only some work-items store, by their data. Where work-items
; compute much, and where loads are far apart, lanes are not limited.
; RUN: weft-opt --passes=swap-dimensions -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @turned(
; CHECK-SAME: #[[FAR:[0-9]+]]
define spir_kernel void @turned(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w, i64 %h) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %row = mul i64 %y, %w
  %from = add i64 %row, %x
  %p.at = getelementptr i16, ptr addrspace(1) %p, i64 %from
  %v = load i16, ptr addrspace(1) %p.at
  %column = mul i64 %x, %h
  %to = add i64 %column, %y
  %q.at = getelementptr i16, ptr addrspace(1) %q, i64 %to
  store i16 %v, ptr addrspace(1) %q.at
  ret void
}

; CHECK-LABEL: define spir_kernel void @guarded(
; CHECK-NOT: #
; CHECK: {
define spir_kernel void @guarded(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w, i64 %h) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %row = mul i64 %y, %w
  %from = add i64 %row, %x
  %p.at = getelementptr i16, ptr addrspace(1) %p, i64 %from
  %v = load i16, ptr addrspace(1) %p.at
  %some = icmp ugt i16 %v, 100
  br i1 %some, label %then, label %end

then:
  %column = mul i64 %x, %h
  %to = add i64 %column, %y
  %q.at = getelementptr i16, ptr addrspace(1) %q, i64 %to
  store i16 %v, ptr addrspace(1) %q.at
  br label %end

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @computing(
; CHECK-SAME: #[[TURNED:[0-9]+]]
define spir_kernel void @computing(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w, i64 %h) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %row = mul i64 %y, %w
  %from = add i64 %row, %x
  %p.at = getelementptr <32 x i16>, ptr addrspace(1) %p, i64 %from
  %v = load <32 x i16>, ptr addrspace(1) %p.at
  %square = mul <32 x i16> %v, %v
  %sum = add <32 x i16> %square, %v
  %column = mul i64 %x, %h
  %to = add i64 %column, %y
  %q.at = getelementptr <32 x i16>, ptr addrspace(1) %q, i64 %to
  store <32 x i16> %sum, ptr addrspace(1) %q.at
  ret void
}

; CHECK-LABEL: define spir_kernel void @loads(
; CHECK-SAME: #[[TURNED]]
define spir_kernel void @loads(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w, i64 %h) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %column = mul i64 %x, %h
  %from = add i64 %column, %y
  %p.at = getelementptr i16, ptr addrspace(1) %p, i64 %from
  %v = load i16, ptr addrspace(1) %p.at
  %row = mul i64 %y, %w
  %to = add i64 %row, %x
  %q.at = getelementptr i16, ptr addrspace(1) %q, i64 %to
  store i16 %v, ptr addrspace(1) %q.at
  ret void
}

; Where a branch guards the store, a load before it is no reason.
; CHECK-LABEL: define spir_kernel void @guarded_store(
; CHECK-NOT: #
; CHECK: {
define spir_kernel void @guarded_store(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w, i64 %h) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %column = mul i64 %x, %h
  %at = add i64 %column, %y
  %p.at = getelementptr i16, ptr addrspace(1) %p, i64 %at
  %v = load i16, ptr addrspace(1) %p.at
  %some = icmp ugt i16 %v, 100
  %row = mul i64 %y, %w
  %next = add i64 %row, %x
  %p.next = getelementptr i16, ptr addrspace(1) %p, i64 %next
  %first = load i16, ptr addrspace(1) %p.next
  br i1 %some, label %then, label %end

then:
  %q.at = getelementptr i16, ptr addrspace(1) %q, i64 %at
  store i16 %first, ptr addrspace(1) %q.at
  br label %end

end:
  ret void
}

; All rows load the same.
; CHECK-LABEL: define spir_kernel void @same(
; CHECK-NOT: #
; CHECK: {
define spir_kernel void @same(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w, i64 %h) {
  %x = call i64 @__weft_global_id(i32 0)
  %y = call i64 @__weft_global_id(i32 1)
  %from = mul i64 %x, %h
  %p.at = getelementptr i16, ptr addrspace(1) %p, i64 %from
  %v = load i16, ptr addrspace(1) %p.at
  %row = mul i64 %y, %w
  %to = add i64 %row, %x
  %q.at = getelementptr i16, ptr addrspace(1) %q, i64 %to
  store i16 %v, ptr addrspace(1) %q.at
  ret void
}

; CHECK: attributes #[[FAR]] = { {{.*}}"weft-far-lanes"="8" {{.*}}"weft-turned-plane"="1"
; CHECK: attributes #[[TURNED]] = { "weft-turned-plane"="1" }
