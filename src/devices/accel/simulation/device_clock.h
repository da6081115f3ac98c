/* SPDX-License-Identifier: MIT
 *
 * The clock of a memory domain. Simulated time begins at 0 and advances only as commands take it: a command that is handed
 * over may begin at the latest end of the commands that have run. The devices' timer, which profiling shows, is simulated
 * time plus a base. While there is no command, the timer follows the host's clock: the base has grown by that time when there
 * is a command again. What the host hands over because it was told of an end begins at once after that end.
 * So for commands that are handed over at once, time differences are equal in both, whenever they run on the host. The timer
 * never goes back, nor is it ever behind a start that is still to come.
 */
#ifndef WEFT_ACCEL_DEVICE_CLOCK_H
#define WEFT_ACCEL_DEVICE_CLOCK_H

#include <stdint.h>

#define ACCEL_PS_PER_NS 1000u

struct accel_clock {
	uint64_t reached; /* ps of simulated time: the latest end of a command that has run */
	uint64_t base;    /* ns: what the timer shows at simulated time 0 */
	uint64_t rests;   /* ns of the host's clock: since when there is no command */
	uint32_t busy;    /* commands handed over of which the host does not know the end */
};

/* `now` is the host's time in ns, here and below. */
void accel_clock_init(struct accel_clock *clock, uint64_t now);
/* One more command has been handed over. */
void accel_clock_begin(struct accel_clock *clock, uint64_t now);
/* A command has run, up to the simulated time `end`. */
void accel_clock_reach(struct accel_clock *clock, uint64_t end);
/* The host has been told of an end, and what became ready by that has been handed over. */
void accel_clock_end(struct accel_clock *clock, uint64_t now);
/* There is no command any more. */
void accel_clock_rest(struct accel_clock *clock, uint64_t now);

/* The timer's value in ns: now, and at a simulated time. */
uint64_t accel_clock_read(const struct accel_clock *clock, uint64_t now);
uint64_t accel_clock_at(const struct accel_clock *clock, uint64_t time);

/* The simulated time `cycles` after `start`; at most UINT64_MAX. */
uint64_t accel_clock_after(uint64_t start, uint64_t cycles, uint64_t clock_mhz);

#endif
