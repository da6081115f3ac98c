/* SPDX-License-Identifier: MIT
 *
 * The kernel compiler's interface: text, options and a target in; a kernel binary, its log and
 * where it looked for files out. It knows no OpenCL object and keeps nothing that shows between calls. The implementation
 * is libweft-compiler.so, which the runtime opens (RTLD_LOCAL) when something must be compiled, and
 * asks for WEFT_COMPILER_SYMBOL.
 *
 * Every function may be called from any thread, several at once. None ends the process: a fatal
 * error inside LLVM or Clang, a stack overflow included, becomes WEFT_BUILD_FAILED with a log.
 */
#ifndef WEFT_COMPILER_H
#define WEFT_COMPILER_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_COMPILER_VERSION 15
#define WEFT_COMPILER_SYMBOL "weft_compiler"

/* Cycles that a processing element takes for one instruction of each class. An element computes with one value at a time:
 * an operation on a vector counts once for each component. */
struct weft_costs {
	uint32_t integer;       /* add, compare, shift, logic, select; an index of an address */
	uint32_t multiply;      /* of integers */
	uint32_t divide;        /* of integers */
	uint32_t real;          /* float and half: add, multiply, compare, convert */
	uint32_t real_divide;   /* divide, square root */
	uint32_t wide;          /* double: what `real` is for float */
	uint32_t wide_divide;   /* double: what `real_divide` is for float */
	uint32_t branch;        /* a decision; a call counts two */
	uint32_t local_access;  /* of a private variable in memory, too; an atomic one counts two */
	uint32_t global_access; /* of constant memory, too; 0: the host says (weft_work_context) */
	uint32_t item; /* each work-item in each region: the element's loop over its work-items */
	uint32_t transfers; /* 1: DMA requests are found (weft_kernel_desc.transfers); else 0 */
	/* 1: what executes the code counts. The code has marks (kernel/cycle_counter.h), and of the costs only whether global_access is 0
	 * matters. Of RISC-V alone. */
	uint32_t executed;
};

/* 64-bit RISC-V with multiplication, atomics, float and double, compressed instructions, and conversions of halves. */
#define WEFT_ISA_RISCV64 "riscv64"

/* What the code is for. All strings are borrowed for the call. */
struct weft_target {
	const char *cpu;   /* LLVM's CPU name; NULL: this machine's, features included */
	const char *isa;   /* the instruction set, WEFT_ISA_RISCV64; NULL: this machine's */
	bool slow_gathers; /* vector loads from scattered places take longer than as many loads */
	const char *extensions; /* CL_DEVICE_EXTENSIONS: names separated by spaces */
	const char *features;   /* optional features, __opencl_c_… names separated by spaces */
	const char *opencl_c_version; /* the newest that is offered, "3.0" */
	uint32_t vector_width;        /* lanes to widen to; 0: the compiler's choice, 1: none */
	/* If not NULL, kernels count the cycles that their work-items would take on a processing element, for
	 * weft_work_context.measure. The counts do not depend on the CPU that runs the kernels. Borrowed for the call. */
	const struct weft_costs *costs;
	/* Code is made quickly: it runs slower, its results are the same to the bit. The kernels then have WEFT_KERNEL_QUICK. Of no
	 * effect on specialise, generate, and programs for which it cannot be done (docs/kernel_compiler.md). */
	bool quick;
};

struct weft_header {
	const char *name; /* as #include spells it */
	const char *text;
	size_t size; /* bytes */
};

/* The value of a specialisation constant. */
struct weft_spec_constant {
	uint32_t id;   /* of the decoration SpecId */
	uint32_t size; /* bytes: 1, 2, 4 or 8; of a boolean constant 1 */
	uint64_t bits; /* the value, the higher bits zero */
};

/* A SPIR-V module (1.0 to 1.6), of either order of bytes. Nothing that it says is trusted. */
struct weft_il {
	const void *bytes;
	size_t size; /* bytes */
	const struct weft_spec_constant
		*constants; /* those that differ from what the module says */
	size_t num_constants;
};

