; Rows of a sparse matrix: the CPU does not foresee where one ends, and would not foresee it a second time in a loop for the rest of
; several iterations. A number that the outer loop does not read, or that the source has, stays.
; RUN: weft-opt --passes='bound-unrolling,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @rows(
; CHECK: br i1 %more, label %loop, label %next, !llvm.loop [[DATA:![0-9]+]]
; CHECK: br i1 %i.more, label %outer, label %end, !llvm.loop [[OUTER:![0-9]+]]
define spir_kernel void @rows(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias readonly %starts) {
  br label %outer

outer:
  %i = phi i64 [ 0, %0 ], [ %i.next, %next ]
  %at = getelementptr i64, ptr addrspace(1) %starts, i64 %i
  %first = load i64, ptr addrspace(1) %at
  %behind = getelementptr i8, ptr addrspace(1) %at, i64 8
  %last = load i64, ptr addrspace(1) %behind
  br label %loop

loop:
  %k = phi i64 [ %first, %outer ], [ %k.next, %loop ]
  %a = getelementptr i64, ptr addrspace(1) %p, i64 %k
  store i64 %i, ptr addrspace(1) %a
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, %last
  br i1 %more, label %loop, label %next

next:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 1000
  br i1 %i.more, label %outer, label %end

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @alike(
; CHECK: br i1 %more, label %loop, label %next{{$}}
define spir_kernel void @alike(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias readonly %count) {
  %last = load i64, ptr addrspace(1) %count
  br label %outer

outer:
  %i = phi i64 [ 0, %0 ], [ %i.next, %next ]
  br label %loop

loop:
  %k = phi i64 [ 0, %outer ], [ %k.next, %loop ]
  %a = getelementptr i64, ptr addrspace(1) %p, i64 %k
  store i64 %i, ptr addrspace(1) %a
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, %last
  br i1 %more, label %loop, label %next

next:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 1000
  br i1 %i.more, label %outer, label %end

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @wanted(
; CHECK: br i1 %more, label %loop, label %next, !llvm.loop [[COUNT:![0-9]+]]
define spir_kernel void @wanted(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias readonly %starts) {
  br label %outer

outer:
  %i = phi i64 [ 0, %0 ], [ %i.next, %next ]
  %at = getelementptr i64, ptr addrspace(1) %starts, i64 %i
  %last = load i64, ptr addrspace(1) %at
  br label %loop

loop:
  %k = phi i64 [ 0, %outer ], [ %k.next, %loop ]
  %a = getelementptr i64, ptr addrspace(1) %p, i64 %k
  store i64 %i, ptr addrspace(1) %a
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, %last
  br i1 %more, label %loop, label %next, !llvm.loop !0

next:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 1000
  br i1 %i.more, label %outer, label %end

end:
  ret void
}

; Nothing is known of how many iterations a chain of the data has: LLVM says so by an expression that must not be searched.
; CHECK-LABEL: define spir_kernel void @chain(
; CHECK: br i1 %more, label %loop, label %next{{$}}
define spir_kernel void @chain(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias readonly %starts) {
  br label %outer

outer:
  %i = phi i64 [ 0, %0 ], [ %i.next, %next ]
  %at = getelementptr i64, ptr addrspace(1) %starts, i64 %i
  %first = load i64, ptr addrspace(1) %at
  br label %loop

loop:
  %k = phi i64 [ %first, %outer ], [ %k.next, %loop ]
  %a = getelementptr i64, ptr addrspace(1) %p, i64 %k
  store i64 %i, ptr addrspace(1) %a
  %link = getelementptr i64, ptr addrspace(1) %starts, i64 %k
  %k.next = load i64, ptr addrspace(1) %link
  %more = icmp ne i64 %k.next, 0
  br i1 %more, label %loop, label %next

next:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 1000
  br i1 %i.more, label %outer, label %end

end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 4}

; CHECK: [[DATA]] = distinct !{[[DATA]], [[OWN:![0-9]+]]}
; CHECK: [[OWN]] = !{!"llvm.loop.unroll.runtime.disable"}
; CHECK: [[COUNT]] = distinct !{[[COUNT]], [[FOUR:![0-9]+]]}
; CHECK: [[FOUR]] = !{!"llvm.loop.unroll.count", i32 4}
