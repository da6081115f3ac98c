/* SPDX-License-Identifier: MIT
 *
 * Runs tasks on devices: threads of each device take the parts that the strategy gives to it, move what they need into the
 * device's memory, and run them. The lock guards the board, the queues of parts and the record; it is not held while OpenCL is
 * called. An object's contents and its lists of valid bytes belong to the thread that has claimed the object.
 */
#ifndef WEFT_SCHEDULE_ENGINE_H
#define WEFT_SCHEDULE_ENGINE_H

#include "digest.h"
#include "engine/board.h"
#include "engine/predictor.h"
#include "engine/timeline.h"
#include "mutex.h"

/* A buffer in the memory of a domain. */
struct weft_copy {
	cl_mem memory; /* owned; NULL: not made yet */
	struct weft_ranges valid;
	bool has_written; /* a part of a kernel that may write anywhere has run here */
};

/* What a device moves into its memory while others may claim the object. */
struct weft_incoming {
	struct weft_range range;
	bool is_stale; /* others have written some of that since it began */
};

/* The content of a buffer: of the kernel that writes it, or an input of one kernel. */
struct weft_object {
	const struct weft_spec_buffer *buffer;
	unsigned char *host; /* owned: by `pinned`, if there is such a buffer */
	cl_mem pinned; /* owned: mapped for as long as it is there; NULL: the host's memory is no driver's */
	/* Owned: the content before a kernel of which several parts may write anywhere; NULL: there is none such. Copies are made
	 * from it, since parts on devices with the host's memory write to `host`. */
	unsigned char *base;
	struct weft_ranges in_host;
	struct weft_ranges
		zeros; /* what is 0 still, as it was at first: of the base, if there is one */
	struct weft_copy *copies;       /* owned: by domain */
	struct weft_incoming *incoming; /* owned: by device */
	/* Borrowed: an io buffer begins with the content of that one, which does not change any more. NULL: it has its own. */
	struct weft_object *source;
	struct weft_ranges own; /* with a source: what has been taken from there, or written */
	bool stays;             /* the compiler knows that no kernel writes it */
	bool is_filled;         /* with its first content, which it has still if it stays */
	bool is_claimed;
	bool is_read; /* a transfer to the host's memory runs, for which the object is not claimed */
};

struct weft_program {
	char *key;                 /* owned: what it is made from */
	struct weft_digest source; /* of its text */
	cl_program *built;         /* by domain; owned: those of the first domain of a context */
	cl_program
		analysed; /* owned: of the analyser's context; NULL: it has none, or the program does not build there */
};

struct weft_task {
	const struct weft_spec_kernel *kernel;
	size_t program;
	struct weft_object **objects; /* owned: by buffer of the kernel; borrowed objects */
	cl_kernel *kernels;           /* owned: by device, each used by its thread alone */
	bool has_features;
	double features[CL_KERNEL_NUM_FEATURES_WEFT]; /* of a work-item */
};

/* Parts that wait for a device. */
struct weft_part_queue {
	struct weft_condition filled; /* or the run is over */
	struct weft_part *parts;      /* owned */
	size_t count;
	size_t room;
};

/* What a transfer, or what is noted of one, is about. */
struct weft_move {
	struct weft_object *object;
	size_t device; /* whose memory it is about, and whose thread this is */
	size_t task;   /* for the record */
	struct weft_range range;
};

/* Results that a device has, and that are to go to the host's memory. */
struct weft_result_queue {
	struct weft_condition filled; /* or the run is over */
	struct weft_move *moves;      /* owned */
	size_t count;
	size_t room;
};

struct weft_engine {
	const struct weft_opencl *cl;       /* borrowed */
	const struct weft_devices *devices; /* borrowed */
	const struct weft_spec *spec;       /* borrowed */
	const struct weft_schedule_strategy *strategy;
	struct weft_split *splits;           /* owned: by task */
	struct weft_prediction *predictions; /* owned: by task */
	struct weft_task *tasks;             /* owned */
	struct weft_object *objects;         /* owned */
	size_t num_objects;
	struct weft_program *programs; /* owned */
	size_t num_programs;
	/* Owned: seconds of a slab by task and device, of earlier runs; 0: not known. */
	double *known_rates;
	struct weft_traffic *known_traffic; /* owned: of earlier runs, by domain */
	double *known_launches;             /* owned: of earlier runs, by device */
	double *known_handings;
	struct weft_outcomes outcomes; /* of earlier runs */
	double start;                  /* of the run, by the machine's clock */
	struct weft_mutex lock;
	struct weft_condition
		changed; /* an object is not claimed any more, or kernels have got on */
	struct weft_board board WEFT_GUARDED_BY(&lock);
	struct weft_timeline timeline WEFT_GUARDED_BY(&lock);
	struct weft_part_queue *queues;    /* owned: by device. The lock guards what they have */
	struct weft_result_queue *results; /* owned, and guarded like these */
	bool is_over WEFT_GUARDED_BY(&lock);
	struct weft_error *error; /* borrowed. The lock guards the text while threads run */
	void (*progress)(void *data, double share); /* weft_schedule_options has it; NULL: none */
	void *progress_data;
};

