; An access of an image whose format is known becomes code for it: what other formats need is gone, and so are the functions that
; accesses are made of. What the code loads from the image is loaded once, at the kernel's beginning.
; RUN: weft-opt --passes='inline-image-accesses,verify' -S %s | FileCheck %s

; CHECK-NOT: @__weft_image_read_int_code
; CHECK-NOT: @one_byte
; CHECK: define spir_kernel void @k(
; CHECK-NEXT: entry:
; CHECK-NEXT: %[[START:.*]] = getelementptr inbounds i8, ptr addrspace(2) %in, i64 0
; CHECK-NEXT: %[[DATA:.*]] = load ptr addrspace(1), ptr addrspace(2) %[[START]], align 8, !invariant.load
; CHECK-NEXT: %[[WIDTH:.*]] = getelementptr inbounds i8, ptr addrspace(2) %in, i64 12
; CHECK-NEXT: %[[W:.*]] = load i32, ptr addrspace(2) %[[WIDTH]], align 4, !invariant.load
; CHECK-NOT: load {{.*}}addrspace(2)
; CHECK: store i32 %[[W]]
; CHECK: %[[TEXEL:.*]] = getelementptr i32, ptr addrspace(1) %[[DATA]]
; CHECK: load i32, ptr addrspace(1) %[[TEXEL]]
; CHECK-NOT: load i
; CHECK: store i32 258, ptr addrspace(1) %p
; CHECK: call <4 x i32> @__weft_image_read_int(ptr addrspace(2) %other
; CHECK: ret void
; CHECK-NOT: define
define spir_kernel void @k(ptr addrspace(2) "weft-image" "weft-image-constant"="258" %in, ptr addrspace(2) "weft-image" %other,
                           ptr addrspace(1) %p, i32 %x) {
entry:
  br label %body
body:
  %place = getelementptr inbounds i8, ptr addrspace(2) %in, i64 12
  %w = load i32, ptr addrspace(2) %place, align 4
  store i32 %w, ptr addrspace(1) %p
  %t = call <4 x i32> @__weft_image_read_int(ptr addrspace(2) %in, i64 0, i32 11, i32 %x, i32 0, i32 0, i32 0)
  store <4 x i32> %t, ptr addrspace(1) %p
  %word = getelementptr inbounds i8, ptr addrspace(2) %in, i64 8
  %format = load i32, ptr addrspace(2) %word, align 4
  store i32 %format, ptr addrspace(1) %p
  %u = call <4 x i32> @__weft_image_read_int(ptr addrspace(2) %other, i64 0, i32 11, i32 %x, i32 0, i32 0, i32 0)
  store <4 x i32> %u, ptr addrspace(1) %p
  ret void
}

declare <4 x i32> @__weft_image_read_int(ptr addrspace(2), i64, i32, i32, i32, i32, i32)

define <4 x i32> @__weft_image_read_int_code(ptr addrspace(2) %image, i64 %sampler, i32 %access, i32 %x, i32 %y, i32 %z, i32 %lod) {
  %word = getelementptr inbounds i8, ptr addrspace(2) %image, i64 8
  %format = load i32, ptr addrspace(2) %word, align 4
  %data = load ptr addrspace(1), ptr addrspace(2) %image, align 8
  %value = call i32 @load(ptr addrspace(1) %data, i32 %format, i32 %x)
  %texel = insertelement <4 x i32> zeroinitializer, i32 %value, i32 0
  ret <4 x i32> %texel
}

define internal i32 @load(ptr addrspace(1) %data, i32 %format, i32 %x) {
  switch i32 %format, label %word [
    i32 1, label %byte
  ]
byte:
  %v = call i32 @one_byte(ptr addrspace(1) %data, i32 %x)
  ret i32 %v
word:
  %place = getelementptr i32, ptr addrspace(1) %data, i32 %x
  %w = load i32, ptr addrspace(1) %place, align 1
  ret i32 %w
}

define internal i32 @one_byte(ptr addrspace(1) %data, i32 %x) {
  %place = getelementptr i8, ptr addrspace(1) %data, i32 %x
  %v = load i8, ptr addrspace(1) %place
  %w = zext i8 %v to i32
  ret i32 %w
}