/* What `build` makes. The last three are texts. */
enum weft_emit {
	WEFT_EMIT_KERNELS,
	WEFT_EMIT_SOURCE_IR, /* LLVM IR as the front end leaves it (docs/kernel_ir.md) */
	WEFT_EMIT_IR,        /* as code generation gets it */
	WEFT_EMIT_ASSEMBLY,
};

/* Source to object (LLVM bitcode, not linked with the built-ins). */
struct weft_compile_desc {
	const char *source;
	size_t source_size; /* bytes */
	/* If not NULL, in the place of the source; then headers, folder and options that are about sources alone do not
	 * matter. Lines of the log name the word of the module instead of a line. */
	const struct weft_il *il;
	const char *options; /* the application's string, not parsed; may be NULL */
	const struct weft_header *headers;
	size_t num_headers;
	const struct weft_target *target;
	const char *
		folder; /* absolute path that relative ones count from; NULL: the process's working folder */
	bool late; /* `build` may give back an archive */
	bool leaves; /* the archive is likely to be a binary of the application: none with WEFT_ARCHIVE_SOURCE */
	enum weft_emit emit; /* of `build` */
	bool report;         /* `build` fills weft_output.report */
	/* Variables begin with zeros; who runs a kernel fills local memory with zeros before each work-group. */
	bool zero_private;
	bool zero_local;
};

struct weft_bytes {
	const void *data;
	size_t size;
};

/* Objects and libraries to a library or a kernel binary. */
struct weft_link_desc {
	const struct weft_bytes *inputs; /* what compile or link returned */
	size_t num_inputs;
	const char *options; /* of clLinkProgram; may be NULL */
	const struct weft_target *target;
	bool late; /* the result may be an archive */
};

/* The code of one unit of an archive's kernels; or, of an archive with WEFT_ARCHIVE_SOURCE, the same archive without it. */
#define WEFT_UNIT_ALL UINT32_MAX
struct weft_generate_desc {
	struct weft_bytes archive;
	uint32_t unit;                    /* or WEFT_UNIT_ALL */
	const struct weft_target *target; /* as the archive was made for */
};

/* An archive and the code of some of its units, or all, to a kernel binary. Of an archive whose kernels are not prepared: of one unit, or
 * of all in their order, but not of an archive with WEFT_ARCHIVE_SOURCE. */
struct weft_join_desc {
	struct weft_bytes archive;
	const struct weft_bytes *units; /* what generate returned, each once */
	size_t num_units;
};

/* One kernel of a program that is already a kernel binary, for one local size, for the formats of its images and its
 * samplers, or for both. */
struct weft_specialise_desc {
	struct weft_bytes object; /* weft_program_desc.object */
	const char *kernel;       /* its name */
	/* Work-items; every group has them all. Of a kernel with WEFT_KERNEL_GAINS_BY_SIZE; zeros: any size. */
	uint32_t local_size[3];
	/* Of a kernel with WEFT_KERNEL_GAINS_BY_IMAGES: weft_image.format of each image argument and the weft_sampler that each
	 * sampler argument is, in the order of the arguments. Without any: any formats and samplers. */
	const uint64_t *image_constants;
	uint32_t num_image_constants;
	const struct weft_target *target;
};

enum weft_output_kind {
	WEFT_OUTPUT_NONE,
	WEFT_OUTPUT_OBJECT,  /* bitcode: CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT */
	WEFT_OUTPUT_LIBRARY, /* bitcode: CL_PROGRAM_BINARY_TYPE_LIBRARY */
	WEFT_OUTPUT_KERNELS, /* an ELF shared object (kernel_abi.h): an executable */
	WEFT_OUTPUT_ARCHIVE, /* an executable without code (kernel_archive.h) */
	WEFT_OUTPUT_UNIT,    /* code of some of its kernels */
	WEFT_OUTPUT_TEXT,    /* enum weft_emit, and cpus */
};

