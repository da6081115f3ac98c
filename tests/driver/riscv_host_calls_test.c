/* SPDX-License-Identifier: MIT
 *
 * The simulator of RISC-V: which arguments of the host's functions are faults of the kernel.
 */
#include "enqueue_types.h"
#include "kernel_waits.h"
#include "riscv/decode.h"
#include "riscv/hart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

#define JALR 0x67u

enum { FUNCTION = 28 }; /* a register */

static int host_calls;
static struct riscv_range variables; /* in the memory; of size 0: none */

static int32_t print(struct weft_work_context *context, const struct weft_printf_site *site,
		     const void *args)
{
	(void)context;
	(void)site;
	(void)args;
	host_calls++;
	return 0;
}

static int64_t enqueue(struct weft_work_context *context, uint32_t operation, void *request)
{
	(void)context;
	(void)operation;
	(void)request;
	host_calls++;
	return 0;
}

static uint64_t post_call(struct weft_work_context *context, uint64_t key, const void *args,
			  uint64_t args_size, void *result, uint64_t result_size)
{
	(void)context;
	(void)key;
	(void)args;
	(void)args_size;
	(void)result;
	(void)result_size;
	host_calls++;
	return 0;
}

static uint64_t more_arguments[3]; /* the fourth one and those behind it */

/* The host is called with these arguments, or the kernel faults. `memory` is all that the hart has. */
static void call_host(bool is_called, uint64_t function, uint64_t second, uint64_t third,
		      struct riscv_range memory)
{
	_Alignas(8) const uint32_t program[] = {JALR | FUNCTION << 15};
	const struct riscv_section section = {(const unsigned char *)program, sizeof(program)};
	struct weft_waiting_context context = {
		.base = {.print = print, .enqueue = enqueue, .post_call = post_call}};
	const int before = host_calls;
	struct riscv_hart hart = {.context = &context.base};
	struct riscv_code code;

	assert_int_equal(riscv_code_init(&code, &section, 1), WEFT_OK);
	riscv_hart_start(&hart, &code);
	if (variables.size > 0)
		(void)riscv_add_range(&hart, (const void *)variables.begin, variables.size, 1,
				      RISCV_WRITE);
	(void)riscv_add_range(&hart, (const void *)memory.begin, memory.size, 1, memory.right);
	hart.x[RISCV_RA] = RISCV_END;
	hart.x[RISCV_A0 + 1] = second;
	hart.x[RISCV_A0 + 2] = third;
	for (int i = 0; i < 3; i++)
		hart.x[RISCV_A0 + 3 + i] = more_arguments[i];
	hart.x[FUNCTION] = function;
	assert_null(code.instructions->execute(&hart, code.instructions));
	riscv_code_destroy(&code);
	assert_int_equal(host_calls - before, is_called);
	assert_int_equal(hart.status, is_called ? WEFT_OK : WEFT_OUT_OF_RESOURCES);
}

/* Strings are the hart's, and end there. */
static void printed_strings(void **state)
{
	static const struct weft_printf_arg types[] = {
		{.type = WEFT_PRINTF_POINTER, .lanes = 1, .offset = 0},
		{.type = WEFT_PRINTF_POINTER, .lanes = 1, .offset = 8},
	};
	struct {
		struct weft_printf_site site;
		uint64_t pointers[2]; /* of %p, which nothing follows, and of %s */
		char text[8];
	} lent = {.site = {"%% %#% %p %5.3s", types, 2, sizeof(lent.pointers)}, {16, 0}, "abcdefg"};
	struct riscv_range memory = {
		.begin = (uintptr_t)&lent, .size = sizeof(lent), .right = RISCV_READ};
	const uint64_t function = (uintptr_t)print, site = (uintptr_t)&lent.site,
		       args = (uintptr_t)lent.pointers;

	(void)state;
	call_host(true, function, site, args, memory);
	lent.pointers[1] = (uintptr_t)lent.text;
	call_host(true, function, site, args, memory);
	memory.right = RISCV_WRITE; /* the kernel may have made the site */
	call_host(false, function, site, args, memory);
	memory.right = RISCV_READ;
	variables.begin = (uintptr_t)&lent.site.args; /* or a part of it */
	variables.size = sizeof(lent.site.args);
	call_host(false, function, site, args, memory);
	variables.begin = (uintptr_t)(&lent.site + 1);
	call_host(true, function, site, args, memory);
	variables.size = 0;
	lent.pointers[1] = 16;
	call_host(false, function, site, args, memory);
	lent.pointers[1] = (uintptr_t)lent.text + sizeof(lent.text);
	call_host(false, function, site, args, memory);
	lent.pointers[1] = (uintptr_t)lent.text;
	lent.text[7] = 'h';
	call_host(false, function, site, args, memory);
}

