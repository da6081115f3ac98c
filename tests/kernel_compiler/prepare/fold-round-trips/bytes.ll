; A byte that becomes a float from 0 to 1 and a byte again, in the ways of images and of conversions of the language, is that
; byte. Not where one of the 256 bytes becomes another.
; RUN: weft-opt --passes='fold-round-trips,verify' -S %s | FileCheck %s

; CHECK-LABEL: define i32 @image(
; CHECK: ret i32 %byte
define i32 @image(i32 %texel) {
  %shifted = lshr i32 %texel, 8
  %byte = and i32 %shifted, 255
  %number = sitofp i32 %byte to float
  %x = fmul float %number, 0x3F70101020000000
  %positive = fcmp ogt float %x, 0.0
  %low = select i1 %positive, float %x, float 0.0
  %small = fcmp olt float %low, 1.0
  %kept = select i1 %small, float %low, float 1.0
  %scaled = fmul float %kept, 255.0
  %rounded = fadd float %scaled, 0x4168000000000000
  %bits = bitcast float %rounded to i32
  %result = and i32 %bits, 4194303
  ret i32 %result
}

; CHECK-LABEL: define i8 @conversion(
; CHECK: ret i8 %byte
define i8 @conversion(i8 %byte) {
  %number = uitofp i8 %byte to float
  %x = fmul float %number, 0x3F70101020000000
  %scaled = fmul float %x, 255.0
  %rounded = call float @llvm.rint.f32(float %scaled)
  %result = fptoui float %rounded to i8
  ret i8 %result
}

; CHECK-LABEL: define i8 @saturated(
; CHECK: ret i8 %byte
define i8 @saturated(i8 %byte) {
  %number = uitofp i8 %byte to float
  %x = fmul float %number, 0x3F70101020000000
  %scaled = fmul float %x, 255.0
  %rounded = call float @llvm.rint.f32(float %scaled)
  %result = call i8 @llvm.fptoui.sat.i8.f32(float %rounded)
  ret i8 %result
}

; CHECK-LABEL: define i8 @truncated(
; CHECK: ret i8 %result
define i8 @truncated(i8 %byte) {
  %number = uitofp i8 %byte to float
  %x = fmul float %number, 0x3F70101000000000
  %scaled = fmul float %x, 255.0
  %result = fptoui float %scaled to i8
  ret i8 %result
}

; CHECK-LABEL: define i32 @wide(
; CHECK: ret i32 %result
define i32 @wide(i32 %texel) {
  %part = and i32 %texel, 511
  %number = sitofp i32 %part to float
  %result = fptoui float %number to i32
  ret i32 %result
}

; CHECK-LABEL: define i32 @mixed(
; CHECK: ret i32 %result
define i32 @mixed(i8 %a, i8 %b) {
  %number = uitofp i8 %a to float
  %other = uitofp i8 %b to float
  %sum = fadd float %number, %other
  %result = fptoui float %sum to i32
  ret i32 %result
}

declare float @llvm.rint.f32(float)
