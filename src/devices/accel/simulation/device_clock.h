/* SPDX-License-Identifier: MIT
 *
 * The clock of a board. Simulated time begins with 0 and goes on only as commands take it: what is handed over may begin at
 * the latest end of a command that has run. The device's timer, which profiling shows, is simulated time behind a base; while
 * nothing is to be run it goes on as the host's clock does, so the base has grown by that when there is something again. What
 * the host hands over because it was told of an end follows that at once.
 * So what is handed over at once has the same differences in both, whenever it runs on the host, and the timer never goes
 * back, nor before a start that has yet to come.
 */
#ifndef WEFT_ACCEL_DEVICE_CLOCK_H
#define WEFT_ACCEL_DEVICE_CLOCK_H

#include <stdint.h>

#define ACCEL_PS_PER_NS 1000u

struct accel_clock {
	uint64_t reached; /* ps of simulated time: the latest end of a command that has run */
	uint64_t base;    /* ns: what the timer shows at simulated time 0 */
	uint64_t rests;   /* ns of the host's clock: since when nothing is to be run */
	uint32_t busy;    /* handed over, and the host does not know of the end */
};

/* `now` is the host's time in ns, here and below. */
void accel_clock_init(struct accel_clock *clock, uint64_t now);
/* One command more is to be run. */
void accel_clock_begin(struct accel_clock *clock, uint64_t now);
/* One has run, up to the simulated time `end`. */
void accel_clock_reach(struct accel_clock *clock, uint64_t end);
/* The host has been told of one, and what became ready by that has begun. */
void accel_clock_end(struct accel_clock *clock, uint64_t now);
/* Nothing is to be run any more. */
void accel_clock_rest(struct accel_clock *clock, uint64_t now);

/* What the timer shows, in ns: now, and at a simulated time of what has been handed over. */
uint64_t accel_clock_read(const struct accel_clock *clock, uint64_t now);
uint64_t accel_clock_at(const struct accel_clock *clock, uint64_t time);

/* The simulated time so many cycles after `start`; at most UINT64_MAX, where time ends. */
uint64_t accel_clock_after(uint64_t start, uint64_t cycles, uint64_t clock_mhz);

#endif
