; Footprints: of a kernel, two accesses with one condition each; of one that follows pointers, none, but that it reaches all.
; RUN: weft-opt --passes='function(argument-access,argument-footprints,verify)' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK: define spir_kernel void @guarded({{.*}} !weft.footprint ![[GUARDED:[0-9]+]]
define spir_kernel void @guarded(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %id = call i64 @__weft_global_id(i32 0)
  %inside = icmp ult i64 %id, %n
  br i1 %inside, label %then, label %exit

then:
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %v = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %v, ptr addrspace(1) %to
  br label %exit

exit:
  ret void
}

; CHECK: define spir_kernel void @follows({{.*}} !weft.footprint ![[ALL:[0-9]+]]
define spir_kernel void @follows(ptr addrspace(1) %p) {
  %q = load ptr addrspace(1), ptr addrspace(1) %p
  store i32 1, ptr addrspace(1) %q
  ret void
}

; A quotient as lower-division leaves it: where the divisor is -1 it is not what is divided by 1, which a host does not compute then.
; CHECK: define spir_kernel void @divided({{.*}} !weft.footprint ![[DIVIDED:[0-9]+]]
define spir_kernel void @divided(ptr addrspace(1) %p, i32 %n) {
  %id = call i64 @__weft_global_id(i32 0)
  %a = trunc i64 %id to i32
  %next = add i32 %n, 1
  %bad = icmp ult i32 %next, 2
  %safe = select i1 %bad, i32 1, i32 %n
  %q = sdiv i32 %a, %safe
  %is = icmp eq i32 %n, -1
  %negated = sub i32 0, %q
  %index = select i1 %is, i32 %negated, i32 %q
  %i = sext i32 %index to i64
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %place
  ret void
}

; Nodes: the constant 4, the id, their product, n. Then the numbers of accesses and conditions.
; CHECK-DAG: ![[GUARDED]] = !{!"\04\00\00\00\02\00\00\00\01\00\00\00\00\00\00\00
; CHECK-DAG: ![[ALL]] = !{!"\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00"}
; The constant 4, the id, its low half, n, their signed quotient, it with its sign, the product: seven nodes.
; CHECK-DAG: ![[DIVIDED]] = !{!"\07\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00{{.*}}\09\00 \00\02\00\03\00
