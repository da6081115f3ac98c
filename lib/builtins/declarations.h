/* SPDX-License-Identifier: MIT
 *
 * The functions of extensions that Clang has no table for, as programs see them; the compiler includes it before each
 * source. cl_khr_extended_async_copies: specification 6.15.11; cl_khr_work_group_uniform_arithmetic: 6.15.17; two of Intel's.
 */
#if defined(__OPENCL_CPP_VERSION__)
#define WEFT_LANGUAGE_VERSION 200
/* Of an object with a virtual destructor; Clang wants it to be there. The compiler has a body, which frees nothing. */
void operator delete(void *) noexcept;
#else
#define WEFT_LANGUAGE_VERSION __OPENCL_C_VERSION__
#endif

#ifdef __opencl_c_pipes
/* Clang makes no valid code of its own. */
reserve_id_t __attribute__((overloadable)) __weft_null_reserve_id(void);
#undef CLK_NULL_RESERVE_ID
#define CLK_NULL_RESERVE_ID __weft_null_reserve_id()
#endif

#ifdef cl_khr_extended_async_copies
#define WEFT_COPIES(to, from)                                                                      \
	event_t __attribute__((overloadable, convergent)) async_work_group_copy_2D2D(              \
		to void *dst, size_t dst_offset, const from void *src, size_t src_offset,          \
		size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,      \
		size_t src_total_line_length, size_t dst_total_line_length, event_t event);        \
	event_t __attribute__((overloadable, convergent)) async_work_group_copy_3D3D(              \
		to void *dst, size_t dst_offset, const from void *src, size_t src_offset,          \
		size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,      \
		size_t num_planes, size_t src_total_line_length, size_t src_total_plane_area,      \
		size_t dst_total_line_length, size_t dst_total_plane_area, event_t event);
WEFT_COPIES(__local, __global)
WEFT_COPIES(__global, __local)
#undef WEFT_COPIES
#endif

#if defined(cl_khr_work_group_uniform_arithmetic) && WEFT_LANGUAGE_VERSION >= CL_VERSION_2_0
#define WEFT_COLLECTIVES(type, operation)                                                          \
	type __attribute__((overloadable, convergent)) work_group_reduce_##operation(type);        \
	type __attribute__((overloadable, convergent)) work_group_scan_inclusive_##operation(      \
		type);                                                                             \
	type __attribute__((overloadable, convergent)) work_group_scan_exclusive_##operation(type);
#define WEFT_INTEGER_COLLECTIVES(type)                                                             \
	WEFT_COLLECTIVES(type, and)                                                                \
	WEFT_COLLECTIVES(type, or)                                                                 \
	WEFT_COLLECTIVES(type, xor)                                                                \
	WEFT_COLLECTIVES(type, mul)
WEFT_INTEGER_COLLECTIVES(int)
WEFT_INTEGER_COLLECTIVES(uint)
WEFT_INTEGER_COLLECTIVES(long)
WEFT_INTEGER_COLLECTIVES(ulong)
WEFT_COLLECTIVES(float, mul)
#ifdef cl_khr_fp64
WEFT_COLLECTIVES(double, mul)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
WEFT_COLLECTIVES(half, mul)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
WEFT_COLLECTIVES(int, logical_and)
WEFT_COLLECTIVES(int, logical_or)
WEFT_COLLECTIVES(int, logical_xor)
#undef WEFT_INTEGER_COLLECTIVES
#undef WEFT_COLLECTIVES
#endif

/* Clang makes a cast of its own CLK_NULL_EVENT that LLVM does not take. */
#ifdef __opencl_c_device_enqueue
clk_event_t __attribute__((overloadable)) __weft_null_event(void);
#undef CLK_NULL_EVENT
#define CLK_NULL_EVENT __weft_null_event()
#endif

#ifdef cl_intel_split_work_group_barrier
void __attribute__((overloadable, convergent)) intel_work_group_barrier_arrive(cl_mem_fence_flags);
void __attribute__((overloadable, convergent)) intel_work_group_barrier_wait(cl_mem_fence_flags);
#if WEFT_LANGUAGE_VERSION >= CL_VERSION_2_0
void __attribute__((overloadable, convergent)) intel_work_group_barrier_arrive(cl_mem_fence_flags,
									       memory_scope);
void __attribute__((overloadable, convergent)) intel_work_group_barrier_wait(cl_mem_fence_flags,
									     memory_scope);
#endif
#endif

#ifdef cl_intel_bfloat16_conversions
#define WEFT_BFLOAT16(n)                                                                           \
	ushort##n __attribute__((overloadable, const)) intel_convert_bfloat16##n##_as_ushort##n(   \
		float##n);                                                                         \
	float##n __attribute__((overloadable, const)) intel_convert_as_bfloat16##n##_float##n(     \
		ushort##n);
WEFT_BFLOAT16()
WEFT_BFLOAT16(2)
WEFT_BFLOAT16(3)
WEFT_BFLOAT16(4)
WEFT_BFLOAT16(8)
WEFT_BFLOAT16(16)
#undef WEFT_BFLOAT16
#endif

#undef WEFT_LANGUAGE_VERSION
