; A cast of a float to 8 or 16 bits goes through 32 bits: for numbers that do not fit, too, it is the same alone and in a vector.
; RUN: weft-opt --passes='prepare-kernels,verify' -S %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @casts(
; CHECK:      %[[A:.*]] = fptosi float %x to i32
; CHECK:      trunc i32 %[[A]] to i16
; CHECK:      %[[B:.*]] = fptosi <4 x double> %y to <4 x i32>
; CHECK:      trunc <4 x i32> %[[B]] to <4 x i8>
; CHECK:      fptoui float %x to i32
define spir_kernel void @casts(float %x, <4 x double> %y, ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = fptoui float %x to i16
  store i16 %a, ptr addrspace(1) %p
  %b = fptosi <4 x double> %y to <4 x i8>
  store <4 x i8> %b, ptr addrspace(1) %q
  %c = fptoui float %x to i32
  store i32 %c, ptr addrspace(1) %p
  ret void
}
