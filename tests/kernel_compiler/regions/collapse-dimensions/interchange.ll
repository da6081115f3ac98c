; Where groups are coalesced, loops that take x from the work-item and not y are run once for all rows, and the loop over rows stands behind
; them, if there are as many work-items along x as lanes, and four rows.
; RUN: weft-opt --passes='work-item-loops,collapse-dimensions,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_size(i32) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @shared(
; CHECK: %[[X:.*]] = call i64 @__weft_local_size(i32 0)
; CHECK: %[[Y:.*]] = call i64 @__weft_local_size(i32 1)
; CHECK: %[[WIDE:.*]] = icmp uge i64 %[[X]], 16
; CHECK: %[[HIGH:.*]] = icmp uge i64 %[[Y]], 4
; CHECK: %[[BOTH:.*]] = and i1 %[[WIDE]], %[[HIGH]]
; CHECK: br i1 %[[BOTH]], label %[[Z:z.loop.columns]], label %rows
; CHECK: [[Z]]:
; CHECK: br label %[[XL:x.loop.columns]]
; CHECK: [[XL]]:
; CHECK: phi i64 [ 0, %[[Z]] ], [ %{{.*}}, %[[LATCH:x.next.columns]] ]
; CHECK: loop.columns:
; CHECK: sdiv
; CHECK: br i1 %{{.*}}, label %loop.columns, label %end.columns
; CHECK: row:
; CHECK: %[[ROW:.*]] = phi i64 [ 0, %end.columns ], [ %[[NEXT:.*]], %row.next ]
; CHECK: mul i64 %[[ROW]], 64
; CHECK: store i64
; CHECK: row.next:
; CHECK: %[[NEXT]] = add nuw i64 %[[ROW]], 1
; CHECK: %[[MORE:.*]] = icmp ult i64 %[[NEXT]], %[[Y]]
; CHECK: br i1 %[[MORE]], label %row, label %[[LATCH]]
; CHECK: [[LATCH]]:
; CHECK: br i1 %{{.*}}, label %[[XL]], label %z.next.columns, !weft.item.loop
; CHECK: y.loop:
; CHECK: !weft.item.loop
define spir_kernel void @shared(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %first = mul i64 %y, 64
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %from = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %from
  %half = sdiv i64 %b, 3
  %third = sdiv i64 %half, 5
  %sum1 = add i64 %sum, %third
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %i = add i64 %first, %x
  %at = getelementptr i64, ptr addrspace(1) %q, i64 %i
  store i64 %sum1, ptr addrspace(1) %at
  ret void
}

; Not where the loop takes y.
; CHECK-LABEL: define spir_kernel void @takes_row(
; CHECK-NOT: row.next
; CHECK: {{^}}}
define spir_kernel void @takes_row(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ %y, %0 ], [ %sum1, %loop ]
  %from = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %from
  %half = sdiv i64 %b, 3
  %third = sdiv i64 %half, 5
  %sum1 = add i64 %sum, %third
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr [64 x i64], ptr addrspace(1) %q, i64 %y, i64 %x
  store i64 %sum1, ptr addrspace(1) %at
  ret void
}

; Nor where the loop writes, be it at a place that is the same for all rows.
; CHECK-LABEL: define spir_kernel void @writes(
; CHECK-NOT: row.next
; CHECK: {{^}}}
define spir_kernel void @writes(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %from = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %from
  %half = sdiv i64 %b, 3
  %third = sdiv i64 %half, 5
  store i64 %third, ptr addrspace(1) %from
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr [64 x i64], ptr addrspace(1) %q, i64 %y, i64 %x
  store i64 0, ptr addrspace(1) %at
  ret void
}

; Nor where a row's part has a loop, or the shared one takes less time than stores by columns do.
; CHECK-LABEL: define spir_kernel void @short(
; CHECK-NOT: row.next
; CHECK: {{^}}}
define spir_kernel void @short(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %from = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %from
  %sum1 = add i64 %sum, %b
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr [64 x i64], ptr addrspace(1) %q, i64 %y, i64 %x
  store i64 %sum1, ptr addrspace(1) %at
  ret void
}

; Not where what differs is a phi: its values are those of the ways behind the branch before it, which have loops.
; CHECK-LABEL: define spir_kernel void @either(
; CHECK-NOT: row.next
; CHECK: {{^}}}
define spir_kernel void @either(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %odd = trunc i64 %x to i1
  br i1 %odd, label %loop, label %end
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %from = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %from
  %half = sdiv i64 %b, 3
  %third = sdiv i64 %half, 5
  %sum1 = add i64 %sum, %third
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %total = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %row = phi i64 [ %n, %0 ], [ %y, %loop ]
  %i = add i64 %row, %x
  %at = getelementptr i64, ptr addrspace(1) %q, i64 %i
  store i64 %total, ptr addrspace(1) %at
  ret void
}

; Nor where the loop takes no x: all work-items share it, along x, too.
; CHECK-LABEL: define spir_kernel void @no_column(
; CHECK-NOT: row.next
; CHECK: {{^}}}
define spir_kernel void @no_column(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %first = mul i64 %y, 64
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %from = getelementptr i64, ptr addrspace(1) %p, i64 %k
  %b = load i64, ptr addrspace(1) %from
  %half = sdiv i64 %b, 3
  %third = sdiv i64 %half, 5
  %sum1 = add i64 %sum, %third
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %i = add i64 %first, %x
  %at = getelementptr i64, ptr addrspace(1) %q, i64 %i
  store i64 %sum1, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define spir_kernel void @loop_behind(
; CHECK-NOT: row.next
; CHECK: {{^}}}
define spir_kernel void @loop_behind(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %from = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %from
  %half = sdiv i64 %b, 3
  %third = sdiv i64 %half, 5
  %sum1 = add i64 %sum, %third
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %second
second:
  %j = phi i64 [ 0, %loop ], [ %j1, %second ]
  %line = add i64 %y, %j
  %at = getelementptr [64 x i64], ptr addrspace(1) %q, i64 %line, i64 %x
  store i64 %sum1, ptr addrspace(1) %at
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %second, label %end
end:
  ret void
}
