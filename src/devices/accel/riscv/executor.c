/* SPDX-License-Identifier: MIT
 *
 * A hart's ranges are what a kernel may reach: its program, its stack, the device's memory, and what the driver lends to it.
 */
#include "riscv/executor.h"

#include "alloc.h"
#include "enqueue_types.h"
#include "kernel_waits.h"
#include "stack.h"

#include <stdatomic.h>
#include <string.h>

static uint32_t at_least_one(uint32_t cycles)
{
	return cycles > 0 ? cycles : 1;
}

static bool find_memory(void *data, uintptr_t address, struct riscv_range *range)
{
	const struct riscv_executor *executor = data;

	*range = (struct riscv_range){
		.right = RISCV_WRITE,
		.latency = at_least_one(executor->times.global),
		.is_far = true,
		.is_asked = executor->times.asks_for_global,
	};
	return accel_memory_around(executor->memory, (const void *)address, &range->begin,
				   &range->size);
}

static uint64_t look_up(struct riscv_hart *hart, uint64_t address, size_t size, uint32_t kind)
{
	const uint64_t group = hart->items.group ? hart->items.group - 1 : 0;

	return hart->context->access(hart->context, group, (const void *)(uintptr_t)address, size,
				     kind);
}

/* ---- what a kernel may reach ----------------------------------------------------------------- */

static void add(struct riscv_hart *hart, const void *begin, size_t size, uint32_t latency,
		enum riscv_right right)
{
	if (begin && size > 0)
		(void)riscv_add_range(hart, begin, size, at_least_one(latency), right);
}

/* Kernels of blocks lie behind the program's own ones. Their first argument leads to what the block has captured, which the runtime
 * keeps. */
static void add_captured(struct riscv_executor *executor, const struct weft_launch *launch)
{
	const struct weft_program_desc *program = executor->image->program;
	const size_t number = (size_t)(launch->kernel - program->kernels);
	const struct weft_block_literal *literal;

	if (number < program->num_kernels ||
	    number >= (size_t)program->num_kernels + program->num_blocks)
		return;
	memcpy(&literal, (const unsigned char *)launch->args + launch->kernel->args[0].offset,
	       sizeof(literal));
	add(&executor->hart, literal, literal->size, executor->times.global, RISCV_READ);
}

/* The program's variables, and the rest of it, which is constant. */
static void add_program(struct riscv_executor *executor)
{
	const struct riscv_image *image = executor->image;
	const uint32_t latency = executor->times.global;

	for (size_t i = 0; i < image->num_variables; i++)
		add(&executor->hart, image->memory + image->variables[i].offset,
		    image->variables[i].size, latency, RISCV_WRITE);
	add(&executor->hart, image->memory, image->size, latency, RISCV_READ);
}

/* The driver follows pointers in what it lends, so a kernel writes to none of it but `wrong_call` and `calls_left`. */
static void find_ranges(struct riscv_executor *executor, const struct weft_entry_call *call)
{
	const uint32_t latency = executor->times.local;
	struct riscv_hart *hart = &executor->hart;

	add(hart, hart->stack, WEFT_STACK_BYTES, latency, RISCV_WRITE);
	add(hart, executor->arena->memory, executor->arena->capacity, latency, RISCV_WRITE);
	add_program(executor);
	add(hart, call->args, call->kernel->args_size, latency, RISCV_READ);
	add(hart, call->range, sizeof(*call->range), latency, RISCV_READ);
	add(hart, call->context, sizeof(struct weft_waiting_context), latency, RISCV_READ);
	add(hart, &call->context->wrong_call, sizeof(call->context->wrong_call), latency,
	    RISCV_WRITE);
	add(hart, &call->context->calls_left, sizeof(call->context->calls_left), latency,
	    RISCV_WRITE);
	add(hart, call->context->images, sizeof(*call->context->images), latency, RISCV_READ);
	add_captured(executor, executor->launch);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Numbers for the times of work-items lie in the arena, if the kernel has them. */
static void begin_items(struct riscv_executor *executor, const struct weft_entry_call *call)
{
	const struct weft_arena *arena = executor->arena;
	struct riscv_item_times *items = &executor->hart.items;
	const struct riscv_memory_times *times = &executor->times;

	if (!(call->kernel->flags & WEFT_KERNEL_COUNTS_CYCLES))
		return;
	const size_t before = (size_t)((unsigned char *)call->context->cycles - arena->memory);
	items->cycles = call->context->cycles;
	items->room = (arena->capacity - before) / sizeof(items->cycles[0]);
	items->group = call->first_group;
	items->transfers = call->context->transfers;
	items->gain = times->global > times->local ? times->global - times->local : 0;
}

static void enter(struct weft_executor *base, const struct weft_entry_call *call)
{
	struct riscv_executor *executor = WEFT_CONTAINER_OF(base, struct riscv_executor, base);
	struct riscv_hart *hart = &executor->hart;
	const uint64_t args[] = {(uintptr_t)call->range, (uintptr_t)call->args,
				 (uintptr_t)call->context, call->first_group, call->end_group};
	const bool is_stopped = hart->stop && atomic_load((_Atomic bool *)(uintptr_t)hart->stop);

	if (hart->status != WEFT_OK || is_stopped)
		return;
	riscv_hart_start(hart, &executor->image->code);
	call->context->stack_end = (uintptr_t)hart->stack + WEFT_CALL_ROOM;
	find_ranges(executor, call);
	begin_items(executor, call);
	hart->context = call->context;
	hart->far_latency = at_least_one(executor->times.global);
	hart->look_up = executor->times.asks_for_global ? look_up : NULL;
	hart->x[RISCV_RA] = RISCV_END;
	hart->x[RISCV_SP] = (uintptr_t)hart->stack + WEFT_STACK_BYTES;
	memcpy(&hart->x[RISCV_A0], args, sizeof(args));
	const uint64_t entry = (uintptr_t)call->kernel->entry;
	const struct riscv_instruction *first = riscv_code_at(hart->code, entry);
	if (first)
		riscv_run(hart, first);
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
	hart->status = WEFT_OK;
	hart->stop = weft_launch_stop(launch);
	hart->flags = 0;
	hart->reservation.address = 0;
	hart->find_memory = find_memory;
	hart->data = executor;
	return WEFT_OK;
}

void riscv_executor_destroy(struct riscv_executor *executor)
{
	weft_free(executor->hart.stack);
	executor->hart.stack = NULL;
}
