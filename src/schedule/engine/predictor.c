/* SPDX-License-Identifier: MIT */
#include "engine/predictor.h"

/* Seconds of each unit of a feature; then of a work-item beside them, of each instruction and word of one work-item alone, which is what a
 * device of many elements takes for few of them, and of a launch. */
enum { PER_ITEM = CL_KERNEL_NUM_FEATURES_WEFT, ALONE, LAUNCH, NUM_WEIGHTS };

/* By model: of the CPU, and of the other device. */
static const double weights[][NUM_WEIGHTS] = {
#include "engine/predictor_model.inc"
};

static double predict(const double model[NUM_WEIGHTS], const double *features, double work_items)
{
	double seconds = model[PER_ITEM];
	double alone = 0;

	for (unsigned i = 0; i < CL_KERNEL_NUM_FEATURES_WEFT; i++)
		seconds += model[i] * features[i];
	for (unsigned i = 0; i <= CL_KERNEL_FEATURE_ATOMICS_WEFT; i++)
		alone += features[i];
	for (unsigned i = CL_KERNEL_FEATURE_NEIGHBOURING_BYTES_WEFT;
	     i <= CL_KERNEL_FEATURE_SCATTERED_BYTES_WEFT; i++)
		alone += features[i] / 4;
	return model[LAUNCH] + model[ALONE] * alone + work_items * seconds;
}

struct weft_prediction weft_predict(enum weft_model model, const double *features,
				    double work_items)
{
	const size_t first = 2 * (size_t)model;

	return (struct weft_prediction){.cpu = predict(weights[first], features, work_items),
					.other = predict(weights[first + 1], features, work_items),
					.gives_partition = model == WEFT_MODEL_GPU};
}
