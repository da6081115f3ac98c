/* SPDX-License-Identifier: MIT
 *
 * clGetDeviceInfo (specification 4.2): constants, what the driver says about the machine, and what the runtime made of
 * it. Features that are not offered say so with the values that the specification gives for this case.
 */
#include "alloc.h"
#include "check.h"
#include "clock.h"
#include "compiler/compiler_library.h"
#include "compiler/program_binary.h"
#include "dispatch.h"
#include "entry_points.h"
#include "info/device_command_buffer_info.h"
#include "info/device_extension_info.h"
#include "info/device_queue_info.h"
#include "info/info.h"
#include "info/spirv_info.h"
#include "info/versions.h"
#include "memory/external_memory.h"
#include "memory/image.h"
#include "memory/pipe.h"
#include "semaphore_properties.h"

#include <inttypes.h>
#include <stdio.h>

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "fields answer size_t queries");

#define ATOMIC_CAPABILITIES                                                                        \
	(CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |                         \
	 CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |                       \
	 CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |                       \
	 CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
/* What the processor's arithmetic can do. */
#define FP_CONFIG                                                                                  \
	(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |             \
	 CL_FP_ROUND_TO_INF)

/* Built-in functions of cl_khr_integer_dot_product are a few instructions, without a special one. */
#define DOT_PRODUCT_INPUTS                                                                         \
	(CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |                                   \
	 CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR)
static const cl_device_integer_dot_product_acceleration_properties_khr not_accelerated[1];

/* cl_khr_kernel_clock and cl_ext_float_atomics: newer than Debian's headers. */
#define KERNEL_CLOCK_CAPABILITIES 0x1076
#define KERNEL_CLOCK_SCOPES 7 /* device, work-group, sub-group */
#define SINGLE_FP_ATOMIC_CAPABILITIES 0x4231
#define DOUBLE_FP_ATOMIC_CAPABILITIES 0x4232
#define HALF_FP_ATOMIC_CAPABILITIES 0x4233
#define FP_ATOMICS                                                                                 \
	0x70007 /* load and store, addition, minimum and maximum, of global and local memory */

#define HOST_QUEUE_PROPERTIES (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)

static const cl_uchar driver_uuid[CL_UUID_SIZE_KHR] = "Weft " WEFT_VERSION;

/* ---- constants ------------------------------------------------------------------------------- */

static cl_int get_platform(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_pointer(answer, weft_api_platform());
}

static cl_int get_compiler_available(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_u32(answer, weft_compiler_library_present());
}

static cl_int get_timer_resolution(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_size(answer, weft_clock_resolution());
}

/* The built-in fma is always there; the bit says whether the processor has it. */
static cl_int get_single_fp_config(const void *object, struct weft_info_answer *answer)
{
	cl_device_fp_config config = FP_CONFIG | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;

	(void)object;
#if defined(__x86_64__)
	if (__builtin_cpu_supports("fma"))
		config |= CL_FP_FMA;
#else
	config |= CL_FP_FMA;
#endif
	return weft_info_answer_u64(answer, config);
}

static const struct weft_info_row constant_rows[] = {
	WEFT_INFO_GETTER(CL_DEVICE_PLATFORM, get_platform),
	WEFT_INFO_VALUE(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint, 3),
	WEFT_INFO_VALUE(CL_DEVICE_ADDRESS_BITS, cl_uint, 8 * sizeof(void *)),
	/* Images and samplers. Alignments in texels. Kernels have no limits but those of their arguments. */
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE_SUPPORT, cl_bool, CL_TRUE),
	WEFT_INFO_VALUE(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint, 128),
	WEFT_INFO_VALUE(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint, 128),
	WEFT_INFO_VALUE(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, cl_uint, 128),
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t, WEFT_IMAGE_2D_MAX),
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t, WEFT_IMAGE_2D_MAX),
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t, WEFT_IMAGE_3D_MAX),
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t, WEFT_IMAGE_3D_MAX),
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t, WEFT_IMAGE_3D_MAX),
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t, WEFT_IMAGE_BUFFER_MAX),
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t, WEFT_IMAGE_LAYERS_MAX),
	WEFT_INFO_VALUE(CL_DEVICE_MAX_SAMPLERS, cl_uint, 128),
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, cl_uint, 1),
	WEFT_INFO_VALUE(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, cl_uint, 1),
	WEFT_INFO_VALUE(CL_DEVICE_PIPE_SUPPORT, cl_bool, CL_TRUE),
	WEFT_INFO_VALUE(CL_DEVICE_MAX_PIPE_ARGS, cl_uint, WEFT_PIPE_ARGS_MAX),
	WEFT_INFO_VALUE(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint,
			WEFT_PIPE_RESERVATIONS_MAX),
	WEFT_INFO_VALUE(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint, WEFT_PIPE_PACKET_MAX),
	/* Between two barriers of the work-group its sub-groups run one after the other. */
	WEFT_INFO_VALUE(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool, CL_FALSE),
	WEFT_INFO_ARRAY(CL_DEVICE_SUB_GROUP_SIZES_INTEL, ((const size_t[])WEFT_SUBGROUP_SIZES)),
	WEFT_INFO_VALUE(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool, CL_TRUE),
	WEFT_INFO_VALUE(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool, CL_TRUE),
	WEFT_INFO_VALUE(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, cl_bool, CL_TRUE),
	/* Atomics. Zero: the natural alignment. */
	WEFT_INFO_VALUE(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities,
			ATOMIC_CAPABILITIES),
	WEFT_INFO_VALUE(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities,
			ATOMIC_CAPABILITIES),
	WEFT_INFO_VALUE(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, cl_uint, 0),
	WEFT_INFO_VALUE(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, cl_uint, 0),
	WEFT_INFO_VALUE(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, cl_uint, 0),
	WEFT_INFO_VALUE(SINGLE_FP_ATOMIC_CAPABILITIES, cl_bitfield, FP_ATOMICS),
	WEFT_INFO_VALUE(DOUBLE_FP_ATOMIC_CAPABILITIES, cl_bitfield, FP_ATOMICS),
	WEFT_INFO_VALUE(HALF_FP_ATOMIC_CAPABILITIES, cl_bitfield, FP_ATOMICS),
	/* Extensions of the built-in functions. */
	WEFT_INFO_VALUE(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
			cl_device_integer_dot_product_capabilities_khr, DOT_PRODUCT_INPUTS),
	WEFT_INFO_ARRAY(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
			not_accelerated),
	WEFT_INFO_ARRAY(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
			not_accelerated),
	WEFT_INFO_VALUE(KERNEL_CLOCK_CAPABILITIES, cl_bitfield, KERNEL_CLOCK_SCOPES),
	/* Arguments, memory, arithmetic. */
	WEFT_INFO_VALUE(CL_DEVICE_MAX_PARAMETER_SIZE, size_t, 4096),
	WEFT_INFO_VALUE(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint, 128),
	WEFT_INFO_VALUE(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint, sizeof(cl_long16)),
	WEFT_INFO_GETTER(CL_DEVICE_SINGLE_FP_CONFIG, get_single_fp_config),
	WEFT_INFO_VALUE(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, FP_CONFIG | CL_FP_FMA),
	WEFT_INFO_VALUE(CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config, FP_CONFIG | CL_FP_FMA),
	WEFT_INFO_VALUE(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t, 1 << 20),
	WEFT_INFO_VALUE(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, size_t, 16 << 20),
	WEFT_INFO_VALUE(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool, CL_FALSE),
	WEFT_INFO_GETTER(CL_DEVICE_PROFILING_TIMER_RESOLUTION, get_timer_resolution),
	WEFT_INFO_VALUE(CL_DEVICE_ENDIAN_LITTLE, cl_bool,
			__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__),
	WEFT_INFO_VALUE(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t, 16 << 20),
	WEFT_INFO_VALUE(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool, CL_TRUE),
	/* What can be run and how it is made. */
	WEFT_INFO_VALUE(CL_DEVICE_AVAILABLE, cl_bool, CL_TRUE),
	WEFT_INFO_GETTER(CL_DEVICE_COMPILER_AVAILABLE, get_compiler_available),
	WEFT_INFO_GETTER(CL_DEVICE_LINKER_AVAILABLE, get_compiler_available),
	WEFT_INFO_VALUE(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_command_queue_properties,
			HOST_QUEUE_PROPERTIES),
	WEFT_INFO_ARRAY(CL_DEVICE_SEMAPHORE_TYPES_KHR, WEFT_SEMAPHORE_TYPES),
	WEFT_INFO_ARRAY(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, WEFT_SEMAPHORE_HANDLE_TYPES),
	WEFT_INFO_ARRAY(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, WEFT_SEMAPHORE_HANDLE_TYPES),
	WEFT_INFO_ARRAY(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
			WEFT_EXTERNAL_MEMORY_TYPES),
	WEFT_INFO_ARRAY(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR,
			WEFT_EXTERNAL_MEMORY_TYPES),
	WEFT_INFO_ARRAY(CL_DEVICE_BUILT_IN_KERNELS, ""),
	WEFT_INFO_NONE(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),
	/* Versions. */
	WEFT_INFO_ARRAY(CL_DEVICE_VERSION, WEFT_OPENCL_VERSION_NAME),
	WEFT_INFO_VALUE(CL_DEVICE_NUMERIC_VERSION, cl_version, WEFT_OPENCL_VERSION),
	WEFT_INFO_ARRAY(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 Weft"),
	WEFT_INFO_VALUE(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, cl_version,
			CL_MAKE_VERSION(1, 2, 0)),
	/* C++ for OpenCL 1.0; 2021 has no number of this form. */
	WEFT_INFO_VALUE(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, cl_version,
			CL_MAKE_VERSION(1, 0, 0)),
	/* In the form that all versions have, and older than the first: none. */
	WEFT_INFO_ARRAY(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, "v0000-01-01-00"),
	WEFT_INFO_ARRAY(CL_DRIVER_UUID_KHR, driver_uuid),
	WEFT_INFO_VALUE(CL_DEVICE_LUID_VALID_KHR, cl_bool, CL_FALSE),
	WEFT_INFO_ARRAY(CL_DEVICE_LUID_KHR, ((const cl_uchar[CL_LUID_SIZE_KHR]){0})),
	WEFT_INFO_VALUE(CL_DEVICE_NODE_MASK_KHR, cl_uint, 0),
};
static const struct weft_info_table constants = WEFT_INFO_TABLE(constant_rows);

