/* SPDX-License-Identifier: MIT
 *
 * What a kernel takes on devices that have not run it, from what the compiler says of its work-items: a sum of what each operation takes.
 * tests/bench/schedule/train_predictor.py makes the table.
 */
#ifndef WEFT_SCHEDULE_PREDICTOR_H
#define WEFT_SCHEDULE_PREDICTOR_H

#include <weft/access_ranges.h>

#include <stdbool.h>

/* The machines that a model was trained on. */
enum weft_model {
	WEFT_MODEL_SIMULATED, /* four cores, and a simulated accelerator */
	WEFT_MODEL_GPU,       /* sixteen cores, and a GPU */
};

/* Seconds of the whole kernel, without transfers, on the machines of the model; 0: not known. */
struct weft_prediction {
	double cpu;
	double other;
	bool gives_partition; /* the quotient is good enough for a partition: see docs/schedule.md */
};

/* `features` are those of a work-item: CL_KERNEL_NUM_FEATURES_WEFT numbers. */
struct weft_prediction weft_predict(enum weft_model model, const double *features,
				    double work_items);

#endif
