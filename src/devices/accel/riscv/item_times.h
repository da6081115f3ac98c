/* SPDX-License-Identifier: MIT
 *
 * The time of each work-item, from marks in the code (enum riscv_mark). A work-item's time is that from its beginning to its end, and
 * before that from the end of the one before it. What comes before the first work-item of a region is what every element executes
 * once. Several work-items that begin before one ends, as lanes of one loop, share their time.
 */
#ifndef WEFT_RISCV_ITEM_TIMES_H
#define WEFT_RISCV_ITEM_TIMES_H

#include <stdbool.h>
#include <stdint.h>

struct riscv_item_times {
	uint64_t *cycles;    /* weft_work_context.cycles, by number; NULL: the kernel has none */
	uint64_t room;       /* of them */
	uint64_t count;      /* that have ended in this region */
	uint64_t since;      /* when the last of them ended, or the region before was measured */
	uint64_t begin;      /* of those that run */
	uint32_t open;       /* that run */
	uint32_t lanes;      /* that ran when the first of them ended; 0: none has ended */
	uint64_t share;      /* of each */
	uint64_t prologue;   /* cycles of the region before its first work-item */
	uint64_t group;      /* the next one to begin */
	uint64_t far_before; /* riscv_hart.far_accesses at `begin` */
	uint64_t near;       /* accesses since then that a transfer replaces */
	uint64_t transfers;  /* weft_work_context.transfers */
	uint32_t gain;       /* cycles of an access that is replaced */
};

/* Where a hart is: its cycles, and accesses of global memory, up to here. */
struct riscv_moment {
	uint64_t now, far_accesses;
};

/* `mark`: enum riscv_mark. */
void riscv_mark_item(struct riscv_item_times *items, uint32_t mark, struct riscv_moment at);

/* Cycles of the work-item that runs. */
uint64_t riscv_item_time(const struct riscv_item_times *items, struct riscv_moment at);

/* The region's work-items have ended: the next one begins `now`. False: they are not so many. */
bool riscv_end_region(struct riscv_item_times *items, uint64_t num_items, uint64_t now);

#endif
