; The chain of a round, and that of the next, by turns; then what they seldom lead to, in order.
; RUN: weft-opt --passes='interleave-iterations,verify' -mtriple=x86_64 -mcpu=znver4 -S %s | FileCheck %s

; A number of rounds that is known asks for no page.
; CHECK-LABEL: @counted(
; CHECK: entry:
; CHECK-NEXT: br label %pair.begin
; CHECK: pair.begin:
; CHECK-NOT: 4096
; CHECK: br i1 %{{.*}}, label %pair.chains, label %chain
; CHECK: pair.chains:
; CHECK-NEXT: load <16 x i32>
; CHECK-NEXT: load <16 x i32>
; CHECK-NEXT: %[[A:.*]] = add <16 x i32>
; CHECK-NEXT: %[[B:.*]] = add <16 x i32>
; CHECK-NEXT: xor <16 x i32> %[[A]],
; CHECK-NEXT: xor <16 x i32> %[[B]],
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
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
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
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %low = shufflevector <16 x i32> %x, <16 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %logic = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %low, <16 x i32> %low, <16 x i32> %low, i32 150)
  %one = extractelement <16 x i32> %logic, i64 0
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
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
; CHECK: {{^}}}
define void @written(ptr addrspace(1) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(1) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(1) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
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
; CHECK: {{^}}}
define void @next_read(ptr addrspace(1) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(1) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(1) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  %behind = getelementptr <16 x i32>, ptr addrspace(1) %place, i64 1
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
; CHECK: {{^}}}
define void @dividing(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %y = load <16 x i32>, ptr addrspace(2) %words, align 64
  %quotient = udiv <16 x i32> %x, %y
  %isq = icmp eq <16 x i32> %quotient, %y
  %bits = bitcast <16 x i1> %isq to i16
  %any = icmp ne i16 %bits, 0
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

; A vector in two registers is two chains.
; CHECK-LABEL: @several(
; CHECK-NOT: pair.
; CHECK: {{^}}}
define void @several(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <32 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <32 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <32 x i32> %x, splat (i32 1)
  %c0 = xor <32 x i32> %cs0, %x
  %cs1 = add <32 x i32> %c0, splat (i32 2)
  %c1 = xor <32 x i32> %cs1, %c0
  %cs2 = add <32 x i32> %c1, splat (i32 3)
  %c2 = xor <32 x i32> %cs2, %c1
  %cs3 = add <32 x i32> %c2, splat (i32 4)
  %c3 = xor <32 x i32> %cs3, %c2
  %cs4 = add <32 x i32> %c3, splat (i32 5)
  %c4 = xor <32 x i32> %cs4, %c3
  %cs5 = add <32 x i32> %c4, splat (i32 6)
  %c5 = xor <32 x i32> %cs5, %c4
  %cs6 = add <32 x i32> %c5, splat (i32 7)
  %c6 = xor <32 x i32> %cs6, %c5
  %cs7 = add <32 x i32> %c6, splat (i32 8)
  %c7 = xor <32 x i32> %cs7, %c6
  %cs8 = add <32 x i32> %c7, splat (i32 9)
  %c8 = xor <32 x i32> %cs8, %c7
  %cs9 = add <32 x i32> %c8, splat (i32 10)
  %c9 = xor <32 x i32> %cs9, %c8
  %cs10 = add <32 x i32> %c9, splat (i32 11)
  %c10 = xor <32 x i32> %cs10, %c9
  %cs11 = add <32 x i32> %c10, splat (i32 12)
  %c11 = xor <32 x i32> %cs11, %c10
  %cs12 = add <32 x i32> %c11, splat (i32 13)
  %c12 = xor <32 x i32> %cs12, %c11
  %cs13 = add <32 x i32> %c12, splat (i32 14)
  %c13 = xor <32 x i32> %cs13, %c12
  %cs14 = add <32 x i32> %c13, splat (i32 15)
  %c14 = xor <32 x i32> %cs14, %c13
  %cs15 = add <32 x i32> %c14, splat (i32 16)
  %c15 = xor <32 x i32> %cs15, %c14
  %cs16 = add <32 x i32> %c15, splat (i32 17)
  %c16 = xor <32 x i32> %cs16, %c15
  %cs17 = add <32 x i32> %c16, splat (i32 18)
  %c17 = xor <32 x i32> %cs17, %c16
  %cs18 = add <32 x i32> %c17, splat (i32 19)
  %c18 = xor <32 x i32> %cs18, %c17
  %cs19 = add <32 x i32> %c18, splat (i32 20)
  %c19 = xor <32 x i32> %cs19, %c18
  %cs20 = add <32 x i32> %c19, splat (i32 21)
  %c20 = xor <32 x i32> %cs20, %c19
  %cs21 = add <32 x i32> %c20, splat (i32 22)
  %c21 = xor <32 x i32> %cs21, %c20
  %cs22 = add <32 x i32> %c21, splat (i32 23)
  %c22 = xor <32 x i32> %cs22, %c21
  %cs23 = add <32 x i32> %c22, splat (i32 24)
  %c23 = xor <32 x i32> %cs23, %c22
  %cs24 = add <32 x i32> %c23, splat (i32 25)
  %c24 = xor <32 x i32> %cs24, %c23
  %cs25 = add <32 x i32> %c24, splat (i32 26)
  %c25 = xor <32 x i32> %cs25, %c24
  %cs26 = add <32 x i32> %c25, splat (i32 27)
  %c26 = xor <32 x i32> %cs26, %c25
  %cs27 = add <32 x i32> %c26, splat (i32 28)
  %c27 = xor <32 x i32> %cs27, %c26
  %cs28 = add <32 x i32> %c27, splat (i32 29)
  %c28 = xor <32 x i32> %cs28, %c27
  %cs29 = add <32 x i32> %c28, splat (i32 30)
  %c29 = xor <32 x i32> %cs29, %c28
  %cs30 = add <32 x i32> %c29, splat (i32 31)
  %c30 = xor <32 x i32> %cs30, %c29
  %cs31 = add <32 x i32> %c30, splat (i32 32)
  %c31 = xor <32 x i32> %cs31, %c30
  %cs32 = add <32 x i32> %c31, splat (i32 33)
  %c32 = xor <32 x i32> %cs32, %c31
  %cs33 = add <32 x i32> %c32, splat (i32 34)
  %c33 = xor <32 x i32> %cs33, %c32
  %cs34 = add <32 x i32> %c33, splat (i32 35)
  %c34 = xor <32 x i32> %cs34, %c33
  %cs35 = add <32 x i32> %c34, splat (i32 36)
  %c35 = xor <32 x i32> %cs35, %c34
  %cs36 = add <32 x i32> %c35, splat (i32 37)
  %c36 = xor <32 x i32> %cs36, %c35
  %cs37 = add <32 x i32> %c36, splat (i32 38)
  %c37 = xor <32 x i32> %cs37, %c36
  %cs38 = add <32 x i32> %c37, splat (i32 39)
  %c38 = xor <32 x i32> %cs38, %c37
  %cs39 = add <32 x i32> %c38, splat (i32 40)
  %c39 = xor <32 x i32> %cs39, %c38
  %cs40 = add <32 x i32> %c39, splat (i32 41)
  %c40 = xor <32 x i32> %cs40, %c39
  %cs41 = add <32 x i32> %c40, splat (i32 42)
  %c41 = xor <32 x i32> %cs41, %c40
  %cs42 = add <32 x i32> %c41, splat (i32 43)
  %c42 = xor <32 x i32> %cs42, %c41
  %cs43 = add <32 x i32> %c42, splat (i32 44)
  %c43 = xor <32 x i32> %cs43, %c42
  %cs44 = add <32 x i32> %c43, splat (i32 45)
  %c44 = xor <32 x i32> %cs44, %c43
  %cs45 = add <32 x i32> %c44, splat (i32 46)
  %c45 = xor <32 x i32> %cs45, %c44
  %cs46 = add <32 x i32> %c45, splat (i32 47)
  %c46 = xor <32 x i32> %cs46, %c45
  %cs47 = add <32 x i32> %c46, splat (i32 48)
  %c47 = xor <32 x i32> %cs47, %c46
  %cs48 = add <32 x i32> %c47, splat (i32 49)
  %c48 = xor <32 x i32> %cs48, %c47
  %cs49 = add <32 x i32> %c48, splat (i32 50)
  %c49 = xor <32 x i32> %cs49, %c48
  %cs50 = add <32 x i32> %c49, splat (i32 51)
  %c50 = xor <32 x i32> %cs50, %c49
  %cs51 = add <32 x i32> %c50, splat (i32 52)
  %c51 = xor <32 x i32> %cs51, %c50
  %cs52 = add <32 x i32> %c51, splat (i32 53)
  %c52 = xor <32 x i32> %cs52, %c51
  %cs53 = add <32 x i32> %c52, splat (i32 54)
  %c53 = xor <32 x i32> %cs53, %c52
  %cs54 = add <32 x i32> %c53, splat (i32 55)
  %c54 = xor <32 x i32> %cs54, %c53
  %cs55 = add <32 x i32> %c54, splat (i32 56)
  %c55 = xor <32 x i32> %cs55, %c54
  %cs56 = add <32 x i32> %c55, splat (i32 57)
  %c56 = xor <32 x i32> %cs56, %c55
  %cs57 = add <32 x i32> %c56, splat (i32 58)
  %c57 = xor <32 x i32> %cs57, %c56
  %cs58 = add <32 x i32> %c57, splat (i32 59)
  %c58 = xor <32 x i32> %cs58, %c57
  %cs59 = add <32 x i32> %c58, splat (i32 60)
  %c59 = xor <32 x i32> %cs59, %c58
  %cs60 = add <32 x i32> %c59, splat (i32 61)
  %c60 = xor <32 x i32> %cs60, %c59
  %cs61 = add <32 x i32> %c60, splat (i32 62)
  %c61 = xor <32 x i32> %cs61, %c60
  %cs62 = add <32 x i32> %c61, splat (i32 63)
  %c62 = xor <32 x i32> %cs62, %c61
  %cs63 = add <32 x i32> %c62, splat (i32 64)
  %c63 = xor <32 x i32> %cs63, %c62
  %cs64 = add <32 x i32> %c63, splat (i32 65)
  %c64 = xor <32 x i32> %cs64, %c63
  %is = icmp eq <32 x i32> %c64, zeroinitializer
  %bits = bitcast <32 x i1> %is to i32
  %any = icmp ne i32 %bits, 0
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

; A CPU looks as far by itself.
; CHECK-LABEL: @short(
; CHECK-NOT: pair.
; CHECK: {{^}}}
define void @short(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %is = icmp eq <16 x i32> %c4, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
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
; CHECK: {{^}}}
define void @broad(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %d0 = add <16 x i32> %x, splat (i32 3)
  %d1 = add <16 x i32> %x, splat (i32 5)
  %d2 = add <16 x i32> %x, splat (i32 7)
  %d3 = add <16 x i32> %x, splat (i32 9)
  %d4 = add <16 x i32> %x, splat (i32 11)
  %d5 = add <16 x i32> %x, splat (i32 13)
  %d6 = add <16 x i32> %x, splat (i32 15)
  %d7 = add <16 x i32> %x, splat (i32 17)
  %d8 = add <16 x i32> %x, splat (i32 19)
  %d9 = add <16 x i32> %x, splat (i32 21)
  %d10 = add <16 x i32> %x, splat (i32 23)
  %d11 = add <16 x i32> %x, splat (i32 25)
  %d12 = add <16 x i32> %x, splat (i32 27)
  %d13 = add <16 x i32> %x, splat (i32 29)
  %d14 = add <16 x i32> %x, splat (i32 31)
  %d15 = add <16 x i32> %x, splat (i32 33)
  %d16 = add <16 x i32> %x, splat (i32 35)
  %d17 = add <16 x i32> %x, splat (i32 37)
  %d18 = add <16 x i32> %x, splat (i32 39)
  %d19 = add <16 x i32> %x, splat (i32 41)
  %d20 = add <16 x i32> %x, splat (i32 43)
  %d21 = add <16 x i32> %x, splat (i32 45)
  %d22 = add <16 x i32> %x, splat (i32 47)
  %d23 = add <16 x i32> %x, splat (i32 49)
  %d24 = add <16 x i32> %x, splat (i32 51)
  %d25 = add <16 x i32> %x, splat (i32 53)
  %d26 = add <16 x i32> %x, splat (i32 55)
  %d27 = add <16 x i32> %x, splat (i32 57)
  %d28 = add <16 x i32> %x, splat (i32 59)
  %d29 = add <16 x i32> %x, splat (i32 61)
  %d30 = add <16 x i32> %x, splat (i32 63)
  %d31 = add <16 x i32> %x, splat (i32 65)
  %d32 = add <16 x i32> %x, splat (i32 67)
  %d33 = add <16 x i32> %x, splat (i32 69)
  %d34 = add <16 x i32> %x, splat (i32 71)
  %d35 = add <16 x i32> %x, splat (i32 73)
  %d36 = add <16 x i32> %x, splat (i32 75)
  %d37 = add <16 x i32> %x, splat (i32 77)
  %d38 = add <16 x i32> %x, splat (i32 79)
  %d39 = add <16 x i32> %x, splat (i32 81)
  %d40 = add <16 x i32> %x, splat (i32 83)
  %d41 = add <16 x i32> %x, splat (i32 85)
  %d42 = add <16 x i32> %x, splat (i32 87)
  %d43 = add <16 x i32> %x, splat (i32 89)
  %d44 = add <16 x i32> %x, splat (i32 91)
  %d45 = add <16 x i32> %x, splat (i32 93)
  %d46 = add <16 x i32> %x, splat (i32 95)
  %d47 = add <16 x i32> %x, splat (i32 97)
  %d48 = add <16 x i32> %x, splat (i32 99)
  %d49 = add <16 x i32> %x, splat (i32 101)
  %d50 = add <16 x i32> %x, splat (i32 103)
  %d51 = add <16 x i32> %x, splat (i32 105)
  %d52 = add <16 x i32> %x, splat (i32 107)
  %d53 = add <16 x i32> %x, splat (i32 109)
  %d54 = add <16 x i32> %x, splat (i32 111)
  %d55 = add <16 x i32> %x, splat (i32 113)
  %d56 = add <16 x i32> %x, splat (i32 115)
  %d57 = add <16 x i32> %x, splat (i32 117)
  %d58 = add <16 x i32> %x, splat (i32 119)
  %d59 = add <16 x i32> %x, splat (i32 121)
  %d60 = add <16 x i32> %x, splat (i32 123)
  %d61 = add <16 x i32> %x, splat (i32 125)
  %d62 = add <16 x i32> %x, splat (i32 127)
  %d63 = add <16 x i32> %x, splat (i32 129)
  %d64 = add <16 x i32> %x, splat (i32 131)
  %d65 = add <16 x i32> %x, splat (i32 133)
  %d66 = add <16 x i32> %x, splat (i32 135)
  %d67 = add <16 x i32> %x, splat (i32 137)
  %d68 = add <16 x i32> %x, splat (i32 139)
  %d69 = add <16 x i32> %x, splat (i32 141)
  %d70 = add <16 x i32> %x, splat (i32 143)
  %d71 = add <16 x i32> %x, splat (i32 145)
  %d72 = add <16 x i32> %x, splat (i32 147)
  %d73 = add <16 x i32> %x, splat (i32 149)
  %d74 = add <16 x i32> %x, splat (i32 151)
  %d75 = add <16 x i32> %x, splat (i32 153)
  %d76 = add <16 x i32> %x, splat (i32 155)
  %d77 = add <16 x i32> %x, splat (i32 157)
  %d78 = add <16 x i32> %x, splat (i32 159)
  %d79 = add <16 x i32> %x, splat (i32 161)
  %e0 = xor <16 x i32> %d0, %d1
  %e1 = xor <16 x i32> %d2, %d3
  %e2 = xor <16 x i32> %d4, %d5
  %e3 = xor <16 x i32> %d6, %d7
  %e4 = xor <16 x i32> %d8, %d9
  %e5 = xor <16 x i32> %d10, %d11
  %e6 = xor <16 x i32> %d12, %d13
  %e7 = xor <16 x i32> %d14, %d15
  %e8 = xor <16 x i32> %d16, %d17
  %e9 = xor <16 x i32> %d18, %d19
  %e10 = xor <16 x i32> %d20, %d21
  %e11 = xor <16 x i32> %d22, %d23
  %e12 = xor <16 x i32> %d24, %d25
  %e13 = xor <16 x i32> %d26, %d27
  %e14 = xor <16 x i32> %d28, %d29
  %e15 = xor <16 x i32> %d30, %d31
  %e16 = xor <16 x i32> %d32, %d33
  %e17 = xor <16 x i32> %d34, %d35
  %e18 = xor <16 x i32> %d36, %d37
  %e19 = xor <16 x i32> %d38, %d39
  %e20 = xor <16 x i32> %d40, %d41
  %e21 = xor <16 x i32> %d42, %d43
  %e22 = xor <16 x i32> %d44, %d45
  %e23 = xor <16 x i32> %d46, %d47
  %e24 = xor <16 x i32> %d48, %d49
  %e25 = xor <16 x i32> %d50, %d51
  %e26 = xor <16 x i32> %d52, %d53
  %e27 = xor <16 x i32> %d54, %d55
  %e28 = xor <16 x i32> %d56, %d57
  %e29 = xor <16 x i32> %d58, %d59
  %e30 = xor <16 x i32> %d60, %d61
  %e31 = xor <16 x i32> %d62, %d63
  %e32 = xor <16 x i32> %d64, %d65
  %e33 = xor <16 x i32> %d66, %d67
  %e34 = xor <16 x i32> %d68, %d69
  %e35 = xor <16 x i32> %d70, %d71
  %e36 = xor <16 x i32> %d72, %d73
  %e37 = xor <16 x i32> %d74, %d75
  %e38 = xor <16 x i32> %d76, %d77
  %e39 = xor <16 x i32> %d78, %d79
  %e40 = xor <16 x i32> %e0, %e1
  %e41 = xor <16 x i32> %e2, %e3
  %e42 = xor <16 x i32> %e4, %e5
  %e43 = xor <16 x i32> %e6, %e7
  %e44 = xor <16 x i32> %e8, %e9
  %e45 = xor <16 x i32> %e10, %e11
  %e46 = xor <16 x i32> %e12, %e13
  %e47 = xor <16 x i32> %e14, %e15
  %e48 = xor <16 x i32> %e16, %e17
  %e49 = xor <16 x i32> %e18, %e19
  %e50 = xor <16 x i32> %e20, %e21
  %e51 = xor <16 x i32> %e22, %e23
  %e52 = xor <16 x i32> %e24, %e25
  %e53 = xor <16 x i32> %e26, %e27
  %e54 = xor <16 x i32> %e28, %e29
  %e55 = xor <16 x i32> %e30, %e31
  %e56 = xor <16 x i32> %e32, %e33
  %e57 = xor <16 x i32> %e34, %e35
  %e58 = xor <16 x i32> %e36, %e37
  %e59 = xor <16 x i32> %e38, %e39
  %e60 = xor <16 x i32> %e40, %e41
  %e61 = xor <16 x i32> %e42, %e43
  %e62 = xor <16 x i32> %e44, %e45
  %e63 = xor <16 x i32> %e46, %e47
  %e64 = xor <16 x i32> %e48, %e49
  %e65 = xor <16 x i32> %e50, %e51
  %e66 = xor <16 x i32> %e52, %e53
  %e67 = xor <16 x i32> %e54, %e55
  %e68 = xor <16 x i32> %e56, %e57
  %e69 = xor <16 x i32> %e58, %e59
  %e70 = xor <16 x i32> %e60, %e61
  %e71 = xor <16 x i32> %e62, %e63
  %e72 = xor <16 x i32> %e64, %e65
  %e73 = xor <16 x i32> %e66, %e67
  %e74 = xor <16 x i32> %e68, %e69
  %e75 = xor <16 x i32> %e70, %e71
  %e76 = xor <16 x i32> %e72, %e73
  %e77 = xor <16 x i32> %e75, %e76
  %e78 = xor <16 x i32> %e77, %e74
  %is = icmp eq <16 x i32> %e78, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
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
; CHECK: {{^}}}
define void @writing(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  store i32 %i, ptr addrspace(1) %out, align 4
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
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
; CHECK: {{^}}}
define void @found(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
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
; CHECK: {{^}}}
define void @leaving(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
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

; What the latch loads from may be a place only when the rest is done.
; CHECK-LABEL: @chase(
; CHECK-NOT: pair.
; CHECK: {{^}}}
define void @chase(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %low = shufflevector <16 x i32> %x, <16 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %logic = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %low, <16 x i32> %low, <16 x i32> %low, i32 150)
  %one = extractelement <16 x i32> %logic, i64 0
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %one, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %where = load ptr addrspace(1), ptr addrspace(1) %limit, align 8
  %most = load i32, ptr addrspace(1) %where, align 4
  %more = icmp ult i32 %next, %most
  br i1 %more, label %chain, label %done

done:
  ret void
}

; And so may what it divides by be a divisor.
; CHECK-LABEL: @divisor(
; CHECK-NOT: pair.
; CHECK: {{^}}}
define void @divisor(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %low = shufflevector <16 x i32> %x, <16 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %logic = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(<16 x i32> %low, <16 x i32> %low, <16 x i32> %low, i32 150)
  %one = extractelement <16 x i32> %logic, i64 0
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %one, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %by = load i32, ptr addrspace(1) %limit, align 4
  %most = udiv i32 %n, %by
  %more = icmp ult i32 %next, %most
  br i1 %more, label %chain, label %done

done:
  ret void
}

; Scopes say something of one round only.
; CHECK-LABEL: @scopes(
; CHECK-NOT: pair.
; CHECK: {{^}}}
define void @scopes(ptr addrspace(1) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(1) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(1) %place, align 64, !alias.scope !0
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  store i32 %i, ptr addrspace(1) %out, align 4, !noalias !0
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}

; A rest that may not return.
; CHECK-LABEL: @leaves(
; CHECK: pair.begin:
; CHECK: icmp ult i64 %{{.*}}, 4096
; CHECK: load <16 x i32>, ptr addrspace(2) %{{.*}}, align 64
; CHECK-NEXT: load <16 x i32>, ptr addrspace(2) %{{.*}}, align 1{{$}}
define void @leaves(ptr addrspace(2) %words, ptr addrspace(1) %limit, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %chain

chain:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %wide = zext i32 %i to i64
  %place = getelementptr <16 x i32>, ptr addrspace(2) %words, i64 %wide
  %x = load <16 x i32>, ptr addrspace(2) %place, align 64
  %cs0 = add <16 x i32> %x, splat (i32 1)
  %c0 = xor <16 x i32> %cs0, %x
  %cs1 = add <16 x i32> %c0, splat (i32 2)
  %c1 = xor <16 x i32> %cs1, %c0
  %cs2 = add <16 x i32> %c1, splat (i32 3)
  %c2 = xor <16 x i32> %cs2, %c1
  %cs3 = add <16 x i32> %c2, splat (i32 4)
  %c3 = xor <16 x i32> %cs3, %c2
  %cs4 = add <16 x i32> %c3, splat (i32 5)
  %c4 = xor <16 x i32> %cs4, %c3
  %cs5 = add <16 x i32> %c4, splat (i32 6)
  %c5 = xor <16 x i32> %cs5, %c4
  %cs6 = add <16 x i32> %c5, splat (i32 7)
  %c6 = xor <16 x i32> %cs6, %c5
  %cs7 = add <16 x i32> %c6, splat (i32 8)
  %c7 = xor <16 x i32> %cs7, %c6
  %cs8 = add <16 x i32> %c7, splat (i32 9)
  %c8 = xor <16 x i32> %cs8, %c7
  %cs9 = add <16 x i32> %c8, splat (i32 10)
  %c9 = xor <16 x i32> %cs9, %c8
  %cs10 = add <16 x i32> %c9, splat (i32 11)
  %c10 = xor <16 x i32> %cs10, %c9
  %cs11 = add <16 x i32> %c10, splat (i32 12)
  %c11 = xor <16 x i32> %cs11, %c10
  %cs12 = add <16 x i32> %c11, splat (i32 13)
  %c12 = xor <16 x i32> %cs12, %c11
  %cs13 = add <16 x i32> %c12, splat (i32 14)
  %c13 = xor <16 x i32> %cs13, %c12
  %cs14 = add <16 x i32> %c13, splat (i32 15)
  %c14 = xor <16 x i32> %cs14, %c13
  %cs15 = add <16 x i32> %c14, splat (i32 16)
  %c15 = xor <16 x i32> %cs15, %c14
  %cs16 = add <16 x i32> %c15, splat (i32 17)
  %c16 = xor <16 x i32> %cs16, %c15
  %cs17 = add <16 x i32> %c16, splat (i32 18)
  %c17 = xor <16 x i32> %cs17, %c16
  %cs18 = add <16 x i32> %c17, splat (i32 19)
  %c18 = xor <16 x i32> %cs18, %c17
  %cs19 = add <16 x i32> %c18, splat (i32 20)
  %c19 = xor <16 x i32> %cs19, %c18
  %cs20 = add <16 x i32> %c19, splat (i32 21)
  %c20 = xor <16 x i32> %cs20, %c19
  %cs21 = add <16 x i32> %c20, splat (i32 22)
  %c21 = xor <16 x i32> %cs21, %c20
  %cs22 = add <16 x i32> %c21, splat (i32 23)
  %c22 = xor <16 x i32> %cs22, %c21
  %cs23 = add <16 x i32> %c22, splat (i32 24)
  %c23 = xor <16 x i32> %cs23, %c22
  %cs24 = add <16 x i32> %c23, splat (i32 25)
  %c24 = xor <16 x i32> %cs24, %c23
  %cs25 = add <16 x i32> %c24, splat (i32 26)
  %c25 = xor <16 x i32> %cs25, %c24
  %cs26 = add <16 x i32> %c25, splat (i32 27)
  %c26 = xor <16 x i32> %cs26, %c25
  %cs27 = add <16 x i32> %c26, splat (i32 28)
  %c27 = xor <16 x i32> %cs27, %c26
  %cs28 = add <16 x i32> %c27, splat (i32 29)
  %c28 = xor <16 x i32> %cs28, %c27
  %cs29 = add <16 x i32> %c28, splat (i32 30)
  %c29 = xor <16 x i32> %cs29, %c28
  %cs30 = add <16 x i32> %c29, splat (i32 31)
  %c30 = xor <16 x i32> %cs30, %c29
  %cs31 = add <16 x i32> %c30, splat (i32 32)
  %c31 = xor <16 x i32> %cs31, %c30
  %cs32 = add <16 x i32> %c31, splat (i32 33)
  %c32 = xor <16 x i32> %cs32, %c31
  %cs33 = add <16 x i32> %c32, splat (i32 34)
  %c33 = xor <16 x i32> %cs33, %c32
  %cs34 = add <16 x i32> %c33, splat (i32 35)
  %c34 = xor <16 x i32> %cs34, %c33
  %cs35 = add <16 x i32> %c34, splat (i32 36)
  %c35 = xor <16 x i32> %cs35, %c34
  %cs36 = add <16 x i32> %c35, splat (i32 37)
  %c36 = xor <16 x i32> %cs36, %c35
  %cs37 = add <16 x i32> %c36, splat (i32 38)
  %c37 = xor <16 x i32> %cs37, %c36
  %cs38 = add <16 x i32> %c37, splat (i32 39)
  %c38 = xor <16 x i32> %cs38, %c37
  %cs39 = add <16 x i32> %c38, splat (i32 40)
  %c39 = xor <16 x i32> %cs39, %c38
  %cs40 = add <16 x i32> %c39, splat (i32 41)
  %c40 = xor <16 x i32> %cs40, %c39
  %cs41 = add <16 x i32> %c40, splat (i32 42)
  %c41 = xor <16 x i32> %cs41, %c40
  %cs42 = add <16 x i32> %c41, splat (i32 43)
  %c42 = xor <16 x i32> %cs42, %c41
  %cs43 = add <16 x i32> %c42, splat (i32 44)
  %c43 = xor <16 x i32> %cs43, %c42
  %cs44 = add <16 x i32> %c43, splat (i32 45)
  %c44 = xor <16 x i32> %cs44, %c43
  %cs45 = add <16 x i32> %c44, splat (i32 46)
  %c45 = xor <16 x i32> %cs45, %c44
  %cs46 = add <16 x i32> %c45, splat (i32 47)
  %c46 = xor <16 x i32> %cs46, %c45
  %cs47 = add <16 x i32> %c46, splat (i32 48)
  %c47 = xor <16 x i32> %cs47, %c46
  %cs48 = add <16 x i32> %c47, splat (i32 49)
  %c48 = xor <16 x i32> %cs48, %c47
  %cs49 = add <16 x i32> %c48, splat (i32 50)
  %c49 = xor <16 x i32> %cs49, %c48
  %cs50 = add <16 x i32> %c49, splat (i32 51)
  %c50 = xor <16 x i32> %cs50, %c49
  %cs51 = add <16 x i32> %c50, splat (i32 52)
  %c51 = xor <16 x i32> %cs51, %c50
  %cs52 = add <16 x i32> %c51, splat (i32 53)
  %c52 = xor <16 x i32> %cs52, %c51
  %cs53 = add <16 x i32> %c52, splat (i32 54)
  %c53 = xor <16 x i32> %cs53, %c52
  %cs54 = add <16 x i32> %c53, splat (i32 55)
  %c54 = xor <16 x i32> %cs54, %c53
  %cs55 = add <16 x i32> %c54, splat (i32 56)
  %c55 = xor <16 x i32> %cs55, %c54
  %cs56 = add <16 x i32> %c55, splat (i32 57)
  %c56 = xor <16 x i32> %cs56, %c55
  %cs57 = add <16 x i32> %c56, splat (i32 58)
  %c57 = xor <16 x i32> %cs57, %c56
  %cs58 = add <16 x i32> %c57, splat (i32 59)
  %c58 = xor <16 x i32> %cs58, %c57
  %cs59 = add <16 x i32> %c58, splat (i32 60)
  %c59 = xor <16 x i32> %cs59, %c58
  %cs60 = add <16 x i32> %c59, splat (i32 61)
  %c60 = xor <16 x i32> %cs60, %c59
  %cs61 = add <16 x i32> %c60, splat (i32 62)
  %c61 = xor <16 x i32> %cs61, %c60
  %cs62 = add <16 x i32> %c61, splat (i32 63)
  %c62 = xor <16 x i32> %cs62, %c61
  %cs63 = add <16 x i32> %c62, splat (i32 64)
  %c63 = xor <16 x i32> %cs63, %c62
  %cs64 = add <16 x i32> %c63, splat (i32 65)
  %c64 = xor <16 x i32> %cs64, %c63
  %is = icmp eq <16 x i32> %c64, zeroinitializer
  %bits = bitcast <16 x i1> %is to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %rest, label %latch

rest:
  call void @may_leave(i32 %i)
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %chain, label %done

done:
  ret void
}

declare void @may_leave(i32)

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
