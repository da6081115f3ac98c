; Two doubles of one place are loaded as 16 bytes by each lane, also where the CPU's loads take less time than those of most CPUs (Zen 5).
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @pairs(
; CHECK: x.loop.wide:
; CHECK-NOT: llvm.masked.gather
; CHECK-COUNT-8: load <2 x i64>, ptr addrspace(1) %{{.*}}, align 16
; CHECK: store <8 x double>
define spir_kernel void @pairs(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %where, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %where.x = getelementptr inbounds i32, ptr addrspace(1) %where, i64 %x
  %index = load i32, ptr addrspace(1) %where.x
  %wide = sext i32 %index to i64
  %a.place = getelementptr inbounds <2 x double>, ptr addrspace(1) %p, i64 %wide
  %a = load double, ptr addrspace(1) %a.place, align 16
  %b.place = getelementptr inbounds i8, ptr addrspace(1) %a.place, i64 8
  %b = load double, ptr addrspace(1) %b.place, align 8
  %ab = fadd double %a, %b
  %result = getelementptr inbounds double, ptr addrspace(1) %q, i64 %x
  store double %ab, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="8" "weft-forced-width"="1" "target-features"="+avx2" }
!llvm.module.flags = !{!1, !2}
!0 = !{}
!1 = !{i32 7, !"weft-slow-gathers", i32 1}
!2 = !{i32 7, !"weft-cpu-costs", i32 4}  ; the row of znver5
