/* SPDX-License-Identifier: MIT
 *
 * Random sequences of commands on images: in an in-order queue, where they run in parallel, and chained by events in an
 * out-of-order one.
 */
#include "image_sequences.h"

static void test_in_order(void **state)
{
	struct fixture *f = *state;

	run_all(&(struct sequence){
		.context = f->context, .queues = &f->queue, .num_queues = 1, .in_order = true});
}

static void test_chained(void **state)
{
	struct fixture *f = *state;

	run_all(&(struct sequence){
		.context = f->context, .queues = &f->out_of_order, .num_queues = 1});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_chained),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