/* ---- what the driver says: the object is its struct weft_device_properties ------------------- */

#define PROPERTY(param, field) WEFT_INFO_FIELD(param, struct weft_device_properties, field)
#define PROPERTY_STRING(param, field) WEFT_INFO_STRING(param, struct weft_device_properties, field)

/* How many elements fill a vector register. Kernels are widened anyway; this is for programs that
 * choose a vector type themselves. */
static cl_int answer_lanes(const void *object, struct weft_info_answer *answer, size_t element)
{
	const struct weft_device_properties *properties = object;
	cl_uint lanes = properties->native_vector_bytes / (cl_uint)element;

	return weft_info_answer_u32(answer, lanes ? lanes : 1);
}

static cl_int get_lanes_8(const void *object, struct weft_info_answer *answer)
{
	return answer_lanes(object, answer, 1);
}

static cl_int get_lanes_16(const void *object, struct weft_info_answer *answer)
{
	return answer_lanes(object, answer, 2);
}

static cl_int get_lanes_32(const void *object, struct weft_info_answer *answer)
{
	return answer_lanes(object, answer, 4);
}

static cl_int get_lanes_64(const void *object, struct weft_info_answer *answer)
{
	return answer_lanes(object, answer, 8);
}

static cl_int get_group_multiple(const void *object, struct weft_info_answer *answer)
{
	const struct weft_device_properties *properties = object;
	size_t lanes = properties->native_vector_bytes / sizeof(cl_float);

	return weft_info_answer_size(answer, lanes ? lanes : 1);
}

