/* SPDX-License-Identifier: MIT
 *
 * The functions of extensions that Clang has no table for, as programs see them; the compiler includes it before each
 * source. cl_khr_extended_async_copies: specification 6.15.11; cl_khr_work_group_uniform_arithmetic: 6.15.17; and Intel's.
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

/* What a short source cannot name it goes without (front_end.cpp). */
#if defined(cl_khr_extended_async_copies) && !defined(WEFT_WITHOUT_EXTENDED_COPIES)
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

#if defined(cl_khr_work_group_uniform_arithmetic) && WEFT_LANGUAGE_VERSION >= CL_VERSION_2_0 &&    \
	!defined(WEFT_WITHOUT_COLLECTIVES)
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

#if defined(cl_intel_split_work_group_barrier) && !defined(WEFT_WITHOUT_SPLIT_BARRIERS)
void __attribute__((overloadable, convergent)) intel_work_group_barrier_arrive(cl_mem_fence_flags);
void __attribute__((overloadable, convergent)) intel_work_group_barrier_wait(cl_mem_fence_flags);
#if WEFT_LANGUAGE_VERSION >= CL_VERSION_2_0
void __attribute__((overloadable, convergent)) intel_work_group_barrier_arrive(cl_mem_fence_flags,
									       memory_scope);
void __attribute__((overloadable, convergent)) intel_work_group_barrier_wait(cl_mem_fence_flags,
									     memory_scope);
#endif
#endif

#if defined(cl_intel_bfloat16_conversions) && !defined(WEFT_WITHOUT_BFLOAT16)
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

/* So many that a source which cannot name them goes without (front_end.cpp). */
#if defined(cl_intel_subgroups) && !defined(WEFT_WITHOUT_INTEL_SUBGROUPS)
#define WEFT_TOGETHER __attribute__((overloadable, convergent))
#define WEFT_SHUFFLES(type)                                                                        \
	type WEFT_TOGETHER intel_sub_group_shuffle(type, uint);                                    \
	type WEFT_TOGETHER intel_sub_group_shuffle_xor(type, uint);                                \
	type WEFT_TOGETHER intel_sub_group_shuffle_up(type, type, uint);                           \
	type WEFT_TOGETHER intel_sub_group_shuffle_down(type, type, uint);
#define WEFT_BROADCAST(type) type WEFT_TOGETHER intel_sub_group_broadcast(type, uint);
#define WEFT_COLLECTIVES(type, operation)                                                          \
	type WEFT_TOGETHER intel_sub_group_reduce_##operation(type);                               \
	type WEFT_TOGETHER intel_sub_group_scan_inclusive_##operation(type);                       \
	type WEFT_TOGETHER intel_sub_group_scan_exclusive_##operation(type);
#define WEFT_SIZES(declare, type)                                                                  \
	declare(type) declare(type##2) declare(type##3) declare(type##4) declare(type##8)          \
		declare(type##16)
#define WEFT_SMALL(type)                                                                           \
	WEFT_SIZES(WEFT_SHUFFLES, type)                                                            \
	WEFT_SIZES(WEFT_BROADCAST, type)                                                           \
	WEFT_COLLECTIVES(type, add)                                                                \
	WEFT_COLLECTIVES(type, min)                                                                \
	WEFT_COLLECTIVES(type, max)
WEFT_SMALL(char)
WEFT_SMALL(uchar)
WEFT_SMALL(short)
WEFT_SMALL(ushort)
WEFT_SIZES(WEFT_SHUFFLES, int)
WEFT_SIZES(WEFT_SHUFFLES, uint)
WEFT_SIZES(WEFT_SHUFFLES, float)
WEFT_SHUFFLES(long)
WEFT_SHUFFLES(ulong)
#ifdef cl_khr_fp64
WEFT_SHUFFLES(double)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
WEFT_SHUFFLES(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif

#define WEFT_MEMORY_BLOCK(space, type, suffix, n)                                                  \
	type##n WEFT_TOGETHER intel_sub_group_block_read##suffix##n(const space type *);           \
	void WEFT_TOGETHER intel_sub_group_block_write##suffix##n(space type *, type##n);
#define WEFT_BLOCK_READ(image, type, suffix, n)                                                    \
	type##n WEFT_TOGETHER intel_sub_group_block_read##suffix##n(image, int2);
#define WEFT_BLOCK_WRITE(image, type, suffix, n)                                                   \
	void WEFT_TOGETHER intel_sub_group_block_write##suffix##n(image, int2, type##n);
#define WEFT_BLOCK_SIZES(declare, of, type, suffix)                                                \
	declare(of, type, suffix, ) declare(of, type, suffix, 2) declare(of, type, suffix, 4)      \
		declare(of, type, suffix, 8)
#define WEFT_BLOCKS(declare, of)                                                                   \
	WEFT_BLOCK_SIZES(declare, of, uint, )                                                      \
	WEFT_BLOCK_SIZES(declare, of, uint, _ui)                                                   \
	WEFT_BLOCK_SIZES(declare, of, uchar, _uc)                                                  \
	WEFT_BLOCK_SIZES(declare, of, ushort, _us)                                                 \
	WEFT_BLOCK_SIZES(declare, of, ulong, _ul)                                                  \
	declare(of, uchar, _uc, 16) declare(of, ushort, _us, 16)
WEFT_BLOCKS(WEFT_MEMORY_BLOCK, __global)
WEFT_BLOCKS(WEFT_MEMORY_BLOCK, __local)
#ifdef __IMAGE_SUPPORT__
WEFT_BLOCKS(WEFT_BLOCK_READ, read_only image2d_t)
WEFT_BLOCKS(WEFT_BLOCK_WRITE, write_only image2d_t)
#if WEFT_LANGUAGE_VERSION == CL_VERSION_2_0 || defined(__opencl_c_read_write_images)
WEFT_BLOCKS(WEFT_BLOCK_READ, read_write image2d_t)
WEFT_BLOCKS(WEFT_BLOCK_WRITE, read_write image2d_t)
#endif
#endif
#undef WEFT_BLOCKS
#undef WEFT_BLOCK_SIZES
#undef WEFT_BLOCK_WRITE
#undef WEFT_BLOCK_READ
#undef WEFT_MEMORY_BLOCK
#undef WEFT_SMALL
#undef WEFT_SIZES
#undef WEFT_COLLECTIVES
#undef WEFT_BROADCAST
#undef WEFT_SHUFFLES
#undef WEFT_TOGETHER
#endif

#undef WEFT_LANGUAGE_VERSION
#undef WEFT_WITHOUT_INTEL_SUBGROUPS
#undef WEFT_WITHOUT_EXTENDED_COPIES
#undef WEFT_WITHOUT_COLLECTIVES
#undef WEFT_WITHOUT_SPLIT_BARRIERS
#undef WEFT_WITHOUT_BFLOAT16
