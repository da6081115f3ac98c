/* SPDX-License-Identifier: MIT
 *
 * What the tests of schedules and of group timelines share: a small machine, and one launch on it.
 */
#ifndef WEFT_TESTS_DRIVER_ACCEL_SCHEDULE_TEST_H
#define WEFT_TESTS_DRIVER_ACCEL_SCHEDULE_TEST_H

#include "accel_test.h"
#include "simulation/schedule.h"

#include <cmocka.h>
#include <stdlib.h>

static inline struct accel_description machine_of(uint64_t clusters, uint64_t elements)
{
	return (struct accel_description){
		.clusters = clusters,
		.elements = elements,
		.local_bytes = 16 << 10,
		.groups = 1,
		.launch = 1000,
		.dispatch = 50,
		.barrier = 20,
	};
}

static struct accel_schedule schedule;

static inline void begin_with(const struct accel_description *machine,
			      const struct accel_load *load,
			      const struct accel_transfer_options *options)
{
	if (!schedule.machine)
		assert_int_equal(accel_schedule_init(&schedule, machine), WEFT_OK);
	accel_schedule_begin(&schedule, load, options);
}

static inline void begin(const struct accel_description *machine, const struct accel_load *load)
{
	begin_with(machine, load, NULL);
}

/* Work-items of the same cost, up to a barrier or their end. */
static inline void run(uint64_t num_items, uint64_t each, uint32_t region)
{
	uint64_t *cycles = calloc(num_items, sizeof(*cycles));

	assert_non_null(cycles);
	for (uint64_t i = 0; i < num_items; i++)
		cycles[i] = each;
	accel_schedule_region(&schedule, cycles, num_items, region);
	free(cycles);
}

#endif
