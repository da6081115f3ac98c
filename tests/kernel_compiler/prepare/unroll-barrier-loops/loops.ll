; Loops around barriers whose counter doubles or halves a few times are unrolled; others stay, but where a group is one vector.
; RUN: weft-opt --passes='unroll-barrier-loops,simplifycfg,verify' -S %s | FileCheck %s

declare void @__weft_barrier() #0
declare i64 @__weft_local_id(i32)
declare i64 @__weft_local_size(i32)

; CHECK-LABEL: define spir_kernel void @halves(
; CHECK-NOT: phi
; CHECK: icmp slt i32 %t, 4
; CHECK: call void @__weft_barrier()
; CHECK: icmp slt i32 %t, 2
; CHECK: call void @__weft_barrier()
; CHECK: icmp slt i32 %t, 1
; CHECK: call void @__weft_barrier()
; CHECK-NOT: @__weft_barrier()
; CHECK: {{^}}}
define spir_kernel void @halves(ptr addrspace(3) %p) {
  %id = call i64 @__weft_local_id(i32 0)
  %t = trunc i64 %id to i32
  %at = getelementptr float, ptr addrspace(3) %p, i64 %id
  br label %head

head:
  %s = phi i32 [ 4, %0 ], [ %s.next, %next ]
  %more = icmp sgt i32 %s, 0
  br i1 %more, label %round, label %end

round:
  %runs = icmp slt i32 %t, %s
  br i1 %runs, label %add, label %next

add:
  %s.wide = zext i32 %s to i64
  %from = getelementptr float, ptr addrspace(3) %at, i64 %s.wide
  %x = load float, ptr addrspace(3) %from
  %y = load float, ptr addrspace(3) %at
  %sum = fadd float %x, %y
  store float %sum, ptr addrspace(3) %at
  br label %next

next:
  call void @__weft_barrier()
  %s.next = lshr i32 %s, 1
  br label %head

end:
  ret void
}

; A version for a group of 8, whose size says how many rounds there are.
; CHECK-LABEL: define spir_kernel void @doubles(
; CHECK-NOT: @__weft_local_size
; CHECK-NOT: phi
; CHECK-COUNT-3: call void @__weft_barrier()
; CHECK-NOT: @__weft_barrier()
; CHECK: {{^}}}
define spir_kernel void @doubles(ptr addrspace(3) %p) #1 !reqd_work_group_size !0 {
  %size = call i64 @__weft_local_size(i32 0)
  br label %round

round:
  %d = phi i64 [ 1, %0 ], [ %d.next, %round ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %d
  store i32 1, ptr addrspace(3) %at
  call void @__weft_barrier()
  %d.next = mul nuw i64 %d, 2
  %more = icmp ult i64 %d.next, %size
  br i1 %more, label %round, label %end

end:
  ret void
}

