; Quotients by which memory is accessed: where all lanes have one, what they load and what is computed from that is done once. A remainder
; by the same divisor grows from lane to lane there. No version where lanes mostly have several quotients, where a shift to the right
; only extends a number, or where other blocks access memory by the quotient.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @shift(
; CHECK: %[[ROW:.*]] = lshr i64 %[[FIRST:.*]], 6
; CHECK: %[[BEGIN:.*]] = shl i64 %[[ROW]], 6
; CHECK: %[[END:.*]] = add i64 %[[BEGIN]], 63
; CHECK: icmp sge i64 %[[BEGIN]], 0
; CHECK: %[[LAST:.*]] = add i64 %[[FIRST]], 7
; CHECK: icmp sle i64 %[[LAST]], %[[END]]
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %[[GENERAL:.*]], !prof
; CHECK: [[INSIDE]]:
; CHECK: %[[V:.*]] = load float, ptr addrspace(1)
; CHECK: call float @llvm.sqrt.f32(float %[[V]])
; CHECK: [[GENERAL]]:
; CHECK: lshr <8 x i64>
; CHECK: call <8 x float> @llvm.sqrt.v8f32
; CHECK: phi <8 x float>
define spir_kernel void @shift(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %first) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %at = add i64 %x, %first
  %row = lshr i64 %at, 6
  %p.row = getelementptr inbounds float, ptr addrspace(1) %p, i64 %row
  %v = load float, ptr addrspace(1) %p.row
  %w = call float @llvm.sqrt.f32(float %v)
  %q.x = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %w, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; A shift that may be too far gives poison, by which no branch may go.
; CHECK-LABEL: define spir_kernel void @far(
; CHECK: %[[HOLDS:.*]] = freeze i1
; CHECK: br i1 %[[HOLDS]], label %{{.*}}, label %{{.*}}, !prof
define spir_kernel void @far(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %bits) #0 {
entry:
  %first = shl i64 1, %bits
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %at = add i64 %x, %first
  %row = lshr i64 %at, 6
  %p.row = getelementptr inbounds float, ptr addrspace(1) %p, i64 %row
  %v = load float, ptr addrspace(1) %p.row
  %q.x = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %v, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @plane(
; CHECK-DAG: %[[LEAST:.*]] = call i64 @llvm.smax.i64(i64 %size, i64 1)
; CHECK-DAG: icmp sge i64 %size, 1
; CHECK: %[[ROW:.*]] = udiv i64 %[[FIRST:.*]], %[[LEAST]]
; CHECK: %[[BEGIN:.*]] = mul i64 %[[ROW]], %[[LEAST]]
; CHECK-NOT: freeze
; CHECK: br i1 %{{.*}}, label %[[INSIDE:.*]], label %[[GENERAL:.*]], !prof
; CHECK: [[INSIDE]]:
; CHECK-NOT: gather
; CHECK-NOT: urem
; CHECK: load float, ptr addrspace(1)
; CHECK: sub i64 %{{.*}}, %[[BEGIN]]
; CHECK: load <8 x float>, ptr addrspace(1)
; CHECK: [[GENERAL]]:
; CHECK: udiv <8 x i64>
define spir_kernel void @plane(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %first, i64 %size) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %at = add i64 %x, %first
  %row = udiv i64 %at, %size
  %p.row = getelementptr inbounds float, ptr addrspace(1) %p, i64 %row
  %v = load float, ptr addrspace(1) %p.row
  %column = urem i64 %at, %size
  %q.column = getelementptr inbounds float, ptr addrspace(1) %q, i64 %column
  %u = load float, ptr addrspace(1) %q.column
  %w = fadd float %v, %u
  %q.x = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %w, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @several(
; CHECK-NOT: !prof
; CHECK: {{^}}}
define spir_kernel void @several(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %first) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %at = add i64 %x, %first
  %far = mul i64 %at, 32
  %row = lshr i64 %far, 6
  %p.row = getelementptr inbounds float, ptr addrspace(1) %p, i64 %row
  %v = load float, ptr addrspace(1) %p.row
  %w = fadd float %v, 1.0
  %q.x = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %w, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @extended(
; CHECK-NOT: !prof
; CHECK: {{^}}}
define spir_kernel void @extended(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %first) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %at = add i64 %x, %first
  %high = shl i64 %at, 32
  %row = ashr i64 %high, 32
  %p.row = getelementptr inbounds float, ptr addrspace(1) %p, i64 %row
  %v = load float, ptr addrspace(1) %p.row
  %w = fadd float %v, 1.0
  %q.x = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %w, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @elsewhere(
; CHECK-NOT: !prof
; CHECK: {{^}}}
define spir_kernel void @elsewhere(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n, i64 %first, i1 %is) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %next, %x.next ]
  %at = add i64 %x, %first
  %row = lshr i64 %at, 6
  %p.row = getelementptr inbounds float, ptr addrspace(1) %p, i64 %row
  %v = load float, ptr addrspace(1) %p.row
  br i1 %is, label %then, label %join
then:
  %p.next = getelementptr inbounds float, ptr addrspace(1) %p.row, i64 1
  %u = load float, ptr addrspace(1) %p.next
  br label %join
join:
  %w = phi float [ %v, %x.loop ], [ %u, %then ]
  %q.x = getelementptr inbounds float, ptr addrspace(1) %q, i64 %x
  store float %w, ptr addrspace(1) %q.x
  br label %x.next
x.next:
  %next = add nuw i64 %x, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

declare i32 @llvm.abs.i32(i32, i1)
declare i16 @llvm.smax.i16(i16, i16)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i64 @llvm.smin.i64(i64, i64)

attributes #0 = { "weft-vector-width"="8" "target-features"="+avx2" }
!0 = !{}
