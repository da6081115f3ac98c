/* SPDX-License-Identifier: MIT
 *
 * Commands on memory that is given by its address: what is ordered with what, in an in-order queue that the test steps.
 */
#include "commands/svm_command.h"

#include "graph_fixture.h"
#include "memory/allocation.h"

#define BYTES 64

struct fixture {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

static int setup(void **state)
{
	static struct fixture fixture;
	struct fixture *f = &fixture;

	graph_open(0, &f->device, &f->context);
	f->queue = graph_queue(f->device, f->context, 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	weft_object_release_api(&f->queue->base);
	graph_close(f->device, f->context);
	return 0;
}

/* The list ends with NULL. */
static void release_all(const cl_event *events)
{
	for (; *events; events++)
		weft_object_release_api(&(*events)->base);
}

static char *allocate(struct fixture *f)
{
	const struct weft_allocation_desc desc = {.context = f->context,
						  .allocation.kind = WEFT_ALLOCATION_SVM,
						  .flags = CL_MEM_READ_WRITE,
						  .size = BYTES};
	void *address = NULL;

	assert_int_equal(weft_allocation_create(&desc, &address), CL_SUCCESS);
	return address;
}

/* From an address, or from a memory object on. */
static cl_event fill(struct fixture *f, cl_mem mem, char *address)
{
	const struct weft_enqueue enqueue = {f->queue, CL_COMMAND_SVM_MEMFILL, 0, NULL};
	const struct weft_mem_fill fill = {
		{mem, address, {0, BYTES / 2, BYTES / 2, BYTES / 2}},
		{BYTES / 2, 1, 1},
		"a",
		1,
	};
	cl_event event = NULL;

	assert_int_equal(weft_mem_enqueue_fill(&enqueue, &fill, &event), CL_SUCCESS);
	return event;
}

/* An address is that of its allocation, and so is a buffer in it. */
static void allocations_are_told_apart(void **state)
{
	struct fixture *f = *state;
	char *one = allocate(f);
	char *other = allocate(f);
	char host[BYTES];
	const struct weft_buffer_desc desc = {.context = f->context,
					      .flags = CL_MEM_USE_HOST_PTR,
					      .size = BYTES,
					      .host_ptr = one};
	cl_mem view = NULL;

	assert_int_equal(weft_buffer_create(&desc, &view), CL_SUCCESS);
	cl_event first = fill(f, NULL, one);
	cl_event behind = fill(f, NULL, one + BYTES / 2);
	cl_event apart = fill(f, NULL, other);
	cl_event system = fill(f, NULL, host);
	cl_event again = fill(f, NULL, one + BYTES / 4); /* follows the first two */
	cl_event by_buffer = fill(f, view, NULL);        /* follows the one before it */

	assert_int_equal(fake_num_ready(f->device), 4);
	fake_run(f->device, first, WEFT_OK);
	assert_false(fake_is_ready(f->device, again));
	fake_run(f->device, behind, WEFT_OK);
	assert_true(fake_is_ready(f->device, again));
	assert_false(fake_is_ready(f->device, by_buffer));
	/* what is freed stays while commands use it */
	assert_true(weft_allocation_free(f->context, WEFT_ALLOCATION_SVM, one));
	assert_false(weft_allocation_free(f->context, WEFT_ALLOCATION_SVM, one));
	assert_null(weft_allocation_find(one));
	fake_run(f->device, again, WEFT_OK);
	fake_run(f->device, by_buffer, WEFT_OK);
	fake_run_all(f->device);
	assert_true(weft_allocation_free(f->context, WEFT_ALLOCATION_SVM, other));
	release_all((const cl_event[]){first, behind, apart, system, again, by_buffer, NULL});
	weft_object_release_api(&view->base);
}

/* A map of a part, the unmap of all, and what comes after. */
static void maps_are_in_the_order(void **state)
{
	struct fixture *f = *state;
	const struct weft_enqueue enqueue = {f->queue, CL_COMMAND_SVM_MAP, 0, NULL};
	char *one = allocate(f);
	const struct weft_svm_range second_half = {one + BYTES / 2, BYTES / 2};
	cl_event mapped = NULL;
	cl_event unmapped = NULL;

	cl_event first = fill(f, NULL, one);
	assert_int_equal(weft_svm_enqueue_map(&enqueue, &second_half, CL_MAP_WRITE, false, &mapped),
			 CL_SUCCESS);
	assert_true(fake_is_ready(f->device, mapped));
	assert_int_equal(weft_svm_enqueue_unmap(&enqueue, one, &unmapped), CL_SUCCESS);
	cl_event last = fill(f, NULL, one);
	fake_run(f->device, mapped, WEFT_OK);
	assert_false(fake_is_ready(f->device, unmapped));
	fake_run(f->device, first, WEFT_OK);
	assert_true(fake_is_ready(f->device, unmapped));
	assert_false(fake_is_ready(f->device, last));
	fake_run(f->device, unmapped, WEFT_OK);
	fake_run_all(f->device);
	assert_int_equal(weft_event_status(last), CL_COMPLETE);
	/* nothing is in the queue: no command is needed */
	assert_int_equal(weft_svm_enqueue_map(&enqueue, &second_half, CL_MAP_READ, true, NULL),
			 CL_SUCCESS);
	assert_int_equal(weft_svm_enqueue_unmap(&enqueue, one, NULL), CL_SUCCESS);
	assert_int_equal(fake_num_ready(f->device), 0);
	assert_true(weft_allocation_free(f->context, WEFT_ALLOCATION_SVM, one));
	release_all((const cl_event[]){first, mapped, unmapped, last, NULL});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(allocations_are_told_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(maps_are_in_the_order, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
