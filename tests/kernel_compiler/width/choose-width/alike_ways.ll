; A branch by data whose ways do the same with other numbers is none in the end, so no wrong guess of it is won by lanes; nor is one of short
; ways, which select-ways removes. One way that loads what the other does not stays.
; RUN: weft-opt --passes=choose-width -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck %s

declare i64 @__weft_global_id(i32) memory(none)
declare <16 x i32> @llvm.smax.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.smin.v16i32(<16 x i32>, <16 x i32>)

; CHECK-LABEL: define spir_kernel void @alike(
; CHECK: call <16 x i32> @llvm.smax.v16i32
define spir_kernel void @alike(ptr addrspace(1) %p, ptr addrspace(1) %c, ptr addrspace(1) %to) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %flag.at = getelementptr i8, ptr addrspace(1) %c, i64 %x
  %flag = load i8, ptr addrspace(1) %flag.at
  %which = icmp slt i8 %flag, 0
  %at = getelementptr <16 x i8>, ptr addrspace(1) %p, i64 %x
  %b = load <16 x i8>, ptr addrspace(1) %at
  %v = sext <16 x i8> %b to <16 x i32>
  br i1 %which, label %first, label %second
first:
  %m = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %v, <16 x i32> splat (i32 1))
  br label %done
second:
  %n = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %v, <16 x i32> splat (i32 2))
  br label %done
done:
  %r = phi <16 x i32> [ %m, %first ], [ %n, %second ]
  %to.at = getelementptr <16 x i32>, ptr addrspace(1) %to, i64 %x
  store <16 x i32> %r, ptr addrspace(1) %to.at
  ret void
}

; CHECK-LABEL: define spir_kernel void @short(
; CHECK: call <16 x i32> @llvm.smax.v16i32
define spir_kernel void @short(ptr addrspace(1) %p, ptr addrspace(1) %c, ptr addrspace(1) %to) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %flag.at = getelementptr i8, ptr addrspace(1) %c, i64 %x
  %flag = load i8, ptr addrspace(1) %flag.at
  %which = icmp slt i8 %flag, 0
  %at = getelementptr <16 x i8>, ptr addrspace(1) %p, i64 %x
  %b = load <16 x i8>, ptr addrspace(1) %at
  %v = sext <16 x i8> %b to <16 x i32>
  br i1 %which, label %first, label %second
first:
  %m = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %v, <16 x i32> splat (i32 1))
  br label %done
second:
  %n = call <16 x i32> @llvm.smin.v16i32(<16 x i32> %v, <16 x i32> splat (i32 2))
  br label %done
done:
  %r = phi <16 x i32> [ %m, %first ], [ %n, %second ]
  %to.at = getelementptr <16 x i32>, ptr addrspace(1) %to, i64 %x
  store <16 x i32> %r, ptr addrspace(1) %to.at
  ret void
}

; CHECK-LABEL: define spir_kernel void @different(
; CHECK-NOT: call <16 x i32> @llvm.smax.v16i32
; CHECK: {{^}}}
define spir_kernel void @different(ptr addrspace(1) %p, ptr addrspace(1) %c, ptr addrspace(1) %to) {
entry:
  %x = call i64 @__weft_global_id(i32 0)
  %flag.at = getelementptr i8, ptr addrspace(1) %c, i64 %x
  %flag = load i8, ptr addrspace(1) %flag.at
  %which = icmp slt i8 %flag, 0
  %at = getelementptr <16 x i8>, ptr addrspace(1) %p, i64 %x
  %b = load <16 x i8>, ptr addrspace(1) %at
  %v = sext <16 x i8> %b to <16 x i32>
  br i1 %which, label %first, label %second
first:
  %m = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %v, <16 x i32> splat (i32 1))
  br label %done
second:
  %o.at = getelementptr i8, ptr addrspace(1) %flag.at, i64 1
  %o = load i8, ptr addrspace(1) %o.at
  %w = sext i8 %o to i32
  %one = insertelement <16 x i32> poison, i32 %w, i64 0
  %all = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  %n = call <16 x i32> @llvm.smin.v16i32(<16 x i32> %v, <16 x i32> %all)
  br label %done
done:
  %r = phi <16 x i32> [ %m, %first ], [ %n, %second ]
  %to.at = getelementptr <16 x i32>, ptr addrspace(1) %to, i64 %x
  store <16 x i32> %r, ptr addrspace(1) %to.at
  ret void
}
