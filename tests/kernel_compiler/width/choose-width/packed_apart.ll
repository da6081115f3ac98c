; Short vectors that lie at known distances stay vectors. Those that are near are shuffled, each as one number, out of what is loaded with all
; that lies between; good gathers take those that lie farther apart. Without such gathers these work-items run one at a time.
; RUN: weft-opt --passes=choose-width -mtriple=x86_64 -mcpu=skylake-avx512 -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck --check-prefixes=CHECK,GATHERS %s
; RUN: weft-opt --passes=choose-width -mtriple=x86_64 -mcpu=x86-64-v2 -weft-register-bits=512 -weft-register-count=32 -S %s | FileCheck --check-prefixes=CHECK,LANES %s

declare i64 @__weft_global_id(i32) memory(none)

; CHECK-LABEL: define spir_kernel void @shorts(
; CHECK-SAME: #[[EIGHT:[0-9]+]]
; CHECK: add <4 x i16>
; CHECK: ret void
define spir_kernel void @shorts(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 3
  %p.i = getelementptr <4 x i16>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <4 x i16>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x i16>, ptr addrspace(1) %p.i
  %sum = add <4 x i16> %v, %v
  store <4 x i16> %sum, ptr addrspace(1) %q.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @downwards(
; CHECK-SAME: #[[EIGHT]]
; CHECK: add <2 x i32>
; CHECK: ret void
define spir_kernel void @downwards(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, -3
  %p.i = getelementptr <2 x i32>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <2 x i32>, ptr addrspace(1) %q, i64 %x
  %v = load <2 x i32>, ptr addrspace(1) %p.i
  %sum = add <2 x i32> %v, %v
  store <2 x i32> %sum, ptr addrspace(1) %q.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @near(
; CHECK-SAME: #[[EIGHT]]
; CHECK: add <4 x i16>
; CHECK: ret void
define spir_kernel void @near(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 2
  %p.i = getelementptr <4 x i16>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <4 x i16>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x i16>, ptr addrspace(1) %p.i
  %sum = add <4 x i16> %v, %v
  store <4 x i16> %sum, ptr addrspace(1) %q.x
  ret void
}

; CHECK-LABEL: define spir_kernel void @far(
; GATHERS-SAME: #[[EIGHT]]
; LANES-SAME: #[[ALONE:[0-9]+]]
; CHECK: ret void
define spir_kernel void @far(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 17
  %p.i = getelementptr <2 x i32>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <2 x i32>, ptr addrspace(1) %q, i64 %x
  %v = load <2 x i32>, ptr addrspace(1) %p.i
  %sum = add <2 x i32> %v, %v
  store <2 x i32> %sum, ptr addrspace(1) %q.x
  ret void
}

; Bytes that are converted at once are shuffled as they are.
; CHECK-LABEL: define spir_kernel void @converted(
; CHECK-SAME: #[[SPLIT:[0-9]+]]
; CHECK-NOT: zext <4 x i8>
; CHECK: {{^}}}
define spir_kernel void @converted(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 3
  %p.i = getelementptr <4 x i8>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <4 x i8>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x i8>, ptr addrspace(1) %p.i
  %w = zext <4 x i8> %v to <4 x i32>
  %y = mul <4 x i32> %w, %w
  %sum = trunc <4 x i32> %y to <4 x i8>
  store <4 x i8> %sum, ptr addrspace(1) %q.x
  ret void
}

; Two shorts are in one word, of which lanes have one gather anyhow where they are far apart.
; CHECK-LABEL: define spir_kernel void @words(
; GATHERS-SAME: #[[SPLIT]]
; GATHERS-NOT: add <2 x i16>
; LANES-SAME: #[[ALONE]]
; CHECK: ret void
define spir_kernel void @words(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 33
  %p.i = getelementptr <2 x i16>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <2 x i16>, ptr addrspace(1) %q, i64 %x
  %v = load <2 x i16>, ptr addrspace(1) %p.i
  %sum = add <2 x i16> %v, %v
  store <2 x i16> %sum, ptr addrspace(1) %q.x
  ret void
}

; Of vectors four times as long, few lanes would be left.
; CHECK-LABEL: define spir_kernel void @beside_longer(
; GATHERS-SAME: #[[ALONE:[0-9]+]]
; LANES-SAME: #[[ALONE]]
; CHECK: ret void
define spir_kernel void @beside_longer(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 3
  %p.i = getelementptr <8 x i8>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <8 x i32>, ptr addrspace(1) %q, i64 %x
  %v = load <8 x i8>, ptr addrspace(1) %p.i
  %sum = add <8 x i8> %v, %v
  %wide = zext <8 x i8> %sum to <8 x i32>
  store <8 x i32> %wide, ptr addrspace(1) %q.x
  ret void
}

; Vectors of 128 bits and more are loaded one by one, and joined, with and without gathers.
; CHECK-LABEL: define spir_kernel void @long(
; CHECK-SAME: #[[FOUR:[0-9]+]]
; CHECK: add <4 x i32>
; CHECK: ret void
define spir_kernel void @long(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 3
  %p.i = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x i32>, ptr addrspace(1) %p.i
  %sum = add <4 x i32> %v, %v
  store <4 x i32> %sum, ptr addrspace(1) %q.x
  ret void
}

; Not where data part the work-items.
; CHECK-LABEL: define spir_kernel void @long_behind_data(
; CHECK-NOT: #[[FOUR]]
; CHECK: {{^}}}
define spir_kernel void @long_behind_data(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %c) {
  %x = call i64 @__weft_global_id(i32 0)
  %i = mul i64 %x, 3
  %c.x = getelementptr i32, ptr addrspace(1) %c, i64 %x
  %test = load i32, ptr addrspace(1) %c.x
  %may = icmp ne i32 %test, 0
  br i1 %may, label %then, label %out
then:
  %p.i = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %i
  %q.x = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 %x
  %v = load <4 x i32>, ptr addrspace(1) %p.i
  %sum = add <4 x i32> %v, %v
  store <4 x i32> %sum, ptr addrspace(1) %q.x
  br label %out
out:
  ret void
}

; CHECK-DAG: attributes #[[EIGHT]] = { {{.*}}"weft-vector-width"="8"
; CHECK-DAG: attributes #[[FOUR]] = { {{.*}}"weft-vector-width"="4"
; CHECK-DAG: attributes #[[ALONE]] = { {{.*}}"weft-vector-width"="1"
; CHECK-DAG: attributes #[[SPLIT]] = { {{.*}}"weft-vector-width"="16"
