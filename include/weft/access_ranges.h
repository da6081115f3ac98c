/* SPDX-License-Identifier: MIT
 *
 * cl_weft_access_ranges: which bytes of its buffers a kernel reads and writes, and what its work-items do.
 *
 * A program that splits an NDRange over devices needs to know what each part reads and writes, so that it copies no more. A kernel
 * that was built with the option -cl-access-ranges-weft can be asked, before it runs and without buffers:
 *
 *     clGetKernelAccessRangesWEFT_fn ask = (clGetKernelAccessRangesWEFT_fn)
 *             clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelAccessRangesWEFT");
 *
 * Arguments by value must be set, buffers need not be. The answer holds for one NDRange, as clEnqueueNDRangeKernel would run it: for a part
 * of a kernel, its offset and size. Ranges contain every byte that is accessed. They are exact for addresses that are sums of ids and
 * loop variables times arguments and constants, under conditions of that form; a range may be larger where addresses have gaps, or are
 * formed otherwise. Bytes in front of an argument's address, which only an SVM pointer can have, are in no range.
 */
#ifndef WEFT_ACCESS_RANGES_H
#define WEFT_ACCESS_RANGES_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of cl_kernel_access_ranges_weft.flags. */
#define CL_KERNEL_ACCESS_READS_WEFT                                                                \
	(1 << 0) /* it may read bytes from read_begin on, before read_end */
#define CL_KERNEL_ACCESS_WRITES_WEFT                                                               \
	(1 << 1) /* it may write bytes from write_begin on, before write_end */
#define CL_KERNEL_ACCESS_READS_ANYWHERE_WEFT (1 << 2) /* it may read any byte */
#define CL_KERNEL_ACCESS_WRITES_ANYWHERE_WEFT (1 << 3)

typedef struct cl_kernel_access_ranges_weft {
	cl_ulong read_begin; /* bytes from the argument's first one */
	cl_ulong read_end;   /* the first byte behind the range */
	cl_ulong write_begin;
	cl_ulong write_end;
	cl_uint flags;
	cl_uint reserved;
} cl_kernel_access_ranges_weft;

/* Fills a row for each argument, of pointers to global and constant memory, and of images and pipes; rows of others are zeros.
 *
 * CL_INVALID_KERNEL; CL_INVALID_DEVICE: the program was not built for the device. The errors of clEnqueueNDRangeKernel for dimensions,
 * offset and sizes; local_work_size may be NULL. CL_INVALID_VALUE: ranges is NULL, or num_ranges is not the number of arguments.
 * CL_KERNEL_ARG_INFO_NOT_AVAILABLE: the program was built without -cl-access-ranges-weft. CL_INVALID_KERNEL_ARGS: an argument by value is not
 * set. CL_OUT_OF_HOST_MEMORY. */
typedef cl_int(CL_API_CALL *clGetKernelAccessRangesWEFT_fn)(
	cl_kernel kernel, cl_device_id device, cl_uint work_dim, const size_t *global_work_offset,
	const size_t *global_work_size, const size_t *local_work_size, cl_uint num_ranges,
	cl_kernel_access_ranges_weft *ranges);

/* ---- version 1.1 --------------------------------------------------------------------------------- */

/* What a work-item does, in the mean, each a number of its own: how often it runs instructions of a kind, and how many bytes of buffers it
 * accesses. An operation of a vector counts once for each element. */
enum cl_kernel_feature_weft {
	CL_KERNEL_FEATURE_INTEGER_WEFT,
	CL_KERNEL_FEATURE_FLOATING_WEFT, /* of up to 32 bits */
	CL_KERNEL_FEATURE_DOUBLE_WEFT,
	CL_KERNEL_FEATURE_SPECIAL_WEFT, /* divisions, roots, functions of mathematics */
	CL_KERNEL_FEATURE_LOCAL_WEFT,   /* accesses of local and private memory */
	CL_KERNEL_FEATURE_BRANCHES_WEFT,
	CL_KERNEL_FEATURE_BARRIERS_WEFT,
	CL_KERNEL_FEATURE_ATOMICS_WEFT,
	/* Bytes, by where neighbouring work-items of dimension 0 access them: side by side; side by side, but each iteration of the
	 * innermost loop 64 bytes or more away from the last one; at the same place; elsewhere. */
	CL_KERNEL_FEATURE_NEIGHBOURING_BYTES_WEFT,
	CL_KERNEL_FEATURE_STRIDING_BYTES_WEFT,
	CL_KERNEL_FEATURE_SHARED_BYTES_WEFT,
	CL_KERNEL_FEATURE_SCATTERED_BYTES_WEFT,
	CL_KERNEL_FEATURE_UNKNOWN_WEFT, /* loops whose number of iterations is not known: 8 are assumed */
	CL_KERNEL_NUM_FEATURES_WEFT,
};

/* Fills `features`. It is an estimate: of ranges of numbers, the middle counts; of a branch that data decide,
 * each way half; guards hold. The errors are
 * those of clGetKernelAccessRangesWEFT; CL_INVALID_VALUE: features is NULL, or num_features is not CL_KERNEL_NUM_FEATURES_WEFT;
 * CL_KERNEL_ARG_INFO_NOT_AVAILABLE: also if nothing is known of the kernel. */
typedef cl_int(CL_API_CALL *clGetKernelFeaturesWEFT_fn)(cl_kernel kernel, cl_device_id device,
							cl_uint work_dim,
							const size_t *global_work_offset,
							const size_t *global_work_size,
							const size_t *local_work_size,
							cl_uint num_features, cl_double *features);

#ifdef __cplusplus
}
#endif

#endif
