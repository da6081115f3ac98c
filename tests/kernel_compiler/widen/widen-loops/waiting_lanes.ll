; Lanes that wait in a loop keep numbers that are computed with in the next iteration: where the way that a phi's value comes by was jumped
; over, they must not be what a register held before, which may be a subnormal number.
; RUN: weft-opt --passes='widen-loops,verify' -S %s | FileCheck %s

; The value of the block that all lanes come by stands for lanes that come by none.
; CHECK-LABEL: define spir_kernel void @special(
; CHECK: loop.wide:
; CHECK:   [[MOST:%.*]] = fmul <4 x double>
; CHECK: joined.wide:
; CHECK:   select <4 x i1> {{.*}}, <4 x double> %special{{.*}}, <4 x double> [[MOST]]
define spir_kernel void @special(ptr addrspace(1) %p, ptr addrspace(1) %c, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %c.x = getelementptr i32, ptr addrspace(1) %c, i64 %x
  %rounds = load i32, ptr addrspace(1) %c.x
  %p.x = getelementptr double, ptr addrspace(1) %p, i64 %x
  %first = load double, ptr addrspace(1) %p.x
  br label %loop
loop:
  %k = phi i32 [ %rounds, %x.loop ], [ %k.next, %joined ]
  %v = phi double [ %first, %x.loop ], [ %sum, %joined ]
  %most = fmul double %v, %v
  %isRare = fcmp olt double %v, 0.0
  br i1 %isRare, label %rare, label %joined
rare:
  %u = load double, ptr addrspace(1) %p
  %special = fsub double %u, %v
  br label %joined
joined:
  %r = phi double [ %special, %rare ], [ %most, %loop ]
  %sum = fadd double %r, 0.5
  %k.next = sub i32 %k, 1
  %again = icmp sgt i32 %k.next, 0
  br i1 %again, label %loop, label %x.next
x.next:
  store double %sum, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; No way is one that all lanes come by: the first brings 0 where it was jumped over.
; CHECK-LABEL: define spir_kernel void @either(
; CHECK: [[LEFT:%.*]] = phi <4 x double> [ {{.*}}, %one.body ], [ zeroinitializer, %{{.*}} ]
; CHECK: select <4 x i1> {{.*}}, <4 x double> {{.*}}, <4 x double> [[LEFT]]
define spir_kernel void @either(ptr addrspace(1) %p, ptr addrspace(1) %c, i64 %n) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.next ]
  %c.x = getelementptr i32, ptr addrspace(1) %c, i64 %x
  %rounds = load i32, ptr addrspace(1) %c.x
  %p.x = getelementptr double, ptr addrspace(1) %p, i64 %x
  %first = load double, ptr addrspace(1) %p.x
  br label %loop
loop:
  %k = phi i32 [ %rounds, %x.loop ], [ %k.next, %joined ]
  %v = phi double [ %first, %x.loop ], [ %sum, %joined ]
  %isLow = fcmp olt double %v, 0.0
  br i1 %isLow, label %one, label %two
one:
  %u = load double, ptr addrspace(1) %p
  %a = fsub double %u, %v
  br label %joined
two:
  %b = fmul double %v, %v
  br label %joined
joined:
  %r = phi double [ %a, %one ], [ %b, %two ]
  %sum = fadd double %r, 0.5
  %k.next = sub i32 %k, 1
  %again = icmp sgt i32 %k.next, 0
  br i1 %again, label %loop, label %x.next
x.next:
  store double %sum, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}
attributes #0 = { "weft-vector-width"="4" "weft-forced-width"="1" }
!0 = !{}
