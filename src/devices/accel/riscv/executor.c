/* SPDX-License-Identifier: MIT
 *
 * A hart's ranges are what a kernel may reach: its program, its stack, the device's memory, and what the driver lends to it.
 */
#include "riscv/executor.h"

#include "alloc.h"
#include "enqueue_types.h"
#include "kernel_waits.h"
#include "stack.h"

#include <string.h>

static bool find_memory(void *data, uintptr_t address, struct riscv_range *range)
{
	return accel_memory_around(data, (const void *)address, &range->begin, &range->size);
}

static void add(struct riscv_hart *hart, const void *begin, size_t size)
{
	if (begin && size > 0)
		hart->ranges[hart->num_ranges++] = (struct riscv_range){(uintptr_t)begin, size};
}

/* Kernels of blocks lie behind the program's own ones. Their first argument leads to what the block has captured, which the runtime
 * keeps. */
static void add_captured(struct riscv_hart *hart, const struct weft_program_desc *program,
			 const struct weft_launch *launch)
{
	const size_t number = (size_t)(launch->kernel - program->kernels);
	const struct weft_block_literal *literal;

	if (number < program->num_kernels ||
	    number >= (size_t)program->num_kernels + program->num_blocks)
		return;
	memcpy(&literal, (const unsigned char *)launch->args + launch->kernel->args[0].offset,
	       sizeof(literal));
	add(hart, literal, literal->size);
}

static void find_ranges(struct riscv_executor *executor, const struct weft_entry_call *call)
{
	const struct weft_launch *launch = executor->launch;
	struct riscv_hart *hart = &executor->hart;

	hart->num_ranges = 0;
	hart->num_found = 0;
	hart->constants = (struct riscv_range){0};
	add(hart, hart->stack, WEFT_STACK_BYTES);
	add(hart, executor->arena->memory, executor->arena->capacity);
	add(hart, executor->image->memory, executor->image->size);
	add(hart, call->args, call->kernel->args_size);
	add(hart, call->range, sizeof(*call->range));
	add(hart, call->context, sizeof(struct weft_waiting_context));
	add(hart, call->context->images, sizeof(*call->context->images));
	add_captured(hart, executor->image->program, launch);
	for (size_t i = 0; i < sizeof(hart->hints) / sizeof(hart->hints[0]); i++)
		hart->hints[i] = &hart->ranges[0];
}

static void run(struct riscv_hart *hart, const struct riscv_instruction *at)
{
	while (at) {
		at = at->execute(hart, at);
		hart->x[0] = 0;
	}
}

static void enter(struct weft_executor *base, const struct weft_entry_call *call)
{
	struct riscv_executor *executor = WEFT_CONTAINER_OF(base, struct riscv_executor, base);
	struct riscv_hart *hart = &executor->hart;
	const uint64_t args[] = {(uintptr_t)call->range, (uintptr_t)call->args,
				 (uintptr_t)call->context, call->first_group, call->end_group};

	if (hart->status != WEFT_OK)
		return;
	find_ranges(executor, call);
	hart->context = call->context;
	hart->x[RISCV_RA] = RISCV_END;
	hart->x[RISCV_SP] = (uintptr_t)hart->stack + WEFT_STACK_BYTES;
	memcpy(&hart->x[RISCV_A0], args, sizeof(args));
	const uint64_t entry = (uintptr_t)call->kernel->entry;
	const struct riscv_instruction *first = riscv_code_at(hart->code, entry);
	if (first)
		run(hart, first);
	else
		hart->status = WEFT_INVALID_BINARY;
}

enum weft_status riscv_executor_begin(struct riscv_executor *executor,
				      const struct riscv_image *image,
				      const struct weft_launch *launch,
				      const struct weft_arena *arena)
{
	struct riscv_hart *hart = &executor->hart;

	if (!hart->stack)
		hart->stack = weft_alloc_aligned(WEFT_KERNEL_ALIGNMENT, WEFT_STACK_BYTES);
	if (!hart->stack)
		return WEFT_OUT_OF_RESOURCES;
	executor->base.enter = enter;
	executor->image = image;
	executor->launch = launch;
	executor->arena = arena;
	hart->code = &image->code;
	hart->status = WEFT_OK;
	hart->flags = 0;
	hart->reservation.address = 0;
	hart->find_memory = find_memory;
	hart->data = executor->memory;
	return WEFT_OK;
}

void riscv_executor_destroy(struct riscv_executor *executor)
{
	weft_free(executor->hart.stack);
	executor->hart.stack = NULL;
}
