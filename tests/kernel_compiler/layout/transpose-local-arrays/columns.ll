; An array of which lanes access columns more often than rows is transposed: rows of 64 bytes, t * 64 + k * 4, become t * 4 + k * 64. The
; loop's guard says that k is within a row.
; RUN: weft-opt --passes='transpose-local-arrays,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
declare i64 @__weft_group_id(i32) memory(none)
declare ptr addrspace(3) @__weft_local_memory() memory(none)

; CHECK-LABEL: define spir_kernel void @columns(
; CHECK: %t = call i64 @__weft_local_id(i32 0)
; CHECK: body:
; CHECK: [[ROW:%.*]] = mul nsw i64 %t, 4
; CHECK: [[COLUMN:%.*]] = mul nsw i64 {{.*}}, 64
; CHECK: [[PLACE:%.*]] = add nsw i64 {{.*}}, {{.*}}
; CHECK: load i32, ptr addrspace(3)
define spir_kernel void @columns(ptr addrspace(1) %out) #0 !reqd_work_group_size !0 {
entry:
  %m = call ptr addrspace(3) @__weft_local_memory()
  %t = call i64 @__weft_local_id(i32 0)
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %k, 16
  br i1 %more, label %body, label %end

body:
  %column = sext i32 %k to i64
  %row = getelementptr inbounds [16 x i32], ptr addrspace(3) %m, i64 %t
  %place = getelementptr inbounds [16 x i32], ptr addrspace(3) %row, i64 0, i64 %column
  %v = load i32, ptr addrspace(3) %place
  %sum = add i32 %v, 1
  store i32 %sum, ptr addrspace(3) %place
  %next = add nsw i32 %k, 1
  br label %loop

end:
  ret void
}

; Nothing shows that %k is within a row: it may lead to the next one.
; CHECK-LABEL: define spir_kernel void @any_column(
; CHECK: load i32, ptr addrspace(3) %place
define spir_kernel void @any_column(ptr addrspace(1) %out, i32 %k) #0 !reqd_work_group_size !0 {
  %m = call ptr addrspace(3) @__weft_local_memory()
  %t = call i64 @__weft_local_id(i32 0)
  %column = sext i32 %k to i64
  %row = getelementptr inbounds [16 x i32], ptr addrspace(3) %m, i64 %t
  %place = getelementptr inbounds [16 x i32], ptr addrspace(3) %row, i64 0, i64 %column
  %v = load i32, ptr addrspace(3) %place
  store i32 %v, ptr addrspace(3) %place
  ret void
}

; The address is kept somewhere.
; CHECK-LABEL: define spir_kernel void @escapes(
; CHECK: load i32, ptr addrspace(3) %place
define spir_kernel void @escapes(ptr addrspace(1) %out) #0 !reqd_work_group_size !0 {
  %m = call ptr addrspace(3) @__weft_local_memory()
  %t = call i64 @__weft_local_id(i32 0)
  %place = getelementptr inbounds [16 x i32], ptr addrspace(3) %m, i64 %t
  %v = load i32, ptr addrspace(3) %place
  store ptr addrspace(3) %m, ptr addrspace(1) %out
  ret void
}

; Work-items write columns of a tile that all of them read, which costs the same in any layout: rows of 68 bytes, x * 68 + (y + i) * 4, become
; x * 4 + (y + i) * 64. Steps of 4 below 16 end at 12, so y + i is within a row.
; CHECK-LABEL: define spir_kernel void @tile(
; CHECK: write:
; CHECK-DAG: mul nsw i64 %x, 4
; CHECK-DAG: mul nsw i64 %y, 64
; CHECK: store float
; CHECK: read:
; CHECK: mul nsw i64 {{.*}}, 4
; CHECK: load float
define spir_kernel void @tile(ptr addrspace(1) %out) #1 !reqd_work_group_size !1 {
entry:
  %m = call ptr addrspace(3) @__weft_local_memory()
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %y.int = trunc i64 %y to i32
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %write ]
  %more = icmp slt i32 %i, 16
  br i1 %more, label %write, label %repeat

write:
  %column = add nsw i32 %y.int, %i
  %column.long = sext i32 %column to i64
  %row = getelementptr inbounds [17 x float], ptr addrspace(3) %m, i64 %x
  %place = getelementptr inbounds [17 x float], ptr addrspace(3) %row, i64 0, i64 %column.long
  store float 1.0, ptr addrspace(3) %place
  %i.next = add nsw i32 %i, 4
  br label %outer

repeat:
  %j = phi i32 [ 0, %outer ], [ %j.next, %next ]
  br label %loop

loop:
  %k = phi i32 [ 0, %repeat ], [ %k.next, %read ]
  %again = icmp slt i32 %k, 16
  br i1 %again, label %read, label %next

read:
  %k.long = sext i32 %k to i64
  %all = getelementptr inbounds [17 x float], ptr addrspace(3) %m, i64 %k.long
  %v0 = load float, ptr addrspace(3) %all
  %second = getelementptr inbounds [17 x float], ptr addrspace(3) %all, i64 0, i64 1
  %v1 = load float, ptr addrspace(3) %second
  %third = getelementptr inbounds [17 x float], ptr addrspace(3) %all, i64 0, i64 2
  %v2 = load float, ptr addrspace(3) %third
  %fourth = getelementptr inbounds [17 x float], ptr addrspace(3) %all, i64 0, i64 3
  %v3 = load float, ptr addrspace(3) %fourth
  %k.next = add nsw i32 %k, 1
  br label %loop

next:
  %j.next = add nsw i32 %j, 1
  %once.more = icmp slt i32 %j.next, 16
  br i1 %once.more, label %repeat, label %end

end:
  ret void
}

; Nothing is better in another layout where all lanes read one place.
; CHECK-LABEL: define spir_kernel void @one_place(
; CHECK: load i32, ptr addrspace(3) %place
define spir_kernel void @one_place(ptr addrspace(1) %out) #0 !reqd_work_group_size !0 {
  %m = call ptr addrspace(3) @__weft_local_memory()
  %g = call i64 @__weft_group_id(i32 0)
  %k = and i64 %g, 3
  %row = getelementptr inbounds [16 x i32], ptr addrspace(3) %m, i64 %k
  %place = getelementptr inbounds [16 x i32], ptr addrspace(3) %row, i64 0, i64 1
  %v = load i32, ptr addrspace(3) %place
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; Without a required size.
; CHECK-LABEL: define spir_kernel void @any_size(
; CHECK: load i32, ptr addrspace(3) %place
define spir_kernel void @any_size(ptr addrspace(1) %out) #0 {
  %m = call ptr addrspace(3) @__weft_local_memory()
  %t = call i64 @__weft_local_id(i32 0)
  %place = getelementptr inbounds [16 x i32], ptr addrspace(3) %m, i64 %t
  %v = load i32, ptr addrspace(3) %place
  ret void
}

attributes #0 = { "weft-local-size"="1024" "weft-local-variables"="0:1024" }
attributes #1 = { "weft-local-size"="1088" "weft-local-variables"="0:1088" }
!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16, i32 4, i32 1}
