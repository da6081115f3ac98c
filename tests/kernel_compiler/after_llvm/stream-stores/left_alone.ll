; What is not written whole, is read, is no buffer's, or is ordered stays as it is.
; RUN: weft-opt --passes='stream-stores,verify' -mtriple=x86_64 -mcpu=znver4 -S %s | FileCheck %s
; CHECK-NOT: nontemporal
; CHECK-NOT: sfence

; The buffer is read.
define void @in_place(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %out, i64 %x
  %a = load <16 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr float, ptr addrspace(1) %out, i64 %x
  store <16 x float> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; By another pointer to the same argument, behind the loop.
define void @read_later(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  %again = load ptr addrspace(1), ptr %place
  %last = getelementptr float, ptr addrspace(1) %again, i64 %first
  %y = load float, ptr addrspace(1) %last
  store float %y, ptr addrspace(1) %in
  ret void
}

; By a gather.
define void @gathered(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %x
  %a = load <16 x float>, ptr addrspace(1) %from, align 4
  %lanes = insertelement <16 x i64> poison, i64 %x, i64 0
  %addresses = getelementptr float, ptr addrspace(1) %out, <16 x i64> %lanes
  %g = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %addresses, <16 x i1> splat (i1 true), <16 x float> poison)
  %to = getelementptr float, ptr addrspace(1) %out, i64 %x
  store <16 x float> %g, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; Local memory.
define void @local(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %lent = load ptr, ptr %context, !invariant.load !0
  %out = addrspacecast ptr %lent to ptr addrspace(3)
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %x
  %a = load <16 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr float, ptr addrspace(3) %out, i64 %x
  store <16 x float> %a, ptr addrspace(3) %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; Private memory.
define void @private(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %out = alloca [1024 x float], align 64
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %in, i64 %x
  %a = load <16 x float>, ptr addrspace(1) %from, align 4
  %to = getelementptr float, ptr  %out, i64 %x
  store <16 x float> %a, ptr  %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; A pointer that was found in memory.
define void @found(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %table = load ptr addrspace(1), ptr %args, !invariant.load !0
  %out = load ptr addrspace(1), ptr addrspace(1) %table
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

; Every second line.
define void @gaps(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  %next = add nuw i64 %x, 32
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; More than the address moves on by.
define void @overlaps(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  %to2 = getelementptr i8, ptr addrspace(1) %to, i64 64
  store <16 x float> %a, ptr addrspace(1) %to2, align 4
  store <16 x float> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; Quarters of a line.
define void @quarters(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  %q0 = shufflevector <16 x float> %a, <16 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %q0, ptr addrspace(1) %to, align 4
  %q1 = shufflevector <16 x float> %a, <16 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %to1 = getelementptr i8, ptr addrspace(1) %to, i64 16
  store <4 x float> %q1, ptr addrspace(1) %to1, align 4
  %q2 = shufflevector <16 x float> %a, <16 x float> poison, <4 x i32> <i32 8, i32 9, i32 10, i32 11>
  %to2 = getelementptr i8, ptr addrspace(1) %to, i64 32
  store <4 x float> %q2, ptr addrspace(1) %to2, align 4
  %q3 = shufflevector <16 x float> %a, <16 x float> poison, <4 x i32> <i32 12, i32 13, i32 14, i32 15>
  %to3 = getelementptr i8, ptr addrspace(1) %to, i64 48
  store <4 x float> %q3, ptr addrspace(1) %to3, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; A volatile store.
define void @volatile(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  store volatile <16 x float> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; A masked store.
define void @masked(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  %mask = fcmp olt <16 x float> %a, zeroinitializer
  call void @llvm.masked.store.v16f32.p1(<16 x float> %a, ptr addrspace(1) align 4 %to, <16 x i1> %mask)
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; And one beside a whole one.
define void @masked_beside(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  %mask = fcmp olt <16 x float> %a, zeroinitializer
  %beside = getelementptr i8, ptr addrspace(1) %to, i64 4096
  call void @llvm.masked.store.v16f32.p1(<16 x float> %a, ptr addrspace(1) align 4 %beside, <16 x i1> %mask)
  store <16 x float> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; An atomic store says that what came before is there.
define void @atomic(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  store atomic i32 1, ptr addrspace(1) %in release, align 4
  ret void
}

; So does a fence.
define void @fenced(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  fence release
  ret void
}

; A call may.
define void @called(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
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
  call void @other()
  ret void
}

; A few rounds.
define void @few(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %last) #0 {
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
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %done

done:
  ret void
}

; What writes four times as much as it reads.
define void @spread(ptr %range, ptr %args, ptr "weft-context" %context, i64 %first, i64 %end) #0 {
entry:
  %in = load ptr addrspace(1), ptr %args, !invariant.load !0
  %place = getelementptr inbounds nuw i8, ptr %args, i64 8
  %out = load ptr addrspace(1), ptr %place, !invariant.load !0
  br label %loop

loop:
  %x = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr addrspace(1) %in, i64 %x
  %short = load <16 x i8>, ptr addrspace(1) %from, align 1
  %a = zext <16 x i8> %short to <16 x i32>
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store <16 x i32> %a, ptr addrspace(1) %to, align 4
  %next = add nuw i64 %x, 16
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  ret void
}

; No entry point.
define void @function(ptr %range, ptr %args, ptr %context, i64 %first, i64 %end) #0 {
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

declare void @other()
attributes #0 = { "weft-vector-width"="16" }
!0 = !{}
