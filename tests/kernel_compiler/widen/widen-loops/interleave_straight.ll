; Straight code that waits for itself all the way runs on two vectors, also where their values take more registers than there are.
; Code with as many values that waits less does not.
; RUN: weft-opt --passes='widen-loops,verify' -mtriple=x86_64 -mcpu=skylake-avx512 -weft-register-bits=128 -weft-register-count=32 -S %s \
; RUN:   | FileCheck %s

; CHECK-LABEL: define spir_kernel void @waits(
; CHECK: fmul <8 x float>
; CHECK: fmul <4 x float>
define spir_kernel void @waits(ptr addrspace(1) %p, i64 %n, i64 %far) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  %at0 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 0
  %v0 = load float, ptr addrspace(1) %at0
  %at1 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 40
  %v1 = load float, ptr addrspace(1) %at1
  %at2 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 80
  %v2 = load float, ptr addrspace(1) %at2
  %at3 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 120
  %v3 = load float, ptr addrspace(1) %at3
  %at4 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 160
  %v4 = load float, ptr addrspace(1) %at4
  %at5 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 200
  %v5 = load float, ptr addrspace(1) %at5
  %at6 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 240
  %v6 = load float, ptr addrspace(1) %at6
  %at7 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 280
  %v7 = load float, ptr addrspace(1) %at7
  %at8 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 320
  %v8 = load float, ptr addrspace(1) %at8
  %at9 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 360
  %v9 = load float, ptr addrspace(1) %at9
  %at10 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 400
  %v10 = load float, ptr addrspace(1) %at10
  %at11 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 440
  %v11 = load float, ptr addrspace(1) %at11
  %at12 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 480
  %v12 = load float, ptr addrspace(1) %at12
  %at13 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 520
  %v13 = load float, ptr addrspace(1) %at13
  %at14 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 560
  %v14 = load float, ptr addrspace(1) %at14
  %at15 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 600
  %v15 = load float, ptr addrspace(1) %at15
  %at16 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 640
  %v16 = load float, ptr addrspace(1) %at16
  %at17 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 680
  %v17 = load float, ptr addrspace(1) %at17
  %at18 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 720
  %v18 = load float, ptr addrspace(1) %at18
  %at19 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 760
  %v19 = load float, ptr addrspace(1) %at19
  %s0 = fmul float %v0, %v1
  %s1 = fadd float %s0, %v8
  %s2 = fmul float %s1, %v15
  %s3 = fadd float %s2, %v2
  %s4 = fmul float %s3, %v9
  %s5 = fadd float %s4, %v16
  %s6 = fmul float %s5, %v3
  %s7 = fadd float %s6, %v10
  %s8 = fmul float %s7, %v17
  %s9 = fadd float %s8, %v4
  %s10 = fmul float %s9, %v11
  %s11 = fadd float %s10, %v18
  %s12 = fmul float %s11, %v5
  %s13 = fadd float %s12, %v12
  %s14 = fmul float %s13, %v19
  %s15 = fadd float %s14, %v6
  %s16 = fmul float %s15, %v13
  %s17 = fadd float %s16, %v0
  %s18 = fmul float %s17, %v7
  %s19 = fadd float %s18, %v14
  %s20 = fmul float %s19, %v1
  %s21 = fadd float %s20, %v8
  %s22 = fmul float %s21, %v15
  %s23 = fadd float %s22, %v2
  %s24 = fmul float %s23, %v9
  %s25 = fadd float %s24, %v16
  %s26 = fmul float %s25, %v3
  %s27 = fadd float %s26, %v10
  %s28 = fmul float %s27, %v17
  %s29 = fadd float %s28, %v4
  %s30 = fmul float %s29, %v11
  %s31 = fadd float %s30, %v18
  %s32 = fmul float %s31, %v5
  %s33 = fadd float %s32, %v12
  %s34 = fmul float %s33, %v19
  %s35 = fadd float %s34, %v6
  %s36 = fmul float %s35, %v13
  %s37 = fadd float %s36, %v0
  %s38 = fmul float %s37, %v7
  %s39 = fadd float %s38, %v14
  %s40 = fmul float %s39, %v1
  %s41 = fadd float %s40, %v8
  %s42 = fmul float %s41, %v15
  %s43 = fadd float %s42, %v2
  %s44 = fmul float %s43, %v9
  %s45 = fadd float %s44, %v16
  %s46 = fmul float %s45, %v3
  %s47 = fadd float %s46, %v10
  %s48 = fmul float %s47, %v17
  %s49 = fadd float %s48, %v4
  %s50 = fmul float %s49, %v11
  %s51 = fadd float %s50, %v18
  %s52 = fmul float %s51, %v5
  %s53 = fadd float %s52, %v12
  %s54 = fmul float %s53, %v19
  %s55 = fadd float %s54, %v6
  %s56 = fmul float %s55, %v13
  %s57 = fadd float %s56, %v0
  %s58 = fmul float %s57, %v7
  %s59 = fadd float %s58, %v14
  %s60 = fmul float %s59, %v1
  %s61 = fadd float %s60, %v8
  %s62 = fmul float %s61, %v15
  %s63 = fadd float %s62, %v2
  %s64 = fmul float %s63, %v9
  %s65 = fadd float %s64, %v16
  %s66 = fmul float %s65, %v3
  %s67 = fadd float %s66, %v10
  %s68 = fmul float %s67, %v17
  %s69 = fadd float %s68, %v4
  %s70 = fmul float %s69, %v11
  %s71 = fadd float %s70, %v18
  %s72 = fmul float %s71, %v5
  %s73 = fadd float %s72, %v12
  %s74 = fmul float %s73, %v19
  %s75 = fadd float %s74, %v6
  %s76 = fmul float %s75, %v13
  %s77 = fadd float %s76, %v0
  %s78 = fmul float %s77, %v7
  %s79 = fadd float %s78, %v14
  %s80 = fmul float %s79, %v1
  %s81 = fadd float %s80, %v8
  %s82 = fmul float %s81, %v15
  %s83 = fadd float %s82, %v2
  %s84 = fmul float %s83, %v9
  %s85 = fadd float %s84, %v16
  %s86 = fmul float %s85, %v3
  %s87 = fadd float %s86, %v10
  %s88 = fmul float %s87, %v17
  %s89 = fadd float %s88, %v4
  %s90 = fmul float %s89, %v11
  %s91 = fadd float %s90, %v18
  %s92 = fmul float %s91, %v5
  %s93 = fadd float %s92, %v12
  %s94 = fmul float %s93, %v19
  %s95 = fadd float %s94, %v6
  %s96 = fmul float %s95, %v13
  %s97 = fadd float %s96, %v0
  %s98 = fmul float %s97, %v7
  %s99 = fadd float %s98, %v14
  store float %s99, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

; CHECK-LABEL: define spir_kernel void @ready(
; CHECK-NOT: <8 x float>
; CHECK: fmul <4 x float>
; CHECK-NOT: <8 x float>
; CHECK: {{^}}}
define spir_kernel void @ready(ptr addrspace(1) %p, i64 %n, i64 %far) #0 {
entry:
  br label %x.loop
x.loop:
  %x = phi i64 [ 0, %entry ], [ %step, %x.loop ]
  %p.x = getelementptr inbounds float, ptr addrspace(1) %p, i64 %x
  %at0 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 0
  %v0 = load float, ptr addrspace(1) %at0
  %at1 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 40
  %v1 = load float, ptr addrspace(1) %at1
  %at2 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 80
  %v2 = load float, ptr addrspace(1) %at2
  %at3 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 120
  %v3 = load float, ptr addrspace(1) %at3
  %at4 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 160
  %v4 = load float, ptr addrspace(1) %at4
  %at5 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 200
  %v5 = load float, ptr addrspace(1) %at5
  %at6 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 240
  %v6 = load float, ptr addrspace(1) %at6
  %at7 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 280
  %v7 = load float, ptr addrspace(1) %at7
  %at8 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 320
  %v8 = load float, ptr addrspace(1) %at8
  %at9 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 360
  %v9 = load float, ptr addrspace(1) %at9
  %at10 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 400
  %v10 = load float, ptr addrspace(1) %at10
  %at11 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 440
  %v11 = load float, ptr addrspace(1) %at11
  %at12 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 480
  %v12 = load float, ptr addrspace(1) %at12
  %at13 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 520
  %v13 = load float, ptr addrspace(1) %at13
  %at14 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 560
  %v14 = load float, ptr addrspace(1) %at14
  %at15 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 600
  %v15 = load float, ptr addrspace(1) %at15
  %at16 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 640
  %v16 = load float, ptr addrspace(1) %at16
  %at17 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 680
  %v17 = load float, ptr addrspace(1) %at17
  %at18 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 720
  %v18 = load float, ptr addrspace(1) %at18
  %at19 = getelementptr inbounds [1024 x float], ptr addrspace(1) %p.x, i64 0, i64 760
  %v19 = load float, ptr addrspace(1) %at19
  %s0 = fmul float %v0, %v1
  %s1 = fadd float %v1, %v8
  %s2 = fmul float %v2, %v15
  %s3 = fadd float %v3, %v2
  %s4 = fmul float %v4, %v9
  %s5 = fadd float %v5, %v16
  %s6 = fmul float %v6, %v3
  %s7 = fadd float %v7, %v10
  %s8 = fmul float %v8, %v17
  %s9 = fadd float %v9, %v4
  %s10 = fmul float %v10, %v11
  %s11 = fadd float %v11, %v18
  %s12 = fmul float %v12, %v5
  %s13 = fadd float %v13, %v12
  %s14 = fmul float %v14, %v19
  %s15 = fadd float %v15, %v6
  %s16 = fmul float %v16, %v13
  %s17 = fadd float %v17, %v0
  %s18 = fmul float %v18, %v7
  %s19 = fadd float %v19, %v14
  %s20 = fmul float %s0, %v1
  %s21 = fadd float %s1, %v8
  %s22 = fmul float %s2, %v15
  %s23 = fadd float %s3, %v2
  %s24 = fmul float %s4, %v9
  %s25 = fadd float %s5, %v16
  %s26 = fmul float %s6, %v3
  %s27 = fadd float %s7, %v10
  %s28 = fmul float %s8, %v17
  %s29 = fadd float %s9, %v4
  %s30 = fmul float %s10, %v11
  %s31 = fadd float %s11, %v18
  %s32 = fmul float %s12, %v5
  %s33 = fadd float %s13, %v12
  %s34 = fmul float %s14, %v19
  %s35 = fadd float %s15, %v6
  %s36 = fmul float %s16, %v13
  %s37 = fadd float %s17, %v0
  %s38 = fmul float %s18, %v7
  %s39 = fadd float %s19, %v14
  %s40 = fmul float %s20, %v1
  %s41 = fadd float %s21, %v8
  %s42 = fmul float %s22, %v15
  %s43 = fadd float %s23, %v2
  %s44 = fmul float %s24, %v9
  %s45 = fadd float %s25, %v16
  %s46 = fmul float %s26, %v3
  %s47 = fadd float %s27, %v10
  %s48 = fmul float %s28, %v17
  %s49 = fadd float %s29, %v4
  %s50 = fmul float %s30, %v11
  %s51 = fadd float %s31, %v18
  %s52 = fmul float %s32, %v5
  %s53 = fadd float %s33, %v12
  %s54 = fmul float %s34, %v19
  %s55 = fadd float %s35, %v6
  %s56 = fmul float %s36, %v13
  %s57 = fadd float %s37, %v0
  %s58 = fmul float %s38, %v7
  %s59 = fadd float %s39, %v14
  %s60 = fmul float %s40, %v1
  %s61 = fadd float %s41, %v8
  %s62 = fmul float %s42, %v15
  %s63 = fadd float %s43, %v2
  %s64 = fmul float %s44, %v9
  %s65 = fadd float %s45, %v16
  %s66 = fmul float %s46, %v3
  %s67 = fadd float %s47, %v10
  %s68 = fmul float %s48, %v17
  %s69 = fadd float %s49, %v4
  %s70 = fmul float %s50, %v11
  %s71 = fadd float %s51, %v18
  %s72 = fmul float %s52, %v5
  %s73 = fadd float %s53, %v12
  %s74 = fmul float %s54, %v19
  %s75 = fadd float %s55, %v6
  %s76 = fmul float %s56, %v13
  %s77 = fadd float %s57, %v0
  %s78 = fmul float %s58, %v7
  %s79 = fadd float %s59, %v14
  %s80 = fmul float %s60, %v1
  %s81 = fadd float %s61, %v8
  %s82 = fmul float %s62, %v15
  %s83 = fadd float %s63, %v2
  %s84 = fmul float %s64, %v9
  %s85 = fadd float %s65, %v16
  %s86 = fmul float %s66, %v3
  %s87 = fadd float %s67, %v10
  %s88 = fmul float %s68, %v17
  %s89 = fadd float %s69, %v4
  %s90 = fmul float %s70, %v11
  %s91 = fadd float %s71, %v18
  %s92 = fmul float %s72, %v5
  %s93 = fadd float %s73, %v12
  %s94 = fmul float %s74, %v19
  %s95 = fadd float %s75, %v6
  %s96 = fmul float %s76, %v13
  %s97 = fadd float %s77, %v0
  %s98 = fmul float %s78, %v7
  %s99 = fadd float %s79, %v14
  %t0 = fadd float %s80, %s81
  %t1 = fadd float %s82, %s83
  %t2 = fadd float %s84, %s85
  %t3 = fadd float %s86, %s87
  %t4 = fadd float %s88, %s89
  %t5 = fadd float %s90, %s91
  %t6 = fadd float %s92, %s93
  %t7 = fadd float %s94, %s95
  %t8 = fadd float %s96, %s97
  %t9 = fadd float %s98, %s99
  %t10 = fadd float %t0, %t1
  %t11 = fadd float %t2, %t3
  %t12 = fadd float %t4, %t5
  %t13 = fadd float %t6, %t7
  %t14 = fadd float %t8, %t9
  %t15 = fadd float %t10, %t11
  %t16 = fadd float %t12, %t13
  %t17 = fadd float %t15, %t16
  %t18 = fadd float %t17, %t14
  store float %t18, ptr addrspace(1) %p.x
  %step = add nuw i64 %x, 1
  %more = icmp ult i64 %step, %n
  br i1 %more, label %x.loop, label %out, !weft.item.loop !0
out:
  ret void
}

attributes #0 = { "weft-vector-width"="4" }
!0 = !{}
