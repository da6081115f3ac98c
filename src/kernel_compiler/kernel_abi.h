/* SPDX-License-Identifier: MIT
 *
 * What a kernel binary and the code that runs it agree on. A kernel binary is an ELF shared object that
 * exports one symbol, WEFT_PROGRAM_SYMBOL, a `struct weft_program_desc`; everything else hangs on it.
 * The compiler emits these structures as LLVM constants (emit_descriptors.cpp), so a change here is a
 * change there and a new WEFT_KERNEL_ABI.
 */
#ifndef WEFT_KERNEL_ABI_H
#define WEFT_KERNEL_ABI_H

#include "kernel_image.h"

#include <stdint.h>

#define WEFT_KERNEL_ABI 23
#define WEFT_PROGRAM_SYMBOL "weft_program"

/* Alignment, and spacing, of local memory and of values that are kept across barriers. */
#define WEFT_KERNEL_ALIGNMENT 128

/* A thread has room for the cycles of at least so many work-items, whatever the local size is. */
#define WEFT_CYCLES_MIN 4096

/* How deep calls may be in kernels with WEFT_KERNEL_RECURSES, and the bytes of stack that must be left in each. */
#define WEFT_MOST_CALLS 4096
#define WEFT_CALL_ROOM ((size_t)1 << 20)

/* The sizes that a kernel may require of its sub-groups, as an initializer. */
#define WEFT_SUBGROUP_SIZES {4, 8, 16, 32}

/* One NDRange, the same for all of its work-groups; read-only while the command runs. Dimensions past
 * work_dim have size 1, one group and offset 0. */
struct weft_ndrange {
	uint64_t global_offset[3]; /* work-items */
	uint64_t global_size[3];   /* work-items */
	uint64_t local_size[3];    /* as enqueued; the last group of a dimension may be smaller */
	uint64_t num_groups[3];    /* ceil(global_size / local_size) */
	uint32_t work_dim;         /* 1 to 3 */
	/* Not 0: what the kernel writes through an argument is in no memory that another argument leads to. Known where the kernel
	 * has WEFT_KERNEL_ASKS_APART. */
	uint32_t apart;
};

/* One conversion of a printf format: how its argument lies in the packed block. */
enum weft_printf_type {
	WEFT_PRINTF_INT8 = 1,
	WEFT_PRINTF_INT16,
	WEFT_PRINTF_INT32,
	WEFT_PRINTF_INT64,
	WEFT_PRINTF_HALF,
	WEFT_PRINTF_FLOAT,
	WEFT_PRINTF_DOUBLE,
	WEFT_PRINTF_POINTER, /* 8 bytes; for %p and %s */
};

struct weft_printf_arg {
	uint32_t type;   /* enum weft_printf_type, of one element */
	uint32_t lanes;  /* 1 for a scalar; 2, 3, 4, 8 or 16 for a vector */
	uint32_t offset; /* bytes from the start of the packed block */
	uint32_t size;   /* bytes, all lanes; a vector of 3 has 3 elements */
};

/* One call of printf in the source. */
struct weft_printf_site {
	const char *format;
	const struct weft_printf_arg *args;
	uint32_t num_args;
	uint32_t args_size; /* bytes of the packed block */
};

