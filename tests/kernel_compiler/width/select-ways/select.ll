; In a kernel that runs one work-item after the other, short ways that data choose are selected from.
; RUN: weft-opt --passes='select-ways,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32)

; Both ways compute, and each loads one vector: that is loaded once, and the result is chosen by a mask.
; CHECK-LABEL: define spir_kernel void @two_ways(
; CHECK:     %set = trunc i8 %flag to i1
; CHECK-DAG: %left.at = getelementptr
; CHECK-DAG: %right.at = getelementptr
; CHECK:     %[[AT:.*]] = select i1 %set, ptr addrspace(1) %left.at, ptr addrspace(1) %right.at, !unpredictable
; CHECK:     %[[VALUE:.*]] = load <4 x float>, ptr addrspace(1) %[[AT]], align 8
; CHECK:     %sum = fadd <4 x float> %first, %[[VALUE]]
; CHECK:     %difference = fsub <4 x float> %first, %[[VALUE]]
; CHECK:     %[[MASK:.*]] = shufflevector <4 x i1>
; CHECK:     select <4 x i1> %[[MASK]], <4 x float> %sum, <4 x float> %difference
; CHECK-NOT: br i1
; CHECK: {{^}}}
define spir_kernel void @two_ways(ptr addrspace(1) %in, ptr addrspace(1) %flags, ptr addrspace(1) %out) #0 {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %x
  %first = load <4 x float>, ptr addrspace(1) %at
  %flag.at = getelementptr i8, ptr addrspace(1) %flags, i64 %x
  %flag = load i8, ptr addrspace(1) %flag.at
  %set = trunc i8 %flag to i1
  br i1 %set, label %left, label %right
left:
  %left.at = getelementptr <4 x float>, ptr addrspace(1) %at, i64 1
  %left.value = load <4 x float>, ptr addrspace(1) %left.at, align 16
  %sum = fadd <4 x float> %first, %left.value
  br label %join
right:
  %right.at = getelementptr <4 x float>, ptr addrspace(1) %at, i64 2
  %right.value = load <4 x float>, ptr addrspace(1) %right.at, align 8
  %difference = fsub <4 x float> %first, %right.value
  br label %join
join:
  %value = phi <4 x float> [ %sum, %left ], [ %difference, %right ]
  %out.at = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %x
  store <4 x float> %value, ptr addrspace(1) %out.at
  ret void
}

; Whether any element is special: few are, and the CPU foresees the branch.
; CHECK-LABEL: define spir_kernel void @any_element(
; CHECK:     br i1 %any, label %way, label %join
define spir_kernel void @any_element(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr <8 x float>, ptr addrspace(1) %in, i64 %x
  %value = load <8 x float>, ptr addrspace(1) %at
  %special = fcmp olt <8 x float> %value, zeroinitializer
  %bits = bitcast <8 x i1> %special to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %way, label %join
way:
  %twice = fadd <8 x float> %value, %value
  br label %join
join:
  %result = phi <8 x float> [ %value, %entry ], [ %twice, %way ]
  %out.at = getelementptr <8 x float>, ptr addrspace(1) %out, i64 %x
  store <8 x float> %result, ptr addrspace(1) %out.at
  ret void
}

; The source says which way it goes.
; CHECK-LABEL: define spir_kernel void @expected(
; CHECK:     br i1 %set, label %way, label %join, !prof
define spir_kernel void @expected(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %in, i64 %x
  %value = load i32, ptr addrspace(1) %at
  %set = icmp sgt i32 %value, 3
  br i1 %set, label %way, label %join, !prof !1
way:
  %twice = shl i32 %value, 1
  br label %join
join:
  %result = phi i32 [ %value, %entry ], [ %twice, %way ]
  %out.at = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %result, ptr addrspace(1) %out.at
  ret void
}

; One way only.
; CHECK-LABEL: define spir_kernel void @one_way(
; CHECK:     %twice = shl i32 %value, 1
; CHECK:     select i1 %set, i32 %twice, i32 %value, !unpredictable
; CHECK-NOT: br i1
; CHECK: {{^}}}
define spir_kernel void @one_way(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %in, i64 %x
  %value = load i32, ptr addrspace(1) %at
  %set = icmp sgt i32 %value, 3
  br i1 %set, label %way, label %join
way:
  %twice = shl i32 %value, 1
  br label %join
join:
  %chosen = phi i32 [ %value, %entry ], [ %twice, %way ]
  %out.at = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %chosen, ptr addrspace(1) %out.at
  ret void
}

; A load that the other way does not make, and one behind it.
; CHECK-LABEL: define spir_kernel void @guarded(
; CHECK:     br i1 %set, label %way, label %join
define spir_kernel void @guarded(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %in, i64 %x
  %value = load i32, ptr addrspace(1) %at
  %set = icmp sgt i32 %value, 3
  br i1 %set, label %way, label %join
way:
  %other.at = getelementptr i32, ptr addrspace(1) %at, i64 1
  %other = load i32, ptr addrspace(1) %other.at
  br label %join
join:
  %chosen = phi i32 [ %value, %entry ], [ %other, %way ]
  %out.at = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %chosen, ptr addrspace(1) %out.at
  ret void
}

; A branch by ids, which the CPU foresees, and a kernel of lanes.
; CHECK-LABEL: define spir_kernel void @by_id(
; CHECK:     br i1 %set, label %way, label %join
define spir_kernel void @by_id(ptr addrspace(1) %out, i64 %n) #0 {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %set = icmp slt i64 %x, %n
  br i1 %set, label %way, label %join
way:
  %twice = shl i64 %x, 1
  br label %join
join:
  %chosen = phi i64 [ %x, %entry ], [ %twice, %way ]
  %out.at = getelementptr i64, ptr addrspace(1) %out, i64 %x
  store i64 %chosen, ptr addrspace(1) %out.at
  ret void
}

; CHECK-LABEL: define spir_kernel void @lanes(
; CHECK:     br i1 %set, label %way, label %join
define spir_kernel void @lanes(ptr addrspace(1) %in, ptr addrspace(1) %out) #1 {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %in, i64 %x
  %value = load i32, ptr addrspace(1) %at
  %set = icmp sgt i32 %value, 3
  br i1 %set, label %way, label %join
way:
  %twice = shl i32 %value, 1
  br label %join
join:
  %chosen = phi i32 [ %value, %entry ], [ %twice, %way ]
  %out.at = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %chosen, ptr addrspace(1) %out.at
  ret void
}

attributes #0 = { "weft-vector-width"="1" }
attributes #1 = { "weft-vector-width"="16" }
!1 = !{!"branch_weights", i32 1, i32 2000}
