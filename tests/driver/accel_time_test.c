/* SPDX-License-Identifier: MIT
 *
 * Simulated time that the driver reports: counted cycles of kernels, copies, and rows in traces.
 */
#include "accel_test.h"

#include "driver/stats.h"
#include "driver_optional.h"
#include "host.h"

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* Each work-item counts its local id, and once more behind a barrier. */
static void count_ids(const struct weft_ndrange *range, const void *block,
		      struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)block;
	for (; first < end; first++) {
		for (uint32_t region = 0; region < 2; region++) {
			for (uint64_t i = 0; i < range->local_size[0]; i++)
				context->cycles[i] = i;
			context->measure(context, range->local_size[0], region);
		}
	}
}

static const struct weft_kernel_desc count_ids_desc = {
	.name = "count_ids", .entry = count_ids, .flags = WEFT_KERNEL_COUNTS_CYCLES};

static uint64_t time_of_count_ids(const char *machine, uint64_t items, uint64_t groups)
{
	open_all(machine);
	struct node *node = node_new(devices[0], WEFT_OP_NDRANGE);
	node->command.launch = (struct weft_launch){
		.kernel = &count_ids_desc,
		.range = {.global_size = {groups * items, 1, 1},
			  .local_size = {items, 1, 1},
			  .num_groups = {groups, 1, 1},
			  .work_dim = 1},
	};
	assert_int_equal(node_run(node), WEFT_OK);
	uint64_t time = accel_stats_read(devices[0]).kernel_cycles;
	close_all();
	return time;
}

/* The last of 4 elements has 9, 10 and 11 of 12 work-items; the last of the 6 out of 8 that have any, 10 and 11; and one
 * element, all. Two clusters run 5 groups in three rounds, or, when each has 4 at a time, in one. */
static void simulated_time(void **state)
{
	(void)state;
	assert_int_equal(time_of_count_ids("clusters=2,elements=4,groups=1", 12, 5),
			 1000 + 3 * (50 + 30 + 20 + 30));
	assert_int_equal(time_of_count_ids("clusters=2,elements=8,groups=1,barrier=0", 12, 5),
			 1000 + 3 * (50 + 21 + 21));
	assert_int_equal(
		time_of_count_ids("clusters=2,elements=16,groups=4,launch=0,dispatch=7", 12, 5),
		7 + 30 + 20 + 30);
	assert_int_equal(time_of_count_ids("clusters=2,elements=1", 12, 5), 1000 + 3 * (50 + 132));
	assert_int_equal(time_of_count_ids("clusters=1,elements=16,groups=1", 4096, 1),
			 1000 + 50 + 20 + 2 * (256 * (4096 + 3840 - 1) / 2));
	assert_int_equal(time_of_count_ids("clusters=1,elements=16,groups=1", 1, 1),
			 1000 + 50 + 20);
}

/* ---- traces ---------------------------------------------------------------------------------- */

enum { ROWS = 16 };

static char row_names[ROWS][32];
static uint64_t row_times[ROWS]; /* ns */

static void name_row(uint32_t device, uint32_t part, const char *name)
{
	(void)device;
	if (part < ROWS)
		snprintf(row_names[part], sizeof(row_names[part]), "%s", name);
}

static void add_to_row(struct weft_command *command, const struct weft_span *span)
{
	(void)command;
	if (span->part < ROWS)
		row_times[span->part] += span->end - span->start;
}

static void ignore_arrow(struct weft_command *command, const struct weft_arrow *arrow)
{
	(void)command;
	(void)arrow;
}

/* A launch of three groups of 3 work-items, which count 0, 1 and 2 cycles, twice: on 2 elements the first one has two of
 * them, the second one the last. The first cluster has two groups. */
static void elements_have_rows(void **state)
{
	struct weft_host looking = test_host;

	(void)state;
	looking.simulation = &(struct weft_host_simulation){name_row, add_to_row, ignore_arrow};
	told = &looking;
	memset(row_times, 0, sizeof(row_times));
	(void)time_of_count_ids("clusters=2,elements=2,groups=1,clock=1000,channels=1", 3, 3);
	assert_int_equal(row_times[4], 2 * 2 * 1);
	assert_int_equal(row_times[5], 2 * 2 * 2);
	assert_int_equal(row_times[6], 2 * 1);
	assert_int_equal(row_times[7], 2 * 2);
	assert_string_equal(row_names[3], "channel 0");
	assert_string_equal(row_names[4], "cluster 0 element 0");
	assert_string_equal(row_names[7], "cluster 1 element 1");
	memset(row_times, 0, sizeof(row_times));
	(void)time_of_count_ids("clusters=1,elements=257,groups=1,clock=1000,channels=1", 3, 1);
	assert_int_equal(row_times[1], 1000 + 50 + 2 * 2 + 20);
	assert_int_equal(row_times[3], 0);
	told = &test_host;
}

static void simulated_time_of_copies(void **state)
{
	unsigned char bytes[100] = {0};

	(void)state;
	open_all("dma_latency=30,dma_bytes=16");
	unsigned char *address = allocate(0, sizeof(bytes));
	upload(0, address, bytes, sizeof(bytes));
	assert_int_equal(accel_stats_read(devices[0]).dma_cycles, 30 + 7);
	download(0, bytes, address, 32);
	assert_int_equal(accel_stats_read(devices[0]).dma_cycles, 37 + 30 + 2);
	release(0, address);
	close_all();
}

int run_accel_time_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simulated_time),
		cmocka_unit_test(elements_have_rows),
		cmocka_unit_test(simulated_time_of_copies),
	};

	return cmocka_run_group_tests_name("time", tests, NULL, NULL);
}
