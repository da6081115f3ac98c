; A load that the first iteration surely makes is made before the loop, also if its address is computed in the loop.
; RUN: weft-opt --passes='hoist-loads,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @always(
; CHECK: entry:
; CHECK: %p = getelementptr float, ptr addrspace(3) %m, i64 %row
; CHECK: %a = load float, ptr addrspace(3) %p
; CHECK: br label %head
; CHECK-NOT: load float, ptr addrspace(3)
; CHECK: {{^}}}
define spir_kernel void @always(ptr addrspace(3) %m, ptr addrspace(1) %out, i64 %t) {
entry:
  br label %head
head:
  %j = phi i64 [ 0, %entry ], [ %j1, %body ]
  %more = icmp ult i64 %j, 16
  br i1 %more, label %body, label %end
body:
  %row = mul i64 %t, 16
  %p = getelementptr float, ptr addrspace(3) %m, i64 %row
  %a = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %j
  store float %a, ptr addrspace(1) %q
  %j1 = add nuw i64 %j, 1
  br label %head
end:
  ret void
}

; The loop may have no iteration; the load is under a condition; the address is loaded.
; CHECK-LABEL: define spir_kernel void @perhaps(
; CHECK: body:
; CHECK: load float, ptr addrspace(3) %p
; CHECK: ret void
define spir_kernel void @perhaps(ptr addrspace(3) %m, ptr addrspace(1) %out, i64 %t, i64 %n) {
entry:
  br label %head
head:
  %j = phi i64 [ 0, %entry ], [ %j1, %body ]
  %more = icmp ult i64 %j, %n
  br i1 %more, label %body, label %end
body:
  %row = mul i64 %t, 16
  %p = getelementptr float, ptr addrspace(3) %m, i64 %row
  %a = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %j
  store float %a, ptr addrspace(1) %q
  %j1 = add nuw i64 %j, 1
  br label %head
end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @guarded(
; CHECK: some:
; CHECK: load float, ptr addrspace(3) %p
; CHECK: ret void
define spir_kernel void @guarded(ptr addrspace(3) %m, ptr addrspace(1) %out, i64 %t) {
entry:
  br label %body
body:
  %j = phi i64 [ 0, %entry ], [ %j1, %next ]
  %low = icmp ult i64 %j, %t
  br i1 %low, label %some, label %next
some:
  %row = mul i64 %t, 16
  %p = getelementptr float, ptr addrspace(3) %m, i64 %row
  %a = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %j
  store float %a, ptr addrspace(1) %q
  br label %next
next:
  %j1 = add nuw i64 %j, 1
  %more = icmp ult i64 %j1, 16
  br i1 %more, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @loaded(
; CHECK: body:
; CHECK: load float, ptr addrspace(3) %p
; CHECK: ret void
define spir_kernel void @loaded(ptr addrspace(3) %m, ptr %rows, ptr addrspace(1) %out) {
entry:
  br label %body
body:
  %j = phi i64 [ 0, %entry ], [ %j1, %body ]
  %row = load i64, ptr %rows
  %p = getelementptr float, ptr addrspace(3) %m, i64 %row
  %a = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %j
  store float %a, ptr addrspace(1) %q
  %j1 = add nuw i64 %j, 1
  %more = icmp ult i64 %j1, 16
  br i1 %more, label %body, label %end
end:
  ret void
}

; The loop has no preheader: the block before it may go elsewhere. LLVM cannot look at its first iteration.
; CHECK-LABEL: define spir_kernel void @no_preheader(
; CHECK: body:
; CHECK: load float, ptr addrspace(3) %p
; CHECK: ret void
define spir_kernel void @no_preheader(ptr addrspace(3) %m, ptr addrspace(1) %out, i64 %t, i1 %c) {
entry:
  br i1 %c, label %head, label %end
head:
  %j = phi i64 [ 0, %entry ], [ %j1, %body ]
  %more = icmp ult i64 %j, 16
  br i1 %more, label %body, label %end
body:
  %row = mul i64 %t, 16
  %p = getelementptr float, ptr addrspace(3) %m, i64 %row
  %a = load float, ptr addrspace(3) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %j
  store float %a, ptr addrspace(1) %q
  %j1 = add nuw i64 %j, 1
  br label %head
end:
  ret void
}
