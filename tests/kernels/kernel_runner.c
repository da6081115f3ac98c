/* SPDX-License-Identifier: MIT
 *
 * Compiler, module and work-group runner, put together by hand.
 */
#include "kernel_runner.h"

#include "compiler.h"
#include "module.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct runner {
	struct weft_module *module;
	const struct weft_program_desc *program;
};

static const struct weft_compiler *open_compiler(void)
{
	static const struct weft_compiler *compiler;

	if (!compiler) {
		void *library = dlopen(WEFT_TEST_COMPILER, RTLD_NOW | RTLD_LOCAL);
		if (!library)
			fail_msg("%s", dlerror());
		compiler = dlsym(library, WEFT_COMPILER_SYMBOL);
	}
	assert_non_null(compiler);
	return compiler;
}

static enum weft_status build(const char *source, const char *options, struct weft_output *output)
{
	static const struct weft_target target = {
		.extensions = "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics",
		.features = "__opencl_c_fp64 __opencl_c_int64 __opencl_c_generic_address_space "
			    "__opencl_c_program_scope_global_variables "
			    "__opencl_c_work_group_collective_functions "
			    "__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst "
			    "__opencl_c_atomic_scope_device",
		.opencl_c_version = "3.0",
	};
	const struct weft_compile_desc desc = {
		.source = source,
		.source_size = strlen(source),
		.options = options,
		.target = &target,
	};

	memset(output, 0, sizeof(*output));
	return open_compiler()->build(&desc, output);
}

struct runner *runner_build(const char *source, const char *options)
{
	struct runner *runner = calloc(1, sizeof(*runner));
	struct weft_output output;

	assert_non_null(runner);
	if (build(source, options, &output) != WEFT_OK)
		fail_msg("build failed: %s", output.log ? output.log : "(no log)");
	if (weft_module_ops.load(NULL, output.data, output.size, &runner->module) != WEFT_OK)
		fail_msg("the kernel binary does not load");
	runner->program = weft_module_ops.describe(runner->module);
	open_compiler()->release(&output);
	return runner;
}

char *runner_build_error(const char *source, const char *options)
{
	struct weft_output output;
	enum weft_status status = build(source, options, &output);
	char *log = status == WEFT_OK ? NULL : strdup(output.log ? output.log : "");

	open_compiler()->release(&output);
	return log;
}

void runner_destroy(struct runner *runner)
{
	weft_module_ops.unload(NULL, runner->module);
	free(runner);
}

const struct weft_program_desc *runner_program(const struct runner *runner)
{
	return runner->program;
}

const struct weft_kernel_desc *runner_kernel(const struct runner *runner, const char *name)
{
	for (uint32_t i = 0; i < runner->program->num_kernels; i++) {
		if (strcmp(runner->program->kernels[i].name, name) == 0)
			return &runner->program->kernels[i];
	}
	fail_msg("no kernel '%s'", name);
	return NULL;
}

/* Packs the arguments; returns the bytes of local memory. */
static size_t pack(const struct weft_kernel_desc *kernel, const struct runner_arg *args,
		   size_t num_args, unsigned char *block)
{
	size_t local = kernel->local_size;

	assert_int_equal(num_args, kernel->num_args);
	for (size_t i = 0; i < num_args; i++) {
		const struct weft_arg_desc *desc = &kernel->args[i];
		uint64_t word = (uint64_t)(uintptr_t)args[i].value;
		const void *bytes = &word;
		if (desc->kind == WEFT_ARG_LOCAL) {
			local = (local + WEFT_KERNEL_ALIGNMENT - 1) / WEFT_KERNEL_ALIGNMENT *
				WEFT_KERNEL_ALIGNMENT;
			word = local;
			local += args[i].size;
		} else if (desc->kind == WEFT_ARG_VALUE) {
			assert_int_equal(args[i].size, desc->size);
			bytes = args[i].value;
		}
		memcpy(block + desc->offset, bytes, desc->size);
	}
	return local;
}

static struct weft_ndrange make_range(const size_t global[3], const size_t local[3])
{
	struct weft_ndrange range = {.work_dim = 1};

	for (uint32_t d = 0; d < 3; d++) {
		range.global_size[d] = global[d];
		range.local_size[d] = local[d];
		range.num_groups[d] = (global[d] + local[d] - 1) / local[d];
		if (global[d] > 1)
			range.work_dim = d + 1;
	}
	return range;
}

void runner_run(const struct runner *runner, const char *name, const size_t global[3],
		const size_t local[3], const struct runner_arg *args, size_t num_args)
{
	const struct weft_kernel_desc *kernel = runner_kernel(runner, name);
	size_t block_size = (kernel->args_size + 2 * WEFT_KERNEL_ALIGNMENT) /
			    WEFT_KERNEL_ALIGNMENT * WEFT_KERNEL_ALIGNMENT;
	unsigned char *block = aligned_alloc(WEFT_KERNEL_ALIGNMENT, block_size);
	struct weft_arena arena = {NULL, 0};
	struct weft_work work;
	struct weft_launch launch = {
		.module = runner->module,
		.kernel = kernel,
		.range = make_range(global, local),
		.args = block,
	};

	assert_non_null(block);
	launch.local_bytes = pack(kernel, args, num_args, block);
	assert_int_equal(weft_work_start(&work, &launch), WEFT_OK);
	assert_int_equal(weft_work_prepare(&work, &arena), WEFT_OK);
	uint64_t middle = work.num_groups / 3;
	weft_work_run(&work, &arena, 0, middle);
	weft_work_run(&work, &arena, middle, work.num_groups);
	weft_work_finish(&work);
	weft_arena_destroy(&arena);
	free(block);
}
