; Accesses of a whole group side by side are marked: region (later), flags (1 writes, 2 ahead), along, unit, lines, iterations,
; accesses, number.
; RUN: weft-opt --passes='find-transfers,verify' -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)
declare i64 @__weft_local_id(i32) memory(none)

; CHECK-LABEL: @line(
; CHECK: load float, {{.*}} !weft.transfer ![[READ:[0-9]+]]
; CHECK: store float {{.*}} !weft.transfer ![[WRITE:[0-9]+]]
define spir_kernel void @line(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @__weft_global_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %x, ptr addrspace(1) %to
  ret void
}

; A line for each id along y, by a step that is the group's; an index of 32 bits.
; CHECK-LABEL: @tile(
; CHECK: load float, {{.*}} !weft.transfer ![[TILE:[0-9]+]]
define spir_kernel void @tile(ptr addrspace(1) %a, i32 %n) {
  %x = call i64 @__weft_local_id(i32 0)
  %y = call i64 @__weft_local_id(i32 1)
  %column = trunc i64 %x to i32
  %line = trunc i64 %y to i32
  %first = mul i32 %line, %n
  %index = add i32 %first, %column
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %value = load float, ptr addrspace(1) %from
  ret void
}

; The channels of a pixel are one request, of two of four only when they are read.
; CHECK-LABEL: @pixels(
; CHECK: load i8, {{.*}} !weft.transfer ![[HALF:[0-9]+]]
; CHECK: load i8, {{.*}} !weft.transfer ![[HALF]]
; CHECK: store i8 {{.*}}, ptr addrspace(1) %c, align 1{{$}}
; CHECK: store i8 {{.*}}, ptr addrspace(1) %d, align 1{{$}}
define spir_kernel void @pixels(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %i = call i64 @__weft_global_id(i32 0)
  %a = getelementptr [4 x i8], ptr addrspace(1) %p, i64 %i
  %b = getelementptr i8, ptr addrspace(1) %a, i64 3
  %x = load i8, ptr addrspace(1) %a
  %y = load i8, ptr addrspace(1) %b
  %c = getelementptr [4 x i8], ptr addrspace(1) %q, i64 %i
  %d = getelementptr i8, ptr addrspace(1) %c, i64 1
  store i8 %y, ptr addrspace(1) %c
  store i8 %x, ptr addrspace(1) %d
  ret void
}

; What is looked up, what lies too far apart, what is one for all, and what is local is left alone.
; CHECK-LABEL: @others(
; CHECK: load i64, {{.*}} !weft.transfer
; CHECK: load float, ptr addrspace(1) %any, align 4{{$}}
; CHECK: load float, ptr addrspace(1) %apart, align 4{{$}}
; CHECK: load float, ptr addrspace(1) %a, align 4{{$}}
; CHECK: load float, ptr addrspace(3) %near, align 4{{$}}
define spir_kernel void @others(ptr addrspace(1) %a, ptr addrspace(1) %indices, ptr addrspace(3) %l) {
  %i = call i64 @__weft_global_id(i32 0)
  %place = getelementptr i64, ptr addrspace(1) %indices, i64 %i
  %index = load i64, ptr addrspace(1) %place
  %any = getelementptr float, ptr addrspace(1) %a, i64 %index
  %1 = load float, ptr addrspace(1) %any
  %apart = getelementptr [3 x float], ptr addrspace(1) %a, i64 %i
  %2 = load float, ptr addrspace(1) %apart
  %3 = load float, ptr addrspace(1) %a
  %near = getelementptr float, ptr addrspace(3) %l, i64 %i
  %4 = load float, ptr addrspace(3) %near
  ret void
}

; Where groups may wait for each other, nothing is moved.
; CHECK-LABEL: @atomics(
; CHECK: load float, ptr addrspace(1) %from, align 4{{$}}
define spir_kernel void @atomics(ptr addrspace(1) %a, ptr addrspace(1) %count) {
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 seq_cst
  %i = call i64 @__weft_global_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %from
  ret void
}

; CHECK: ![[READ]] = !{i32 0, i32 0, i32 0, i32 4, i32 0, i32 1, i32 1, i32 0}
; CHECK: ![[WRITE]] = !{i32 0, i32 1, i32 0, i32 4, i32 0, i32 1, i32 1, i32 1}
; CHECK: ![[TILE]] = !{i32 0, i32 0, i32 0, i32 4, i32 2, i32 1, i32 1, i32 0}
; CHECK: ![[HALF]] = !{i32 0, i32 0, i32 0, i32 4, i32 0, i32 1, i32 2, i32 0}
