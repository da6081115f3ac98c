/* SPDX-License-Identifier: MIT
 *
 * Copies descriptions, and completes them.
 */
#include "program/kernel_description.h"

#include "alloc.h"

#include <string.h>

/* The program, its kernels and their arguments, one after the other: each is as strictly aligned as the next. */
struct weft_program_desc *
weft_kernel_descriptions_create(const struct weft_program_desc *signatures, const void *object,
				size_t object_size)
{
	const uint32_t num_kernels = signatures->num_kernels;
	size_t num_args = 0;

	for (uint32_t i = 0; i < num_kernels; i++)
		num_args += signatures->kernels[i].num_args;
	const size_t kernels_size = num_kernels * sizeof(struct weft_kernel_desc);
	struct weft_program_desc *program = weft_zalloc(sizeof(*program) + kernels_size +
							num_args * sizeof(struct weft_arg_desc));
	if (!program)
		return NULL;
	struct weft_kernel_desc *kernels = (struct weft_kernel_desc *)(program + 1);
	struct weft_arg_desc *args = (struct weft_arg_desc *)(kernels + num_kernels);
	*program = *signatures;
	program->kernels = kernels;
	program->object = object;
	program->object_size = object_size;
	for (uint32_t i = 0; i < num_kernels; i++) {
		kernels[i] = signatures->kernels[i];
		/* It may turn out that it gains. */
		kernels[i].flags |=
			(uint32_t)WEFT_KERNEL_GAINS_BY_SIZE | WEFT_KERNEL_GAINS_BY_IMAGES;
		if (kernels[i].num_args)
			memcpy(args, kernels[i].args, kernels[i].num_args * sizeof(*args));
		kernels[i].args = args;
		args += kernels[i].num_args;
	}
	return program;
}

/* What the compiler's passes have found of a kernel. */
static void complete(struct weft_kernel_desc *kernel, const struct weft_kernel_desc *found)
{
	struct weft_arg_desc *args = (struct weft_arg_desc *)(uintptr_t)kernel->args;

	kernel->local_size = found->local_size;
	kernel->private_size = found->private_size;
	kernel->spill_per_item = found->spill_per_item;
	kernel->vector_width = found->vector_width;
	kernel->flags = found->flags;
	kernel->scratch_size = found->scratch_size;
	kernel->first_dimension = found->first_dimension;
	kernel->second_dimension = found->second_dimension;
	kernel->host_functions = found->host_functions; /* lives as long as the unit's code */
	kernel->num_host_functions = found->num_host_functions;
	for (uint32_t i = 0; i < kernel->num_args; i++)
		args[i].access = found->args[i].access;
}

/* Names are not looked at: who owned them may be gone. */
static bool takes_the_same(const struct weft_kernel_desc *a, const struct weft_kernel_desc *b)
{
	return a->num_args == b->num_args && a->args_size == b->args_size;
}

bool weft_kernel_descriptions_complete(struct weft_program_desc *program, uint32_t first,
				       const struct weft_program_desc *unit)
{
	struct weft_kernel_desc *kernels = (struct weft_kernel_desc *)(uintptr_t)program->kernels;

	if (first > program->num_kernels || unit->num_kernels > program->num_kernels - first)
		return false;
	for (uint32_t i = 0; i < unit->num_kernels; i++) {
		if (!takes_the_same(&kernels[first + i], &unit->kernels[i]))
			return false;
	}
	for (uint32_t i = 0; i < unit->num_kernels; i++)
		complete(&kernels[first + i], &unit->kernels[i]);
	return true;
}