/* What a thread that runs work-groups lends to the kernel. */
struct weft_work_context {
	/* Local memory of one work-group, aligned to WEFT_KERNEL_ALIGNMENT: first the kernel's own variables
	 * (weft_kernel_desc.local_size bytes), then the local arguments. */
	void *local;
	/* Values kept across barriers: spill_per_item bytes times the work-items of the enqueued local
	 * size, and WEFT_KERNEL_ALIGNMENT bytes more; aligned like local. Contents undefined. */
	void *spill;
	/* Private variables too large for a thread's stack, for one work-item after the other:
	 * scratch_size bytes, aligned like local. Contents undefined. */
	void *scratch;
	/* Appends one line of output; copies `args`. Returns what printf returns in the kernel. */
	int32_t (*print)(struct weft_work_context *context, const struct weft_printf_site *site,
			 const void *args);
	uint64_t first_group; /* of the running range; orders printf output */
	/* For kernels with WEFT_KERNEL_COUNTS_CYCLES; else it may be NULL. One number for each work-item of the enqueued local size,
	 * by linear local id; room for at least WEFT_CYCLES_MIN numbers. Contents undefined. */
	uint64_t *cycles;
	/* For kernels with WEFT_KERNEL_COUNTS_CYCLES; else it may be NULL. All num_items work-items of the running group have come to
	 * a barrier, or to their end. `cycles` holds what each took since the barrier before. `region` 0 begins a group; or it
	 * begins and ends several neighbouring groups of one row each: then num_items counts the work-items of all of them, and
	 * only the last group may be smaller than the enqueued local size. */
	void (*measure)(struct weft_work_context *context, uint64_t num_items, uint32_t region);
	/* For kernels that leave the cost of global accesses to the host (weft_costs.global_access is 0). A work-item of the group
	 * with this linear id is about to access `size` bytes at the address; a fence has size 0. `kind` is enum weft_global_access
	 * bits. Returns the cycles that the access takes. */
	uint64_t (*access)(struct weft_work_context *context, uint64_t group, const void *address,
			   uint64_t size, uint32_t kind);
	/* A bit for each of weft_kernel_desc.transfers: whether its accesses count as accesses of local memory. */
	uint64_t transfers;
	/* For kernels with WEFT_KERNEL_REQUESTS. The group asks the DMA engine for `lines` lines of `bytes` bytes each; its first
	 * work-item has run for `cycles` of the region by then. With 0 lines: the region begins only when all that the group has
	 * asked for has come. */
	void (*request)(struct weft_work_context *context, uint64_t bytes, uint64_t lines,
			uint64_t cycles);
	/* Size of the last-level cache in bytes; 0: not known, and no stores go past the cache. */
	uint64_t cache_bytes;
	/* For kernels that access images; never NULL for them. */
	const struct weft_image_functions *images;
	/* For kernels with WEFT_KERNEL_ENQUEUES; never NULL for them. `operation` is an enum weft_enqueue_operation and perhaps
	 * WEFT_ENQUEUE_DETAILED, `request` a struct weft_enqueue_request (lib/builtins/enqueue_types.h). */
	int64_t (*enqueue)(struct weft_work_context *context, uint32_t operation, void *request);
	/* For kernels with WEFT_KERNEL_CALLS_HOST; never NULL for them. Calls the application's function with this key
	 * (weft_host_function_key). `args`: the arguments, in their order, each at its natural alignment. `result` is zeros, and stays so
	 * if the function cannot be called. */
	void (*call_host)(struct weft_work_context *context, uint64_t key, const void *args,
			  void *result);
	/* The same for kernels with WEFT_KERNEL_COUNTS_CYCLES, in two steps. The first says what is to be called: the arguments have
	 * `args_size` bytes and are copied; `result` has `result_size` bytes and stays where it is. It returns a number of the call. Behind the
	 * second, that call has been made, and with it all that had been posted by then, in that order. A call of a function that the kernel does
	 * not have, or with other sizes than that one's, is not made. */
	uint64_t (*post_call)(struct weft_work_context *context, uint64_t key, const void *args,
			      uint64_t args_size, void *result, uint64_t result_size);
	void (*await_call)(struct weft_work_context *context, uint64_t call);
	/* A kernel makes it 1: a work-item has called through a pointer that leads to no function of that type. 0 at the start. */
	uint32_t wrong_call;
	/* For kernels with WEFT_KERNEL_RECURSES: how many more calls by number may begin before one ends, WEFT_MOST_CALLS at the start. A kernel
	 * makes it negative, and keeps it so: there was no room for one. */
	int32_t calls_left;
	/* No call begins whose frame is below this address. */
	uint64_t stack_end;
};

/* A function of the application's that a kernel calls (cl_weft_host_function). Sizes are in bytes. */
struct weft_host_function_desc {
	const char *name;
	const uint32_t *arg_sizes; /* NULL without arguments */
	uint32_t num_args;
	uint32_t result_size; /* 0: void */
	uint64_t args_size; /* of the arguments as a kernel passes them; the key does not have it */
};

/* What a call says of the function: a digest (FNV-1a) of its name and sizes. */
static inline uint64_t weft_host_function_key(const struct weft_host_function_desc *function)
{
	uint64_t key = 14695981039346656037u;

	for (const char *at = function->name; *at; at++)
		key = (key ^ (unsigned char)*at) * 1099511628211u;
	key = (key ^ (256u + function->result_size)) * 1099511628211u;
	for (uint32_t i = 0; i < function->num_args; i++)
		key = (key ^ (256u + function->arg_sizes[i])) * 1099511628211u;
	return key;
}

enum weft_global_access {
	WEFT_GLOBAL_LOADS = 1,
	WEFT_GLOBAL_STORES = 2,
	WEFT_GLOBAL_ATOMIC = 4,
	WEFT_GLOBAL_ORDERED = 8, /* acquires or releases */
};

enum weft_transfer_flag {
	/* From local to global memory, after the region. Without it: from global to local memory, before the region. */
	WEFT_TRANSFER_WRITES = 1,
	/* The region repeats, and the request of the next repetition is known one repetition ahead. */
	WEFT_TRANSFER_AHEAD = 2,
};