/* Each pointer of a request is NULL, or the hart's with all that it leads to. */
static void enqueued_requests(void **state)
{
	struct {
		struct weft_block_literal block;
		struct weft_enqueue_request request;
		uint64_t number; /* the last one that is the hart's */
	} lent = {.block = {sizeof(lent.block), 8}};
	struct riscv_range memory = {
		.begin = (uintptr_t)&lent, .size = sizeof(lent), .right = RISCV_WRITE};
	void **const pointers[] = {&lent.request.block, &lent.request.range, &lent.request.waits,
				   &lent.request.result, &lent.request.sizes};
	const uint64_t function = (uintptr_t)enqueue, request = (uintptr_t)&lent.request;

	(void)state;
	lent.request.num_waits = lent.request.num_sizes = 1;
	call_host(true, function, WEFT_ENQUEUE_KERNEL, request, memory);
	call_host(false, function, WEFT_ENQUEUE_KERNEL, 16, memory);
	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++) {
		*pointers[i] = (void *)16;
		call_host(false, function, WEFT_ENQUEUE_KERNEL, request, memory);
		*pointers[i] = NULL;
	}
	lent.request.block = &lent.block;
	lent.request.waits = lent.request.result = lent.request.sizes = &lent.number;
	call_host(true, function, WEFT_ENQUEUE_KERNEL | WEFT_ENQUEUE_DETAILED, request, memory);
	call_host(false, function, WEFT_ENQUEUE_CAPTURE_TIMES, request, memory); /* two numbers */
	memory.right = RISCV_READ; /* where no result can be */
	call_host(false, function, WEFT_ENQUEUE_KERNEL, request, memory);
	memory.right = RISCV_WRITE;
	lent.block.size = sizeof(lent) + 1;
	call_host(false, function, WEFT_ENQUEUE_KERNEL, request, memory);
	lent.block.size = sizeof(lent.block);
	lent.request.num_waits = 2;
	call_host(false, function, WEFT_ENQUEUE_KERNEL, request, memory);
	lent.request.num_waits = 1;
	lent.request.num_sizes = UINT32_MAX;
	call_host(false, function, WEFT_ENQUEUE_KERNEL, request, memory);
}

/* The arguments are the hart's, and so is the result, where it may write. */
static void posted_calls(void **state)
{
	uint64_t lent[4] = {0};
	struct riscv_range memory = {
		.begin = (uintptr_t)lent, .size = sizeof(lent), .right = RISCV_WRITE};
	const uint64_t function = (uintptr_t)post_call, args = (uintptr_t)lent;

	(void)state;
	more_arguments[0] = 16;
	more_arguments[1] = args + 16;
	more_arguments[2] = 16;
	call_host(true, function, 1, args, memory);
	call_host(false, function, 1, args + 24, memory); /* its end is past the memory's */
	call_host(false, function, 1, 16, memory);
	call_host(false, function, 1, 0, memory); /* NULL has no arguments either */
	more_arguments[1] = args + 24;
	call_host(false, function, 1, args, memory);
	more_arguments[2] = 8;
	call_host(true, function, 1, args, memory);
	memory.right = RISCV_READ;
	call_host(false, function, 1, args, memory);
	more_arguments[2] = 0; /* no result */
	call_host(true, function, 1, args, memory);
	more_arguments[0] = 0; /* no arguments */
	call_host(true, function, 1, 16, memory);
	memset(more_arguments, 0, sizeof(more_arguments));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(printed_strings),
		cmocka_unit_test(enqueued_requests),
		cmocka_unit_test(posted_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
