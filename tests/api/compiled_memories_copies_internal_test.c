/* SPDX-License-Identifier: MIT
 *
 * Copies between buffers whose contents are in different memories: one transfer each, by the engine of the queue's device; and which
 * devices say that they share a memory.
 */
#include "memories.h"

#include "migration/migration.h"

#include "weft/memory_domain.h"

enum { COUNT = 5120, BYTES = COUNT * sizeof(cl_uint) };

static cl_mem numbers(struct memories *m, cl_mem_flags flags)
{
	cl_uint words[COUNT];

	for (cl_uint i = 0; i < COUNT; i++)
		words[i] = i;
	return fixture_buffer_in(m->context, flags, BYTES, words);
}

static void add(struct memories *m, int device, cl_mem mem, cl_uint value)
{
	assert_int_equal(memories_add(m, device, mem, value, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[device]), CL_SUCCESS);
}

static void copy(struct memories *m, int device, cl_mem from, cl_mem to)
{
	assert_int_equal(
		clEnqueueCopyBuffer(m->queues[device], from, to, 0, 0, BYTES, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[device]), CL_SUCCESS);
}

/* Every element is its number and `more`. */
static void expect(struct memories *m, int device, cl_mem mem, cl_uint more)
{
	cl_uint words[COUNT];

	assert_int_equal(clEnqueueReadBuffer(m->queues[device], mem, CL_TRUE, 0, BYTES, words, 0,
					     NULL, NULL),
			 CL_SUCCESS);
	for (cl_uint i = 0; i < COUNT; i++)
		assert_int_equal(words[i], i + more);
}

static void expect_transfers(uint64_t *before, uint64_t count)
{
	const uint64_t now = weft_migration_num_transfers();

	assert_int_equal(now - *before, count);
	*before = now;
}

static void fill(struct memories *m, int device, cl_mem mem, size_t size, cl_uint value)
{
	assert_int_equal(clEnqueueFillBuffer(m->queues[device], mem, &value, sizeof(value), 0, size,
					     0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[device]), CL_SUCCESS);
}

/* The copy itself is the only command that moves the bytes. */
static void read_where_they_are(void **state)
{
	struct memories *m = *state;
	cl_mem source = numbers(m, CL_MEM_COPY_HOST_PTR);
	cl_mem target = fixture_buffer_in(m->context, 0, BYTES, NULL);
	uint64_t before = weft_migration_num_transfers();

	copy(m, APART, source, target); /* from the host */
	expect(m, APART, target, 0);
	expect_transfers(&before, 0);
	add(m, FIRST, source, 1);
	expect_transfers(&before, 1);
	copy(m, APART, source, target); /* from the other accelerators' memory */
	expect(m, APART, target, 1);
	copy(m, SECOND, source, target); /* where it is */
	expect(m, FIRST, target, 1);
	add(m, SECOND, source, 1); /* it is valid there still */
	expect_transfers(&before, 0);
	expect(m, APART, source, 2); /* and nowhere else */
	expect_transfers(&before, 1);
	assert_int_equal(clReleaseMemObject(source), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(target), CL_SUCCESS);
}

/* One half is in one memory, the other half in another: it comes to where the copy works, as for any command. */
static void halves_apart(void **state)
{
	struct memories *m = *state;
	const cl_buffer_region upper = {BYTES / 2, BYTES / 2};
	cl_uint words[COUNT];
	cl_mem source = numbers(m, CL_MEM_COPY_HOST_PTR);
	cl_mem target = fixture_buffer_in(m->context, 0, BYTES, NULL);
	cl_mem half = clCreateSubBuffer(source, 0, CL_BUFFER_CREATE_TYPE_REGION, &upper, NULL);
	uint64_t before = weft_migration_num_transfers();

	assert_non_null(half);
	fill(m, FIRST, half, BYTES / 2, 0);
	copy(m, APART, source, target);
	expect_transfers(&before, 2);
	assert_int_equal(clEnqueueReadBuffer(m->queues[APART], target, CL_TRUE, 0, BYTES, words, 0,
					     NULL, NULL),
			 CL_SUCCESS);
	for (cl_uint i = 0; i < COUNT; i++)
		assert_int_equal(words[i], i < COUNT / 2 ? i : 0);
	/* a half alone is in one memory */
	fill(m, FIRST, half, BYTES / 2, 0);
	assert_int_equal(
		clEnqueueCopyBuffer(m->queues[APART], half, target, 0, 0, BYTES / 2, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[APART]), CL_SUCCESS);
	expect_transfers(&before, 0);
	assert_int_equal(clReleaseMemObject(half), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(source), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(target), CL_SUCCESS);
}

