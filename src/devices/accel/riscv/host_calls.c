/* SPDX-License-Identifier: MIT
 *
 * A kernel finds the addresses of the host's functions in weft_work_context, and calls them as it would its own.
 */
#include "riscv/host_calls.h"

#include "enqueue_types.h"
#include "kernel/format.h"
#include "kernel_waits.h"
#include "riscv/instruction.h"
#include "riscv/system_functions.h"

#include <string.h>

/* Calls one, with a hart's registers for its arguments. False: an argument leads to no memory. */
typedef bool call_host(struct riscv_hart *hart, uint64_t *args);

/* Whether a kernel may write to some of the bytes, all of which are in a range of a launch. */
static bool is_written(const struct riscv_hart *hart, uint64_t address, size_t size)
{
	for (uint32_t i = 0; i < hart->num_ranges; i++) {
		const struct riscv_range *range = &hart->ranges[i];

		if (range->right == RISCV_WRITE && range->begin < address + size &&
		    address < range->begin + range->size)
			return true;
	}
	return false;
}

/* What the driver trusts: bytes that no kernel writes. */
static const void *constant_bytes(struct riscv_hart *hart, uint64_t address, size_t size)
{
	const struct riscv_range *range = riscv_find_range(hart, address, size, RISCV_READ);

	return range && range->right == RISCV_READ && !is_written(hart, address, size)
		       ? (const void *)(uintptr_t)address
		       : NULL;
}

/* Or NULL. */
static bool is_string(struct riscv_hart *hart, uint64_t address)
{
	const struct riscv_range *range = riscv_find_range(hart, address, 1, RISCV_READ);

	return address == 0 || (range && memchr((const void *)(uintptr_t)address, '\0',
						range->size - (address - range->begin)));
}

/* Whether the formatter may follow the pointers under %s. */
static bool has_strings(struct riscv_hart *hart, const struct weft_printf_site *site,
			const unsigned char *bytes)
{
	for (uint32_t i = 0; i < site->num_args; i++) {
		const struct weft_printf_arg *arg = &site->args[i];
		uint64_t address;

		if (arg->type != WEFT_PRINTF_POINTER || !weft_format_takes_string(site, i))
			continue;
		memcpy(&address, bytes + arg->offset, sizeof(address));
		if (!is_string(hart, address))
			return false;
	}
	return true;
}

static bool print(struct riscv_hart *hart, uint64_t *args)
{
	const struct weft_printf_site *site = constant_bytes(hart, args[1], sizeof(*site));

	if (!site || !riscv_bytes(hart, args[2], site->args_size ? site->args_size : 1) ||
	    !has_strings(hart, site, (const void *)(uintptr_t)args[2]))
		return false;
	const int32_t result =
		hart->context->print(hart->context, site, (const void *)(uintptr_t)args[2]);
	args[0] = (uint64_t)result;
	return true;
}

/* The call itself is no part of what is measured: the next region begins behind it. */
static bool measure(struct riscv_hart *hart, uint64_t *args)
{
	const uint64_t prologue = hart->items.prologue;

	if (!riscv_end_region(&hart->items, args[1], hart->now))
		return false;
	if (prologue && hart->share)
		hart->share(hart->data, prologue);
	hart->context->measure(hart->context, args[1], (uint32_t)args[2]);
	return true;
}

static bool access_memory(struct riscv_hart *hart, uint64_t *args)
{
	args[0] = hart->context->access(hart->context, args[1], (const void *)(uintptr_t)args[2],
					args[3], (uint32_t)args[4]);
	return true;
}

/* Without a mark, the code says when. */
static bool request(struct riscv_hart *hart, uint64_t *args)
{
	const struct riscv_moment here = {hart->now, hart->far_accesses};
	const uint64_t time = hart->items.open ? riscv_item_time(&hart->items, here) : args[3];

	hart->context->request(hart->context, args[1], args[2], time);
	return true;
}