/* A kernel that cannot be widened has sub-groups of one work-item. */
static cl_int get_max_sub_groups(const void *object, struct weft_info_answer *answer)
{
	const struct weft_device_properties *properties = object;

	return weft_info_answer_u32(answer, (cl_uint)properties->max_group_size);
}

static cl_int get_cache_type(const void *object, struct weft_info_answer *answer)
{
	const struct weft_device_properties *properties = object;

	return weft_info_answer_u32(answer, properties->cache_size ? CL_READ_WRITE_CACHE : CL_NONE);
}

static cl_int get_local_memory_type(const void *object, struct weft_info_answer *answer)
{
	const struct weft_device_properties *properties = object;

	return weft_info_answer_u32(answer, properties->has_local_memory ? CL_LOCAL : CL_GLOBAL);
}

static cl_int get_host_unified_memory(const void *object, struct weft_info_answer *answer)
{
	const struct weft_device_properties *properties = object;

	return weft_info_answer_u32(answer, properties->space == WEFT_SPACE_HOST);
}

/* Kernels of devices that work in the host's memory use the host's addresses and its atomic instructions. Others may have ranges at
 * the host's addresses, in turn with the host. */
static cl_int get_svm_capabilities(const void *object, struct weft_info_answer *answer)
{
	const struct weft_device_properties *properties = object;
	const cl_device_svm_capabilities all =
		CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
		CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;

	const cl_device_svm_capabilities in_turn =
		properties->shares_addresses ? CL_DEVICE_SVM_COARSE_GRAIN_BUFFER : 0;

	return weft_info_answer_u64(answer, properties->space == WEFT_SPACE_HOST ? all : in_turn);
}

