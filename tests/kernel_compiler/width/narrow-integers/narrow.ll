; Arithmetic on bytes and shorts that fits 16 bits is done in 16 bits, and choose-width has as many lanes.
; RUN: weft-opt --passes='narrow-integers,verify' -S %s | FileCheck %s
; RUN: weft-opt --passes='narrow-integers,choose-width,verify' -weft-register-bits=512 -S %s | FileCheck --check-prefix=WIDTH %s

declare i64 @__weft_global_id(i32)

; WIDTH: "weft-narrow-integers"="1"
; WIDTH-SAME: "weft-vector-width"="32"

; CHECK-LABEL: @filter(
; CHECK:      %[[TWICE:.*]] = mul nsw i16 %{{.*}}, 2
; CHECK:      %[[SUM:.*]] = sub nsw i16 %[[TWICE]], %{{.*}}
; CHECK:      %[[SIZE:.*]] = call i16 @llvm.abs.i16(i16 %[[SUM]], i1 false)
; CHECK:      call i16 @llvm.smin.i16(i16 %[[SIZE]], i16 255)
; CHECK:      %[[WIDE:.*]] = sext i16 %{{.*}} to i32
; CHECK:      trunc i32 %[[WIDE]] to i8
define spir_kernel void @filter(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__weft_global_id(i32 0)
  %from = getelementptr i8, ptr addrspace(1) %in, i64 %i
  %byte = load i8, ptr addrspace(1) %from
  %after = getelementptr i8, ptr addrspace(1) %from, i64 1
  %next = load i8, ptr addrspace(1) %after
  %a = zext i8 %byte to i32
  %b = sext i8 %next to i32
  %twice = mul nsw i32 %a, 2
  %sum = sub nsw i32 %twice, %b
  %size = call i32 @llvm.abs.i32(i32 %sum, i1 false)
  %least = call i32 @llvm.smin.i32(i32 %size, i32 255)
  %result = trunc i32 %least to i8
  %to = getelementptr i8, ptr addrspace(1) %out, i64 %i
  store i8 %result, ptr addrspace(1) %to
  ret void
}

; A number that is less than zero is not shifted as one without a sign; what may be past 16 bits stays.
; CHECK-LABEL: @some(
; CHECK:      sub i16
; CHECK:      ashr i16
; CHECK-NOT:  lshr i16
; CHECK:      lshr i32
; CHECK-NOT:  mul i16
; CHECK:      mul i32
define spir_kernel void @some(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %i = call i64 @__weft_global_id(i32 0)
  %from = getelementptr i8, ptr addrspace(1) %in, i64 %i
  %byte = load i8, ptr addrspace(1) %from
  %after = getelementptr i8, ptr addrspace(1) %from, i64 1
  %next = load i8, ptr addrspace(1) %after
  %a = zext i8 %byte to i32
  %b = zext i8 %next to i32
  %c = sub i32 %a, %b
  %d = ashr i32 %c, 3
  %e = lshr i32 %c, 28
  %f = add i32 %d, 5
  %g = xor i32 %f, 3
  %h0 = or i32 %g, 8
  %h1 = xor i32 %h0, 64
  %h2 = and i32 %h1, 1023
  %h3 = sub i32 %h2, 3
  %h = and i32 %h3, 127
  %k = call i32 @llvm.smax.i32(i32 %h, i32 %b)
  %l = mul i32 %c, %c
  %m = xor i32 %k, %e
  %n = or i32 %m, %a
  %o = xor i32 %l, %n
  %result = trunc i32 %o to i8
  %to = getelementptr i8, ptr addrspace(1) %out, i64 %i
  store i8 %result, ptr addrspace(1) %to
  ret void
}

; Ways that meet, but not in a loop.
; CHECK-LABEL: @ways(
; CHECK:      %[[MEET:.*]] = phi i16 [ %{{.*}}, %entry ], [ %{{.*}}, %large ]
; CHECK:      add i16 %[[MEET]], 1
; CHECK:      phi i32 [ %{{.*}}, %end ], [ %{{.*}}, %again ]
define spir_kernel void @ways(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %i = call i64 @__weft_global_id(i32 0)
  %from = getelementptr i8, ptr addrspace(1) %in, i64 %i
  %byte = load i8, ptr addrspace(1) %from
  %a = zext i8 %byte to i32
  %b = sub i32 90, %a
  %c = call i32 @llvm.abs.i32(i32 %b, i1 false)
  %is.large = icmp sgt i32 %c, 40
  br i1 %is.large, label %large, label %end

large:
  %half = lshr i32 %c, 1
  %sum = add i32 %half, %a
  %less = sub i32 %sum, 7
  br label %end

end:
  %meet = phi i32 [ %c, %entry ], [ %less, %large ]
  %more = add i32 %meet, 1
  br label %again

again:
  %carried = phi i32 [ %more, %end ], [ %n, %again ]
  %stays = icmp sgt i32 %n, 3
  br i1 %stays, label %again, label %exit

exit:
  %result = trunc i32 %more to i8
  %to = getelementptr i8, ptr addrspace(1) %out, i64 %i
  store i8 %result, ptr addrspace(1) %to
  ret void
}
