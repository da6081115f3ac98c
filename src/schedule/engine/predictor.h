/* SPDX-License-Identifier: MIT
 *
 * What a kernel takes on devices that have not run it, from what the compiler says of its work-items: a sum of what each operation takes.
 * tests/bench/schedule/train_predictor.py makes the table.
 */
#ifndef WEFT_SCHEDULE_PREDICTOR_H
#define WEFT_SCHEDULE_PREDICTOR_H

#include <weft/access_ranges.h>

/* Seconds of the whole kernel, without transfers, on the machines of the model; 0: not known. */
struct weft_prediction {
	double cpu;
	double other;
};

/* `features` are those of a work-item: CL_KERNEL_NUM_FEATURES_WEFT numbers. */
struct weft_prediction weft_predict(const double *features, double work_items);

#endif