/* Of cl_intel_unified_shared_memory: the same for memory of all its types on devices that work in the host's memory. */
static const cl_device_unified_shared_memory_capabilities_intel usm_access =
	CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
	CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
	CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;

static cl_int get_usm_capabilities(const void *object, struct weft_info_answer *answer)
{
	const struct weft_device_properties *properties = object;

	return weft_info_answer_u64(answer, properties->space == WEFT_SPACE_HOST ? usm_access : 0);
}

/* A device's own memory is accessed by no other. */
static cl_int get_device_usm_capabilities(const void *object, struct weft_info_answer *answer)
{
	const struct weft_device_properties *properties = object;
	const cl_device_unified_shared_memory_capabilities_intel alone =
		CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
		CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;

	if (properties->space == WEFT_SPACE_HOST)
		return weft_info_answer_u64(answer, usm_access);
	return weft_info_answer_u64(answer, properties->shares_addresses ? alone : 0);
}

static cl_int get_execution_capabilities(const void *object, struct weft_info_answer *answer)
{
	const struct weft_device_properties *properties = object;
	const cl_device_exec_capabilities native =
		properties->runs_native ? CL_EXEC_NATIVE_KERNEL : 0;

	return weft_info_answer_u64(answer, CL_EXEC_KERNEL | native);
}