/* Builds all programs for all devices. */
bool weft_engine_create(struct weft_engine *engine, const struct weft_opencl *cl,
			const struct weft_devices *devices, const struct weft_spec *spec,
			struct weft_error *error);
void weft_engine_destroy(struct weft_engine *engine);

/* Runs all tasks. Afterwards the results of tasks that have not failed are in host memory, but for those that weft_engine_result has
 * not. */
bool weft_engine_run(struct weft_engine *engine, const struct weft_schedule_strategy *strategy);

/* False as well if nothing has run. */
bool weft_engine_has_ended(struct weft_engine *engine, size_t task);
/* The content of a kernel's buffer after a run, valid until the next one. NULL: the task has not ended, or its device does not give
 * the content. */
const void *weft_engine_result(struct weft_engine *engine, size_t task, size_t index);

/* ---- for the engine's own files ------------------------------------------------------------------ */

/* Seconds since the beginning of the run. */
double weft_engine_now(const struct weft_engine *engine);

/* threads.c: runs the board's tasks until none is left. False: threads cannot be started. */
bool weft_threads_run(struct weft_engine *engine);

/* objects.c: contents. */
bool weft_objects_create(struct weft_engine *engine, struct weft_error *error);
bool weft_objects_reset(struct weft_engine *engine, struct weft_error *error);
void weft_objects_destroy(struct weft_engine *engine);

/* programs.c */
bool weft_programs_build(struct weft_engine *engine, struct weft_error *error);
void weft_programs_destroy(struct weft_engine *engine);

/* analysis.c: a kernel that the analyser can be asked about, with its arguments by value, as a whole: owned; NULL: there is none. */
cl_kernel weft_analysis_kernel(struct weft_engine *engine, size_t task);
/* Asks what work-items of the task's kernel do, and predicts its seconds. */
void weft_analysis_predict(struct weft_engine *engine, size_t task, cl_kernel made);

/* known_slices.c: asks what the kernel of a task reads and writes in each slab. False: out of memory. */
bool weft_known_slices_find(struct weft_engine *engine, size_t task, cl_kernel made);
/* The program for the analyser's device, if it has a context of its own. */
void weft_known_slices_build(struct weft_engine *engine, struct weft_program *program,
			     const char *const texts[2], const char *options);

/* memory.c: where contents are. A thread has the object claimed for each of them; while bytes move, it is not, so that parts of the same
 * kernel do not wait for each other's transfers. */
void weft_object_claim(struct weft_engine *engine, struct weft_object *object);
void weft_object_release(struct weft_engine *engine, struct weft_object *object);

/* Makes the range valid in the device's memory; in the host's. */
bool weft_memory_to_device(struct weft_engine *engine, const struct weft_move *move,
			   struct weft_error *error);
bool weft_memory_to_host(struct weft_engine *engine, const struct weft_move *move,
			 struct weft_error *error);
/* Gives the host what the device has written in the host's memory. */
bool weft_memory_give_back(struct weft_engine *engine, const struct weft_move *move,
			   struct weft_error *error);
/* The device has written the range: it is valid nowhere else. */
bool weft_memory_written(struct weft_engine *engine, const struct weft_move *move,
			 struct weft_error *error);
/* Before a part may write anywhere; after the last one of them. */
bool weft_memory_keep_base(struct weft_engine *engine, const struct weft_move *move,
			   struct weft_error *error);
bool weft_memory_merge(struct weft_engine *engine, const struct weft_move *move,
		       struct weft_error *error);

/* results.c: the range, of an object that is claimed, will go to the host's memory while the device goes on. A device that has that memory
 * gives the range back at once, on its own thread: a thread that waits for a CPU's driver may be made to run parts of its kernels, for
 * milliseconds. What fails, or is not sent when the run is over, is asked for at its end. */
void weft_results_send(struct weft_engine *engine, const struct weft_move *move);
/* Sends what the device's queue has until the run is over. The lock is not held. */
void weft_results_serve(struct weft_engine *engine, size_t device);

/* A part's kernel that runs. */
struct weft_launch {
	cl_event event; /* owned: given back by weft_part_finish */
	double start;
};

/* part.c: moves what a part needs; starts its kernel; waits for its end, tells what it took, and notes what it has written. */
bool weft_part_prepare(struct weft_engine *engine, const struct weft_part *part,
		       struct weft_error *error);
bool weft_part_start(struct weft_engine *engine, const struct weft_part *part,
		     struct weft_launch *launch, struct weft_error *error);
bool weft_part_finish(struct weft_engine *engine, const struct weft_part *part,
		      const struct weft_launch *launch, double *seconds, struct weft_error *error);
/* Makes one content of what the parts of a task have written. */
bool weft_part_finish_task(struct weft_engine *engine, const struct weft_part *last,
			   struct weft_error *error);

/* Adds to the record; the lock is not held. */
void weft_engine_record(struct weft_engine *engine, const struct weft_span *span);

#endif