/* The memory apart has 64 MiB: room for the targets of two copies, not for their source, too. That needs some when it is in two memories. */
static void takes_room_only_if_it_must(void **state)
{
	struct memories *m = *state;
	const size_t size = (size_t)24 << 20;
	cl_int status = CL_SUCCESS;
	cl_event event;
	cl_uint found = 0;
	cl_mem mems[3];

	for (int i = 0; i < 3; i++)
		mems[i] = fixture_buffer_in(m->context, 0, size, NULL);
	fill(m, FIRST, mems[0], size, 7);
	for (int i = 1; i < 3; i++)
		assert_int_equal(clEnqueueCopyBuffer(m->queues[APART], mems[0], mems[i], 0, 0, size,
						     0, NULL, NULL),
				 CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(m->queues[APART], mems[2], CL_TRUE,
					     size - sizeof(found), sizeof(found), &found, 0, NULL,
					     NULL),
			 CL_SUCCESS);
	assert_int_equal(found, 7);

	cl_uint *mapped = clEnqueueMapBuffer(m->queues[FIRST], mems[0], CL_TRUE, CL_MAP_WRITE, 0,
					     size / 2, 0, NULL, NULL, NULL);
	assert_non_null(mapped);
	mapped[0] = 8;
	assert_int_equal(clEnqueueUnmapMemObject(m->queues[FIRST], mems[0], mapped, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[FIRST]), CL_SUCCESS);
	assert_int_equal(clEnqueueCopyBuffer(m->queues[APART], mems[0], mems[1], 0, 0, size, 0,
					     NULL, &event),
			 CL_SUCCESS);
	assert_int_equal(clFinish(m->queues[APART]), CL_SUCCESS);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	assert_int_equal(status, CL_OUT_OF_RESOURCES);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	/* with room it works */
	assert_int_equal(clReleaseMemObject(mems[2]), CL_SUCCESS);
	assert_int_equal(
		clEnqueueCopyBuffer(m->queues[APART], mems[0], mems[1], 0, 0, size, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(m->queues[APART], mems[1], CL_TRUE, 0, sizeof(found),
					     &found, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(found, 8);
	for (int i = 0; i < 2; i++)
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
}

static cl_uint domain_of(cl_device_id device)
{
	cl_uint number = UINT32_MAX;
	size_t size = 0;

	assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_MEMORY_DOMAIN_WEFT, sizeof(number),
					 &number, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(number));
	return number;
}

static void domains(void **state)
{
	const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	struct memories *m = *state;
	cl_device_id parts[2];

	assert_int_equal(domain_of(m->devices[PTHREAD]), 0);
	assert_int_equal(domain_of(m->devices[BASIC]), 0);
	assert_int_not_equal(domain_of(m->devices[FIRST]), 0);
	assert_int_equal(domain_of(m->devices[SECOND]), domain_of(m->devices[FIRST]));
	assert_int_not_equal(domain_of(m->devices[APART]), domain_of(m->devices[FIRST]));
	assert_int_not_equal(domain_of(m->devices[APART]), 0);
	assert_int_equal(clCreateSubDevices(m->devices[APART], halves, 2, parts, NULL), CL_SUCCESS);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(domain_of(parts[i]), domain_of(m->devices[APART]));
		assert_int_equal(clReleaseDevice(parts[i]), CL_SUCCESS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_where_they_are),
		cmocka_unit_test(halves_apart),
		cmocka_unit_test(takes_room_only_if_it_must),
		cmocka_unit_test(domains),
	};

	return cmocka_run_group_tests(tests, memories_set_up, memories_tear_down);
}
