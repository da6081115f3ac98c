/* SPDX-License-Identifier: MIT
 *
 * A hart that reaches all of the host's memory, where tests have their buffers.
 */
#include "riscv_runner.h"

#include "riscv/executor.h"
#include "riscv/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

const char *riscv_runner_isa(const struct weft_device *device)
{
	return device ? device->properties.isa : NULL;
}

static bool find_everything(void *data, uintptr_t address, struct riscv_range *range)
{
	(void)data;
	*range = (struct riscv_range){.begin = 4096,
				      .size = UINTPTR_MAX - 4096,
				      .right = RISCV_WRITE,
				      .latency = RISCV_RUNNER_GLOBAL,
				      .is_far = true};
	return address >= range->begin;
}

struct weft_executor *riscv_runner_begin(const struct weft_launch *launch,
					 const struct weft_arena *arena)
{
	struct riscv_executor *executor = calloc(1, sizeof(*executor));

	assert_non_null(executor);
	assert_int_equal(
		riscv_executor_begin(executor, riscv_program_image(launch->module), launch, arena),
		WEFT_OK);
	executor->hart.find_memory = find_everything;
	executor->times = (struct riscv_memory_times){.local = RISCV_RUNNER_LOCAL,
						      .global = RISCV_RUNNER_GLOBAL};
	return &executor->base;
}

void riscv_runner_end(struct weft_executor *base)
{
	struct riscv_executor *executor = WEFT_CONTAINER_OF(base, struct riscv_executor, base);

	assert_int_equal(executor->hart.status, WEFT_OK);
	riscv_executor_destroy(executor);
	free(executor);
}