/* What an operation does not need is NULL. */
static bool is_reached(struct riscv_hart *hart, const void *pointer, uint64_t size)
{
	return !pointer || size == 0 || riscv_bytes(hart, (uintptr_t)pointer, size);
}

/* Whether the host may follow the request's pointers. */
static bool has_request(struct riscv_hart *hart, uint64_t operation, uint64_t address)
{
	const struct weft_enqueue_request *request = riscv_bytes(hart, address, sizeof(*request));
	const size_t result = (operation & ~WEFT_ENQUEUE_DETAILED) == WEFT_ENQUEUE_CAPTURE_TIMES
				      ? 2 * sizeof(uint64_t)
				      : sizeof(uint64_t);

	if (!request || !is_reached(hart, request->block, sizeof(struct weft_block_literal)))
		return false;
	const struct weft_block_literal *block = request->block;
	return (!block || is_reached(hart, block, block->size)) &&
	       is_reached(hart, request->range, sizeof(struct weft_enqueue_range)) &&
	       is_reached(hart, request->waits, request->num_waits * sizeof(uint64_t)) &&
	       (!request->result ||
		riscv_bytes_to_write(hart, (uintptr_t)request->result, result)) &&
	       is_reached(hart, request->sizes, request->num_sizes * sizeof(uint64_t));
}

static bool enqueue(struct riscv_hart *hart, uint64_t *args)
{
	if (!has_request(hart, args[1], args[2]))
		return false;
	const int64_t result = hart->context->enqueue(hart->context, (uint32_t)args[1],
						      (void *)(uintptr_t)args[2]);

	args[0] = (uint64_t)result;
	return true;
}

static bool post_call(struct riscv_hart *hart, uint64_t *args)
{
	if ((args[3] > 0 && !riscv_bytes(hart, args[2], args[3])) ||
	    (args[5] > 0 && !riscv_bytes_to_write(hart, args[4], args[5])))
		return false;
	args[0] = hart->context->post_call(hart->context, args[1], (const void *)(uintptr_t)args[2],
					   args[3], (void *)(uintptr_t)args[4], args[5]);
	return true;
}

static bool await_call(struct riscv_hart *hart, uint64_t *args)
{
	hart->context->await_call(hart->context, args[1]);
	return true;
}

