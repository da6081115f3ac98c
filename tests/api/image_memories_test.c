/* SPDX-License-Identifier: MIT
 *
 * Random sequences of commands on images, in a context whose devices have several memories: two CPU devices, and three
 * accelerators, of which the first two share one. The queues are in order; a command waits for the one before if that was in
 * another queue.
 */
#include "described_context.h"
#include "image_sequences.h"

enum { NUM_DEVICES = 5 };

static cl_context context;
static cl_command_queue queues[NUM_DEVICES];

static int set_up(void **state)
{
	cl_device_id devices[NUM_DEVICES];

	(void)state;
	context =
		described_context("pthread,basic,accel", "memory=m;memory=m;clusters=2,global=64M",
				  NUM_DEVICES, devices);
	for (int i = 0; i < NUM_DEVICES; i++)
		queues[i] = fixture_queue(context, devices[i], 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (int i = 0; i < NUM_DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	return 0;
}

static void test_all_devices(void **state)
{
	(void)state;
	run_all(&(struct sequence){
		.context = context, .queues = queues, .num_queues = NUM_DEVICES, .in_order = true});
}

static void test_one_accelerator(void **state)
{
	(void)state;
	run_all(&(struct sequence){
		.context = context, .queues = &queues[2], .num_queues = 1, .in_order = true});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_devices),
		cmocka_unit_test(test_one_accelerator),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
