/* SPDX-License-Identifier: MIT
 *
 * The task benchmark's vocabulary: a case measures one thing about commands on one device and gives one value or
 * more. Whatever fails in a measured process ends it, with what and why on standard error.
 */
#ifndef WEFT_BENCH_TASKS_H
#define WEFT_BENCH_TASKS_H

#define CL_TARGET_OPENCL_VERSION 200
#include "measure.h"

#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>

#define MAX_VALUES 8
#define NOT_OFFERED (-1.0) /* a number of what the driver does not have */

struct device {
	cl_device_id id;
	cl_context context;
	cl_program program; /* tasks.cl and pipeline.cl */
	unsigned units;     /* compute units: how many work-groups can run at a time */
	bool small;         /* run a little of everything, for the results alone */
};

struct value {
	const char *name;
	const char *unit;
	double wanted; /* Weft's aim, at most this; 0: none */
};

struct task_case {
	const char *name;
	struct value values[MAX_VALUES]; /* ended by one without a name */
	/* Writes one number per value, in its unit. */
	void (*measure)(const struct device *device, double *numbers);
};

/* A file's cases, ended by one without a name. */
extern const struct task_case chain_cases[];
extern const struct task_case balance_cases[];
extern const struct task_case pipeline_cases[];
extern const struct task_case latency_cases[];
extern const struct task_case replay_cases[];
extern const struct task_case shared_cases[];
extern const struct task_case device_enqueue_cases[];
extern const struct task_case pipe_cases[];

/* ---- device.c ---- */

/* Opens the first device of the first platform and builds the program. */
void device_open(struct device *device, bool small);
void device_close(struct device *device);

/* Ends the process unless `error` is CL_SUCCESS. */
void must(cl_int error, const char *what);
/* The same for results. */
void expect(bool right, const char *what);

cl_command_queue device_queue(const struct device *device, cl_command_queue_properties properties);
cl_kernel device_kernel(const struct device *device, const char *name);
/* Zeros. */
cl_mem device_buffer(const struct device *device, cl_mem_flags flags, size_t size);
cl_event device_gate(const struct device *device);

/* In one dimension, without an event. */
void enqueue(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local);
/* Opens the gate, waits for the queues; seconds. */
double time_behind(cl_event gate, const cl_command_queue *queues, unsigned num_queues);

#endif
