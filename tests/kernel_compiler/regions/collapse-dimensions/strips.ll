; Where rows read the same in a loop, as in a product of matrices, groups fold that are longer than a vector along x, in
; strips of its length, and groups that are coalesced.
; RUN: weft-opt --passes='work-item-loops,collapse-dimensions,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_size(i32) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @product(
; CHECK: icmp eq i64 %{{.*}}, 8
; CHECK: %[[ONE:.*]] = icmp eq i64 %[[SIZE:.*]], 16
; CHECK: %[[PART:.*]] = and i64 %[[SIZE]], 15
; CHECK: %[[WHOLE:.*]] = icmp eq i64 %[[PART]], 0
; CHECK: %[[HIGH:.*]] = icmp uge i64 %{{.*}}, 4
; CHECK: %[[SEVERAL:.*]] = and i1 %[[WHOLE]], %[[HIGH]]
; CHECK: %[[FITS:.*]] = or i1 %[[ONE]], %[[SEVERAL]]
; CHECK: br i1 %[[FITS]], label %[[Z:z.loop.collapsed.*]], label
; CHECK: [[Z]]:
; CHECK: br label %[[STRIP:strip.*]]
; CHECK: [[STRIP]]:
; CHECK: %[[FIRST:.*]] = phi i64 [ 0, %[[Z]] ], [ %[[NEXT:.*]], %[[END:strip.end.*]] ]
; CHECK: %[[ITEM:.*]] = phi i64 [ 0, %[[STRIP]] ]
; CHECK: %[[IN:.*]] = and i64 %[[ITEM]], 15
; CHECK: add nuw i64 %[[FIRST]], %[[IN]]
; CHECK: lshr i64 %[[ITEM]], 4
; CHECK: %[[ALONG:.*]] = call i64 @__weft_local_size(i32 0)
; CHECK: store i64 %[[ALONG]],
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[END]], !weft.item.loop
; CHECK: [[END]]:
; CHECK: %[[NEXT]] = add nuw i64 %[[FIRST]], 16
; CHECK: icmp ult i64 %[[NEXT]], %[[SIZE]]
; CHECK: br i1 %{{.*}}, label %[[STRIP]], label %z.next.collapsed
define spir_kernel void @product(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %size = call i64 @__weft_local_size(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %row = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %y, i64 %k
  %a = load i64, ptr addrspace(1) %row
  %column = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %column
  %ab = mul i64 %a, %b
  %sum1 = add i64 %sum, %ab
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr [64 x i64], ptr addrspace(1) %q, i64 %y, i64 %x
  store i64 %sum1, ptr addrspace(1) %at
  store i64 %size, ptr addrspace(1) %q
  ret void
}

; Groups that are coalesced: runs of the width, or groups of more. The last run may be shorter, so that both loops are item loops.
; CHECK-LABEL: define spir_kernel void @coalesces(
; CHECK-NOT: icmp eq i64 %{{.*}}, 8
; CHECK: icmp eq i64 %{{.*}}, 16
; CHECK: strip:
; CHECK: !weft.item.loop
; CHECK: y.loop:
; CHECK: !weft.item.loop
define spir_kernel void @coalesces(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %column = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %column
  %sum1 = add i64 %sum, %b
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr [64 x i64], ptr addrspace(1) %q, i64 %y, i64 %x
  store i64 %sum1, ptr addrspace(1) %at
  ret void
}

; A required size of two vectors: the other loop is not widened.
; CHECK-LABEL: define spir_kernel void @long(
; CHECK: strip:
; CHECK: !weft.item.loop
; CHECK: y.loop:
; CHECK-NOT: !weft.item.loop
define spir_kernel void @long(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "uniform-work-group-size"="true" !reqd_work_group_size !1 {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %column = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %column
  %sum1 = add i64 %sum, %b
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr [64 x i64], ptr addrspace(1) %q, i64 %y, i64 %x
  store i64 %sum1, ptr addrspace(1) %at
  ret void
}

; And where such groups are coalesced: each is a run.
; CHECK-LABEL: define spir_kernel void @coalesces_long(
; CHECK: strip:
; CHECK: !weft.item.loop
; CHECK: y.loop:
; CHECK-NOT: !weft.item.loop
define spir_kernel void @coalesces_long(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" "uniform-work-group-size"="true" !reqd_work_group_size !1 {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %column = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %column
  %sum1 = add i64 %sum, %b
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr [64 x i64], ptr addrspace(1) %q, i64 %y, i64 %x
  store i64 %sum1, ptr addrspace(1) %at
  ret void
}

; Each row reads its own: groups that are coalesced run in rows.
; CHECK-LABEL: define spir_kernel void @rows(
; CHECK-NOT: collapsed
; CHECK: {{^}}}
define spir_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "weft-vector-width"="16" "weft-coalesced-groups"="1" {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %row = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %y, i64 %k
  %a.at = getelementptr i64, ptr addrspace(1) %row, i64 %x
  %a = load i64, ptr addrspace(1) %a.at
  %sum1 = add i64 %sum, %a
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr [64 x i64], ptr addrspace(1) %q, i64 %y, i64 %x
  store i64 %sum1, ptr addrspace(1) %at
  ret void
}

; Two rows of two vectors are better done row by row; and sizes that are no multiple.
; CHECK-LABEL: define spir_kernel void @flat(
; CHECK-NOT: collapsed
; CHECK: {{^}}}
define spir_kernel void @flat(ptr addrspace(1) %p, i64 %n) "weft-vector-width"="16" !reqd_work_group_size !2 {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %sum1, %loop ]
  %column = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %k, i64 %x
  %b = load i64, ptr addrspace(1) %column
  %sum1 = add i64 %sum, %b
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr [64 x i64], ptr addrspace(1) %p, i64 %y, i64 %x
  store i64 %sum1, ptr addrspace(1) %at
  ret void
}

!0 = !{i32 8, i32 4, i32 1}
!1 = !{i32 32, i32 4, i32 1}
!2 = !{i32 32, i32 2, i32 1}
