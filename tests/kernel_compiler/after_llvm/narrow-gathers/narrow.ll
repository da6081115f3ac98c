; Indices of 32 bits, extended beside the access, where they were extended elsewhere, or lead through local memory, private
; variables and tables.
; RUN: weft-opt --passes='narrow-gathers,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -S %s | FileCheck %s

declare <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)>, <8 x i1>, <8 x i32>)
declare <8 x i32> @llvm.masked.gather.v8i32.v8p3(<8 x ptr addrspace(3)>, <8 x i1>, <8 x i32>)
declare void @llvm.masked.scatter.v8i32.v8p3(<8 x i32>, <8 x ptr addrspace(3)>, <8 x i1>)
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, <8 x i1>, <8 x i32>)

; In another block.
; CHECK-LABEL: @far(
; CHECK: then:
; CHECK-NEXT: %[[I:.*]] = sext <8 x i32> %index to <8 x i64>
; CHECK-NEXT: %[[P:.*]] = getelementptr i32, ptr addrspace(1) %p, <8 x i64> %[[I]]
; CHECK-NEXT: gather{{.*}} %[[P]]
define <8 x i32> @far(ptr addrspace(1) %p, <8 x i32> %index, i1 %c) {
  %wide = sext <8 x i32> %index to <8 x i64>
  %at = getelementptr i32, ptr addrspace(1) %p, <8 x i64> %wide
  br i1 %c, label %then, label %out
then:
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
out:
  ret <8 x i32> zeroinitializer
}

; A zero extension of what is not negative is a sign extension, whatever code generation knows of the number.
; CHECK-LABEL: @not_negative(
; CHECK: loop:
; CHECK: %[[I:.*]] = sext <8 x i32> %index to <8 x i64>
; CHECK-NEXT: %[[P:.*]] = getelementptr i32, ptr addrspace(1) %p, <8 x i64> %[[I]]
; CHECK: gather{{.*}} %[[P]]
define <8 x i32> @not_negative(ptr addrspace(1) %p, <8 x i32> %first) {
  br label %loop
loop:
  %index = phi <8 x i32> [ %first, %0 ], [ %next, %loop ]
  %wide = zext nneg <8 x i32> %index to <8 x i64>
  %at = getelementptr i32, ptr addrspace(1) %p, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  %next = lshr <8 x i32> %index, splat (i32 1)
  %lane = extractelement <8 x i32> %next, i64 0
  %more = icmp ne i32 %lane, 0
  br i1 %more, label %loop, label %out
out:
  ret <8 x i32> %v
}

; An index without sign is one with a sign from the middle of what it leads to.
; CHECK-LABEL: @unsigned(
; CHECK-NEXT: %[[B:.*]] = getelementptr i8, ptr addrspace(1) %p, i64 8589934592
; CHECK-NEXT: %[[X:.*]] = xor <8 x i32> %index, splat (i32 -2147483648)
; CHECK-NEXT: %[[I:.*]] = sext <8 x i32> %[[X]] to <8 x i64>
; CHECK-NEXT: %[[P:.*]] = getelementptr i32, ptr addrspace(1) %[[B]], <8 x i64> %[[I]]
; CHECK-NEXT: gather{{.*}} %[[P]]
define <8 x i32> @unsigned(ptr addrspace(1) %p, <8 x i32> %index) {
  %wide = zext <8 x i32> %index to <8 x i64>
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; A short one is positive in 32 bits.
; CHECK-LABEL: @unsigned_short(
; CHECK-NEXT: %[[X:.*]] = zext <8 x i16> %index to <8 x i32>
; CHECK-NEXT: %[[I:.*]] = sext <8 x i32> %[[X]] to <8 x i64>
; CHECK-NEXT: getelementptr i32, ptr addrspace(1) %p, <8 x i64> %[[I]]
define <8 x i32> @unsigned_short(ptr addrspace(1) %p, <8 x i16> %index) {
  %wide = zext <8 x i16> %index to <8 x i64>
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; Lanes whose addresses are neighbours, plus a number of each lane: the lane's number of elements is added to that.
; CHECK-LABEL: @lane_steps(
; CHECK: %[[S:.*]] = add <8 x i32> %half, <i32 0, i32 -1, i32 -2, i32 -3, i32 -4, i32 -5, i32 -6, i32 -7>
; CHECK-NEXT: %[[I:.*]] = sext <8 x i32> %[[S]] to <8 x i64>
; CHECK-NEXT: %[[P:.*]] = getelementptr i32, ptr addrspace(1) %p, <8 x i64> %[[I]]
; CHECK-NEXT: gather{{.*}} %[[P]]
define <8 x i32> @lane_steps(ptr addrspace(1) %p, <8 x i32> %index) {
  %half = lshr <8 x i32> %index, splat (i32 1)
  %wide = zext nneg <8 x i32> %half to <8 x i64>
  %lanes = getelementptr i8, ptr addrspace(1) %p, <8 x i64> <i64 0, i64 -4, i64 -8, i64 -12, i64 -16, i64 -20, i64 -24, i64 -28>
  %at = getelementptr i32, <8 x ptr addrspace(1)> %lanes, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; But not where the sum may be longer than 32 bits, or steps are no whole elements.
; CHECK-LABEL: @long_steps(
; CHECK: gather{{.*}} %at,
define <8 x i32> @long_steps(ptr addrspace(1) %p, <8 x i32> %index) {
  %half = lshr <8 x i32> %index, splat (i32 1)
  %wide = zext nneg <8 x i32> %half to <8 x i64>
  %lanes = getelementptr i8, ptr addrspace(1) %p, <8 x i64> <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28>
  %at = getelementptr i32, <8 x ptr addrspace(1)> %lanes, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; CHECK-LABEL: @odd_steps(
; CHECK: gather{{.*}} %at,
define <8 x i32> @odd_steps(ptr addrspace(1) %p, <8 x i32> %index) {
  %half = lshr <8 x i32> %index, splat (i32 2)
  %wide = zext nneg <8 x i32> %half to <8 x i64>
  %lanes = getelementptr i8, ptr addrspace(1) %p, <8 x i64> <i64 0, i64 2, i64 4, i64 6, i64 8, i64 10, i64 12, i64 14>
  %at = getelementptr i32, <8 x ptr addrspace(1)> %lanes, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; A step that all lanes share moves the base, here to the element behind the next.
; CHECK-LABEL: @behind(
; CHECK: %[[B:.*]] = getelementptr i8, ptr addrspace(1) %p, i64 8
; CHECK: %[[I:.*]] = sext <8 x i32> %index to <8 x i64>
; CHECK: %[[P:.*]] = getelementptr i32, ptr addrspace(1) %[[B]], <8 x i64> %[[I]]
; CHECK-NEXT: gather{{.*}} %[[P]]
define <8 x i32> @behind(ptr addrspace(1) %p, <8 x i32> %index) {
  %wide = sext <8 x i32> %index to <8 x i64>
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, <8 x i64> %wide
  %next = getelementptr i8, <8 x ptr addrspace(1)> %at, i64 8
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %next, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; The aligned words around shorts: counted from the word around the base, also where the base is no multiple of four.
; CHECK-LABEL: @words(
; CHECK: %[[P:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: %[[LOW:.*]] = trunc i64 %[[P]] to i32
; CHECK: %[[ODD:.*]] = and <8 x i32> %index, splat (i32 1)
; CHECK: %[[BYTES:.*]] = shl <8 x i32> %[[ODD]], splat (i32 1)
; CHECK: and i32 %[[LOW]], 3
; CHECK: %[[SUM:.*]] = add <8 x i32> %[[BYTES]],
; CHECK: %[[CARRY:.*]] = lshr <8 x i32> %[[SUM]], splat (i32 2)
; CHECK: %[[HALF:.*]] = ashr <8 x i32> %index, splat (i32 1)
; CHECK: %[[WORD:.*]] = add <8 x i32> %[[HALF]], %[[CARRY]]
; CHECK: %[[BASE:.*]] = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %p, i64 -4)
; CHECK: %[[WIDE:.*]] = sext <8 x i32> %[[WORD]] to <8 x i64>
; CHECK: getelementptr i32, ptr addrspace(1) %[[BASE]], <8 x i64> %[[WIDE]]
; CHECK: gather
; CHECK-NOT: ptrtoint <8
; CHECK: ret
define <8 x i32> @words(ptr addrspace(1) %p, <8 x i32> %index) {
  %wide = sext <8 x i32> %index to <8 x i64>
  %at = getelementptr inbounds i16, ptr addrspace(1) %p, <8 x i64> %wide
  %aligned = call <8 x ptr addrspace(1)> @llvm.ptrmask.v8p1.v8i64(<8 x ptr addrspace(1)> %at, <8 x i64> splat (i64 -4))
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> align 4 %aligned, <8 x i1> splat (i1 true), <8 x i32> poison)
  %number = ptrtoint <8 x ptr addrspace(1)> %at to <8 x i64>
  %low = trunc <8 x i64> %number to <8 x i32>
  %bits = shl <8 x i32> %low, splat (i32 3)
  %part = and <8 x i32> %bits, splat (i32 24)
  %short = lshr <8 x i32> %v, %part
  ret <8 x i32> %short
}

; Words that begin at even addresses, of bytes.
; CHECK-LABEL: @even_words(
; CHECK: %[[ODD:.*]] = and <8 x i32> %index, splat (i32 1)
; CHECK: and i32 %{{.*}}, 1
; CHECK: lshr <8 x i32> %{{.*}}, splat (i32 1)
; CHECK: %[[HALF:.*]] = ashr <8 x i32> %index, splat (i32 1)
; CHECK: %[[UNIT:.*]] = add <8 x i32> %[[HALF]],
; CHECK: %[[BASE:.*]] = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %p, i64 -2)
; CHECK: %[[WIDE:.*]] = sext <8 x i32> %[[UNIT]] to <8 x i64>
; CHECK: getelementptr i16, ptr addrspace(1) %[[BASE]], <8 x i64> %[[WIDE]]
; CHECK: gather
; CHECK-NOT: ptrtoint <8
; CHECK: ret
define <8 x i32> @even_words(ptr addrspace(1) %p, <8 x i32> %index) {
  %wide = sext <8 x i32> %index to <8 x i64>
  %at = getelementptr inbounds i8, ptr addrspace(1) %p, <8 x i64> %wide
  %even = call <8 x ptr addrspace(1)> @llvm.ptrmask.v8p1.v8i64(<8 x ptr addrspace(1)> %at, <8 x i64> splat (i64 -2))
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> align 2 %even, <8 x i1> splat (i1 true), <8 x i32> poison)
  %number = ptrtoint <8 x ptr addrspace(1)> %at to <8 x i64>
  %low = trunc <8 x i64> %number to <8 x i32>
  %odd = and <8 x i32> %low, splat (i32 1)
  %bits = shl <8 x i32> %odd, splat (i32 3)
  %byte = lshr <8 x i32> %v, %bits
  ret <8 x i32> %byte
}

; (x << 32) >> 30 is 4 x, x cut to 32 bits.
; CHECK-LABEL: @shifted(
; CHECK: %[[X:.*]] = trunc <8 x i64> %x to <8 x i32>
; CHECK: %[[I:.*]] = sext <8 x i32> %[[X]] to <8 x i64>
; CHECK: getelementptr i32, ptr addrspace(1) %p, <8 x i64> %[[I]]
define <8 x i32> @shifted(ptr addrspace(1) %p, ptr %q) {
  %x = load <8 x i64>, ptr %q
  %high = shl <8 x i64> %x, splat (i64 32)
  %bytes = ashr exact <8 x i64> %high, splat (i64 30)
  %at = getelementptr i8, ptr addrspace(1) %p, <8 x i64> %bytes
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; From an address of each lane 4 x are bytes, as are the lanes' own.
; CHECK-LABEL: @shifted_steps(
; CHECK: %[[BYTES:.*]] = shl <8 x i32> %{{.*}}, splat (i32 2)
; CHECK: %[[SUM:.*]] = add <8 x i32> %[[BYTES]], <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
; CHECK: %[[I:.*]] = sext <8 x i32> %[[SUM]] to <8 x i64>
; CHECK: getelementptr i8, ptr addrspace(1) %p, <8 x i64> %[[I]]
define <8 x i32> @shifted_steps(ptr addrspace(1) %p, ptr %q) {
  %x = load <8 x i64>, ptr %q
  %few = and <8 x i64> %x, splat (i64 255)
  %high = shl <8 x i64> %few, splat (i64 32)
  %bytes = ashr exact <8 x i64> %high, splat (i64 30)
  %lanes = getelementptr i32, ptr addrspace(1) %p, <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %at = getelementptr i8, <8 x ptr addrspace(1)> %lanes, <8 x i64> %bytes
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; Any index is enough of 32 bits in local memory. What all lanes share moves the base.
; CHECK-LABEL: @local(
; CHECK: %[[X:.*]] = trunc <8 x i64> %x to <8 x i32>
; CHECK: %[[Y:.*]] = mul <8 x i32> %[[X]], splat (i32 17)
; CHECK: %[[K:.*]] = mul i64 %k, 4
; CHECK: %[[B:.*]] = getelementptr i8, ptr addrspace(3) %p, i64 %{{.*}}
; CHECK: %[[I:.*]] = sext <8 x i32> %[[Y]] to <8 x i64>
; CHECK: getelementptr i32, ptr addrspace(3) %[[B]], <8 x i64> %[[I]]
define <8 x i32> @local(ptr addrspace(3) %p, <8 x i64> %x, i64 %k) {
  %rows = getelementptr inbounds [17 x i32], ptr addrspace(3) %p, <8 x i64> %x
  %at = getelementptr i32, <8 x ptr addrspace(3)> %rows, i64 %k
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p3(<8 x ptr addrspace(3)> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; But not where only the sum is known to be in it.
; CHECK-LABEL: @beyond(
; CHECK: %[[S:.*]] = trunc i64 %{{.*}} to i32
; CHECK: insertelement <8 x i32> poison, i32 %[[S]]
; CHECK: %[[SUM:.*]] = add <8 x i32>
; CHECK: %[[I:.*]] = sext <8 x i32> %[[SUM]] to <8 x i64>
; CHECK: %[[P:.*]] = getelementptr i8, ptr addrspace(3) %p, <8 x i64> %[[I]]
; CHECK: scatter{{.*}} %[[P]]
define void @beyond(ptr addrspace(3) %p, ptr %q, i64 %k, <8 x i32> %v) {
  %x = load <8 x i64>, ptr %q
  %rows = getelementptr [16 x i32], ptr addrspace(3) %p, <8 x i64> %x
  %at = getelementptr i32, <8 x ptr addrspace(3)> %rows, i64 %k
  call void @llvm.masked.scatter.v8i32.v8p3(<8 x i32> %v, <8 x ptr addrspace(3)> %at, <8 x i1> splat (i1 true))
  ret void
}

; A private variable; nothing is known of other memory.
; CHECK-LABEL: @private(
; CHECK: trunc <8 x i64> %x to <8 x i32>
; CHECK: getelementptr i32, ptr %a, <8 x i64>
; CHECK: gather{{.*}} %at.q,
define <8 x i32> @private(ptr %q) {
  %a = alloca [800 x i32]
  %x = load <8 x i64>, ptr %q
  %at = getelementptr i32, ptr %a, <8 x i64> %x
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %at, <8 x i1> splat (i1 true), <8 x i32> poison)
  %at.q = getelementptr i32, ptr %q, <8 x i64> %x
  %w = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %at.q, <8 x i1> splat (i1 true), <8 x i32> poison)
  %sum = add <8 x i32> %v, %w
  ret <8 x i32> %sum
}
