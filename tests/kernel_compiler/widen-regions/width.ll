; RUN: weft-opt --passes=widen-regions -S %s | FileCheck %s

; CHECK: attributes #0 = { "weft-vector-width"="1" }
define spir_kernel void @k() {
  ret void
}
