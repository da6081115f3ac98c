/* SPDX-License-Identifier: MIT
 *
 * Simulated time while there are commands, the host's time while there are none.
 */
#include "simulation/device_clock.h"

#include "overflow.h"
#include "simulation/cycles.h"

#define PS_PER_CYCLE_AT_1_MHZ 1000000u

void accel_clock_init(struct accel_clock *clock, uint64_t now)
{
	*clock = (struct accel_clock){.base = now, .rests = now};
}

void accel_clock_begin(struct accel_clock *clock, uint64_t now)
{
	if (clock->busy++ == 0)
		clock->base += now - clock->rests;
}

void accel_clock_reach(struct accel_clock *clock, uint64_t end)
{
	clock->reached = accel_later(clock->reached, end);
}

/* `busy` is 0 if the child of a fork has begun anew. */
void accel_clock_end(struct accel_clock *clock, uint64_t now)
{
	if (clock->busy == 0)
		return;
	clock->busy--;
	if (clock->busy == 0)
		clock->rests = now;
}

void accel_clock_rest(struct accel_clock *clock, uint64_t now)
{
	if (clock->busy == 0)
		return;
	clock->busy = 0;
	clock->rests = now;
}

uint64_t accel_clock_at(const struct accel_clock *clock, uint64_t time)
{
	return clock->base + time / ACCEL_PS_PER_NS;
}

uint64_t accel_clock_read(const struct accel_clock *clock, uint64_t now)
{
	const uint64_t rested = clock->busy == 0 ? now - clock->rests : 0;

	return accel_clock_at(clock, clock->reached) + rested;
}

/* Whole multiples first: the product of large numbers would not fit. Saturates: by its description, a device may take seconds
 * for an access. */
uint64_t accel_clock_after(uint64_t start, uint64_t cycles, uint64_t clock_mhz)
{
	const uint64_t rest = cycles % clock_mhz * PS_PER_CYCLE_AT_1_MHZ / clock_mhz;
	uint64_t end;

	if (weft_mul_overflows(cycles / clock_mhz, PS_PER_CYCLE_AT_1_MHZ, &end) ||
	    weft_add_overflows(end, rest, &end) || weft_add_overflows(end, start, &end))
		return UINT64_MAX;
	return end;
}
