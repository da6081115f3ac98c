; Loops that write whole cache lines of a buffer have a copy that writes them past the cache.
; RUN: weft-opt --passes='stream-stores,verify' -mtriple=x86_64 -mcpu=znver4 -S %s | FileCheck %s
; RUN: weft-opt --passes='stream-stores,verify' -mtriple=aarch64 -S %s | FileCheck %s --check-prefix=OTHER
; OTHER-NOT: nontemporal

; A work-item loads and stores 8 bytes. Half the work-items against the cache's bytes by these.
; CHECK-LABEL: define void @copy(
; CHECK-DAG: %[[X:.*]] = getelementptr inbounds i8, ptr %range, i64 24
; CHECK-DAG: %[[Y:.*]] = getelementptr inbounds i8, ptr %range, i64 32
; CHECK-DAG: %[[Z:.*]] = getelementptr inbounds i8, ptr %range, i64 40
; CHECK: %[[HALF:.*]] = lshr i64 %{{.*}}, 1
; CHECK: getelementptr inbounds i8, ptr %context, i64 80
; CHECK-NEXT: %[[CACHE:.*]] = load i64, {{.*}} !invariant.load
; CHECK: %[[LESS:.*]] = sub i64 %[[CACHE]], 1
; CHECK: %[[LEAST:.*]] = udiv i64 %[[LESS]], 8
; CHECK: %[[LARGE:.*]] = icmp ugt i64 %[[HALF]], %[[LEAST]]
; CHECK: %[[KNOWN:.*]] = icmp ne i64 %[[CACHE]], 0
; CHECK: %[[STREAMS:.*]] = and i1 %[[LARGE]], %[[KNOWN]]
; CHECK: %[[FIRST:.*]] = ptrtoint ptr addrspace(1) %out to i64
; CHECK: %[[PART:.*]] = and i64 %[[FIRST]], 63
; CHECK: %[[WHOLE:.*]] = icmp eq i64 %[[PART]], 0
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

attributes #0 = { "weft-vector-width"="16" }
attributes #1 = { "weft-vector-width"="4" }
!0 = !{}
