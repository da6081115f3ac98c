/* SPDX-License-Identifier: MIT
 *
 * The arguments of the kernels in test_kernels.c, as they lie in the packed block.
 */
#ifndef WEFT_TESTS_DRIVER_TEST_KERNELS_H
#define WEFT_TESTS_DRIVER_TEST_KERNELS_H

#include <stdatomic.h>
#include <stdint.h>

enum test_kernel {
	KERNEL_COUNT,
	KERNEL_MEMORY,
	KERNEL_ADD,
	KERNEL_PRINT,
	KERNEL_FLOAT,
	KERNEL_SLOW,
	KERNEL_EMPTY,
	NUM_KERNELS,
};

/* count: every work-item adds one to its own cell of `cells`, x fastest. */
struct count_args {
	uint8_t *cells;
	_Atomic uint64_t *calls;   /* of the entry point */
	_Atomic uint64_t *threads; /* bit set of a hash of the threads that ran it */
};

/* memory: fills local and spill memory, reads it back, and counts groups in which it was wrong. */
struct memory_args {
	uint64_t local_bytes;
	uint64_t spill_bytes;
	_Atomic uint64_t *wrong;
	_Atomic uint64_t *groups;
};

/* add: one plain addition; the commands around it must be ordered. */
struct add_args {
	uint64_t *value;
	uint64_t amount;
};

/* print: every group prints `lines` lines "group line". */
struct print_args {
	uint64_t lines;
	_Atomic uint64_t *failures;
};

/* float: 1/3 in the thread's rounding mode, its halved smallest number, and its control word. */
struct float_args {
	float *third;
	float *denormal;
	uint32_t *control;
};

/* empty: no arguments; a loop over the groups that does nothing. */

/* slow: each group takes `rounds` rounds of arithmetic. */
struct slow_args {
	uint64_t rounds;
	_Atomic uint64_t *sum;
};

#endif
