; RUN: weft-opt --passes=emit-descriptors -S %s | FileCheck %s

; CHECK-DAG: c"float4*\00"
; CHECK-DAG: c"reqd_work_group_size(2,4,1) vec_type_hint(uint2)\00"
; Kind, size, offset, alignment, access, qualifiers, image.
; CHECK-DAG: i32 2, i32 8, i32 0, i32 8, i32 1, i32 3, i32 0 }
; CHECK-DAG: i32 1, i32 4, i32 8, i32 4, i32 0, i32 0, i32 0 }
; CHECK-DAG: i32 4, i32 8, i32 16, i32 8, i32 0, i32 0, i32 0 }
; The access of an image is that of its type, whatever the metadata says.
; CHECK-DAG: i32 5, i32 184, i32 24, i32 8, i32 0, i32 32, i32 20 }
; Sizes as the source has them, the number of sub-groups, and the dimensions that groups are numbered along first and are blocks of.
; CHECK-DAG: [3 x i32] [i32 2, i32 4, i32 1], [3 x i32] zeroinitializer, i32 1, i32 8, i64 0, i32 0, i32 0, ptr null, i32 3, i16 2, i16 0, ptr null, ptr null, i64 0 }
; CHECK-DAG: @weft_program = constant { i32, i32, ptr, i64, ptr, i64, i32, i32 } { i32 {{[0-9]+}}, i32 1, ptr @weft.kernels, i64 0, ptr null, i64 0, i32 0, i32 0 }
define spir_kernel void @k(ptr addrspace(1) align 16 "weft-access"="1" %p, i32 %n, ptr addrspace(3) align 8 %l,
                           ptr addrspace(2) "weft-image"="20" "weft-image-access"="32" %i)
    "weft-swapped-dimension"="2" !kernel_arg_access_qual !5 !kernel_arg_type !0 !kernel_arg_type_qual !1 !kernel_arg_name !2 !reqd_work_group_size !3 !vec_type_hint !4 !weft_reqd_num_sub_groups !6 {
  ret void
}

!0 = !{!"float4*", !"int", !"double*", !"mine"}
!1 = !{!"restrict const", !"", !"", !""}
!2 = !{!"p", !"n", !"l", !"i"}
!3 = !{i32 1, i32 2, i32 4}
!4 = !{<2 x i32> undef, i32 0}
!5 = !{!"none", !"none", !"none", !"read_only"}
!6 = !{i32 3}
