/* SPDX-License-Identifier: MIT
 *
 * Functions that no library defines: the compiler's passes lower them to the running work-item's place in the NDRange,
 * to the work-group barrier and to memory of the work-group. Only lib/builtins calls them. The dimension is 0 to 2,
 * constant or not; the caller has handled larger ones.
 */
#ifndef WEFT_INTERNAL_H
#define WEFT_INTERNAL_H

ulong __weft_local_id(uint d);
ulong __weft_global_id(uint d);
ulong __weft_group_id(uint d);
ulong __weft_num_groups(uint d);
ulong __weft_global_size(uint d);
ulong __weft_global_offset(uint d);
ulong __weft_local_size(uint d); /* of this group: the last one of a dimension may be smaller */
ulong __weft_enqueued_local_size(uint d);
uint __weft_work_dim(void);

/* 1 / sqrt(x) of a positive finite x, within 2^-14 of it, infinite of 0, 0 of infinity, else NaN: for CPUs with fine
 * estimates (code_generation.h) only. */
__attribute__((const)) float __weft_estimate_rsqrt(float x);
__attribute__((const)) double __weft_estimate_rsqrt_double(double x);
/* 1 / x, within 2^-14 of it, infinite of 0 and of the smallest numbers, 0 of infinity. For the same CPUs. */
__attribute__((const)) float __weft_estimate_recip(float x);
__attribute__((const)) double __weft_estimate_recip_double(double x);
/* x = 2^(exponent + n) mantissa with a mantissa from 3/4 to 3/2, n being 1 for one below 1 and else 0: of subnormal numbers,
 * too. Of 0 and infinity the exponent is infinite and the mantissa 1, of negative numbers the mantissa is NaN. For the same CPUs. */
__attribute__((const)) float __weft_exponent(float x);
__attribute__((const)) double __weft_exponent_double(double x);
__attribute__((const)) float __weft_mantissa(float x);
__attribute__((const)) double __weft_mantissa_double(double x);
/* x = 2^exponent significand with a significand from 1 to 2, else as the mantissa. For the same CPUs. */
__attribute__((const)) float __weft_significand(float x);
__attribute__((const)) double __weft_significand_double(double x);
/* x, or 1 with x's sign where that is nearer to 0, or where x is a NaN. For the same CPUs. */
__attribute__((const)) float __weft_within_one(float x);
__attribute__((const)) double __weft_within_one_double(double x);
/* x 2^floor(n), rounded once; 0 or infinite where that is beyond all numbers, also for an infinite n, NaN for a NaN. For the same CPUs. */
__attribute__((const)) float __weft_scale(float x, float n);
__attribute__((const)) double __weft_scale_double(double x, double n);

/* The work-group barrier; it orders no memory by itself. */
__attribute__((convergent)) void __weft_barrier(void);

/* One work-item says that the group asks the DMA engine for `lines` lines of `bytes` bytes each; what it does from there to the end is
 * the copy. With 0 lines, behind a barrier, and without an end: that the group waits for all that it has asked for. */
void __weft_request(ulong bytes, ulong lines);
void __weft_request_end(void);

/* Functions that are called behind a barrier with the address of a private variable, and that run once for the group
 * instead: before any work-item goes on, and with what the work-items have left in their variables before the barrier.
 * They are called __weft_once_<name>, and either are
 *   T __weft_once_<name>(U *values, ulong count, U identity)
 * where the variables of all `count` work-items of the group lie side by side in the order of their linear ids (called
 * with the group's size), `identity` where one has returned; or
 *   T __weft_once_<name>(U *value)
 * where it is one variable for all of them. */

/* `size` bytes of local memory, aligned to `align`, both constant: one block per work-group and call
 * site, contents undefined at first. */
__local void *__weft_group_memory(uint size, uint align);

/* ---- sub-groups -------------------------------------------------------------------------------------
 * A sub-group is some neighbours in the order of linear local ids: as many as lanes, or fewer in the last one of
 * a group. Lanes that are active are those that come to a call together. */
#define WEFT_TOGETHER __attribute__((convergent))

uint __weft_sub_size(void); /* of a full one: a power of two up to 32 */
uint __weft_sub_lane(void);
/* Orders the lanes' accesses of memory before it with those after it. */
WEFT_TOGETHER void __weft_sub_barrier(void);
/* A bit for each active lane whose predicate is not zero. */
WEFT_TOGETHER uint __weft_sub_ballot(int predicate);
/* Another lane's value, undefined where that is not active; the lane's number counts modulo the size. */
WEFT_TOGETHER uint __weft_sub_shuffle_uint(uint value, uint lane);
WEFT_TOGETHER ulong __weft_sub_shuffle_ulong(ulong value, uint lane);
/* The same of the lanes' values `low`, behind which there are their values `high`: the number counts modulo twice the size. */
WEFT_TOGETHER uint __weft_sub_shuffle2_uint(uint low, uint high, uint lane);
WEFT_TOGETHER ulong __weft_sub_shuffle2_ulong(ulong low, ulong high, uint lane);
/* The address that the first lane has; so the compiler knows it to be uniform. */
WEFT_TOGETHER __global void *__weft_sub_first_global(const __global void *address);
WEFT_TOGETHER __local void *__weft_sub_first_local(const __local void *address);

