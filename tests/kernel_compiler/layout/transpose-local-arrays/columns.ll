; An array of which lanes access columns more often than rows is transposed: rows of 64 bytes, t * 64 + k * 4, become t * 4 + k * 64. The
; loop's guard says that k is within a row.
; RUN: weft-opt --passes='transpose-local-arrays,verify' -S %s | FileCheck %s

declare i64 @__weft_local_id(i32) memory(none)
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
!0 = !{i32 16, i32 1, i32 1}
