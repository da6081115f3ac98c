; Loads from places that nothing is known of, where gathers are slow: each lane loads the 16 bytes that hold them as one
; vector, and the vectors are transposed. Behind a mask, a lane that does not run loads what the first one that does loads.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; Three members of an aligned structure.
; CHECK-LABEL: define spir_kernel void @members(
; CHECK: x.loop.wide:
; CHECK-NOT: llvm.masked.gather
; CHECK-COUNT-8: load <4 x i32>, ptr addrspace(1) %{{.*}}, align 16
; CHECK: shufflevector <8 x i32>
; CHECK: store <8 x float>
define spir_kernel void @members(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %where, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %where.x = getelementptr inbounds i32, ptr addrspace(1) %where, i64 %x
  %index = load i32, ptr addrspace(1) %where.x
  %wide = sext i32 %index to i64
  %a.place = getelementptr inbounds <4 x float>, ptr addrspace(1) %p, i64 %wide
  %a = load float, ptr addrspace(1) %a.place, align 16
  %b.place = getelementptr inbounds i8, ptr addrspace(1) %a.place, i64 4
  %b = load float, ptr addrspace(1) %b.place, align 4
  %c.place = getelementptr inbounds i8, ptr addrspace(1) %a.place, i64 8
  %c = load float, ptr addrspace(1) %c.place, align 8
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  %result = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %abc, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; What lies behind three members that are not aligned is not read: pairs and single ones.
; CHECK-LABEL: define spir_kernel void @unaligned(
; CHECK: x.loop.wide:
; CHECK: call <8 x i64> @llvm.masked.gather
; CHECK: call <8 x float> @llvm.masked.gather
; CHECK-NOT: load <4 x i32>
; CHECK: {{^}}}
define spir_kernel void @unaligned(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %where, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %where.x = getelementptr inbounds i32, ptr addrspace(1) %where, i64 %x
  %index = load i32, ptr addrspace(1) %where.x
  %wide = sext i32 %index to i64
  %a.place = getelementptr inbounds [3 x float], ptr addrspace(1) %p, i64 %wide
  %a = load float, ptr addrspace(1) %a.place, align 4
  %b.place = getelementptr inbounds i8, ptr addrspace(1) %a.place, i64 4
  %b = load float, ptr addrspace(1) %b.place, align 4
  %c.place = getelementptr inbounds i8, ptr addrspace(1) %a.place, i64 8
  %c = load float, ptr addrspace(1) %c.place, align 4
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  %result = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %abc, ptr addrspace(1) %result
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Two of 64 bits, behind a guard.
; CHECK-LABEL: define spir_kernel void @guarded(
; CHECK: some.lanes:
; CHECK: %[[FIRST:.*]] = call i8 @llvm.cttz.i8(
; CHECK: select <8 x i1> %{{.*}}, <8 x ptr addrspace(1)> %{{.*}}, <8 x ptr addrspace(1)>
; CHECK-COUNT-8: load <2 x i64>
; CHECK: all.lanes:
; CHECK-COUNT-8: load <2 x i64>
define spir_kernel void @guarded(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %where, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %where.x = getelementptr inbounds i32, ptr addrspace(1) %where, i64 %x
  %index = load i32, ptr addrspace(1) %where.x
  %is = icmp sge i32 %index, 0
  br i1 %is, label %then, label %x.next
then:
  %wide = sext i32 %index to i64
  %a.place = getelementptr inbounds [2 x double], ptr addrspace(1) %p, i64 %wide
  %a = load double, ptr addrspace(1) %a.place, align 8
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
!0 = !{}
!llvm.module.flags = !{!1}
!1 = !{i32 7, !"weft-slow-gathers", i32 1}
