/* SPDX-License-Identifier: MIT
 *
 * The board with a long chain of kernels.
 */
#include "engine/board.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* A chain of kernels that all fail, by a thread whose stack has no room for a call for each of them. */
#define CHAIN 20000

static void *fail_first(void *board)
{
	weft_board_fail(board, 0);
	return NULL;
}

static void test_failure_of_chain(void **state)
{
	static struct weft_spec_kernel kernels[CHAIN];
	static struct weft_split splits[CHAIN];
	static size_t before[CHAIN];
	static char label[] = "1", cpu[] = "cpu";
	struct weft_domain domain = {.is_host = true};
	struct weft_device device = {.name = cpu, .type = CL_DEVICE_TYPE_CPU};
	const struct weft_spec spec = {.kernels = kernels, .count = CHAIN};
	const struct weft_devices devices = {
		.items = &device, .count = 1, .domains = &domain, .num_domains = 1};
	struct weft_board board;
	struct weft_error error = {0};
	pthread_attr_t attributes;
	pthread_t thread;

	(void)state;
	for (size_t t = 0; t < CHAIN; t++) {
		before[t] = t - 1;
		kernels[t] = (struct weft_spec_kernel){.label = label,
						       .name = label,
						       .dimensions = 1,
						       .global = {1, 1, 1},
						       .depends = &before[t],
						       .num_depends = t > 0};
		splits[t] = (struct weft_split){.slabs = 1, .items_per_slab = 1};
	}
	assert_true(weft_board_create(&board, &spec, splits, &devices, &error));
	assert_int_equal(pthread_attr_init(&attributes), 0);
	assert_int_equal(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
	assert_int_equal(pthread_create(&thread, &attributes, fail_first, &board), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(pthread_attr_destroy(&attributes), 0);
	assert_int_equal(board.left, 0);
	assert_true(board.progress[CHAIN - 1].has_failed);
	weft_board_destroy(&board);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_failure_of_chain)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
