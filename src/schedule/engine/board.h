/* SPDX-License-Identifier: MIT
 *
 * Which tasks are ready, which slabs are given out, what waits for which device: what a strategy sees, and the check of what it
 * decides. It knows neither threads nor OpenCL. Its user has one lock around all of its functions.
 */
#ifndef WEFT_SCHEDULE_BOARD_H
#define WEFT_SCHEDULE_BOARD_H

#include "devices/devices.h"
#include "engine/followers.h"
#include "engine/outcomes.h"
#include "engine/predictor.h"
#include "split/split.h"

#include <weft/schedule.h>

/* Slabs of a task on a device. */
struct weft_part {
	size_t task;
	size_t device;
	struct weft_slabs slabs;
	double given_at;
	double moved_at; /* when its inputs were expected to be there */
};

struct weft_progress {
	size_t waits; /* tasks that it waits for still */
	size_t ended; /* slabs that have ended */
	bool has_failed;
};

/* What a rate is the quotient of. */
struct weft_measured {
	double seconds;
	double slabs; /* 0: nothing is measured */
	double parts; /* each with its launch */
};

/* Transfers to and from a domain. */
struct weft_traffic {
	double bytes; /* 0: nothing is measured */
	double seconds;
	double least_seconds; /* of one transfer */
	double count;
};

/* Bytes that a part on a device moves: whatever its size, and for each slab. */
struct weft_moved_bytes {
	double whole;
	double slab_inputs;
	double slab_results;
	double inputs; /* buffers: each is a transfer at least */
	double results;
};

struct weft_board {
	const struct weft_spec *spec;    /* borrowed */
	const struct weft_split *splits; /* borrowed: of each task */
	size_t num_tasks;
	size_t num_devices;
	size_t num_domains;
	struct weft_schedule_task *tasks; /* owned, like all arrays here */
	struct weft_schedule_device *devices;
	struct weft_progress *progress;
	double *rates;
	bool *is_measured; /* whether the rate was */
	double *guessed;   /* rates before anything was measured */
	bool has_measured; /* something that the rates of what is not measured do not say yet */
	struct weft_measured *measured; /* by task and device like the rates */
	struct weft_traffic *traffic;   /* by domain */
	/* By device: seconds that the launch of a part takes, whatever its size; 0: nothing is measured. */
	double *launches;
	double *handings;     /* by device: what handing parts out takes, for the next run */
	double *left_at;      /* by device: when it was free of a part last */
	double *last_seconds; /* by device: of the part that has ended and not left it; 0: none has */
	struct weft_schedule_costs *costs; /* by task and device */
	struct weft_moved_bytes *moves;    /* by task and device: what costs come from */
	bool *has_moves;                   /* by task: whether its moves are those of now */
	double *logarithms; /* by task and device: of measured rates, divided by what was guessed */
	bool *has_inputs; /* whether a part of a task was given to a domain: [task * num_domains + domain] */
	size_t *order;        /* of all tasks, each behind those that it waits for */
	size_t *last_devices; /* by task; WEFT_SCHEDULE_NO_DEVICE */
	double *present; /* the part of a task that has run in a domain: [task * num_domains + domain] */
	double *depends_bytes; /* of all tasks, one after the other */
	struct weft_followers followers;
	void *memory; /* owned: the strategy's; NULL */
	const struct weft_schedule_strategy
		*follows;                  /* decides instead of the run's; NULL: that one does */
	struct weft_outcomes outcomes;     /* of earlier runs */
	const struct weft_devices *places; /* borrowed: the devices' domains */
	size_t left;                       /* tasks that have neither ended nor failed */
	size_t flying;                     /* parts that were given out and have not ended */
};

bool weft_board_create(struct weft_board *board, const struct weft_spec *spec,
		       const struct weft_split *splits, const struct weft_devices *devices,
		       struct weft_error *error);
/* Rates that are not measured are those that are predicted; a file's partition wins over the predicted proportion. By task; 0 s: nothing is known. */
void weft_board_predict(struct weft_board *board, const struct weft_prediction *predictions);
void weft_board_destroy(struct weft_board *board);

struct weft_decided {
	size_t count; /* 0: the strategy gives nothing out now */
	struct weft_part parts[WEFT_SCHEDULE_MOST_PARTS];
};

/* Asks the strategy once, and gives out what it decides. False: what it decides is not possible, or nothing runs and nothing is
 * given out though tasks are left. */
bool weft_board_decide(struct weft_board *board, const struct weft_schedule_strategy *strategy,
		       double now, struct weft_decided *decided, struct weft_error *error);

/* The rate is known from an earlier run. It counts as much as a quarter of the task. */
void weft_board_know_rate(struct weft_board *board, size_t task, size_t device, double rate);
/* What launches took in an earlier run, and handing parts out; 0: it is not known. */
void weft_board_know_launch(struct weft_board *board, size_t device, double seconds,
			    double handing);
/* A transfer to or from the memory of a domain has ended. */
void weft_board_moved(struct weft_board *board, size_t domain, double bytes, double seconds);

/* A part has ended; `seconds` is what its slabs took without transfers. Its device is not free before weft_board_leave, so that
 * what follows the last part of a task has its time. */
void weft_board_end(struct weft_board *board, const struct weft_part *part, double seconds);
/* Nothing more is to be done for a part, whether it has ended or failed: its device is free of it. */
void weft_board_leave(struct weft_board *board, const struct weft_part *part, double now);
/* A part, or what was to be done at the task's end, has failed: the task fails, and with it all that wait for it. */
void weft_board_fail(struct weft_board *board, size_t task);
/* Whether all slabs of the task have ended. */
bool weft_board_is_complete(const struct weft_board *board, size_t task);
/* The task has ended with what follows its last part: tasks that wait for it may become ready. */
void weft_board_complete(struct weft_board *board, size_t task);

/* measured.c: adds what was measured to a task and a device, `pair` of the arrays above; their rate is measured from then on. */
void weft_measured_add(struct weft_board *board, size_t pair, const struct weft_measured *added);
/* Rates that are not measured are as far from what was guessed as those of the device that are, in the mean; the mean of all devices counts
 * as much as one of these. */
void weft_measured_guess_again(struct weft_board *board);

/* costs.c: what parts of all tasks take beside the rates, as things are. */
void weft_costs_estimate(struct weft_board *board);
/* What parts of the task move has changed. */
void weft_costs_forget(struct weft_board *board, size_t task);
/* Bytes per second to and from a domain's memory before a transfer is measured. */
double weft_costs_guess_bandwidth(const struct weft_board *board, size_t domain);

#endif
