; Groups follow each other along y where what they store is near along y and far along x, and no access is far along y.
; RUN: weft-opt --passes='coalesce-work-groups,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare i64 @__weft_group_id(i32) memory(none)
declare i64 @__weft_enqueued_local_size(i32) memory(none)
declare void @__weft_barrier()

; b[(group of x * size + local y) * height + group of y * size + local x] = a[…]
; CHECK: @columns({{.*}}) #[[TURNED:[0-9]+]]
define spir_kernel void @columns(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %height) {
  %size = call i64 @__weft_enqueued_local_size(i32 0)
  %x = call i64 @__weft_group_id(i32 0)
  %y = call i64 @__weft_group_id(i32 1)
  %lx = call i64 @__weft_local_id(i32 0)
  %ly = call i64 @__weft_local_id(i32 1)
  %from = getelementptr float, ptr addrspace(1) %a, i64 %lx
  %v = load float, ptr addrspace(1) %from
  %h = sext i32 %height to i64
  %gx = mul i64 %x, %size
  %row = add i64 %gx, %ly
  %first = mul i64 %row, %h
  %gy = mul i64 %size, %y
  %column = add i64 %gy, %lx
  %i = add i64 %first, %column
  %to = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %v, ptr addrspace(1) %to
  ret void
}

; A known size: 8 * 16 bytes. Two shifts extend an index.
; CHECK: @known_size({{.*}}) #[[TURNED]]
define spir_kernel void @known_size(ptr addrspace(1) %b, i64 %h) {
  %x = call i64 @__weft_group_id(i32 0)
  %y = call i64 @__weft_group_id(i32 1)
  %lx = call i64 @__weft_local_id(i32 0)
  %first = mul i64 %x, %h
  %high = shl i64 %y, 35
  %gy = ashr exact i64 %high, 32
  %column = or disjoint i64 %gy, %lx
  %i = add i64 %first, %column
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %j = add i64 %i, %k
  %to = getelementptr <4 x float>, ptr addrspace(1) %b, i64 %j
  store <4 x float> zeroinitializer, ptr addrspace(1) %to
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What is read along x: a transposition.
; CHECK: @turned(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %h) {{{$}}
define spir_kernel void @turned(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %h) {
  %x = call i64 @__weft_group_id(i32 0)
  %y = call i64 @__weft_group_id(i32 1)
  %lx = call i64 @__weft_local_id(i32 0)
  %gx = shl i64 %x, 3
  %gy = shl i64 %y, 3
  %fx = mul i64 %gx, %h
  %fy = mul i64 %gy, %h
  %i = add i64 %fy, %gx
  %o = add i64 %fx, %gy
  %il = add i64 %i, %lx
  %ol = add i64 %o, %lx
  %from = getelementptr float, ptr addrspace(1) %a, i64 %il
  %v = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %b, i64 %ol
  store float %v, ptr addrspace(1) %to
  ret void
}

; Reads of which nothing is known may be near along x.
; CHECK: @mirrored(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %h) {{{$}}
define spir_kernel void @mirrored(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %h) {
  %x = call i64 @__weft_group_id(i32 0)
  %y = call i64 @__weft_group_id(i32 1)
  %fx = mul i64 %x, %h
  %fy = mul i64 %y, %h
  %mirrored = call i64 @llvm.smin.i64(i64 %x, i64 %h)
  %i = add i64 %fy, %mirrored
  %o = add i64 %fx, %y
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %b, i64 %o
  store float %v, ptr addrspace(1) %to
  ret void
}

; Programs may wait for groups before them.
; CHECK: @atomic(ptr addrspace(1) %b, i64 %h) {{{$}}
define spir_kernel void @atomic(ptr addrspace(1) %b, i64 %h) {
  %x = call i64 @__weft_group_id(i32 0)
  %y = call i64 @__weft_group_id(i32 1)
  %first = mul i64 %x, %h
  %i = add i64 %first, %y
  %to = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float 0.0, ptr addrspace(1) %to
  %old = atomicrmw add ptr addrspace(1) %b, i32 1 seq_cst
  ret void
}

; CHECK: attributes #[[TURNED]] = { "weft-groups-along-y"="1" }
; CHECK-NOT: "weft-groups-along-y"