; The last group may be smaller.
; CHECK-LABEL: define spir_kernel void @uneven(
; CHECK: @__weft_local_size
; CHECK: phi i64
define spir_kernel void @uneven(ptr addrspace(3) %p) !reqd_work_group_size !0 {
  %size = call i64 @__weft_local_size(i32 0)
  br label %round

round:
  %d = phi i64 [ 1, %0 ], [ %d.next, %round ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %d
  store i32 1, ptr addrspace(3) %at
  call void @__weft_barrier()
  %d.next = mul nuw i64 %d, 2
  %more = icmp ult i64 %d.next, %size
  br i1 %more, label %round, label %end

end:
  ret void
}

; Rounds that are like each other.
; CHECK-LABEL: define spir_kernel void @counts(
; CHECK: phi i64
define spir_kernel void @counts(ptr addrspace(3) %p) {
  br label %round

round:
  %i = phi i64 [ 0, %0 ], [ %i.next, %round ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i32 1, ptr addrspace(3) %at
  call void @__weft_barrier()
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %round, label %end

end:
  ret void
}

; No barrier in it: LLVM's business.
; CHECK-LABEL: define spir_kernel void @alone(
; CHECK: phi i64
define spir_kernel void @alone(ptr addrspace(3) %p) {
  call void @__weft_barrier()
  br label %round

round:
  %d = phi i64 [ 1, %0 ], [ %d.next, %round ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %d
  store i32 1, ptr addrspace(3) %at
  %d.next = shl i64 %d, 1
  %more = icmp ult i64 %d.next, 8
  br i1 %more, label %round, label %end

end:
  ret void
}

; A number of iterations that is not known; and too many.
; CHECK-LABEL: define spir_kernel void @unknown(
; CHECK: phi i64
define spir_kernel void @unknown(ptr addrspace(3) %p, i64 %n) {
  br label %round

round:
  %d = phi i64 [ 1, %0 ], [ %d.next, %round ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %d
  store i32 1, ptr addrspace(3) %at
  call void @__weft_barrier()
  %d.next = shl i64 %d, 1
  %more = icmp ult i64 %d.next, %n
  br i1 %more, label %round, label %end

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @many(
; CHECK: phi i64
define spir_kernel void @many(ptr addrspace(3) %p) {
  br label %round

round:
  %d = phi i64 [ 1, %0 ], [ %d.next, %round ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %d
  store i32 1, ptr addrspace(3) %at
  call void @__weft_barrier()
  %d.next = shl i64 %d, 1
  %more = icmp ult i64 %d.next, 131072
  br i1 %more, label %round, label %end

end:
  ret void
}

; Its rounds would repeat the regions of the loop within: a sorting network's.
; CHECK-LABEL: define spir_kernel void @network(
; CHECK: phi i64
; CHECK: phi i64
; CHECK: call void @__weft_barrier()
; CHECK-NOT: @__weft_barrier()
; CHECK: {{^}}}
define spir_kernel void @network(ptr addrspace(3) %p) {
  br label %outer

outer:
  %size = phi i64 [ 2, %0 ], [ %size.next, %outer.next ]
  br label %inner

inner:
  %stride = phi i64 [ %size, %outer ], [ %stride.next, %inner ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %stride
  store i32 1, ptr addrspace(3) %at
  call void @__weft_barrier()
  %stride.next = lshr i64 %stride, 1
  %inner.more = icmp ne i64 %stride.next, 0
  br i1 %inner.more, label %inner, label %outer.next

outer.next:
  %size.next = shl i64 %size, 1
  %outer.more = icmp ult i64 %size.next, 16
  br i1 %outer.more, label %outer, label %end

end:
  ret void
}

; A tree in a loop is unrolled there.
; CHECK-LABEL: define spir_kernel void @repeated(
; CHECK: phi i32
; CHECK-NOT: phi
; CHECK-COUNT-3: call void @__weft_barrier()
; CHECK-NOT: @__weft_barrier()
; CHECK: {{^}}}
define spir_kernel void @repeated(ptr addrspace(3) %p, i32 %n) {
  br label %outer

outer:
  %i = phi i32 [ 0, %0 ], [ %i.next, %outer.next ]
  br label %inner

inner:
  %s = phi i64 [ 4, %outer ], [ %s.next, %inner ]
  %at = getelementptr i32, ptr addrspace(3) %p, i64 %s
  store i32 %i, ptr addrspace(3) %at
  call void @__weft_barrier()
  %s.next = udiv i64 %s, 2
  %inner.more = icmp ne i64 %s.next, 0
  br i1 %inner.more, label %inner, label %outer.next

outer.next:
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %n
  br i1 %outer.more, label %outer, label %end

end:
  ret void
}

; Another call that must stay the only one; so must barriers again.
; CHECK-LABEL: define spir_kernel void @once(
; CHECK: phi i64
define spir_kernel void @once(ptr addrspace(3) %p) {
  br label %round

round:
  %d = phi i64 [ 1, %0 ], [ %d.next, %round ]
  call void @single() #0
  call void @__weft_barrier()
  %d.next = shl i64 %d, 1
  %more = icmp ult i64 %d.next, 8
  br i1 %more, label %round, label %end

end:
  ret void
}

; Groups of one vector: any loop around barriers is unrolled. Not where they have more work-items.
; CHECK-LABEL: define spir_kernel void @one_vector(
; CHECK-NOT: phi
; CHECK-COUNT-3: call void @__weft_barrier()
; CHECK-NOT: call void @__weft_barrier()
; CHECK: {{^}}}
define spir_kernel void @one_vector(ptr addrspace(3) %p) #2 !reqd_work_group_size !0 {
  br label %round

round:
  %i = phi i32 [ 0, %0 ], [ %i.next, %round ]
  %at = getelementptr i32, ptr addrspace(3) %p, i32 %i
  store i32 %i, ptr addrspace(3) %at
  call void @__weft_barrier()
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %round, label %end

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @two_vectors(
; CHECK: phi i32
define spir_kernel void @two_vectors(ptr addrspace(3) %p) #3 !reqd_work_group_size !0 {
  br label %round

round:
  %i = phi i32 [ 0, %0 ], [ %i.next, %round ]
  %at = getelementptr i32, ptr addrspace(3) %p, i32 %i
  store i32 %i, ptr addrspace(3) %at
  call void @__weft_barrier()
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %round, label %end

end:
  ret void
}

declare void @single()

; CHECK: attributes #0 = { convergent noduplicate nounwind willreturn }

attributes #0 = { convergent noduplicate }
attributes #1 = { "uniform-work-group-size"="true" }
attributes #2 = { "uniform-work-group-size"="true" "weft-vector-width"="8" }
attributes #3 = { "uniform-work-group-size"="true" "weft-vector-width"="4" }
!0 = !{i32 8, i32 1, i32 1}