/* Over the active lanes of a cluster (a constant and a power of two, or 0 for the sub-group); and scans over the
 * active lanes before, or before and including, this one. */
#define WEFT_SUB_OPERATION(operation, type)                                                        \
	WEFT_TOGETHER type __weft_sub_reduce_##operation##_##type(type value, uint cluster);       \
	WEFT_TOGETHER type __weft_sub_inclusive_##operation##_##type(type value);                  \
	WEFT_TOGETHER type __weft_sub_exclusive_##operation##_##type(type value);
#define WEFT_SUB_NUMBER(type)                                                                      \
	WEFT_SUB_OPERATION(add, type)                                                              \
	WEFT_SUB_OPERATION(mul, type)                                                              \
	WEFT_SUB_OPERATION(min, type)                                                              \
	WEFT_SUB_OPERATION(max, type)
#define WEFT_SUB_INTEGER(type)                                                                     \
	WEFT_SUB_NUMBER(type)                                                                      \
	WEFT_SUB_OPERATION(and, type)                                                              \
	WEFT_SUB_OPERATION(or, type)                                                               \
	WEFT_SUB_OPERATION(xor, type)

WEFT_SUB_INTEGER(char)
WEFT_SUB_INTEGER(uchar)
WEFT_SUB_INTEGER(short)
WEFT_SUB_INTEGER(ushort)
WEFT_SUB_INTEGER(int)
WEFT_SUB_INTEGER(uint)
WEFT_SUB_INTEGER(long)
WEFT_SUB_INTEGER(ulong)
WEFT_SUB_NUMBER(half)
WEFT_SUB_NUMBER(float)
WEFT_SUB_NUMBER(double)

/* ---- images -----------------------------------------------------------------------------------------
 * One access of an image by one work-item. `image` is the address of a struct weft_image, `sampler` a weft_sampler, `access` a
 * constant: enum weft_image_shape and WEFT_IMAGE_INTEGER (kernel_image.h). Without code for the image's format these are calls of
 * weft_image_functions, of all lanes at once; in a specialisation for the format they are code (image_access.cl). */
#define WEFT_IMAGE_POINTER const __constant void *

/* What an image and a sampler of the language are, and a number at an offset of the image's structure. The compiler does not let a
 * program change what these give, so they may be asked for anywhere. */
#define WEFT_IMAGE_ADDRESS(type)                                                                   \
	WEFT_IMAGE_POINTER __attribute__((overloadable)) __weft_image_address(read_only type);     \
	WEFT_IMAGE_POINTER __attribute__((overloadable)) __weft_image_address(write_only type);    \
	WEFT_IMAGE_POINTER __attribute__((overloadable)) __weft_image_address(read_write type);
WEFT_IMAGE_ADDRESS(image1d_t)
WEFT_IMAGE_ADDRESS(image1d_array_t)
WEFT_IMAGE_ADDRESS(image1d_buffer_t)
WEFT_IMAGE_ADDRESS(image2d_t)
WEFT_IMAGE_ADDRESS(image2d_array_t)
WEFT_IMAGE_ADDRESS(image2d_depth_t)
WEFT_IMAGE_ADDRESS(image2d_array_depth_t)
WEFT_IMAGE_ADDRESS(image3d_t)
ulong __weft_sampler_number(sampler_t sampler);
uint __weft_image_field(WEFT_IMAGE_POINTER image, uint offset); /* a constant */

float4 __weft_image_sample_float(WEFT_IMAGE_POINTER image, ulong sampler, uint access, float x,
				 float y, float z, float lod);
int4 __weft_image_sample_int(WEFT_IMAGE_POINTER image, ulong sampler, uint access, float x, float y,
			     float z, float lod);
float4 __weft_image_read_float(WEFT_IMAGE_POINTER image, ulong sampler, uint access, int x, int y,
			       int z, int lod);
int4 __weft_image_read_int(WEFT_IMAGE_POINTER image, ulong sampler, uint access, int x, int y,
			   int z, int lod);
void __weft_image_write_float(WEFT_IMAGE_POINTER image, uint access, int x, int y, int z, int lod,
			      float4 texel);
void __weft_image_write_int(WEFT_IMAGE_POINTER image, uint access, int x, int y, int z, int lod,
			    int4 texel);

/* ---- device-side enqueue ------------------------------------------------------------------------------
 * Asks the host: `request` is a struct weft_enqueue_request, `operation` an enum weft_enqueue_operation (enqueue_types.h). */
long __weft_enqueue(uint operation, __private void *request);
/* Queues and events of the language are handles. */
ulong __weft_queue_number(queue_t queue);
queue_t __weft_number_queue(ulong handle);
ulong __weft_event_number(clk_event_t event);
clk_event_t __weft_number_event(ulong handle);

#endif
