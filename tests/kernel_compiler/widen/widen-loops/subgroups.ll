; Sub-groups are vectors. Where whole vectors fill rows, or there is one row, they go along x; else over the linear ids,
; with a mask. What lanes do together is vector code for those that run, and a barrier between them is nothing.
; RUN: weft-opt --passes='work-item-loops,widen-loops,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare i32 @__weft_sub_size() memory(none)
declare i32 @__weft_sub_lane() memory(none)
declare void @__weft_sub_barrier() convergent
declare i32 @__weft_sub_ballot(i32) memory(none) convergent
declare i32 @__weft_sub_shuffle_uint(i32, i32) memory(none) convergent
declare i32 @__weft_sub_reduce_min_int(i32, i32) memory(none) convergent
declare float @__weft_sub_reduce_add_float(float, i32) memory(none) convergent
declare i32 @__weft_sub_exclusive_add_int(i32) memory(none) convergent

; CHECK-LABEL: define spir_kernel void @together(
; CHECK-NOT: call {{.*}}@__weft_sub
; CHECK: region0:
; CHECK:   %[[ROWS:.*]] = mul nuw i64
; CHECK:   %[[PART:.*]] = and i64 %{{.*}}, 3
; CHECK:   icmp eq i64 %[[ROWS]], 1
; CHECK:   icmp eq i64 %[[PART]], 0
; CHECK:   br i1 %{{.*}}, label %z.loop, label %[[LINEAR:wide.before.*]]
; Whole vectors. A lane that is known by its number is a shuffle; and the first lane of a scan has nothing before it.
; CHECK: x.loop.wide:
; CHECK:   phi i64
; CHECK:   %[[V:.*]] = load <4 x i32>
; CHECK:   bitcast <4 x i1> {{.*}} to i4
; CHECK:   call i32 @llvm.vector.reduce.smin.v4i32(<4 x i32> %[[V]])
; CHECK:   extractelement <4 x i32> %[[V]], i64 2
; CHECK:   shufflevector <4 x i32> %[[V]], <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
; CHECK:   shufflevector <4 x i32> %[[V]], <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 0, i32 1, i32 2>
; CHECK:   store <4 x i32>
; The last vector of a row.
; CHECK: x.loop.wide{{.*}}:
; CHECK:   select <4 x i1> {{.*}}, <4 x i32> splat (i32 2147483647)
; CHECK:   call i32 @llvm.vector.reduce.smin.v4i32
; CHECK:   call void @llvm.masked.store
; By linear ids: x, y and z are vectors.
; CHECK: [[LINEAR]]:
; CHECK:   %linear = phi i64
; CHECK:   icmp ult <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK:   fdiv <4 x float>
; CHECK:   call void @llvm.masked.scatter
define spir_kernel void @together(ptr addrspace(1) %p) #0 {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %row = shl i64 %y, 8
  %i = add i64 %row, %x
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %v = load i32, ptr addrspace(1) %at
  %ballot = call i32 @__weft_sub_ballot(i32 %v)
  call void @__weft_sub_barrier()
  %least = call i32 @__weft_sub_reduce_min_int(i32 %v, i32 0)
  %third = call i32 @__weft_sub_shuffle_uint(i32 %v, i32 2)
  %lane = call i32 @__weft_sub_lane()
  %other = xor i32 %lane, 1
  %neighbour = call i32 @__weft_sub_shuffle_uint(i32 %v, i32 %other)
  %before = call i32 @__weft_sub_exclusive_add_int(i32 %v)
  %size = call i32 @__weft_sub_size()
  %s0 = add i32 %ballot, %least
  %s1 = add i32 %s0, %third
  %s2 = add i32 %s1, %neighbour
  %s3 = add i32 %s2, %before
  %s4 = add i32 %s3, %size
  store i32 %s4, ptr addrspace(1) %at
  ret void
}

