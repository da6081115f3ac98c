; Without barriers a kernel's small loops over a private array go, too. Large ones stay, and so do those of other functions.
; RUN: weft-opt --passes='unroll-for-sroa,sroa,simplifycfg,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @window(
; CHECK-NOT: alloca
; CHECK-NOT: br
; CHECK: {{^}}}
define spir_kernel void @window(ptr addrspace(1) %p) {
  %array = alloca [9 x float]
  br label %fill

fill:
  %i = phi i64 [ 0, %0 ], [ %i.next, %filled ]
  %from = getelementptr float, ptr addrspace(1) %p, i64 %i
  %x = load float, ptr addrspace(1) %from
  %low = fcmp olt float %x, 0.0
  br i1 %low, label %scaled, label %filled

scaled:
  br label %filled

filled:
  %y = phi float [ 0.0, %scaled ], [ %x, %fill ]
  %at = getelementptr [9 x float], ptr %array, i64 0, i64 %i
  store float %y, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 9
  br i1 %more, label %fill, label %end

end:
  %second = getelementptr float, ptr %array, i64 1
  %fifth = getelementptr float, ptr %array, i64 4
  %a = load float, ptr %second
  %b = load float, ptr %fifth
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @large(
; CHECK: alloca
; CHECK-COUNT-2: br i1
; CHECK: ret void
define spir_kernel void @large(ptr addrspace(1) %p, i64 %k) {
  %array = alloca [64 x float]
  br label %outer

outer:
  %o = phi i64 [ 0, %0 ], [ %o.next, %outer.end ]
  br label %inner

inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %index = add i64 %i, %o
  %from = getelementptr float, ptr addrspace(1) %p, i64 %index
  %x = load float, ptr addrspace(1) %from
  %at = getelementptr [64 x float], ptr %array, i64 0, i64 %i
  %old = load float, ptr %at
  %new = fadd float %x, %old
  store float %new, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 64
  br i1 %more, label %inner, label %outer.end

outer.end:
  %first = load float, ptr %array
  %o.at = getelementptr float, ptr %array, i64 %o
  store float %first, ptr %o.at
  store float %first, ptr addrspace(1) %p
  %o.next = add nuw nsw i64 %o, 1
  %o.more = icmp ult i64 %o.next, 60
  br i1 %o.more, label %outer, label %end

end:
  ret void
}

; CHECK-LABEL: define void @function(
; CHECK: alloca
define void @function(ptr addrspace(1) %p) {
  %array = alloca [9 x float]
  br label %fill

fill:
  %i = phi i64 [ 0, %0 ], [ %i.next, %fill ]
  %from = getelementptr float, ptr addrspace(1) %p, i64 %i
  %x = load float, ptr addrspace(1) %from
  %at = getelementptr [9 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 9
  br i1 %more, label %fill, label %end

end:
  %a = load float, ptr %array
  store float %a, ptr addrspace(1) %p
  ret void
}
