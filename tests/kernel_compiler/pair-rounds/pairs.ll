; The chain of a round, and that of the next, by turns; then what they seldom lead to, in order.
; RUN: weft-opt --passes='pair-rounds,verify' -mtriple=x86_64 -mcpu=znver4 -S %s | FileCheck %s

; A number of rounds that is known asks for no page.
; CHECK-LABEL: @counted(
; CHECK: entry:
; CHECK-NEXT: br label %pair.begin
; CHECK: pair.begin:
; CHECK-NOT: 4096
; CHECK: br i1 %{{.*}}, label %pair.chains, label %chain
; CHECK: pair.chains:
; CHECK-NEXT: load <64 x i32>
; CHECK-NEXT: load <64 x i32>
; CHECK-NEXT: %[[A:.*]] = add <64 x i32>
; CHECK-NEXT: %[[B:.*]] = add <64 x i32>
; CHECK-NEXT: xor <64 x i32> %[[A]],
; CHECK-NEXT: xor <64 x i32> %[[B]],
; CHECK: freeze i1
; CHECK: br i1 %{{.*}}, label %pair.rest, label %pair.first
; CHECK: latch:
; CHECK: br i1 %more, label %pair.begin, label %done
define void @counted(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(2) %place, align 256
  %cs0 = add <64 x i32> %x, splat (i32 1)
  %c0 = xor <64 x i32> %cs0, %x
  %cs1 = add <64 x i32> %c0, splat (i32 2)
  %c1 = xor <64 x i32> %cs1, %c0
  %cs2 = add <64 x i32> %c1, splat (i32 3)
  %c2 = xor <64 x i32> %cs2, %c1
  %cs3 = add <64 x i32> %c2, splat (i32 4)
  %c3 = xor <64 x i32> %cs3, %c2
  %cs4 = add <64 x i32> %c3, splat (i32 5)
  %c4 = xor <64 x i32> %cs4, %c3
  %cs5 = add <64 x i32> %c4, splat (i32 6)
  %c5 = xor <64 x i32> %cs5, %c4
  %cs6 = add <64 x i32> %c5, splat (i32 7)
  %c6 = xor <64 x i32> %cs6, %c5
  %cs7 = add <64 x i32> %c6, splat (i32 8)
  %c7 = xor <64 x i32> %cs7, %c6
  %cs8 = add <64 x i32> %c7, splat (i32 9)
  %c8 = xor <64 x i32> %cs8, %c7
  %cs9 = add <64 x i32> %c8, splat (i32 10)
  %c9 = xor <64 x i32> %cs9, %c8
  %cs10 = add <64 x i32> %c9, splat (i32 11)
  %c10 = xor <64 x i32> %cs10, %c9
  %cs11 = add <64 x i32> %c10, splat (i32 12)
  %c11 = xor <64 x i32> %cs11, %c10
  %cs12 = add <64 x i32> %c11, splat (i32 13)
  %c12 = xor <64 x i32> %cs12, %c11
  %cs13 = add <64 x i32> %c12, splat (i32 14)
  %c13 = xor <64 x i32> %cs13, %c12
  %cs14 = add <64 x i32> %c13, splat (i32 15)
  %c14 = xor <64 x i32> %cs14, %c13
  %cs15 = add <64 x i32> %c14, splat (i32 16)
  %c15 = xor <64 x i32> %cs15, %c14
  %cs16 = add <64 x i32> %c15, splat (i32 17)
  %c16 = xor <64 x i32> %cs16, %c15
  %is = icmp eq <64 x i32> %c16, zeroinitializer
  %bits = bitcast <64 x i1> %is to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %i, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}

; Where the rest might change how many there are, the second load must be on a page of the first, and the
; number is asked for again before the second rest. Instructions of the CPU do not trap.
; CHECK-LABEL: @asked(
; CHECK: pair.begin:
; CHECK: load i32, ptr addrspace(1) %limit
; CHECK: icmp ult i64 %{{.*}}, 4096
; CHECK: pair.rested.first:
; CHECK-NEXT: load i32, ptr addrspace(1) %limit
define void @asked(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(2) %place, align 256
  %cs0 = add <64 x i32> %x, splat (i32 1)
  %c0 = xor <64 x i32> %cs0, %x
  %cs1 = add <64 x i32> %c0, splat (i32 2)
  %c1 = xor <64 x i32> %cs1, %c0
  %cs2 = add <64 x i32> %c1, splat (i32 3)
  %c2 = xor <64 x i32> %cs2, %c1
  %cs3 = add <64 x i32> %c2, splat (i32 4)
  %c3 = xor <64 x i32> %cs3, %c2
  %cs4 = add <64 x i32> %c3, splat (i32 5)
  %c4 = xor <64 x i32> %cs4, %c3
  %cs5 = add <64 x i32> %c4, splat (i32 6)
  %c5 = xor <64 x i32> %cs5, %c4
  %cs6 = add <64 x i32> %c5, splat (i32 7)
  %c6 = xor <64 x i32> %cs6, %c5
  %cs7 = add <64 x i32> %c6, splat (i32 8)
  %c7 = xor <64 x i32> %cs7, %c6
  %cs8 = add <64 x i32> %c7, splat (i32 9)
  %c8 = xor <64 x i32> %cs8, %c7
  %cs9 = add <64 x i32> %c8, splat (i32 10)
  %c9 = xor <64 x i32> %cs9, %c8
  %cs10 = add <64 x i32> %c9, splat (i32 11)
  %c10 = xor <64 x i32> %cs10, %c9
  %cs11 = add <64 x i32> %c10, splat (i32 12)
  %c11 = xor <64 x i32> %cs11, %c10
  %cs12 = add <64 x i32> %c11, splat (i32 13)
  %c12 = xor <64 x i32> %cs12, %c11
  %cs13 = add <64 x i32> %c12, splat (i32 14)
  %c13 = xor <64 x i32> %cs13, %c12
  %cs14 = add <64 x i32> %c13, splat (i32 15)
  %c14 = xor <64 x i32> %cs14, %c13
  %cs15 = add <64 x i32> %c14, splat (i32 16)
  %c15 = xor <64 x i32> %cs15, %c14
  %cs16 = add <64 x i32> %c15, splat (i32 17)
  %c16 = xor <64 x i32> %cs16, %c15
  %low = shufflevector <64 x i32> %x, <64 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %logic = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %low, <16 x i32> %low, <16 x i32> %low, i32 150)
  %one = extractelement <16 x i32> %logic, i64 0
  %is = icmp eq <64 x i32> %c16, zeroinitializer
  %bits = bitcast <64 x i1> %is to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %one, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %most = load i32, ptr addrspace(1) %limit, align 4
  %more = icmp ult i32 %next, %most
  br i1 %more, label %chain, label %done

done:
  ret void
}

; What the rest may write to what the chain reads.
; CHECK-LABEL: @written(
; CHECK-NOT: pair.
; CHECK: ret void
define void @written(ptr addrspace(1) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(1) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(1) %place, align 256
  %cs0 = add <64 x i32> %x, splat (i32 1)
  %c0 = xor <64 x i32> %cs0, %x
  %cs1 = add <64 x i32> %c0, splat (i32 2)
  %c1 = xor <64 x i32> %cs1, %c0
  %cs2 = add <64 x i32> %c1, splat (i32 3)
  %c2 = xor <64 x i32> %cs2, %c1
  %cs3 = add <64 x i32> %c2, splat (i32 4)
  %c3 = xor <64 x i32> %cs3, %c2
  %cs4 = add <64 x i32> %c3, splat (i32 5)
  %c4 = xor <64 x i32> %cs4, %c3
  %cs5 = add <64 x i32> %c4, splat (i32 6)
  %c5 = xor <64 x i32> %cs5, %c4
  %cs6 = add <64 x i32> %c5, splat (i32 7)
  %c6 = xor <64 x i32> %cs6, %c5
  %cs7 = add <64 x i32> %c6, splat (i32 8)
  %c7 = xor <64 x i32> %cs7, %c6
  %cs8 = add <64 x i32> %c7, splat (i32 9)
  %c8 = xor <64 x i32> %cs8, %c7
  %cs9 = add <64 x i32> %c8, splat (i32 10)
  %c9 = xor <64 x i32> %cs9, %c8
  %cs10 = add <64 x i32> %c9, splat (i32 11)
  %c10 = xor <64 x i32> %cs10, %c9
  %cs11 = add <64 x i32> %c10, splat (i32 12)
  %c11 = xor <64 x i32> %cs11, %c10
  %cs12 = add <64 x i32> %c11, splat (i32 13)
  %c12 = xor <64 x i32> %cs12, %c11
  %cs13 = add <64 x i32> %c12, splat (i32 14)
  %c13 = xor <64 x i32> %cs13, %c12
  %cs14 = add <64 x i32> %c13, splat (i32 15)
  %c14 = xor <64 x i32> %cs14, %c13
  %cs15 = add <64 x i32> %c14, splat (i32 16)
  %c15 = xor <64 x i32> %cs15, %c14
  %cs16 = add <64 x i32> %c15, splat (i32 17)
  %c16 = xor <64 x i32> %cs16, %c15
  %is = icmp eq <64 x i32> %c16, zeroinitializer
  %bits = bitcast <64 x i1> %is to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %i, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}

; In the same round it writes elsewhere: what the next round reads.
; CHECK-LABEL: @next_read(
; CHECK-NOT: pair.
; CHECK: ret void
define void @next_read(ptr addrspace(1) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(1) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(1) %place, align 256
  %cs0 = add <64 x i32> %x, splat (i32 1)
  %c0 = xor <64 x i32> %cs0, %x
  %cs1 = add <64 x i32> %c0, splat (i32 2)
  %c1 = xor <64 x i32> %cs1, %c0
  %cs2 = add <64 x i32> %c1, splat (i32 3)
  %c2 = xor <64 x i32> %cs2, %c1
  %cs3 = add <64 x i32> %c2, splat (i32 4)
  %c3 = xor <64 x i32> %cs3, %c2
  %cs4 = add <64 x i32> %c3, splat (i32 5)
  %c4 = xor <64 x i32> %cs4, %c3
  %cs5 = add <64 x i32> %c4, splat (i32 6)
  %c5 = xor <64 x i32> %cs5, %c4
  %cs6 = add <64 x i32> %c5, splat (i32 7)
  %c6 = xor <64 x i32> %cs6, %c5
  %cs7 = add <64 x i32> %c6, splat (i32 8)
  %c7 = xor <64 x i32> %cs7, %c6
  %cs8 = add <64 x i32> %c7, splat (i32 9)
  %c8 = xor <64 x i32> %cs8, %c7
  %cs9 = add <64 x i32> %c8, splat (i32 10)
  %c9 = xor <64 x i32> %cs9, %c8
  %cs10 = add <64 x i32> %c9, splat (i32 11)
  %c10 = xor <64 x i32> %cs10, %c9
  %cs11 = add <64 x i32> %c10, splat (i32 12)
  %c11 = xor <64 x i32> %cs11, %c10
  %cs12 = add <64 x i32> %c11, splat (i32 13)
  %c12 = xor <64 x i32> %cs12, %c11
  %cs13 = add <64 x i32> %c12, splat (i32 14)
  %c13 = xor <64 x i32> %cs13, %c12
  %cs14 = add <64 x i32> %c13, splat (i32 15)
  %c14 = xor <64 x i32> %cs14, %c13
  %cs15 = add <64 x i32> %c14, splat (i32 16)
  %c15 = xor <64 x i32> %cs15, %c14
  %cs16 = add <64 x i32> %c15, splat (i32 17)
  %c16 = xor <64 x i32> %cs16, %c15
  %is = icmp eq <64 x i32> %c16, zeroinitializer
  %bits = bitcast <64 x i1> %is to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  %behind = getelementptr <64 x i32>, ptr addrspace(1) %place, i64 1
  store i32 %i, ptr addrspace(1) %behind, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}

; A division of a round that there may not be.
; CHECK-LABEL: @dividing(
; CHECK-NOT: pair.
; CHECK: ret void
define void @dividing(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(2) %place, align 256
  %cs0 = add <64 x i32> %x, splat (i32 1)
  %c0 = xor <64 x i32> %cs0, %x
  %cs1 = add <64 x i32> %c0, splat (i32 2)
  %c1 = xor <64 x i32> %cs1, %c0
  %cs2 = add <64 x i32> %c1, splat (i32 3)
  %c2 = xor <64 x i32> %cs2, %c1
  %cs3 = add <64 x i32> %c2, splat (i32 4)
  %c3 = xor <64 x i32> %cs3, %c2
  %cs4 = add <64 x i32> %c3, splat (i32 5)
  %c4 = xor <64 x i32> %cs4, %c3
  %cs5 = add <64 x i32> %c4, splat (i32 6)
  %c5 = xor <64 x i32> %cs5, %c4
  %cs6 = add <64 x i32> %c5, splat (i32 7)
  %c6 = xor <64 x i32> %cs6, %c5
  %cs7 = add <64 x i32> %c6, splat (i32 8)
  %c7 = xor <64 x i32> %cs7, %c6
  %cs8 = add <64 x i32> %c7, splat (i32 9)
  %c8 = xor <64 x i32> %cs8, %c7
  %cs9 = add <64 x i32> %c8, splat (i32 10)
  %c9 = xor <64 x i32> %cs9, %c8
  %cs10 = add <64 x i32> %c9, splat (i32 11)
  %c10 = xor <64 x i32> %cs10, %c9
  %cs11 = add <64 x i32> %c10, splat (i32 12)
  %c11 = xor <64 x i32> %cs11, %c10
  %cs12 = add <64 x i32> %c11, splat (i32 13)
  %c12 = xor <64 x i32> %cs12, %c11
  %cs13 = add <64 x i32> %c12, splat (i32 14)
  %c13 = xor <64 x i32> %cs13, %c12
  %cs14 = add <64 x i32> %c13, splat (i32 15)
  %c14 = xor <64 x i32> %cs14, %c13
  %cs15 = add <64 x i32> %c14, splat (i32 16)
  %c15 = xor <64 x i32> %cs15, %c14
  %cs16 = add <64 x i32> %c15, splat (i32 17)
  %c16 = xor <64 x i32> %cs16, %c15
  %is = icmp eq <64 x i32> %c16, zeroinitializer
  %y = load <64 x i32>, ptr addrspace(2) %words, align 256
  %quotient = udiv <64 x i32> %x, %y
  %isq = icmp eq <64 x i32> %quotient, %y
  %bits = bitcast <64 x i1> %isq to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %i, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %most = load i32, ptr addrspace(1) %limit, align 4
  %more = icmp ult i32 %next, %most
  br i1 %more, label %chain, label %done

done:
  ret void
}

; A CPU looks as far by itself.
; CHECK-LABEL: @short(
; CHECK-NOT: pair.
; CHECK: ret void
define void @short(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(2) %place, align 256
  %cs0 = add <64 x i32> %x, splat (i32 1)
  %c0 = xor <64 x i32> %cs0, %x
  %cs1 = add <64 x i32> %c0, splat (i32 2)
  %c1 = xor <64 x i32> %cs1, %c0
  %cs2 = add <64 x i32> %c1, splat (i32 3)
  %c2 = xor <64 x i32> %cs2, %c1
  %cs3 = add <64 x i32> %c2, splat (i32 4)
  %c3 = xor <64 x i32> %cs3, %c2
  %cs4 = add <64 x i32> %c3, splat (i32 5)
  %c4 = xor <64 x i32> %cs4, %c3
  %is = icmp eq <64 x i32> %c4, zeroinitializer
  %bits = bitcast <64 x i1> %is to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %i, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}

; Operations that do not wait for each other.
; CHECK-LABEL: @broad(
; CHECK-NOT: pair.
; CHECK: ret void
define void @broad(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(2) %place, align 256
  %d0 = add <64 x i32> %x, splat (i32 3)
  %d1 = add <64 x i32> %x, splat (i32 5)
  %d2 = add <64 x i32> %x, splat (i32 7)
  %d3 = add <64 x i32> %x, splat (i32 9)
  %d4 = add <64 x i32> %x, splat (i32 11)
  %d5 = add <64 x i32> %x, splat (i32 13)
  %d6 = add <64 x i32> %x, splat (i32 15)
  %d7 = add <64 x i32> %x, splat (i32 17)
  %d8 = add <64 x i32> %x, splat (i32 19)
  %d9 = add <64 x i32> %x, splat (i32 21)
  %d10 = add <64 x i32> %x, splat (i32 23)
  %d11 = add <64 x i32> %x, splat (i32 25)
  %d12 = add <64 x i32> %x, splat (i32 27)
  %d13 = add <64 x i32> %x, splat (i32 29)
  %d14 = add <64 x i32> %x, splat (i32 31)
  %d15 = add <64 x i32> %x, splat (i32 33)
  %d16 = add <64 x i32> %x, splat (i32 35)
  %d17 = add <64 x i32> %x, splat (i32 37)
  %d18 = add <64 x i32> %x, splat (i32 39)
  %d19 = add <64 x i32> %x, splat (i32 41)
  %e0 = xor <64 x i32> %d0, %d1
  %e1 = xor <64 x i32> %d2, %d3
  %e2 = xor <64 x i32> %d4, %d5
  %e3 = xor <64 x i32> %d6, %d7
  %e4 = xor <64 x i32> %d8, %d9
  %e5 = xor <64 x i32> %d10, %d11
  %e6 = xor <64 x i32> %d12, %d13
  %e7 = xor <64 x i32> %d14, %d15
  %e8 = xor <64 x i32> %d16, %d17
  %e9 = xor <64 x i32> %d18, %d19
  %e10 = xor <64 x i32> %e0, %e1
  %e11 = xor <64 x i32> %e2, %e3
  %e12 = xor <64 x i32> %e4, %e5
  %e13 = xor <64 x i32> %e6, %e7
  %e14 = xor <64 x i32> %e8, %e9
  %e15 = xor <64 x i32> %e10, %e11
  %e16 = xor <64 x i32> %e12, %e13
  %e17 = xor <64 x i32> %e15, %e16
  %e18 = xor <64 x i32> %e17, %e14
  %is = icmp eq <64 x i32> %e18, zeroinitializer
  %bits = bitcast <64 x i1> %is to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %i, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}

; A chain that writes.
; CHECK-LABEL: @writing(
; CHECK-NOT: pair.
; CHECK: ret void
define void @writing(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(2) %place, align 256
  store i32 %i, ptr addrspace(1) %out, align 4
  %cs0 = add <64 x i32> %x, splat (i32 1)
  %c0 = xor <64 x i32> %cs0, %x
  %cs1 = add <64 x i32> %c0, splat (i32 2)
  %c1 = xor <64 x i32> %cs1, %c0
  %cs2 = add <64 x i32> %c1, splat (i32 3)
  %c2 = xor <64 x i32> %cs2, %c1
  %cs3 = add <64 x i32> %c2, splat (i32 4)
  %c3 = xor <64 x i32> %cs3, %c2
  %cs4 = add <64 x i32> %c3, splat (i32 5)
  %c4 = xor <64 x i32> %cs4, %c3
  %cs5 = add <64 x i32> %c4, splat (i32 6)
  %c5 = xor <64 x i32> %cs5, %c4
  %cs6 = add <64 x i32> %c5, splat (i32 7)
  %c6 = xor <64 x i32> %cs6, %c5
  %cs7 = add <64 x i32> %c6, splat (i32 8)
  %c7 = xor <64 x i32> %cs7, %c6
  %cs8 = add <64 x i32> %c7, splat (i32 9)
  %c8 = xor <64 x i32> %cs8, %c7
  %cs9 = add <64 x i32> %c8, splat (i32 10)
  %c9 = xor <64 x i32> %cs9, %c8
  %cs10 = add <64 x i32> %c9, splat (i32 11)
  %c10 = xor <64 x i32> %cs10, %c9
  %cs11 = add <64 x i32> %c10, splat (i32 12)
  %c11 = xor <64 x i32> %cs11, %c10
  %cs12 = add <64 x i32> %c11, splat (i32 13)
  %c12 = xor <64 x i32> %cs12, %c11
  %cs13 = add <64 x i32> %c12, splat (i32 14)
  %c13 = xor <64 x i32> %cs13, %c12
  %cs14 = add <64 x i32> %c13, splat (i32 15)
  %c14 = xor <64 x i32> %cs14, %c13
  %cs15 = add <64 x i32> %c14, splat (i32 16)
  %c15 = xor <64 x i32> %cs15, %c14
  %cs16 = add <64 x i32> %c15, splat (i32 17)
  %c16 = xor <64 x i32> %cs16, %c15
  %is = icmp eq <64 x i32> %c16, zeroinitializer
  %bits = bitcast <64 x i1> %is to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %i, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}

; The rest decides where it goes on.
; CHECK-LABEL: @found(
; CHECK-NOT: pair.
; CHECK: ret void
define void @found(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(2) %place, align 256
  %cs0 = add <64 x i32> %x, splat (i32 1)
  %c0 = xor <64 x i32> %cs0, %x
  %cs1 = add <64 x i32> %c0, splat (i32 2)
  %c1 = xor <64 x i32> %cs1, %c0
  %cs2 = add <64 x i32> %c1, splat (i32 3)
  %c2 = xor <64 x i32> %cs2, %c1
  %cs3 = add <64 x i32> %c2, splat (i32 4)
  %c3 = xor <64 x i32> %cs3, %c2
  %cs4 = add <64 x i32> %c3, splat (i32 5)
  %c4 = xor <64 x i32> %cs4, %c3
  %cs5 = add <64 x i32> %c4, splat (i32 6)
  %c5 = xor <64 x i32> %cs5, %c4
  %cs6 = add <64 x i32> %c5, splat (i32 7)
  %c6 = xor <64 x i32> %cs6, %c5
  %cs7 = add <64 x i32> %c6, splat (i32 8)
  %c7 = xor <64 x i32> %cs7, %c6
  %cs8 = add <64 x i32> %c7, splat (i32 9)
  %c8 = xor <64 x i32> %cs8, %c7
  %cs9 = add <64 x i32> %c8, splat (i32 10)
  %c9 = xor <64 x i32> %cs9, %c8
  %cs10 = add <64 x i32> %c9, splat (i32 11)
  %c10 = xor <64 x i32> %cs10, %c9
  %cs11 = add <64 x i32> %c10, splat (i32 12)
  %c11 = xor <64 x i32> %cs11, %c10
  %cs12 = add <64 x i32> %c11, splat (i32 13)
  %c12 = xor <64 x i32> %cs12, %c11
  %cs13 = add <64 x i32> %c12, splat (i32 14)
  %c13 = xor <64 x i32> %cs13, %c12
  %cs14 = add <64 x i32> %c13, splat (i32 15)
  %c14 = xor <64 x i32> %cs14, %c13
  %cs15 = add <64 x i32> %c14, splat (i32 16)
  %c15 = xor <64 x i32> %cs15, %c14
  %cs16 = add <64 x i32> %c15, splat (i32 17)
  %c16 = xor <64 x i32> %cs16, %c15
  %is = icmp eq <64 x i32> %c16, zeroinitializer
  %bits = bitcast <64 x i1> %is to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %i, ptr addrspace(1) %out, align 4
  %skipped = add i32 %i, 7
  br label %latch

latch:
  %at = phi i32 [ %i, %chain ], [ %skipped, %rest ]
  %next = add i32 %at, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}

; The rest may leave the loop.
; CHECK-LABEL: @leaving(
; CHECK-NOT: pair.
; CHECK: ret void
define void @leaving(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <64 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <64 x i32>, ptr addrspace(2) %place, align 256
  %cs0 = add <64 x i32> %x, splat (i32 1)
  %c0 = xor <64 x i32> %cs0, %x
  %cs1 = add <64 x i32> %c0, splat (i32 2)
  %c1 = xor <64 x i32> %cs1, %c0
  %cs2 = add <64 x i32> %c1, splat (i32 3)
  %c2 = xor <64 x i32> %cs2, %c1
  %cs3 = add <64 x i32> %c2, splat (i32 4)
  %c3 = xor <64 x i32> %cs3, %c2
  %cs4 = add <64 x i32> %c3, splat (i32 5)
  %c4 = xor <64 x i32> %cs4, %c3
  %cs5 = add <64 x i32> %c4, splat (i32 6)
  %c5 = xor <64 x i32> %cs5, %c4
  %cs6 = add <64 x i32> %c5, splat (i32 7)
  %c6 = xor <64 x i32> %cs6, %c5
  %cs7 = add <64 x i32> %c6, splat (i32 8)
  %c7 = xor <64 x i32> %cs7, %c6
  %cs8 = add <64 x i32> %c7, splat (i32 9)
  %c8 = xor <64 x i32> %cs8, %c7
  %cs9 = add <64 x i32> %c8, splat (i32 10)
  %c9 = xor <64 x i32> %cs9, %c8
  %cs10 = add <64 x i32> %c9, splat (i32 11)
  %c10 = xor <64 x i32> %cs10, %c9
  %cs11 = add <64 x i32> %c10, splat (i32 12)
  %c11 = xor <64 x i32> %cs11, %c10
  %cs12 = add <64 x i32> %c11, splat (i32 13)
  %c12 = xor <64 x i32> %cs12, %c11
  %cs13 = add <64 x i32> %c12, splat (i32 14)
  %c13 = xor <64 x i32> %cs13, %c12
  %cs14 = add <64 x i32> %c13, splat (i32 15)
  %c14 = xor <64 x i32> %cs14, %c13
  %cs15 = add <64 x i32> %c14, splat (i32 16)
  %c15 = xor <64 x i32> %cs15, %c14
  %cs16 = add <64 x i32> %c15, splat (i32 17)
  %c16 = xor <64 x i32> %cs16, %c15
  %is = icmp eq <64 x i32> %c16, zeroinitializer
  %bits = bitcast <64 x i1> %is to i64
  %any = icmp ne i64 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %i, ptr addrspace(1) %out, align 4
  %stop = icmp eq i32 %i, %n
  br i1 %stop, label %done, label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}
