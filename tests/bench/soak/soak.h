/* SPDX-License-Identifier: MIT
 *
 * The kinds of work that a soak mixes. Each round is some tens to hundreds of commands of one kind, checked at its end.
 */
#ifndef WEFT_BENCH_SOAK_H
#define WEFT_BENCH_SOAK_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define SOAK_ITEMS 1024 /* of a worker's buffers */

/* What all workers share. The queues have the commands of several workers in them. */
struct soak {
	cl_device_id device;
	cl_context context;
	cl_program program;
	cl_command_queue in_order;
	cl_command_queue out_of_order;
	_Atomic uint64_t callbacks; /* that have run */
};

/* One thread of the application. */
struct worker {
	struct soak *soak;
	pthread_t thread;
	uint64_t random;
	cl_kernel add; /* add(global int *, int) */
	cl_mem mems[2];
	cl_int *numbers;         /* SOAK_ITEMS, for transfers */
	cl_int value;            /* of every element of mems[0] */
	_Atomic uint64_t rounds; /* so far */
	_Atomic uint64_t commands;
	_Atomic uint64_t builds;
	_Atomic bool failed;
};

bool worker_open(struct worker *worker, struct soak *soak, uint64_t seed);
void worker_close(struct worker *worker);

/* A round of a random kind; false, and what is wrong on standard error, when a result or a code is. */
bool worker_round(struct worker *worker);

extern const char soak_source[];

#endif
