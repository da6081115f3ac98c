/* SPDX-License-Identifier: MIT
 *
 * Modules of RISC-V: an image, and what the loader runs of it.
 */
#include "riscv/program.h"

#include "alloc.h"
#include "kernel/module.h"
#include "log.h"
#include "riscv/executor.h"

struct program {
	struct riscv_image image;
	bool constructed; /* its variables */
};

static struct program *program_of(const struct weft_module *module)
{
	return (struct program *)(uintptr_t)module;
}

static enum weft_status run_hook(struct accel_memory *memory, const struct program *program,
				 enum weft_program_hook hook)
{
	static const _Alignas(
		WEFT_KERNEL_ALIGNMENT) unsigned char no_arguments[WEFT_KERNEL_ALIGNMENT];
	struct riscv_executor executor = {.memory = memory};
	struct weft_launch launch;
	struct weft_arena arena = {0};

	if (!weft_module_hook(program->image.program, hook, no_arguments, &launch))
		return WEFT_OK;
	enum weft_status status = riscv_executor_begin(&executor, &program->image, &launch, &arena);
	if (status == WEFT_OK)
		status = weft_work_run_alone(&launch, &arena, NULL, 0, &executor.base);
	if (status == WEFT_OK)
		status = executor.hart.status;
	weft_arena_destroy(&arena);
	riscv_executor_destroy(&executor);
	return status;
}

void riscv_program_unload(struct accel_memory *memory, struct weft_module *module)
{
	struct program *program = program_of(module);

	if (program->constructed && run_hook(memory, program, WEFT_PROGRAM_DESTROYS) != WEFT_OK)
		weft_log(WEFT_LOG_WARN, "device", "a program's objects are not destroyed");
	riscv_image_destroy(&program->image);
	weft_free(program);
}

enum weft_status riscv_program_load(struct accel_memory *memory, const void *image, size_t size,
				    struct weft_module **module)
{
	struct program *program = weft_zalloc(sizeof(*program));

	if (!program)
		return WEFT_OUT_OF_MEMORY;
	enum weft_status status = riscv_image_init(&program->image, image, size);
	if (status == WEFT_OK)
		status = run_hook(memory, program, WEFT_PROGRAM_CONSTRUCTS);
	program->constructed = status == WEFT_OK;
	if (status != WEFT_OK) {
		riscv_program_unload(memory, (struct weft_module *)program);
		return status;
	}
	*module = (struct weft_module *)program;
	return WEFT_OK;
}

const struct riscv_image *riscv_program_image(const struct weft_module *module)
{
	return &program_of(module)->image;
}

const struct weft_program_desc *riscv_program_describe(const struct weft_module *module)
{
	return riscv_program_image(module)->program;
}
