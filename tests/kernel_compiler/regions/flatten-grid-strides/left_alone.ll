; Loops that stay as they are: in all, what differs from a loop that is flattened is one thing.
; RUN: weft-opt --passes='flatten-grid-strides,verify' -S %s | FileCheck %s

; CHECK-NOT: rounds
; CHECK-NOT: weft-kernel-flags

declare i64 @__weft_first_item(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_global_size(i32) nounwind willreturn memory(none)

; Neighbouring elements, one after the other.
define spir_kernel void @steps_of_one(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  store i64 %i, ptr addrspace(1) %to
  %sum = add i64 %i, 1
  br label %head
exit:
  ret void
}

; Groups show, so work-items may, too.
define spir_kernel void @shown(ptr addrspace(1) %p, i64 %n) {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  store i64 %i, ptr addrspace(1) %to
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; A work-item sums up.
define spir_kernel void @carries_sum(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %all = phi i64 [ 0, %entry ], [ %more, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %read = load i64, ptr addrspace(1) %to
  %more = add i64 %all, %read
  %sum = add i64 %i, %size
  br label %head
exit:
  store i64 %all, ptr addrspace(1) %own
  ret void
}

; The work-item's id is used beside the index.
define spir_kernel void @uses_id(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  store i64 %id, ptr addrspace(1) %to
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; Something is done before the loop.
define spir_kernel void @begins_with_store(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  store i64 0, ptr addrspace(1) %own
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  store i64 %i, ptr addrspace(1) %to
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; The test reads memory.
define spir_kernel void @test_reads(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %read = load i64, ptr addrspace(1) %to
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  store i64 %read, ptr addrspace(1) %to
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; An iteration reads what the work-item's last one may have written.
define spir_kernel void @reads_back(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %back = sub i64 %i, %size
  %from = getelementptr i64, ptr addrspace(1) %p, i64 %back
  %read = load i64, ptr addrspace(1) %from
  store i64 %read, ptr addrspace(1) %to
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; Two elements are written, one of them the next index's.
define spir_kernel void @writes_next(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %next = getelementptr i64, ptr addrspace(1) %to, i64 1
  store i64 %i, ptr addrspace(1) %to
  store i64 %i, ptr addrspace(1) %next
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; Updates of two kinds.
define spir_kernel void @two_updates(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %old = atomicrmw add ptr addrspace(1) %p, i64 %i monotonic
  %older = atomicrmw umax ptr addrspace(1) %p, i64 %i monotonic
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; The last exchange would be another one.
define spir_kernel void @exchanges(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %old = atomicrmw xchg ptr addrspace(1) %p, i64 %i monotonic
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; What a not-and leaves depends on the last one.
define spir_kernel void @clears_bits(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %old = atomicrmw nand ptr addrspace(1) %p, i64 %i monotonic
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; Sums of floats are rounded in another way in another order.
define spir_kernel void @adds_floats(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %own = getelementptr i64, ptr addrspace(1) %p, i64 %id
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %float = sitofp i64 %i to float
  %old = atomicrmw fadd ptr addrspace(1) %p, float %float monotonic
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; Some work-items do not reach the loop.
define spir_kernel void @some(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  %out = icmp ugt i64 %id, 7
  br i1 %out, label %exit, label %before
before:
  br label %head
head:
  %i = phi i64 [ %id, %before ], [ %sum, %body ]
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %to = getelementptr i64, ptr addrspace(1) %p, i64 %i
  store i64 %i, ptr addrspace(1) %to
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

attributes #0 = { "weft-coalesced-groups"="1" }
