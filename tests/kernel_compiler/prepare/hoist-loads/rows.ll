; What a loop loads from one place and does not change is loaded before it, where something accessed that place before.
; RUN: weft-opt --passes='hoist-loads,verify' -S %s | FileCheck %s

declare void @__weft_barrier()

; for (j = k + 1; j < 16; j++) m[t][j] += m[t][k];
; CHECK-LABEL: define spir_kernel void @past(
; CHECK: store float 3.0{{.*}}, ptr addrspace(3) %p
; CHECK: %a = load float, ptr addrspace(3) %p
; CHECK: head:
; CHECK-NOT: load float, ptr addrspace(3) %p
; CHECK: {{^}}}
define spir_kernel void @past(ptr addrspace(3) %m, i64 %t, i64 %k) {
entry:
  %row = getelementptr [16 x float], ptr addrspace(3) %m, i64 %t
  %p = getelementptr float, ptr addrspace(3) %row, i64 %k
  store float 3.0, ptr addrspace(3) %p
  br label %head
head:
  %j = phi i64 [ 1, %entry ], [ %j1, %body ]
  %more = icmp ult i64 %j, 16
  br i1 %more, label %body, label %out
body:
  %kj = add i64 %k, %j
  %q = getelementptr float, ptr addrspace(3) %row, i64 %kj
  %a = load float, ptr addrspace(3) %p
  %b = load float, ptr addrspace(3) %q
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %q
  %j1 = add nuw i64 %j, 1
  br label %head
out:
  ret void
}

; The same up to k, out of two loops; other memory is written, too, and the loop has no block of its own before it.
; CHECK-LABEL: define spir_kernel void @before(
; CHECK: %a = load float, ptr addrspace(1) %p
; CHECK: outer:
; CHECK-NOT: load float, ptr addrspace(1) %p
; CHECK: {{^}}}
define spir_kernel void @before(ptr addrspace(1) %m, i64 %k, i1 %some) {
entry:
  %p = getelementptr float, ptr addrspace(1) %m, i64 %k
  store float 3.0, ptr addrspace(1) %p
  %own = alloca float
  br i1 %some, label %outer, label %out
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  br label %head
head:
  %j = phi i64 [ 1, %outer ], [ %j1, %body ]
  %more = icmp ult i64 %j, 16
  br i1 %more, label %body, label %next
body:
  %kj = sub i64 %k, %j
  %q = getelementptr float, ptr addrspace(1) %m, i64 %kj
  %a = load float, ptr addrspace(1) %p
  store float %a, ptr addrspace(1) %q
  store float %a, ptr %own
  %j1 = add nuw i64 %j, 1
  br label %head
next:
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, 9
  br i1 %again, label %outer, label %out
out:
  ret void
}

; From k on: the first round writes there.
; CHECK-LABEL: define spir_kernel void @at(
; CHECK: head:
; CHECK: load float, ptr addrspace(3) %p
define spir_kernel void @at(ptr addrspace(3) %m, i64 %k) {
entry:
  %p = getelementptr float, ptr addrspace(3) %m, i64 %k
  store float 3.0, ptr addrspace(3) %p
  br label %head
head:
  %j = phi i64 [ 0, %entry ], [ %j1, %body ]
  %more = icmp ult i64 %j, 16
  br i1 %more, label %body, label %out
body:
  %kj = add i64 %k, %j
  %q = getelementptr float, ptr addrspace(3) %m, i64 %kj
  %a = load float, ptr addrspace(3) %p
  %b = fadd float %a, 1.0
  store float %b, ptr addrspace(3) %q
  %j1 = add nuw i64 %j, 1
  br label %head
out:
  ret void
}

; Where it is not known that it may be loaded, and across a barrier.
; CHECK-LABEL: define spir_kernel void @unknown(
; CHECK: head:
; CHECK: load float, ptr addrspace(3) %p
define spir_kernel void @unknown(ptr addrspace(3) %p, i64 %n) {
entry:
  br label %head
head:
  %j = phi i64 [ 0, %entry ], [ %j1, %body ]
  %s = phi float [ 0.0, %entry ], [ %s1, %body ]
  %more = icmp ult i64 %j, %n
  br i1 %more, label %body, label %out
body:
  %a = load float, ptr addrspace(3) %p
  %s1 = fadd float %a, %s
  %j1 = add nuw i64 %j, 1
  br label %head
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @meeting(
; CHECK: head:
; CHECK: load float, ptr addrspace(3) %p
define spir_kernel void @meeting(ptr addrspace(3) %p, i64 %n) {
entry:
  store float 3.0, ptr addrspace(3) %p
  br label %head
head:
  %j = phi i64 [ 0, %entry ], [ %j1, %body ]
  %s = phi float [ 0.0, %entry ], [ %s1, %body ]
  %more = icmp ult i64 %j, %n
  br i1 %more, label %body, label %out
body:
  call void @__weft_barrier()
  %a = load float, ptr addrspace(3) %p
  %s1 = fadd float %a, %s
  %j1 = add nuw i64 %j, 1
  br label %head
out:
  ret void
}

; Private memory is each lane's: no gather.
; CHECK-LABEL: define spir_kernel void @own(
; CHECK: head:
; CHECK: load float, ptr %p
define spir_kernel void @own(i64 %n) {
entry:
  %p = alloca float
  store float 3.0, ptr %p
  br label %head
head:
  %j = phi i64 [ 0, %entry ], [ %j1, %body ]
  %s = phi float [ 0.0, %entry ], [ %s1, %body ]
  %more = icmp ult i64 %j, %n
  br i1 %more, label %body, label %out
body:
  %a = load float, ptr %p
  %s1 = fadd float %a, %s
  %j1 = add nuw i64 %j, 1
  br label %head
out:
  ret void
}
