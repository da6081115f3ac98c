; LLVM makes no versions of the loop over the last few work-items, nor of what comes after two vectors side by side, one
; iteration at most. All others keep what they have: those within the first too, where a group of one work-item is.
; RUN: weft-opt --passes='widen-loops,verify' -weft-register-bits=128 -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @chain(
; CHECK: mul <8 x i32>
; CHECK: br i1 %{{.*}}, label %x.loop.wide, label %wide.after{{$}}
; CHECK: mul <4 x i32>
; CHECK: br i1 %{{.*}}, label %x.loop.wide{{.*}}, label %{{.*}}, !llvm.loop ![[ONCE:[0-9]+]]
; CHECK: label %loop, !llvm.loop ![[INNER:[0-9]+]]
; CHECK: br i1 %more, label %x.loop, {{.*}}, !llvm.loop ![[REST:[0-9]+]]
; CHECK-DAG: ![[ONCE]] = distinct !{![[ONCE]], ![[NO:[0-9]+]], ![[SINGLE:[0-9]+]], ![[PLAIN:[0-9]+]]}
; CHECK-DAG: ![[REST]] = distinct !{![[REST]], ![[NO]], ![[SINGLE]], ![[LAST:[0-9]+]], ![[PLAIN]]}
; CHECK-DAG: ![[LAST]] = !{!"weft.loop.rest"}
; CHECK-DAG: ![[INNER]] = distinct !{![[INNER]], ![[KEPT:[0-9]+]]}
; CHECK-DAG: ![[NO]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: ![[SINGLE]] = !{!"weft.loop.single"}
; CHECK-DAG: ![[PLAIN]] = !{!"llvm.loop.vectorize.enable", i1 false}
; CHECK-DAG: ![[KEPT]] = !{!"llvm.loop.mustprogress"}
define spir_kernel void @chain(ptr addrspace(1) %p, i64 %n, i32 %rounds) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  br label %loop
loop:
  %h = phi i32 [ %v, %x.loop ], [ %h3, %loop ]
  %i = phi i32 [ 0, %x.loop ], [ %i1, %loop ]
  %h1 = mul i32 %h, 12345
  %h2 = lshr i32 %h1, 3
  %h3 = xor i32 %h1, %h2
  %i1 = add i32 %i, 1
  %again = icmp ult i32 %i1, %rounds
  br i1 %again, label %loop, label %x.next, !llvm.loop !1
x.next:
  store i32 %h3, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!0 = !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