#define WEFT_MOST_TRANSFERS 64
#define WEFT_TRANSFER_ITERATIONS 3 /* beside the dimensions of the local size */

/* Accesses of global memory by all work-items of a group, in each run of a region, which one DMA request can replace: lines
 * of `unit` bytes for each work-item along the dimension `along`, and as many lines as the dimensions in `lines` have.
 * Dimensions 0 to 2 are those of the local size; WEFT_TRANSFER_ITERATIONS is the `iterations` of a loop. */
struct weft_transfer_desc {
	uint32_t region;     /* as weft_work_context.measure is told */
	uint32_t flags;      /* enum weft_transfer_flag bits */
	uint32_t along;      /* a dimension */
	uint32_t unit;       /* bytes */
	uint32_t lines;      /* a bit for each dimension */
	uint32_t iterations; /* at least 1 */
	uint32_t accesses;   /* of one work-item, in all iterations */
};

/* Runs the work-groups first_group ≤ linear id < end_group of a range, x fastest. `args` is the packed
 * block that weft_arg_desc.offset describes. Reentrant: threads run ranges of one NDRange at once, each
 * with its own context. */
typedef void (*weft_kernel_entry)(const struct weft_ndrange *range, const void *args,
				  struct weft_work_context *context, uint64_t first_group,
				  uint64_t end_group);

enum weft_arg_kind {
	WEFT_ARG_VALUE = 1, /* `size` bytes in the block */
	WEFT_ARG_GLOBAL,    /* 8 bytes: an address, 0 for a NULL memory object */
	WEFT_ARG_CONSTANT,  /* the same, read-only */
	WEFT_ARG_LOCAL,     /* 8 bytes: an offset into weft_work_context.local */
	WEFT_ARG_IMAGE,     /* sizeof(struct weft_image) bytes: the image itself (kernel_image.h) */
	WEFT_ARG_SAMPLER,   /* 8 bytes: a weft_sampler (kernel_image.h) */
	WEFT_ARG_PIPE,
	WEFT_ARG_QUEUE,
};

enum weft_pointer_use {
	WEFT_POINTER_READ = 1,    /* the kernel may read through the pointer */
	WEFT_POINTER_WRITTEN = 2, /* the kernel may write through the pointer */
	WEFT_POINTER_ESCAPES = 4, /* the pointer is stored somewhere: nothing is known */
};

/* Qualifiers as the source spells them, for clGetKernelArgInfo. An image's access is that of its type. */
enum weft_arg_qualifier {
	WEFT_QUALIFIER_CONST = 1,
	WEFT_QUALIFIER_RESTRICT = 2,
	WEFT_QUALIFIER_VOLATILE = 4,
	WEFT_QUALIFIER_PIPE = 8,
	WEFT_QUALIFIER_READ_ONLY = 16,
	WEFT_QUALIFIER_WRITE_ONLY = 32,
	WEFT_QUALIFIER_READ_WRITE = 64,
};

/* What the type of an image argument says beside the shape of its coordinates (WEFT_IMAGE_SHAPE_MASK). */
enum weft_image_type {
	WEFT_IMAGE_FROM_BUFFER = 8, /* image1d_buffer_t */
	WEFT_IMAGE_OF_DEPTH = 16,
};

struct weft_arg_desc {
	const char *name;      /* empty when the source gave none */
	const char *type_name; /* as clGetKernelArgInfo returns it */
	uint32_t kind;         /* enum weft_arg_kind */
	uint32_t size;   /* bytes in the packed block; of a value, what clSetKernelArg expects */
	uint32_t offset; /* bytes from the start of the packed block */
	uint32_t align;  /* of a value; of what a local pointer points to */
	uint32_t access; /* enum weft_pointer_use bits, of a pointer */
	uint32_t qualifiers; /* enum weft_arg_qualifier bits */
	uint32_t
		image; /* of an image, its type: enum weft_image_shape and enum weft_image_type bits */
};