static const struct weft_info_row property_rows[] = {
	PROPERTY(CL_DEVICE_TYPE, type),
	PROPERTY(CL_DEVICE_VENDOR_ID, vendor_id),
	PROPERTY_STRING(CL_DEVICE_NAME, name),
	PROPERTY_STRING(CL_DEVICE_VENDOR, vendor),
	PROPERTY(CL_DEVICE_UUID_KHR, uuid),
	PROPERTY(CL_DEVICE_MAX_COMPUTE_UNITS, compute_units),
	PROPERTY(CL_DEVICE_MAX_CLOCK_FREQUENCY, clock_mhz),
	PROPERTY(CL_DEVICE_MAX_WORK_GROUP_SIZE, max_group_size),
	PROPERTY(CL_DEVICE_MAX_WORK_ITEM_SIZES, max_item_sizes),
	PROPERTY(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cache_size),
	PROPERTY(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cache_line),
	PROPERTY(CL_DEVICE_LOCAL_MEM_SIZE, local_memory),
	WEFT_INFO_GETTER(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, get_cache_type),
	WEFT_INFO_GETTER(CL_DEVICE_LOCAL_MEM_TYPE, get_local_memory_type),
	WEFT_INFO_GETTER(CL_DEVICE_HOST_UNIFIED_MEMORY, get_host_unified_memory),
	WEFT_INFO_GETTER(CL_DEVICE_SVM_CAPABILITIES, get_svm_capabilities),
	WEFT_INFO_GETTER(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, get_usm_capabilities),
	WEFT_INFO_GETTER(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, get_device_usm_capabilities),
	WEFT_INFO_GETTER(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
			 get_usm_capabilities),
	WEFT_INFO_GETTER(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
			 get_usm_capabilities),
	WEFT_INFO_GETTER(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, get_usm_capabilities),
	WEFT_INFO_GETTER(CL_DEVICE_EXECUTION_CAPABILITIES, get_execution_capabilities),
	PROPERTY(CL_DEVICE_MEM_BASE_ADDR_ALIGN, max_alignment_bits),
	WEFT_INFO_GETTER(CL_DEVICE_MAX_NUM_SUB_GROUPS, get_max_sub_groups),
	WEFT_INFO_GETTER(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, get_group_multiple),
	WEFT_INFO_GETTER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, get_lanes_8),
	WEFT_INFO_GETTER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, get_lanes_16),
	WEFT_INFO_GETTER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, get_lanes_32),
	WEFT_INFO_GETTER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, get_lanes_64),
	WEFT_INFO_GETTER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, get_lanes_32),
	WEFT_INFO_GETTER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, get_lanes_64),
	WEFT_INFO_GETTER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, get_lanes_16),
	WEFT_INFO_GETTER(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, get_lanes_8),
	WEFT_INFO_GETTER(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, get_lanes_16),
	WEFT_INFO_GETTER(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, get_lanes_32),
	WEFT_INFO_GETTER(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, get_lanes_64),
	WEFT_INFO_GETTER(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, get_lanes_32),
	WEFT_INFO_GETTER(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, get_lanes_64),
	WEFT_INFO_GETTER(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, get_lanes_16),
};
static const struct weft_info_table properties_table = WEFT_INFO_TABLE(property_rows);

/* ---- what the runtime says: the object is the cl_device_id ----------------------------------- */

static bool can_partition(const struct _cl_device_id *device)
{
	return device->impl->driver->device->partition &&
	       device->impl->properties.compute_units > 1;
}

static cl_int get_max_sub_devices(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_device_id *device = object;

	return weft_info_answer_u32(
		answer, can_partition(device) ? device->impl->properties.compute_units : 0);
}

/* The domains along which the device falls into parts. */
static cl_int find_domains(const struct _cl_device_id *device, cl_device_affinity_domain *found)
{
	static const cl_device_affinity_domain domains[] = {
		CL_DEVICE_AFFINITY_DOMAIN_NUMA,     CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
		CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
		CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE};
	cl_uint *counts = weft_calloc(device->impl->properties.compute_units, sizeof(cl_uint));
	cl_uint num;

	*found = 0;
	if (!counts)
		return CL_OUT_OF_HOST_MEMORY;
	for (size_t i = 0; i < sizeof(domains) / sizeof(domains[0]); i++) {
		if (weft_device_split((cl_device_id)(uintptr_t)device, domains[i], counts, &num))
			*found |= domains[i];
	}
	weft_free(counts);
	return CL_SUCCESS;
}

static cl_int get_domains(const void *object, struct weft_info_answer *answer)
{
	cl_device_affinity_domain found;
	cl_int err = find_domains(object, &found);

	return err != CL_SUCCESS ? err : weft_info_answer_u64(answer, found);
}

