; A loop runs until its last lane has left; lanes that are gone are masked, and a block without a lane in it is jumped
; over. A uniform branch stays a branch, in divergent code too.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @loop(
; CHECK: round.wide:
; CHECK:   phi <4 x i1>
; CHECK:   %live = phi <4 x i1> [ splat (i1 true), %x.loop.wide ]
; CHECK:   br i1 %any{{.*}}, label %{{.*}}.body, label %
; CHECK:   load i32, ptr addrspace(1) %q
; CHECK:   br i1 %any{{.*}}, label %round.wide, label %
define spir_kernel void @loop(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  br label %round
round:
  %i = phi i64 [ 0, %x.loop ], [ %i.next, %round.next ]
  %leave = icmp ugt i64 %i, %x
  br i1 %leave, label %x.next, label %round.next
round.next:
  %u = load i32, ptr addrspace(1) %q
  %u.long = zext i32 %u to i64
  %i.next = add i64 %i, %u.long
  br label %round
x.next:
  %count = phi i64 [ %i, %round ]
  %p.x = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %count, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @branch(
; CHECK: then.body:
; CHECK:   br i1 %c, label %yes.wide, label %no.wide
define spir_kernel void @branch(ptr addrspace(1) %p, i64 %n, i1 %c) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr i64, ptr addrspace(1) %p, i64 %x
  %v = load i64, ptr addrspace(1) %p.x
  %some = icmp ugt i64 %v, %x
  br i1 %some, label %then, label %x.next
then:
  br i1 %c, label %yes, label %no
yes:
  store i64 1, ptr addrspace(1) %p.x
  br label %x.next
no:
  store i64 2, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; Two ways of a divergent switch to one block are one way then, and its phi has one value for them.
; CHECK-LABEL: define spir_kernel void @two_ways(
; CHECK: join.wide:
; CHECK:   %result{{.*}} = phi <4 x i32> [ zeroinitializer, %x.loop.wide ], [ %{{[^,]*}}, %choose.wide ]{{$}}
define spir_kernel void @two_ways(ptr addrspace(1) %p, i64 %n, i1 %uniform) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %p.x = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %p.x
  br i1 %uniform, label %choose, label %join
choose:
  %w = add i32 %v, 1
  switch i32 %v, label %join [
    i32 2, label %x.next
    i32 3, label %join
  ]
join:
  %result = phi i32 [ 0, %x.loop ], [ %w, %choose ], [ %w, %choose ]
  store i32 %result, ptr addrspace(1) %p.x
  br label %x.next
x.next:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; All leave at once, in front of where lanes part and meet: no lane goes on from the meeting point then.
; CHECK-LABEL: define spir_kernel void @left_by_all(
; CHECK: count.body:
; CHECK:   br i1 %last{{.*}}, label %count.leave, label %part.wide
; CHECK: count.leave:
; CHECK:   br label %meet.wide
; CHECK: meet.wide:
; CHECK:   phi <4 x i1> [ %{{.*}}, %accessed ], [ zeroinitializer, %count.leave ], [ zeroinitializer, %count.wide ]
; CHECK:   %[[NEXT:.*]] = or <4 x i1>
; CHECK:   bitcast <4 x i1> %[[NEXT]] to i4
define spir_kernel void @left_by_all(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %end ]
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at
  br label %round
round:
  %k = phi i32 [ 9, %x.loop ], [ %less, %meet ]
  %leaves = icmp eq i32 %v, %k
  br i1 %leaves, label %end, label %count
count:
  %less = add i32 %k, -1
  %last = icmp slt i32 %k, 2
  br i1 %last, label %end, label %part
part:
  %odd = trunc i32 %v to i1
  br i1 %odd, label %some, label %meet
some:
  store i32 %k, ptr addrspace(1) %at
  br label %meet
meet:
  br label %round
end:
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %done, !weft.item.loop !0
done:
  ret void
}

; Whether lanes go on is asked where they part, not where they meet again: where none went on LLVM sees the answer.
; CHECK-LABEL: define spir_kernel void @halve(
; CHECK: body.body:
; CHECK:   %[[MORE:any.*]] = icmp ne i4
; CHECK: body.split.wide:
; CHECK:   %[[AGAIN:any.*]] = phi i1 [ %[[MORE]], %body.body ], [ false, %body.wide ]
; CHECK:   br i1 %[[AGAIN]], label %round.wide, label %end.wide
define spir_kernel void @halve(ptr addrspace(1) %p, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %end ]
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at
  br label %round
round:
  %w = phi i32 [ %v, %x.loop ], [ %next, %body ]
  %k = phi i32 [ 0, %x.loop ], [ %k.next, %body ]
  %high = icmp ugt i32 %w, 99
  br i1 %high, label %body, label %end
body:
  %quotient = udiv i32 %w, 3
  %next = xor i32 %quotient, %k
  %k.next = add i32 %k, 1
  br label %round
end:
  store i32 %k, ptr addrspace(1) %at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %done, !weft.item.loop !0
done:
  ret void
}

; What two ways out of a loop bring alike is kept once, and is not chosen from afterwards. What a uniform way out keeps is
; kept on that way only, and what lanes bring is kept for those that stay, too; of two ways the second takes the lanes that the
; first does not.
; CHECK-LABEL: define spir_kernel void @found_or_ended(
; CHECK: search.wide:
; CHECK:   br i1 %ended{{.*}}, label %search.leave, label %look.wide
; CHECK: search.leave:
; CHECK:   select <4 x i1> %live, <4 x i32> %{{.*}}, <4 x i32> %kept
; CHECK: look.wide:
; CHECK:   %[[HERE_FOUND:.*]] = select <4 x i1> %[[HERE:.*]], <4 x i1> %{{.*}}, <4 x i1> zeroinitializer
; CHECK:   %[[FOUND:.*]] = freeze <4 x i1> %[[HERE_FOUND]]
; CHECK:   select <4 x i1> %[[HERE]], <4 x i32> %{{.*}}, <4 x i32> %kept
; CHECK:   %[[REST:.*]] = xor <4 x i1> %[[FOUND]], splat (i1 true)
; CHECK:   select <4 x i1> %[[HERE]], <4 x i1> %[[REST]], <4 x i1> zeroinitializer
; CHECK: end.wide:
; CHECK-NOT: select
; CHECK:   store <4 x i32> %kept
define spir_kernel void @found_or_ended(ptr addrspace(1) %p, ptr addrspace(1) %table, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %end ]
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %v = load i32, ptr addrspace(1) %at
  br label %search
search:
  %k = phi i32 [ 9, %x.loop ], [ %less, %next ]
  %ended = icmp slt i32 %k, 1
  br i1 %ended, label %end, label %look
look:
  %place = getelementptr i32, ptr addrspace(1) %table, i32 %k
  %w = load i32, ptr addrspace(1) %place
  %found = icmp ugt i32 %w, %v
  br i1 %found, label %end, label %next
next:
  %less = add i32 %k, -1
  br label %search
end:
  %result = phi i32 [ %k, %search ], [ %k, %look ]
  store i32 %result, ptr addrspace(1) %at
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %done, !weft.item.loop !0
done:
  ret void
}

attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