; Of a group of whole rows nothing else is made, nor of one without.
; CHECK-LABEL: define spir_kernel void @rows(
; CHECK-NOT: %linear = phi
; CHECK-LABEL: define spir_kernel void @parts(
; CHECK: %linear = phi
; CHECK-NOT: wide.after
define spir_kernel void @rows(ptr addrspace(1) %p) #0 !reqd_work_group_size !0 {
  %lane = call i32 @__weft_sub_lane()
  store i32 %lane, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @parts(ptr addrspace(1) %p) #0 !reqd_work_group_size !1 {
  %lane = call i32 @__weft_sub_lane()
  store i32 %lane, ptr addrspace(1) %p
  ret void
}

; Vectors over linear ids begin anywhere in x, so that a part of x is a vector of its own there.
; CHECK-LABEL: define spir_kernel void @digits(
; CHECK: %linear = phi
; CHECK: and <4 x i64> %{{.*}}, splat (i64 3)
; CHECK: lshr <4 x i64> %{{.*}}, splat (i64 2)
define spir_kernel void @digits(ptr addrspace(1) %p) #0 !reqd_work_group_size !1 {
  %x = call i64 @__weft_local_id(i32 0)
  %low = and i64 %x, 3
  %high = lshr i64 %x, 2
  %lane = call i32 @__weft_sub_lane()
  %to = getelementptr [4 x i32], ptr addrspace(1) %p, i64 %low, i64 %high
  store i32 %lane, ptr addrspace(1) %to
  ret void
}

; Some lanes: those that do not run count as what changes nothing.
; CHECK-LABEL: define spir_kernel void @some(
; CHECK: then.body
; CHECK:   select <4 x i1> %{{.*}}, <4 x float> %{{.*}}, <4 x float> zeroinitializer
; CHECK:   %[[L:.*]] = shufflevector <4 x float> %[[V:.*]], <4 x float> poison, <2 x i32> <i32 0, i32 1>
; CHECK:   %[[H:.*]] = shufflevector <4 x float> %[[V]], <4 x float> poison, <2 x i32> <i32 2, i32 3>
; CHECK:   %[[S:.*]] = fadd <2 x float> %[[L]], %[[H]]
; CHECK:   fadd <1 x float>
define spir_kernel void @some(ptr addrspace(1) %p) #0 !reqd_work_group_size !0 {
  %x = call i64 @__weft_local_id(i32 0)
  %at = getelementptr float, ptr addrspace(1) %p, i64 %x
  %v = load float, ptr addrspace(1) %at
  %c = fcmp ogt float %v, 1.0
  br i1 %c, label %then, label %end
then:
  %sum = call float @__weft_sub_reduce_add_float(float %v, i32 0)
  store float %sum, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; Where a region cannot be widened each work-item is a sub-group.
; CHECK-LABEL: define spir_kernel void @alone(
; CHECK-NOT: .wide:
; CHECK:   %v = load i32
; CHECK:   %[[SET:.*]] = icmp ne i32 %v, 0
; CHECK:   %[[BIT:.*]] = zext i1 %[[SET]] to i32
; CHECK:   add i32 %[[BIT]], %v
; CHECK:   add i32 %{{.*}}, 1
; CHECK:   add i32 %{{.*}}, 0
; CHECK: attributes #[[#]] = { {{.*}}"weft-vector-width"="4" }
; CHECK: attributes #[[#]] = { "alone" {{.*}}"weft-vector-width"="1" }
define spir_kernel void @alone(ptr addrspace(1) %p) #1 {
  %x = call i64 @__weft_local_id(i32 0)
  %large = alloca [20000 x i32]
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at
  %index = zext i32 %v to i64
  %place = getelementptr i32, ptr %large, i64 %index
  store i32 %v, ptr %place
  %ballot = call i32 @__weft_sub_ballot(i32 %v)
  %other = call i32 @__weft_sub_shuffle_uint(i32 %v, i32 3)
  %size = call i32 @__weft_sub_size()
  %before = call i32 @__weft_sub_exclusive_add_int(i32 %v)
  call void @__weft_sub_barrier()
  %s0 = add i32 %ballot, %other
  %s1 = add i32 %s0, %size
  %s2 = add i32 %s1, %before
  store i32 %s2, ptr addrspace(1) %at
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" "weft-subgroups"="1" }
attributes #1 = { "weft-vector-width"="4" "weft-forced-width"="1" "weft-subgroups"="1" "alone" }
!0 = !{i32 8, i32 2, i32 1}
!1 = !{i32 6, i32 2, i32 1}