static cl_int get_partition_properties(const void *object, struct weft_info_answer *answer)
{
	static const cl_device_partition_property offered[] = {
		CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS,
		CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN};
	static const cl_device_partition_property none[] = {0};
	cl_device_affinity_domain found;

	if (!can_partition(object))
		return weft_info_answer_data(answer, none, sizeof(none));
	cl_int err = find_domains(object, &found);
	if (err != CL_SUCCESS)
		return err;
	return weft_info_answer_data(answer, offered,
				     found ? sizeof(offered) : 2 * sizeof(offered[0]));
}

/* 1 for a root device (specification 4.2). */
static cl_int get_reference_count(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_device_id *device = object;

	if (!device->parent)
		return weft_info_answer_u32(answer, 1);
	return weft_info_get_reference_count(object, answer);
}

/* No larger than a buffer can be. */
static cl_int get_max_constant(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_device_id *device = object;
	cl_ulong size = device->impl->properties.max_constant;

	return weft_info_answer_u64(answer,
				    size < device->max_allocation ? size : device->max_allocation);
}

static cl_int get_profile(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_string(answer, weft_device_is_embedded(object) ? "EMBEDDED_PROFILE"
									       : "FULL_PROFILE");
}

/* Programs keep binaries under this string and the device's name. So it differs if binaries of one version would not
 * work in another. */
static cl_int get_driver_version(const void *object, struct weft_info_answer *answer)
{
	const struct weft_digest key = weft_program_binary_key((cl_device_id)(uintptr_t)object);
	const size_t size = 64; /* more than enough */
	char *text = weft_calloc(size, 1);

	if (!text)
		return CL_OUT_OF_HOST_MEMORY;
	snprintf(text, size, WEFT_VERSION "-%016" PRIx64, key.low);
	answer->owned = text;
	return weft_info_answer_string(answer, text);
}

static const struct weft_info_row device_rows[] = {
	WEFT_INFO_GETTER(CL_DEVICE_PROFILE, get_profile),
	WEFT_INFO_STRING(CL_DEVICE_EXTENSIONS, struct _cl_device_id, extensions),
	WEFT_INFO_GETTER(CL_DEVICE_EXTENSIONS_WITH_VERSION,
			 weft_info_get_device_extensions_with_version),
	WEFT_INFO_GETTER(CL_DRIVER_VERSION, get_driver_version),
	WEFT_INFO_FIELD(CL_DEVICE_GLOBAL_MEM_SIZE, struct _cl_device_id, global_memory),
	WEFT_INFO_FIELD(CL_DEVICE_MAX_MEM_ALLOC_SIZE, struct _cl_device_id, max_allocation),
	WEFT_INFO_GETTER(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, get_max_constant),
	WEFT_INFO_FIELD(CL_DEVICE_PARENT_DEVICE, struct _cl_device_id, parent),
	WEFT_INFO_GETTER(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, get_max_sub_devices),
	WEFT_INFO_GETTER(CL_DEVICE_PARTITION_PROPERTIES, get_partition_properties),
	WEFT_INFO_GETTER(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, get_domains),
	WEFT_INFO_LIST(CL_DEVICE_PARTITION_TYPE, struct _cl_device_id, partition, partition_size),
	WEFT_INFO_GETTER(CL_DEVICE_REFERENCE_COUNT, get_reference_count),
};
static const struct weft_info_table device_table = WEFT_INFO_TABLE(device_rows);

cl_int CL_API_CALL weft_clGetDeviceInfo(cl_device_id device, cl_device_info param, size_t size,
					void *value, size_t *size_ret)
{
	static const struct weft_info_table *const tables[] = {
		&weft_device_extension_info, &weft_device_command_buffer_info,
		&weft_device_queue_info, &weft_spirv_info};
	cl_int err = weft_check_device(device);

	if (err != CL_SUCCESS)
		return err;
	if (weft_info_has(&constants, param))
		return weft_info_query(&constants, device, param, size, value, size_ret);
	if (weft_info_has(&properties_table, param))
		return weft_info_query(&properties_table, weft_device_properties(device), param,
				       size, value, size_ret);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (weft_info_has(tables[i], param))
			return weft_info_query(tables[i], device, param, size, value, size_ret);
	}
	return weft_info_query(&device_table, device, param, size, value, size_ret);
}
