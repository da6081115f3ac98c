/* SPDX-License-Identifier: MIT
 *
 * libweft-schedule: runs kernels, and graphs of kernels, that files of JSON describe, over the OpenCL devices of a machine, of
 * any vendor. docs/schedule.md has the form of the files and what the strategies do; `weft schedule` is the same as a command.
 *
 *	struct weft_schedule_options options = {.strategy = "heft"};
 *	weft_schedule *schedule = weft_schedule_create(&options);
 *	if (!schedule || !weft_schedule_read(schedule, "graph.json") || !weft_schedule_run(schedule))
 *		… weft_schedule_error(schedule) says why …
 *	weft_schedule_destroy(schedule);
 *
 * A schedule is used by one thread at a time. Times are seconds, sizes are bytes where nothing else is said. Functions that
 * return bool return false when something went wrong.
 */
#ifndef WEFT_SCHEDULE_H
#define WEFT_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_SCHEDULE_API __attribute__((visibility("default")))

/* ---- strategies ---------------------------------------------------------------------------------- */

/* The most parts of one decision. */
#define WEFT_SCHEDULE_MOST_PARTS 16
#define WEFT_SCHEDULE_NO_DEVICE ((size_t)-1)

struct weft_schedule_task {
	const char *label;  /* the kernel's id in its file */
	const char *kernel; /* the function's name */
	size_t slabs; /* layers of work-groups that it can be split into; 1: it runs as a whole */
	size_t unclaimed; /* slabs that no device has been given yet */
	double work_items;
	double partition; /* what the file says a GPU should get of it, from 0 to 1 */
	bool is_ready;    /* all kernels that it waits for have ended */
	bool has_ended;
	const size_t *depends;       /* the tasks that it waits for */
	const double *depends_bytes; /* that it reads of what these have or write */
	size_t num_depends;
	double ends_at; /* when what is given out of it is expected to end, of the clock `now` */
	double input_bytes; /* of its input buffers, and of its output ones */
	double output_bytes;
};

struct weft_schedule_device {
	const char *name;
	bool is_cpu;
	size_t domain;  /* devices of one domain share their memory */
	size_t queued;  /* parts that it runs or that wait for it; 0: it is free */
	double free_at; /* when it is expected to be free, of the clock `now` */
	/* It has memory of its own: inputs of a part move there, and results from there, while other parts run. */
	bool moves_ahead;
	double moved_at; /* when inputs of all parts that it has been given are expected to be there */
	double latency;   /* seconds of a transfer to its memory, however short */
	double bandwidth; /* bytes per second; 0: it has the host's memory */
	double handing;   /* seconds that handing a part out takes, beside its costs */
};

/* What a part of a task takes on a device beside the rate of its slabs, in seconds. */
struct weft_schedule_costs {
	double inputs; /* whatever its size: latencies, and inputs that the device needs as a whole */
	double slab_inputs; /* for what each slab needs of its own */
	double launch;      /* of the kernel */
	double results;     /* latencies of what goes back to the host */
	double slab_results;
};

struct weft_schedule_strategy;

/* What runs of the same kernels on the same devices have taken that a strategy decided, when most kernels had been measured. */
struct weft_schedule_outcome {
	const char *strategy; /* its name */
	size_t runs;
	double makespan; /* the median of the last five */
};

/* What a strategy sees. All pointers are valid during the call alone. */
struct weft_schedule_view {
	double now; /* since the beginning of the run */
	size_t num_tasks;
	const struct weft_schedule_task *tasks;
	size_t num_devices;
	const struct weft_schedule_device *devices;
	/* Seconds of one slab of task t on device d, measured or estimated: rates[t * num_devices + d]. */
	const double *rates;
	/* Whether the rate was measured; by task and device like `rates`. */
	const bool *is_measured;
	/* What else parts take, as things are; by task and device like `rates`. */
	const struct weft_schedule_costs *costs;
	/* All tasks, each behind those that it waits for. */
	const size_t *order;
	/* By task: the device that was given slabs of it last; WEFT_SCHEDULE_NO_DEVICE: none was. */
	const size_t *last_devices;
	/* The strategy's own: NULL at the beginning of a run, at whose end what it points to is given to free(). */
	void **memory;
	/* By strategy: those that have decided whole runs. */
	const struct weft_schedule_outcome *outcomes;
	size_t num_outcomes;
	/* NULL at each call. A strategy that sets this to another one leaves the run to it: that one is called at once, and from then on, with a
	 * memory of its own, which is NULL at first. */
	const struct weft_schedule_strategy **follows;
};

/* Unclaimed slabs of a ready task, for a device. One that is not free takes the part when its turn comes. */
struct weft_schedule_part {
	size_t task;
	size_t device;
	size_t slabs;
};

/* What is given out at once, of one task or of several. */
struct weft_schedule_decision {
	size_t num_parts;
	struct weft_schedule_part parts[WEFT_SCHEDULE_MOST_PARTS];
};

struct weft_schedule_strategy {
	const char *name;
	const char *summary;
	/* Called at the beginning and after each part that ended, again and again until it returns false: nothing is to be given
	 * out now. It must not call this library. A run fails if nothing runs, kernels are left, and it returns false. */
	bool (*decide)(const struct weft_schedule_view *view,
		       struct weft_schedule_decision *decision);
};

