; Loops that write whole cache lines of a buffer have a copy that writes them past the cache.
; RUN: weft-opt --passes='stream-stores,verify' -mtriple=x86_64 -mcpu=znver4 -S %s | FileCheck %s
; RUN: weft-opt --passes='stream-stores,verify' -mtriple=aarch64 -S %s | FileCheck %s --check-prefix=OTHER
; OTHER-NOT: nontemporal

; A work-item loads and stores 8 bytes. Half the work-items against the cache's bytes by these.
; CHECK-LABEL: define void @copy(
; CHECK: %out = load
; CHECK: ptrtoint ptr addrspace(1) %out to i64
; CHECK: getelementptr inbounds i8, ptr %range, i64 24
; CHECK: getelementptr inbounds i8, ptr %range, i64 32
; CHECK: getelementptr inbounds i8, ptr %range, i64 40
; CHECK: %[[HALF:.*]] = lshr i64 %{{.*}}, 1
; CHECK: getelementptr inbounds i8, ptr %context, i64 80
; CHECK-NEXT: %[[CACHE:.*]] = load i64, {{.*}} !invariant.load
; CHECK: %[[LESS:.*]] = sub i64 %[[CACHE]], 1
; CHECK: %[[LEAST:.*]] = udiv i64 %[[LESS]], 8
; CHECK: %[[LARGE:.*]] = icmp ugt i64 %[[HALF]], %[[LEAST]]
; CHECK: %[[KNOWN:.*]] = icmp ne i64 %[[CACHE]], 0
; CHECK: %[[STREAMS:.*]] = and i1 %[[LARGE]], %[[KNOWN]]
; CHECK: %[[LOW:.*]] = trunc i64 %{{.*}} to i32
; CHECK: %[[PART:.*]] = and i32 %[[LOW]], 63
; CHECK: %[[WHOLE:.*]] = icmp eq i32 %[[PART]], 0
; CHECK: %[[BOTH:.*]] = and i1 %[[STREAMS]], %[[WHOLE]]
; CHECK: br i1 %[[BOTH]], label %plain.stream, label %plain
; CHECK: store <16 x float> {{.*}}, align 64, !nontemporal
; CHECK: store <16 x float> %a, ptr addrspace(1) %to, align 4
; CHECK-NOT: nontemporal
; CHECK: br i1 %[[STREAMS]], label %[[FENCE:.*]], label
; CHECK: [[FENCE]]:
; CHECK-NEXT: call void @llvm.x86.sse.sfence()
define void @copy(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %x
  %a = load <16 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr float, ptr addrspace(1) %out, i64 %x
  store <16 x float> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; An unrolled round of two: 32 work-items.
; CHECK-LABEL: define void @unrolled(
; CHECK: udiv i64 %{{.*}}, 8
; CHECK: store <16 x float> {{.*}}, align 64, !nontemporal
; CHECK: store <16 x float> {{.*}}, align 64, !nontemporal
define void @unrolled(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %x
  %a = load <16 x float>, ptr addrspace(1) %from, align 4
  %from2 = getelementptr i8, ptr addrspace(1) %from, i64 64
  %b = load <16 x float>, ptr addrspace(1) %from2, align 4
  %to = getelementptr float, ptr addrspace(1) %out, i64 %x
  %to2 = getelementptr i8, ptr addrspace(1) %to, i64 64
  store <16 x float> %b, ptr addrspace(1) %to2, align 4
  store <16 x float> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 32
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; Halves of lines, and the loop's last value, which leaves by either copy. Of 16 bytes that a work-item loads 4 are stored.
; CHECK-LABEL: define i64 @halves(
; CHECK: udiv i64 %{{.*}}, 16
; CHECK: store <8 x float> {{.*}}, align 64, !nontemporal
; CHECK: store <8 x float> {{.*}}, align 32, !nontemporal
; CHECK: phi i64 [ %next, %loop ], [ %next.stream, %loop.stream ]
define i64 @halves(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr <3 x float>, ptr addrspace(1) %in, i64 %x
  %a = load <48 x float>, ptr addrspace(1) %from, align 4
  %low = shufflevector <48 x float> %a, <48 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %high = shufflevector <48 x float> %a, <48 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %to = getelementptr float, ptr addrspace(1) %out, i64 %x
  %to2 = getelementptr i8, ptr addrspace(1) %to, i64 32
  store <8 x float> %low, ptr addrspace(1) %to, align 4
  store <8 x float> %high, ptr addrspace(1) %to2, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret i64 %next
}

; Vectors of the kernel's own, four elements of each of four work-items.
; CHECK-LABEL: define void @packed(
; CHECK: udiv i64 %{{.*}}, 32
; CHECK: store <16 x float> {{.*}}, align 64, !nontemporal
define void @packed(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #1 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %x
  %a = load <16 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %x
  store <16 x float> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 4
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; Half a line in each round, the other half in the next.
; CHECK-LABEL: define void @half(
; CHECK: and i32 %{{.*}}, 63
; CHECK: store <8 x float> {{.*}}, align 32, !nontemporal
define void @half(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %x
  %a = load <8 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr float, ptr addrspace(1) %out, i64 %x
  store <8 x float> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 8
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; Ids of 32 bits below a limit of 32 bits. What the last vector stores is masked, and stays.
; CHECK-LABEL: define void @guarded(
; CHECK: br i1 %{{.*}}, label %plain.stream, label %plain
; CHECK-DAG: call void @llvm.masked.store{{.*}} align 4 %to.stream, <16 x i1> %mask.stream){{$}}
; CHECK-DAG: store <16 x float> {{.*}}, align 64, !nontemporal
define void @guarded(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  %limits = load <16 x i32>, ptr %place, !invariant.load !0
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %id = add i64 %first, %x
  %short = trunc i64 %id to i32
  %lane = insertelement <16 x i32> poison, i32 %short, i64 0
  %lanes = shufflevector <16 x i32> %lane, <16 x i32> poison, <16 x i32> zeroinitializer
  %mask = icmp ult <16 x i32> %lanes, %limits
  %bits = bitcast <16 x i1> %mask to i16
  %index = and i64 %id, 4294967295
  %from = getelementptr float, ptr addrspace(1) %in, i64 %index
  %to = getelementptr float, ptr addrspace(1) %out, i64 %index
  switch i16 %bits, label %some [
    i16 0, label %latch
    i16 -1, label %all
  ]

some:
  call void @llvm.masked.store.v16f32.p1(<16 x float> splat (float 1.0), ptr addrspace(1) align 4 %to, <16 x i1> %mask)
  br label %latch

all:
  %a = load <16 x float>, ptr addrspace(1) %from, align 4
  store <16 x float> %a, ptr addrspace(1) %to, align 4
  br label %latch

latch:
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; Two loops, the first behind the entry block, which its copy parts: both flags stay there, for the fence.
; CHECK-LABEL: define i64 @two(
; CHECK: entry:
; CHECK: %streams = and i1
; CHECK: %streams2 = and i1
; CHECK: %[[ANY:.*]] = or i1 %streams, %streams2
; CHECK: br i1
; CHECK-COUNT-2: store <16 x float> %{{.*}}, !nontemporal
; CHECK: br i1 %[[ANY]]
define i64 @two(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  %place3 = getelementptr inbounds nuw i8, ptr %args, i64 16
  %out3 = load ptr addrspace(1), ptr %place3, !invariant.load !0
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %x
  %a = load <16 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr float, ptr addrspace(1) %out, i64 %x
  store <16 x float> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %mid
mid:
  %s = phi i64 [ %next, %loop ]
  br label %loop2
loop2:
  %x2 = phi i64 [ 0, %mid ], [ %next2, %loop2 ]
  %from2 = getelementptr float, ptr addrspace(1) %in, i64 %x2
  %a2 = load <16 x float>, ptr addrspace(1) %from2, align 4
  %to2 = getelementptr float, ptr addrspace(1) %out3, i64 %x2
  store <16 x float> %a2, ptr addrspace(1) %to2, align 4
  %next2 = add nuw i64 %x2, 16
  %more2 = icmp ult i64 %next2, %first
  br i1 %more2, label %loop2, label %done
done:
  ret i64 %next2
}
attributes #0 = { "weft-vector-width"="16" }
attributes #1 = { "weft-vector-width"="4" }
!0 = !{}