/* What the source has found at a path where it looked for a file. */
enum weft_place_kind {
	WEFT_PLACE_NOTHING, /* nothing, or a thing that may not be read or is neither file nor folder */
	WEFT_PLACE_FILE,
	WEFT_PLACE_FOLDER
};

struct weft_place {
	char *path; /* absolute; where nothing was found also relative to the working folder */
	enum weft_place_kind kind;
};

/* The result of a call. The caller zeroes it before the call, owns it, and gives it to `release`, whatever status the call
 * has returned. */
struct weft_output {
	enum weft_output_kind kind;
	void *data;
	size_t size;  /* bytes */
	char *log;    /* diagnostics, "file:line:column: error: text"; NULL when there are none */
	char *report; /* lines about kernels: vectors, memory, registers; NULL when there are none */
	/* For the cache: where #include and its like have looked, and what was there. While none of that changes, the result does
	 * not change. Headers that were given as text are not in the list. */
	struct weft_place *places;
	size_t num_places;
	/* A file was found by a path relative to the working folder, or the folder's name is in the result. */
	bool uses_folder;
	bool uses_time; /* the result depends on the time: __DATE__ and the like */
};

struct weft_compiler {
	uint32_t version; /* WEFT_COMPILER_VERSION */

	/* WEFT_INVALID_OPTIONS, WEFT_BUILD_FAILED, WEFT_OUT_OF_MEMORY or WEFT_OK. */
	enum weft_status (*compile)(const struct weft_compile_desc *desc,
				    struct weft_output *output);

	/* WEFT_INVALID_OPTIONS, WEFT_BUILD_FAILED, WEFT_OUT_OF_MEMORY, WEFT_INVALID_BINARY for an input that is not bitcode, or
	 * WEFT_OK. `-create-library` makes a library, otherwise the result is a kernel binary. */
	enum weft_status (*link)(const struct weft_link_desc *desc, struct weft_output *output);

	/* Source to kernel binary in one go, without bitcode in between. */
	enum weft_status (*build)(const struct weft_compile_desc *desc, struct weft_output *output);

	/* A kernel binary with the kernel compiled for what `desc` says only. It can replace the kernel in launches with that local
	 * size, these formats and these samplers: arguments and results are equal; entry point, spill and scratch differ.
	 * WEFT_INVALID_BINARY, WEFT_BUILD_FAILED, WEFT_OUT_OF_MEMORY or WEFT_OK. */
	enum weft_status (*specialise)(const struct weft_specialise_desc *desc,
				       struct weft_output *output);

	void (*release)(struct weft_output *output);

	/* Whether `options` could be given to link, or else to compile and build: WEFT_OK, or
	 * WEFT_INVALID_OPTIONS with the reason in the log. Fast: nothing is compiled. */
	enum weft_status (*check_options)(const char *options, bool link,
					  struct weft_output *output);

	/* WEFT_INVALID_BINARY, WEFT_BUILD_FAILED, WEFT_OUT_OF_MEMORY or WEFT_OK. */
	enum weft_status (*generate)(const struct weft_generate_desc *desc,
				     struct weft_output *output);

	/* A kernel binary in which the kernels of these units have code; the other kernels' entry points are NULL.
	 * WEFT_INVALID_BINARY, WEFT_BUILD_FAILED, WEFT_OUT_OF_MEMORY or WEFT_OK. */
	enum weft_status (*join)(const struct weft_join_desc *desc, struct weft_output *output);

	/* What code for LLVM's CPU of that name needs of a machine: names of features, separated by spaces. NULL: all names of CPUs, one
	 * a line. WEFT_INVALID_OPTIONS for a CPU that LLVM does not know. */
	enum weft_status (*cpus)(const char *cpu, struct weft_output *output);
};

/* Exported by libweft-compiler.so under WEFT_COMPILER_SYMBOL. */
extern const struct weft_compiler weft_compiler __attribute__((visibility("default")));

#endif
