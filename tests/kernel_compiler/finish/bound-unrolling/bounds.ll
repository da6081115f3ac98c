; A loop that the source wants unrolled is, up to a bound; the rest of an item loop has a lower one. Loops over what
; becomes values keep their hint, whatever their size.
; RUN: weft-opt --passes='bound-unrolling,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @few(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[WHOLE:![0-9]+]]
define spir_kernel void @few(ptr addrspace(1) %p) {
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %end, !llvm.loop !0

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @many(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[PART:![0-9]+]]
define spir_kernel void @many(ptr addrspace(1) %p) {
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %end, !llvm.loop !2

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @array(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[ARRAY:![0-9]+]]
define spir_kernel void @array(ptr addrspace(1) %p) {
  %values = alloca [1000 x i32]
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr %values, i32 %i
  store i32 %i, ptr %a
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %end, !llvm.loop !3

end:
  ret void
}

; The inner loop stands a hundred times in a row, so the outer one's body is large.
; CHECK-LABEL: define spir_kernel void @nested(
; CHECK: br i1 %more, label %loop, label %next, !llvm.loop [[INNER:![0-9]+]]
; CHECK: br i1 %j.more, label %outer, label %end, !llvm.loop [[OUTER:![0-9]+]]
define spir_kernel void @nested(ptr addrspace(1) %p) {
  br label %outer

outer:
  %j = phi i32 [ 0, %0 ], [ %j.next, %next ]
  br label %loop

loop:
  %i = phi i32 [ 0, %outer ], [ %i.next, %loop ]
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %j, ptr addrspace(1) %a
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 100
  br i1 %more, label %loop, label %next, !llvm.loop !4

next:
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, 8
  br i1 %j.more, label %outer, label %end, !llvm.loop !5

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @rest(
; CHECK: br i1 %more, label %loop, label %next, !llvm.loop [[NOT:![0-9]+]]
define spir_kernel void @rest(ptr addrspace(1) %p, i32 %left) {
  br label %item

item:
  %x = phi i32 [ 0, %0 ], [ %x.next, %next ]
  br label %loop

loop:
  %i = phi i32 [ 0, %item ], [ %i.next, %loop ]
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %b = load i32, ptr addrspace(1) %a
  %c = add i32 %b, %x
  store i32 %c, ptr addrspace(1) %a
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 100
  br i1 %more, label %loop, label %next, !llvm.loop !6

next:
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, %left
  br i1 %x.more, label %item, label %end, !llvm.loop !7

end:
  ret void
}

; A number of rounds is bounded like the whole loop, whether it is known how many there are or not.
; CHECK-LABEL: define spir_kernel void @counted(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[COUNTED:![0-9]+]]
define spir_kernel void @counted(ptr addrspace(1) %p) {
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 1000000
  br i1 %more, label %loop, label %end, !llvm.loop !9

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @unknown(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[UNKNOWN:![0-9]+]]
define spir_kernel void @unknown(ptr addrspace(1) %p, i32 %n) {
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !11

end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @modest(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[MODEST:![0-9]+]]
define spir_kernel void @modest(ptr addrspace(1) %p, i32 %n) {
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !13

end:
  ret void
}

; CHECK-DAG: [[COUNTED]] = distinct !{[[COUNTED]], [[BOUNDED:![0-9]+]]}
; CHECK-DAG: [[BOUNDED]] = !{!"llvm.loop.unroll.count", i32 256}
; CHECK-DAG: [[UNKNOWN]] = distinct !{[[UNKNOWN]], [[BOUNDED]]}
; CHECK-DAG: [[MODEST]] = distinct !{[[MODEST]], [[EIGHT:![0-9]+]]}
; CHECK-DAG: [[EIGHT]] = !{!"llvm.loop.unroll.count", i32 8}
; CHECK-DAG: [[HINT:![0-9]+]] = !{!"llvm.loop.unroll.enable"}
; CHECK-DAG: [[WHOLE]] = distinct !{[[WHOLE]], [[HINT]]}
; CHECK-DAG: [[PART]] = distinct !{[[PART]], [[COUNT:![0-9]+]]}
; CHECK-DAG: [[COUNT]] = !{!"llvm.loop.unroll.count", i32 250}
; CHECK-DAG: [[ARRAY]] = distinct !{[[ARRAY]], [[HINT]]}
; CHECK-DAG: [[INNER]] = distinct !{[[INNER]], [[HINT]]}
; CHECK-DAG: [[OUTER]] = distinct !{[[OUTER]], [[THREE:![0-9]+]]}
; CHECK-DAG: [[THREE]] = !{!"llvm.loop.unroll.count", i32 2}
; CHECK-DAG: [[NOT]] = distinct !{[[NOT]], [[FEW:![0-9]+]]}
; CHECK-DAG: [[FEW]] = !{!"llvm.loop.unroll.count", i32 25}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.enable"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !1}
!6 = distinct !{!6, !1}
!7 = distinct !{!7, !8}
!8 = !{!"weft.loop.rest"}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.unroll.count", i32 65536}
!11 = distinct !{!11, !10}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.unroll.count", i32 8}
