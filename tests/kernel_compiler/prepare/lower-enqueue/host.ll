; The host is asked through the context; without debug information, errors are not told apart.
; RUN: weft-opt --passes=lower-enqueue -S %s | FileCheck %s
; RUN: sed 's/^;debug //' %s | weft-opt --passes=lower-enqueue -S - | FileCheck --check-prefix=DEBUG %s

declare i64 @__weft_enqueue(i32, ptr)

; CHECK: define spir_kernel void @k()
; CHECK: %[[CONTEXT:.*]] = call ptr @__weft_context()
; CHECK: %[[PLACE:.*]] = getelementptr inbounds i8, ptr %[[CONTEXT]], i64 {{[0-9]+}}
; CHECK: %[[FUNCTION:.*]] = load ptr, ptr %[[PLACE]]
; CHECK: call i64 %[[FUNCTION]](ptr %[[CONTEXT]], i32 3, ptr %request)
; CHECK-NOT: @__weft_enqueue
; DEBUG: call i64 %{{.*}}(ptr %{{.*}}, i32 259, ptr %request)
define spir_kernel void @k() {
  %request = alloca i64
  %r = call i64 @__weft_enqueue(i32 3, ptr %request)
  ret void
}
;debug !llvm.dbg.cu = !{!0}
;debug !llvm.module.flags = !{!2}
;debug !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
;debug !1 = !DIFile(filename: "k.cl", directory: "/")
;debug !2 = !{i32 2, !"Debug Info Version", i32 3}