enum weft_kernel_flag {
	WEFT_KERNEL_PRINTS = 1,
	WEFT_KERNEL_HAS_BARRIER = 2,
	/* Reads or writes memory that no argument leads to: program-scope variables, pointers found in
	 * memory, integers made pointers. */
	WEFT_KERNEL_TOUCHES_OTHER_MEMORY = 4,
	/* The entry point is compiled for reqd_local_size alone. */
	WEFT_KERNEL_FIXED_SIZE = 8,
	/* Compiled with -cl-uniform-work-group-size, or for OpenCL C 1.x: every group must be whole. */
	WEFT_KERNEL_UNIFORM_SIZE = 16,
	/* The kernel would be faster if it was compiled for one local size only, which weft_compiler.specialise does. The program has
	 * no variables that both versions of the code would have to share, and the kernel's results show no difference. */
	WEFT_KERNEL_GAINS_BY_SIZE = 32,
	/* Compiled with weft_target.costs. */
	WEFT_KERNEL_COUNTS_CYCLES = 64,
	/* The entry point runs neighbouring groups with fewer work-items along x than lanes as one. */
	WEFT_KERNEL_COALESCES_GROUPS = 128,
	/* Calls weft_work_context.request. */
	WEFT_KERNEL_REQUESTS = 256,
	/* As WEFT_KERNEL_GAINS_BY_SIZE, for the formats of its image arguments and for its sampler arguments. */
	WEFT_KERNEL_GAINS_BY_IMAGES = 512,
	/* Is faster where weft_ndrange.apart says so. */
	WEFT_KERNEL_ASKS_APART = 1024,
	/* Calls weft_work_context.enqueue. */
	WEFT_KERNEL_ENQUEUES = 2048,
	/* The code was made quickly (weft_target.quick): weft_compiler.specialise without a size or constants makes what replaces it. */
	WEFT_KERNEL_QUICK = 4096,
	/* Work-items see their sub-groups, vectors of as many work-items as all versions of the kernel have. */
	WEFT_KERNEL_HAS_SUBGROUPS = 8192,
	/* Calls functions of the application's: weft_kernel_desc.host_functions. */
	WEFT_KERNEL_CALLS_HOST = 16384,
	/* Functions of it may call themselves, as far as weft_work_context.calls_left and stack_end allow. */
	WEFT_KERNEL_RECURSES = 32768,
	/* Its vectors have few lanes as each stores to another layer of a volume: groups of no given size are blocks of as many layers. */
	WEFT_KERNEL_FEW_LAYERS = 65536,
};

struct weft_kernel_desc {
	const char *name;
	const char *attributes; /* as CL_KERNEL_ATTRIBUTES returns it */
	weft_kernel_entry entry;
	const struct weft_arg_desc *args;
	uint32_t num_args;
	uint32_t args_size;  /* bytes of the packed block; its alignment is WEFT_KERNEL_ALIGNMENT */
	uint64_t local_size; /* bytes of the kernel's own local variables */
	uint64_t private_size; /* bytes per work-item, an estimate for CL_KERNEL_PRIVATE_MEM_SIZE */
	uint64_t spill_per_item;     /* bytes per work-item in weft_work_context.spill */
	uint32_t reqd_local_size[3]; /* zeros when not given */
	uint32_t local_size_hint[3]; /* zeros when not given */
	uint32_t vector_width;       /* lanes that the entry point fills: the sub-group size */
	uint32_t flags;              /* enum weft_kernel_flag bits */
	uint64_t scratch_size;       /* bytes of weft_work_context.scratch */
	uint32_t reqd_subgroup_size; /* 0 when not given */
	uint32_t num_transfers;      /* up to WEFT_MOST_TRANSFERS */
	const struct weft_transfer_desc *transfers;
	uint32_t reqd_num_subgroups; /* of a group; 0 when not given */
	/* Groups are numbered along this dimension of the range first, then along the second one. */
	uint16_t first_dimension;
	/* Another. Groups of no given size are blocks of the two. */
	uint16_t second_dimension;
	/* kernel_footprint.h; NULL: not asked for, or not known. */
	const struct weft_footprint *footprint;
	/* What it may call; NULL when there are none. */
	const struct weft_host_function_desc *host_functions;
	uint64_t num_host_functions;
};

/* What the loader runs, once for each loaded program. */
enum weft_program_hook {
	WEFT_PROGRAM_CONSTRUCTS = 1, /* its variables, before any other kernel */
	WEFT_PROGRAM_DESTROYS = 2,   /* them, behind all others */
};

struct weft_program_desc {
	uint32_t abi; /* WEFT_KERNEL_ABI */
	uint32_t num_kernels;
	const struct weft_kernel_desc *kernels;
	uint64_t global_variable_size; /* bytes of program-scope variables */
	/* What weft_compiler.specialise makes specialisations of; NULL when no kernel gains by one, or was made quickly. */
	const void *object;
	uint64_t object_size; /* bytes */
	/* Kernels of blocks, which kernels enqueue by their number: they lie behind `kernels`. Their first argument is the address of
	 * the block's captured variables, each other one a local pointer. */
	uint32_t num_blocks;
	/* enum weft_program_hook bits: kernels without arguments, for one work-item. They lie behind the blocks', in this order. */
	uint32_t hooks;
};

#endif