/* The strategies of the library: all, ending with NULL. */
WEFT_SCHEDULE_API const struct weft_schedule_strategy *const *weft_schedule_strategies(void);

/* ---- schedules ----------------------------------------------------------------------------------- */

typedef struct weft_schedule weft_schedule;

/* Borrowed during the call of weft_schedule_create. All zero is a good choice. */
struct weft_schedule_options {
	const char *
		devices; /* which ones, such as "cpu:2,gpu"; NULL: the first CPU and all that is no CPU */
	const char *strategy; /* name; NULL: the preset one */
	/* Borrowed until the end: one of the caller's own; wins over `strategy`. */
	const struct weft_schedule_strategy *own_strategy;
	const char *sources; /* a folder where kernels' sources are looked for, too */
	const char *
		rates; /* a file in which measured rates, and what whole runs have taken, are kept; NULL: none */
	const char *opencl_library; /* path of the OpenCL loader; NULL: libOpenCL.so.1 */
	/* Called by the thread that runs or verifies, when parts have ended: `share`, from 0 to 1, is how much of the kernels that is, each
	 * kernel counting alike. It must not call this library. NULL: none. */
	void (*progress)(void *data, double share);
	void *progress_data; /* borrowed until the end */
	/* Called before the first run, for each buffer outside of which its kernel may read or write, as far as the compiler knows: what
	 * happens then is undefined, up to the end of the process. It may be wrong where data decide what is accessed. It must not
	 * call this library. NULL: none. */
	void (*warn)(void *data, const char *text);
	void *warn_data; /* borrowed until the end */
};

/* NULL: out of memory. Errors in the options are told by the first function that needs what they name. `bytes` is the size of the
 * structure as its caller knows it: this library may be newer or older. Members that the caller does not know are zero. */
WEFT_SCHEDULE_API weft_schedule *
weft_schedule_create_sized(const struct weft_schedule_options *options, size_t bytes);
static inline weft_schedule *weft_schedule_create(const struct weft_schedule_options *options)
{
	return weft_schedule_create_sized(options, sizeof(*options));
}
WEFT_SCHEDULE_API void weft_schedule_destroy(weft_schedule *schedule);

/* What went wrong first; "": nothing. Valid until the schedule is destroyed. */
WEFT_SCHEDULE_API const char *weft_schedule_error(const weft_schedule *schedule);

/* Gives a name of the files' expressions a value, which wins over the files' own: "dataset", "partition", others. To be called
 * before the files are read. */
WEFT_SCHEDULE_API bool weft_schedule_set(weft_schedule *schedule, const char *name,
					 long long value);

/* Adds the kernels of a file. Files may be read until the first run. */
WEFT_SCHEDULE_API bool weft_schedule_read(weft_schedule *schedule, const char *path);

/* Runs all kernels; writes and checks what the files ask for. A kernel that fails takes those with it that wait for it; others
 * run all the same, and what they have written is saved. May be called again: buffers have their first content again. */
WEFT_SCHEDULE_API bool weft_schedule_run(weft_schedule *schedule);

/* Runs all kernels one after the other on the first device, into memory of its own, and compares the results of the last run with
 * these, bit for bit. */
WEFT_SCHEDULE_API bool weft_schedule_verify(weft_schedule *schedule);

/* ---- results ------------------------------------------------------------------------------------- */

/* The content of a buffer after a run: of the kernel with that label ("id", or "N/id" in the Nth file), argument `pos`. Valid
 * until the next run. NULL: there is no such buffer, its kernel has not run, or its device does
 * not give the content. */
WEFT_SCHEDULE_API const void *weft_schedule_buffer(weft_schedule *schedule, const char *label,
						   unsigned pos, size_t *bytes);

struct weft_schedule_summary {
	size_t kernels; /* that have run */
	size_t parts;   /* that they were split into */
	size_t devices;
	double makespan; /* from the first transfer to the end of the last kernel */
	double busy;     /* of all devices together: transfers and kernels */
	double critical_path; /* the longest chain of kernels that wait for each other, each as long as it took */
	double lower_bound; /* what no schedule can beat, with these devices and rates */
	double transferred; /* bytes between memories */
};

/* `bytes` as with weft_schedule_create_sized. */
WEFT_SCHEDULE_API void weft_schedule_summarise_sized(weft_schedule *schedule,
						     struct weft_schedule_summary *summary,
						     size_t bytes);
static inline void weft_schedule_summarise(weft_schedule *schedule,
					   struct weft_schedule_summary *summary)
{
	weft_schedule_summarise_sized(schedule, summary, sizeof(*summary));
}

/* A picture of the last run, a row for each device. */
WEFT_SCHEDULE_API bool weft_schedule_write_gantt(weft_schedule *schedule, const char *path);
/* The last run for Perfetto and Chrome's viewer. */
WEFT_SCHEDULE_API bool weft_schedule_write_trace(weft_schedule *schedule, const char *path);

/* What Weft's compiler says of the kernels of the last run, as JSON: an array with an object for each of them that it knows, with "kernel",
 * "name", "work_items", "features" (of a work-item, in the order of enum cl_kernel_feature_weft), and "predicted": seconds on a CPU
 * and on another device, before anything is measured. */
WEFT_SCHEDULE_API bool weft_schedule_write_features(weft_schedule *schedule, const char *path);

#ifdef __cplusplus
}
#endif

#endif
