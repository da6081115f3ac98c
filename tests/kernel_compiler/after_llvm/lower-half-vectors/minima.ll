; Minima and maxima of halves that take each other's results are computed as floats, through loops and branches; others stay.
; RUN: weft-opt --passes='lower-half-vectors,verify' -S %s | FileCheck %s

; CHECK-LABEL: @clamped_most(
; CHECK:      entry:
; CHECK-NEXT:   %[[FIRST:.*]] = fpext <8 x half> %first to <8 x float>
; CHECK:      loop:
; CHECK:        %[[MOST:.*]] = phi <8 x float> [ %[[FIRST]], %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK-NOT:    fptrunc
; CHECK:        %[[X:.*]] = fpext <8 x half> %x to <8 x float>
; CHECK-NEXT:   %[[LESS:.*]] = fcmp olt <8 x float> %[[MOST]], %[[X]]
; CHECK-NEXT:   %[[LARGER:.*]] = select <8 x i1> %[[LESS]], <8 x float> %[[X]], <8 x float> %[[MOST]]
; CHECK-NEXT:   %[[MORE:.*]] = fcmp nsz ogt <8 x float> %[[LARGER]], splat (float 3.000000e+00)
; CHECK-NEXT:   %[[NEXT]] = select nsz <8 x i1> %[[MORE]], <8 x float> splat (float 3.000000e+00), <8 x float> %[[LARGER]]
; CHECK-NOT:    fptrunc
; CHECK:      out:
; CHECK-NEXT:   %[[RESULT:.*]] = fptrunc <8 x float> %[[NEXT]] to <8 x half>
; CHECK-NEXT:   ret <8 x half> %[[RESULT]]
define <8 x half> @clamped_most(<8 x half> %first, ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %most = phi <8 x half> [ %first, %entry ], [ %v, %loop ]
  %place = getelementptr <8 x half>, ptr %p, i64 %i
  %x = load <8 x half>, ptr %place
  %less = fcmp olt <8 x half> %most, %x
  %larger = select <8 x i1> %less, <8 x half> %x, <8 x half> %most
  %more = fcmp nsz ogt <8 x half> %larger, splat (half 3.0)
  %v = select nsz <8 x i1> %more, <8 x half> splat (half 3.0), <8 x half> %larger
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %out
out:
  ret <8 x half> %v
}

; A lane that has left keeps its value; other comparisons and conversions take the float.
; CHECK-LABEL: @masked(
; CHECK:      loop:
; CHECK:        %[[MOST:.*]] = phi <4 x float>
; CHECK:        %[[SMALLER:.*]] = call <4 x float> @llvm.minnum.v4f32(<4 x float> %[[MOST]], <4 x float> %{{.*}})
; CHECK-NEXT:   %[[KEPT:.*]] = select <4 x i1> %mask, <4 x float> %[[SMALLER]], <4 x float> %[[MOST]]
; CHECK-NEXT:   %[[IS:.*]] = fcmp une <4 x float> %[[KEPT]], zeroinitializer
; CHECK-NEXT:   store <4 x i1> %[[IS]], ptr %flags
; CHECK-NEXT:   %[[WIDE:.*]] = fpext <4 x float> %[[KEPT]] to <4 x double>
; CHECK-NEXT:   store <4 x double> %[[WIDE]], ptr %wide
; CHECK:      other:
; CHECK:        %[[HALF:.*]] = fptrunc <4 x float> %[[KEPT]] to <4 x half>
; CHECK-NEXT:   br label %out
; CHECK:      out:
; CHECK-NEXT:   phi <4 x half> [ %[[HALF]], %other ], [ %first, %entry ]
define <4 x half> @masked(<4 x half> %first, <4 x half> %x, <4 x i1> %mask, ptr %flags, ptr %wide, i1 %none, ptr %c) {
entry:
  br i1 %none, label %out, label %loop
loop:
  %most = phi <4 x half> [ %first, %entry ], [ %kept, %loop ]
  %smaller = call <4 x half> @llvm.minnum.v4f16(<4 x half> %most, <4 x half> %x)
  %kept = select <4 x i1> %mask, <4 x half> %smaller, <4 x half> %most
  %is = fcmp une <4 x half> %kept, zeroinitializer
  store <4 x i1> %is, ptr %flags
  %double = fpext <4 x half> %kept to <4 x double>
  store <4 x double> %double, ptr %wide
  %again = load volatile i1, ptr %c
  br i1 %again, label %loop, label %other
other:
  br label %out
out:
  %r = phi <4 x half> [ %kept, %other ], [ %first, %entry ]
  ret <4 x half> %r
}

; One minimum alone takes no fewer conversions; a choice by other numbers moves bits, whatever they are.
; CHECK-LABEL: @left(
; CHECK-NOT: fpext
; CHECK-NOT: fptrunc
; CHECK:     ret
define half @left(half %a, half %b, half %c, half %d) {
  %less = fcmp olt half %a, %b
  %least = select i1 %less, half %a, half %b
  %sum = fadd half %least, %c
  %other = select i1 %less, half %c, half %d
  %chosen = fcmp olt half %other, %d
  %bits = select i1 %chosen, half %sum, half %other
  ret half %bits
}

; Nor where the CPU computes with halves.
; CHECK-LABEL: @halves(
; CHECK-NOT: fpext
; CHECK:     ret
define half @halves(half %a, half %b, half %c) #0 {
  %less = fcmp olt half %a, %b
  %least = select i1 %less, half %a, half %b
  %lesser = fcmp olt half %least, %c
  %lowest = select i1 %lesser, half %least, half %c
  %still = fcmp olt half %lowest, %a
  %r = select i1 %still, half %lowest, half %a
  ret half %r
}

attributes #0 = { "target-features"="+avx512f,+avx512fp16" }
