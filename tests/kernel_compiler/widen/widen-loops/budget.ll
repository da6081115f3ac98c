; A loop past the budget, in instructions or in blocks, is left to the work-items one by one, and the log says so. Straight
; code has a budget of its own.
; RUN: env WEFT_LOG=compiler=info weft-opt --passes='widen-loops,verify' -weft-widen-straight-blocks=1 -weft-widen-budget=9 -S %s 2>&1 | FileCheck %s --check-prefixes=SOME,NONE
; RUN: env WEFT_LOG=compiler=info weft-opt --passes='widen-loops,verify' -weft-widen-straight-budget=9 -S %s 2>&1 | FileCheck %s --check-prefixes=SOME,NONE
; RUN: env WEFT_LOG=compiler=info weft-opt --passes='widen-loops,verify' -weft-widen-blocks=1 -S %s 2>&1 | FileCheck %s --check-prefixes=SOME,NONE
; RUN: weft-opt --passes='widen-loops,verify' -weft-widen-straight-blocks=1 -weft-widen-budget=10 -weft-widen-blocks=2 -S %s | FileCheck %s --check-prefix=WIDE
; RUN: weft-opt --passes='widen-loops,verify' -weft-widen-straight-blocks=2 -weft-widen-budget=9 -weft-widen-straight-budget=10 -S %s | FileCheck %s --check-prefix=WIDE

; SOME: large: 10 instructions, 2 blocks in a region: past the budget, not widened
; SOME-LABEL: define spir_kernel void @large(
; NONE-NOT: <4 x
; SOME: "weft-vector-width"="1"
; WIDE-LABEL: define spir_kernel void @large(
; WIDE: store <4 x i32>
define spir_kernel void @large(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  %w = mul i32 %v, 3
  store i32 %w, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %u = add i32 %w, 1
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!0 = !{}
