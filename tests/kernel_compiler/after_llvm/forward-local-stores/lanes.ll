; What a block has stored in local memory is shuffled out of the stored vectors; and not stored, where nothing loads it.
; RUN: weft-opt --passes='forward-local-stores,verify' -S %s | FileCheck %s

; Two vectors side by side, and a load of the end of one and the beginning of the other. Nothing else is loaded.
; CHECK-LABEL: define void @between(
; CHECK-NOT: store
; CHECK: %[[JOINED:.*]] = shufflevector <4 x i32> %x, <4 x i32> %y, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
; CHECK-NEXT: store <4 x i32> %[[JOINED]], ptr addrspace(1) %out
; CHECK-NEXT: ret void
define void @between(ptr "weft-context" %context, ptr addrspace(1) %out, <4 x i32> %x, <4 x i32> %y) {
  %memory = load ptr, ptr %context
  %local = addrspacecast ptr %memory to ptr addrspace(3)
  %next = getelementptr i8, ptr addrspace(3) %local, i64 16
  %from = getelementptr i8, ptr addrspace(3) %local, i64 12
  store <4 x i32> %x, ptr addrspace(3) %local
  store <4 x i32> %y, ptr addrspace(3) %next
  %z = load <4 x i32>, ptr addrspace(3) %from, align 4
  store <4 x i32> %z, ptr addrspace(1) %out
  ret void
}

; A step of a tree: only two lanes store, and only one loads.
; CHECK-LABEL: define void @tree(
; CHECK: %high = shufflevector
; CHECK-NOT: load <
; CHECK: %[[ALONE:.*]] = extractelement <4 x float> %sum, i64 0
; CHECK-NEXT: store float %[[ALONE]], ptr addrspace(1) %out
define void @tree(ptr "weft-context" %context, ptr addrspace(1) %out, <4 x float> %x) {
  %memory = load ptr, ptr %context
  %local = addrspacecast ptr %memory to ptr addrspace(3)
  %from = getelementptr i8, ptr addrspace(3) %local, i64 8
  store <4 x float> %x, ptr addrspace(3) %local
  %loaded = call <4 x float> @llvm.masked.load.v4f32.p3(ptr addrspace(3) align 4 %from, <4 x i1> <i1 1, i1 1, i1 0, i1 0>, <4 x float> poison)
  %high = shufflevector <4 x float> %loaded, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %sum = fadd <4 x float> %x, %high
  call void @llvm.masked.store.v4f32.p3(<4 x float> %sum, ptr addrspace(3) align 4 %local, <4 x i1> <i1 1, i1 1, i1 0, i1 0>)
  %first = load float, ptr addrspace(3) %local
  store float %first, ptr addrspace(1) %out
  ret void
}

; Lanes that do not run have what the load says.
; CHECK-LABEL: define void @masked(
; CHECK: %[[SHUFFLED:.*]] = shufflevector <4 x i32> %x, <4 x i32> poison, <4 x i32> <i32 poison, i32 0, i32 1, i32 2>
; CHECK: select <4 x i1> <i1 false, i1 true, i1 true, i1 true>, <4 x i32> %[[SHUFFLED]], <4 x i32> zeroinitializer
define void @masked(ptr addrspace(3) %local, ptr addrspace(1) %out, <4 x i32> %x) {
  %before = getelementptr i8, ptr addrspace(3) %local, i64 -4
  store <4 x i32> %x, ptr addrspace(3) %local
  %y = call <4 x i32> @llvm.masked.load.v4i32.p3(ptr addrspace(3) align 4 %before, <4 x i1> <i1 0, i1 1, i1 1, i1 1>, <4 x i32> zeroinitializer)
  store <4 x i32> %y, ptr addrspace(1) %out
  ret void
}

; A gather out of three vectors, one of them scattered. The store stays: the memory belongs to another group.
; CHECK-LABEL: define void @gathered(
; CHECK: call void @llvm.masked.scatter
; CHECK-NOT: masked.gather
; CHECK: %[[FIRST:.*]] = shufflevector <4 x i32> %x, <4 x i32> %y, <4 x i32> <i32 0, i32 5, i32 poison, i32 poison>
; CHECK: shufflevector <4 x i32> %[[FIRST]], <4 x i32> %z, <4 x i32> <i32 0, i32 1, i32 5, i32 7>
define void @gathered(ptr addrspace(3) %local, ptr addrspace(1) %out, <4 x i32> %x, <4 x i32> %y, <4 x i32> %z) {
  %second = getelementptr i8, ptr addrspace(3) %local, i64 16
  %places = getelementptr i32, ptr addrspace(3) %local, <4 x i64> <i64 8, i64 10, i64 12, i64 14>
  store <4 x i32> %x, ptr addrspace(3) %local
  store <4 x i32> %y, ptr addrspace(3) %second
  call void @llvm.masked.scatter.v4i32.v4p3(<4 x i32> %z, <4 x ptr addrspace(3)> align 4 %places, <4 x i1> splat (i1 true))
  %from = getelementptr i32, ptr addrspace(3) %local, <4 x i64> <i64 0, i64 5, i64 10, i64 14>
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p3(<4 x ptr addrspace(3)> align 4 %from, <4 x i1> splat (i1 true), <4 x i32> poison)
  store <4 x i32> %v, ptr addrspace(1) %out
  ret void
}

; Places by two steps; and a load of what three scattered vectors have, which would have to wait for each element.
; CHECK-LABEL: define void @scattered(
; CHECK-NOT: masked.gather
; CHECK-NOT: load <4 x i32>
; CHECK: %[[FIRST:.*]] = shufflevector <4 x i32> %x, <4 x i32> %y, <4 x i32> <i32 0, i32 4, i32 poison, i32 1>
; CHECK-NEXT: %[[ROW:.*]] = shufflevector <4 x i32> %[[FIRST]], <4 x i32> %z, <4 x i32> <i32 0, i32 1, i32 4, i32 3>
; CHECK-NEXT: store volatile <4 x i32> %[[ROW]]
; CHECK: %[[DIAGONAL:.*]] = shufflevector <4 x i32> %x, <4 x i32> %y, <4 x i32> <i32 0, i32 5, i32 poison, i32 poison>
; CHECK-NEXT: store volatile <4 x i32> %[[DIAGONAL]]
define void @scattered(ptr addrspace(3) %local, ptr addrspace(1) %out, <4 x i32> %x, <4 x i32> %y, <4 x i32> %z) {
  %rows = getelementptr [4 x i32], ptr addrspace(3) %local, <4 x i64> <i64 0, i64 1, i64 2, i64 3>
  %a = getelementptr i32, <4 x ptr addrspace(3)> %rows, <4 x i64> <i64 0, i64 -1, i64 6, i64 7>
  %b = getelementptr i32, <4 x ptr addrspace(3)> %rows, <4 x i64> splat (i64 1)
  %c = getelementptr i32, <4 x ptr addrspace(3)> %rows, i64 2
  call void @llvm.masked.scatter.v4i32.v4p3(<4 x i32> %x, <4 x ptr addrspace(3)> align 4 %a, <4 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v4i32.v4p3(<4 x i32> %y, <4 x ptr addrspace(3)> align 4 %b, <4 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v4i32.v4p3(<4 x i32> %z, <4 x ptr addrspace(3)> align 4 %c, <4 x i1> splat (i1 true))
  %row = load <4 x i32>, ptr addrspace(3) %local, align 4
  store volatile <4 x i32> %row, ptr addrspace(1) %out
  %d = getelementptr i32, <4 x ptr addrspace(3)> %rows, <4 x i64> <i64 0, i64 1, i64 poison, i64 poison>
  %diagonal = call <4 x i32> @llvm.masked.gather.v4i32.v4p3(<4 x ptr addrspace(3)> align 4 %d, <4 x i1> <i1 1, i1 1, i1 0, i1 0>, <4 x i32> poison)
  store volatile <4 x i32> %diagonal, ptr addrspace(1) %out
  ret void
}

; What is loaded after all stays stored, the rest goes.
; CHECK-LABEL: define void @partly(
; CHECK-NOT: store <4 x i32> %x
; CHECK: store <4 x i32> %y, ptr addrspace(3) %next
; CHECK: load i32, ptr addrspace(3) %any
define void @partly(ptr "weft-context" %context, ptr addrspace(1) %out, <4 x i32> %x, <4 x i32> %y, i1 %b) {
  %memory = load ptr, ptr %context
  %local = addrspacecast ptr %memory to ptr addrspace(3)
  %next = getelementptr i8, ptr addrspace(3) %local, i64 16
  %from = getelementptr i8, ptr addrspace(3) %local, i64 8
  %any = getelementptr i8, ptr addrspace(3) %local, i64 28
  store <4 x i32> %x, ptr addrspace(3) %local
  store <4 x i32> %y, ptr addrspace(3) %next
  %z = load <4 x i32>, ptr addrspace(3) %from, align 4
  store <4 x i32> %z, ptr addrspace(1) %out
  br i1 %b, label %then, label %end

then:
  %last = load i32, ptr addrspace(3) %any
  store i32 %last, ptr addrspace(1) %out
  br label %end

end:
  ret void
}

; What is loaded there is not known.
; CHECK-LABEL: define void @chosen(
; CHECK: store <4 x i32> %x, ptr addrspace(3) %local
define void @chosen(ptr "weft-context" %context, ptr addrspace(1) %out, <4 x i32> %x, i64 %i) {
  %memory = load ptr, ptr %context
  %local = addrspacecast ptr %memory to ptr addrspace(3)
  %any = getelementptr i32, ptr addrspace(3) %local, i64 %i
  store <4 x i32> %x, ptr addrspace(3) %local
  %first = load i32, ptr addrspace(3) %local
  %other = load i32, ptr addrspace(3) %any
  %sum = add i32 %first, %other
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

; Each round stores what the next one loads, at other distances from a place that moves.
; CHECK-LABEL: define void @moves(
; CHECK: store <4 x i32> %x, ptr addrspace(3) %next
define void @moves(ptr "weft-context" %context, ptr addrspace(1) %out, <4 x i32> %x, i64 %n) {
entry:
  %memory = load ptr, ptr %context
  %local = addrspacecast ptr %memory to ptr addrspace(3)
  br label %round

round:
  %i = phi i64 [ 0, %entry ], [ %more, %round ]
  %here = getelementptr [4 x i32], ptr addrspace(3) %local, i64 %i
  %next = getelementptr i8, ptr addrspace(3) %here, i64 16
  %beyond = getelementptr i8, ptr addrspace(3) %here, i64 64
  %half = getelementptr i8, ptr addrspace(3) %here, i64 72
  %y = load <4 x i32>, ptr addrspace(3) %here
  store volatile <4 x i32> %y, ptr addrspace(1) %out
  store <4 x i32> %x, ptr addrspace(3) %next
  store <4 x i32> %x, ptr addrspace(3) %beyond
  %z = load <2 x i32>, ptr addrspace(3) %half
  store volatile <2 x i32> %z, ptr addrspace(1) %out
  %more = add i64 %i, 1
  %again = icmp ult i64 %more, %n
  br i1 %again, label %round, label %end

end:
  ret void
}

; Lanes that do not run may be anything, which is more than poison.
; CHECK-LABEL: define void @undefined(
; CHECK: select <4 x i1> <i1 false, i1 true, i1 true, i1 true>, <4 x i32> %{{.*}}, <4 x i32> undef
define void @undefined(ptr addrspace(3) %local, ptr addrspace(1) %out, <4 x i32> %x) {
  %before = getelementptr i8, ptr addrspace(3) %local, i64 -4
  store <4 x i32> %x, ptr addrspace(3) %local
  %y = call <4 x i32> @llvm.masked.load.v4i32.p3(ptr addrspace(3) align 4 %before, <4 x i1> <i1 0, i1 1, i1 1, i1 1>, <4 x i32> undef)
  store <4 x i32> %y, ptr addrspace(1) %out
  ret void
}

; Something else may have been stored, or something at an unknown place; or it is too many vectors for a load, or none.
; CHECK-LABEL: define void @stays(
; CHECK: %a = load
; CHECK: %b = load
; CHECK: %c = load
; CHECK: %d = load
; CHECK: %e = load
define void @stays(ptr addrspace(3) %local, ptr addrspace(3) %other, ptr addrspace(1) %out, <4 x i32> %x, <2 x i32> %y) {
  %from = getelementptr i8, ptr addrspace(3) %local, i64 4
  %second = getelementptr i8, ptr addrspace(3) %local, i64 8
  %third = getelementptr i8, ptr addrspace(3) %local, i64 16
  store <4 x i32> %x, ptr addrspace(3) %local
  store i8 0, ptr addrspace(3) %from
  %a = load <2 x i32>, ptr addrspace(3) %from
  store volatile <2 x i32> %a, ptr addrspace(1) %out
  store <4 x i32> %x, ptr addrspace(3) %local
  store i32 0, ptr addrspace(3) %other
  %b = load <2 x i32>, ptr addrspace(3) %from
  store volatile <2 x i32> %b, ptr addrspace(1) %out
  store <4 x i32> %x, ptr addrspace(3) %local
  call void @anything()
  %c = load <2 x i32>, ptr addrspace(3) %from
  store volatile <2 x i32> %c, ptr addrspace(1) %out
  store <4 x i32> %x, ptr addrspace(3) %local
  %d = load <4 x float>, ptr addrspace(3) %local
  store volatile <4 x float> %d, ptr addrspace(1) %out
  store <2 x i32> %y, ptr addrspace(3) %second
  store <4 x i32> %x, ptr addrspace(3) %third
  %e = load <4 x i32>, ptr addrspace(3) %from
  store volatile <4 x i32> %e, ptr addrspace(1) %out
  ret void
}

declare void @anything()

; Two arguments: memory of their own each. A store in one leaves known what the other one has, and nothing of it is loaded.
; CHECK-LABEL: define void @arguments(
; CHECK-NOT: store <4 x i32> %x
; CHECK-NOT: store <4 x i32> %y
; CHECK: %[[TURNED:.*]] = shufflevector <4 x i32> %x
; CHECK: store <4 x i32> %[[TURNED]], ptr addrspace(1) %out
; CHECK: load i32, ptr addrspace(3) %own
define void @arguments(ptr %args, ptr "weft-context" %context, ptr addrspace(1) %out, <4 x i32> %x, <4 x i32> %y) {
  %local = load ptr addrspace(3), ptr %context
  %a.at = load i64, ptr %args, !weft.local.argument !0
  %b.place = getelementptr i8, ptr %args, i64 8
  %b.at = load i64, ptr %b.place, !weft.local.argument !0
  %a = getelementptr inbounds i8, ptr addrspace(3) %local, i64 %a.at
  %b = getelementptr inbounds i8, ptr addrspace(3) %local, i64 %b.at
  %own = getelementptr inbounds i8, ptr addrspace(3) %local, i64 16
  store <4 x i32> %x, ptr addrspace(3) %a
  store <4 x i32> %y, ptr addrspace(3) %b
  %z = call <4 x i32> @llvm.masked.load.v4i32.p3(ptr addrspace(3) align 4 %a, <4 x i1> <i1 1, i1 1, i1 0, i1 0>, <4 x i32> poison)
  store <4 x i32> %z, ptr addrspace(1) %out
  %other = load i32, ptr addrspace(3) %own
  store i32 %other, ptr addrspace(1) %out
  ret void
}

; A number that the kernel is given is no argument in local memory: it may lead into one.
; CHECK-LABEL: define void @number(
; CHECK: store <4 x i32> %x
define void @number(ptr %args, ptr "weft-context" %context, ptr addrspace(1) %out, <4 x i32> %x) {
  %local = load ptr addrspace(3), ptr %context
  %a.at = load i64, ptr %args, !weft.local.argument !0
  %b.place = getelementptr i8, ptr %args, i64 8
  %b.at = load i64, ptr %b.place
  %a = getelementptr inbounds i8, ptr addrspace(3) %local, i64 %a.at
  %b = getelementptr inbounds i8, ptr addrspace(3) %local, i64 %b.at
  store <4 x i32> %x, ptr addrspace(3) %a
  %z = call <4 x i32> @llvm.masked.load.v4i32.p3(ptr addrspace(3) align 4 %a, <4 x i1> <i1 1, i1 1, i1 0, i1 0>, <4 x i32> poison)
  store <4 x i32> %z, ptr addrspace(1) %out
  %other = load i32, ptr addrspace(3) %b
  store i32 %other, ptr addrspace(1) %out
  ret void
}

; What work-items keep across barriers, and their own large variables, are memory of their own.
; CHECK-LABEL: define void @kept(
; CHECK-NOT: store <4 x i32> %x, ptr addrspace(3)
; CHECK: {{^}}}
define void @kept(ptr "weft-context" %context, ptr addrspace(1) %out, <4 x i32> %x) {
  %local = load ptr addrspace(3), ptr %context
  %spill.at = getelementptr i8, ptr %context, i64 8
  %spill = load ptr, ptr %spill.at
  %scratch.at = getelementptr i8, ptr %context, i64 16
  %scratch = load ptr, ptr %scratch.at
  store <4 x i32> %x, ptr addrspace(3) %local
  %old = load <4 x i32>, ptr %spill
  %variable = load <4 x i32>, ptr %scratch
  %sum = add <4 x i32> %old, %variable
  store <4 x i32> %sum, ptr %spill
  %v = load i32, ptr addrspace(3) %local
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; Where another pointer leads is not known.
; CHECK-LABEL: define void @unknown(
; CHECK: store <4 x i32> %x, ptr addrspace(3) %local
define void @unknown(ptr "weft-context" %context, ptr addrspace(1) %out, ptr %pointers, <4 x i32> %x) {
  %local = load ptr addrspace(3), ptr %context
  store <4 x i32> %x, ptr addrspace(3) %local
  %v = load i32, ptr addrspace(3) %local
  %any = load ptr, ptr %pointers
  %w = load i32, ptr %any
  %sum = add i32 %v, %w
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

; A place that moves with a loop is not one place.
; CHECK-LABEL: define void @moving(
; CHECK: store <4 x i32> %x
define void @moving(ptr "weft-context" %context, ptr addrspace(1) %out, <4 x i32> %x, i64 %n) {
entry:
  %local = load ptr addrspace(3), ptr %context
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr inbounds i8, ptr addrspace(3) %local, i64 %i
  %before = getelementptr i8, ptr addrspace(3) %a, i64 -16
  store <4 x i32> %x, ptr addrspace(3) %a
  %z = call <4 x i32> @llvm.masked.load.v4i32.p3(ptr addrspace(3) align 4 %a, <4 x i1> <i1 1, i1 1, i1 0, i1 0>, <4 x i32> poison)
  store <4 x i32> %z, ptr addrspace(1) %out
  %old = load <4 x i32>, ptr addrspace(3) %before
  store <4 x i32> %old, ptr addrspace(1) %out
  %next = add i64 %i, 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

!0 = !{}