static bool yield(struct riscv_hart *hart, uint64_t *args)
{
	struct weft_waiting_context *waiting = (struct weft_waiting_context *)hart->context;

	(void)args;
	waiting->yield(hart->context);
	return true;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Four rows of `count` numbers each. */
static bool has_rows(struct riscv_hart *hart, uint64_t address, uint64_t count)
{
	return count <= 64 && riscv_bytes(hart, address, count * 16);
}

/* sample and read have the same arguments but for the type of coordinates. */
static bool has_reads(struct riscv_hart *hart, const uint64_t *args)
{
	return constant_bytes(hart, args[0], sizeof(struct weft_image)) &&
	       has_rows(hart, args[4], args[3]) &&
	       riscv_bytes_to_write(hart, args[5], args[3] * 16);
}

#define PLACE_CYCLES 12 /* of the address of a texel */
#define TEXEL_CYCLES 8  /* of the conversion of four channels */

/* The texels are in global memory. A linear filter accesses two in each dimension, and does so twice between mip levels. */
static void spend_on_texels(struct riscv_hart *hart, uint64_t sampler, uint32_t access,
			    uint64_t count)
{
	const uint32_t shape = access & WEFT_IMAGE_SHAPE_MASK;
	const unsigned dimensions = shape == WEFT_IMAGE_3D ? 3 : shape < WEFT_IMAGE_2D ? 1 : 2;
	uint64_t texels = sampler & WEFT_SAMPLER_LINEAR ? UINT64_C(1) << dimensions : 1;

	texels <<= sampler & WEFT_SAMPLER_MIP_LINEAR ? 1 : 0;
	hart->cycles += count * (PLACE_CYCLES + texels * (hart->far_latency + TEXEL_CYCLES));
}

static bool sample_image(struct riscv_hart *hart, uint64_t *args)
{
	if (!has_reads(hart, args))
		return false;
	spend_on_texels(hart, args[1], (uint32_t)args[2], args[3]);
	hart->context->images->sample(
		(const struct weft_image *)(uintptr_t)args[0], args[1], (uint32_t)args[2],
		(uint32_t)args[3], (const float *)(uintptr_t)args[4], (void *)(uintptr_t)args[5]);
	return true;
}

static bool read_image(struct riscv_hart *hart, uint64_t *args)
{
	if (!has_reads(hart, args))
		return false;
	spend_on_texels(hart, 0, (uint32_t)args[2], args[3]);
	hart->context->images->read(
		(const struct weft_image *)(uintptr_t)args[0], args[1], (uint32_t)args[2],
		(uint32_t)args[3], (const int32_t *)(uintptr_t)args[4], (void *)(uintptr_t)args[5]);
	return true;
}

static bool write_image(struct riscv_hart *hart, uint64_t *args)
{
	if (!constant_bytes(hart, args[0], sizeof(struct weft_image)) ||
	    !has_rows(hart, args[3], args[2]) || !has_rows(hart, args[4], args[2]))
		return false;
	spend_on_texels(hart, 0, (uint32_t)args[1], args[2]);
	hart->context->images->write(
		(const struct weft_image *)(uintptr_t)args[0], (uint32_t)args[1], (uint32_t)args[2],
		(const int32_t *)(uintptr_t)args[3], (const void *)(uintptr_t)args[4]);
	return true;
}

/* ---- which function it is -------------------------------------------------------------------- */

/* NULL: the address is none of the functions that the context has. */
static call_host *find_host(const struct weft_work_context *context, uint64_t address)
{
	const struct weft_waiting_context *waiting = (const struct weft_waiting_context *)context;
	const struct weft_image_functions none = {NULL, NULL, NULL};
	const struct weft_image_functions *images = context->images ? context->images : &none;
	const struct {
		uintptr_t address;
		call_host *call;
	} rows[] = {
		{(uintptr_t)context->print, print},
		{(uintptr_t)context->measure, measure},
		{(uintptr_t)context->access, access_memory},
		{(uintptr_t)context->request, request},
		{(uintptr_t)context->enqueue, enqueue},
		{(uintptr_t)context->post_call, post_call},
		{(uintptr_t)context->await_call, await_call},
		{(uintptr_t)waiting->yield, yield},
		{(uintptr_t)images->sample, sample_image},
		{(uintptr_t)images->read, read_image},
		{(uintptr_t)images->write, write_image},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && address; i++) {
		if (rows[i].address == address)
			return rows[i].call;
	}
	return NULL;
}

const struct riscv_instruction *riscv_leave(struct riscv_hart *hart,
					    const struct riscv_instruction *at, uint64_t target)
{
	if (target == RISCV_END)
		return NULL;
	call_host *call = find_host(hart->context, target);
	hart->now = hart->cycles + at[1].before;
	if (call) {
		if (!call(hart, &hart->x[RISCV_A0]))
			riscv_fault(hart, at, "an argument of the host", hart->x[RISCV_A0]);
	} else if (!riscv_system_call(hart, at, target)) {
		riscv_fault(hart, at, "a jump", target);
	}
	if (hart->status != WEFT_OK || hart->x[RISCV_RA] == RISCV_END)
		return NULL;
	const struct riscv_instruction *next = riscv_code_at(hart->code, hart->x[RISCV_RA]);
	if (!next)
		return riscv_fault(hart, at, "a return", hart->x[RISCV_RA]);
	hart->cycles += at[1].before - (uint64_t)next->before;
	return next <= at && riscv_is_stopped(hart) ? NULL : next;
}
