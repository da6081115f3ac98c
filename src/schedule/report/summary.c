/* SPDX-License-Identifier: MIT
 *
 * Numbers of a run.
 */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

/* ---- chains -------------------------------------------------------------------------------------- */

/* The longest chain of kernels that wait for each other; `seconds` is each one's own time. 0 as well if there is no memory. */
static double longest_chain(const struct weft_spec *spec, const double *seconds)
{
	double *until = (double *)calloc(spec->count + 1, sizeof(double));
	size_t *order = (size_t *)calloc(spec->count + 1, sizeof(size_t));
	const bool has_order = until && order && weft_spec_order(spec, order);
	double longest = 0;

	for (size_t place = 0; has_order && place < spec->count; place++) {
		const size_t t = order[place];
		const struct weft_spec_kernel *kernel = &spec->kernels[t];

		for (size_t i = 0; i < kernel->num_depends; i++)
			until[t] = fmax(until[t], until[kernel->depends[i]]);
		until[t] += seconds[t];
		longest = fmax(longest, until[t]);
	}
	free(until);
	free(order);
	return longest;
}

/* From the beginning of a kernel's first part to the end of its last one. */
static double critical_path(const struct weft_record *record)
{
	double *begin = (double *)calloc(record->spec->count + 1, sizeof(double));
	double *length = (double *)calloc(record->spec->count + 1, sizeof(double));
	double longest = 0;

	for (size_t t = 0; begin && t < record->spec->count; t++)
		begin[t] = INFINITY;
	for (size_t i = 0; begin && length && i < record->timeline.count; i++) {
		const struct weft_span *span = &record->timeline.spans[i];

		if (span->kind == WEFT_SPAN_KERNEL)
			begin[span->task] = fmin(begin[span->task], span->start);
	}
	for (size_t i = 0; begin && length && i < record->timeline.count; i++) {
		const struct weft_span *span = &record->timeline.spans[i];

		if (span->kind == WEFT_SPAN_KERNEL)
			length[span->task] =
				fmax(length[span->task], span->end - begin[span->task]);
	}
	if (begin && length)
		longest = longest_chain(record->spec, length);
	free(begin);
	free(length);
	return longest;
}

/* ---- bounds -------------------------------------------------------------------------------------- */

/* For any weights of the devices whose sum is 1, no schedule is shorter than the sum over all tasks of slabs x the least of
 * weight x rate: the dual of the linear program that spreads all slabs freely. Weights of devices that get more than their share
 * grow, others shrink; the best bound met on the way counts. */
static double work_bound(const struct weft_record *record)
{
	const size_t devices = record->devices->count;
	double *weights = (double *)calloc(2 * devices, sizeof(double));
	double *loads = weights + devices;
	double best = 0;

	for (size_t d = 0; weights && d < devices; d++)
		weights[d] = 1.0 / (double)devices;
	for (unsigned round = 0; weights && round < 500; round++) {
		double bound = 0;
		double sum = 0;
		double most = 0;

		for (size_t d = 0; d < devices; d++)
			loads[d] = 0;
		for (size_t t = 0; t < record->spec->count; t++) {
			const double *rates = &record->rates[t * devices];
			size_t least = 0;

			for (size_t d = 1; d < devices; d++) {
				if (weights[d] * rates[d] < weights[least] * rates[least])
					least = d;
			}
			loads[least] += (double)record->slabs[t] * rates[least];
			bound += (double)record->slabs[t] * rates[least] * weights[least];
		}
		best = fmax(best, bound);
		for (size_t d = 0; d < devices; d++)
			most = fmax(most, loads[d]);
		for (size_t d = 0; d < devices; d++) {
			weights[d] *=
				exp(most > 0 ? 2.0 / (10 + round) * (loads[d] - bound) / most : 0);
			sum += weights[d];
		}
		for (size_t d = 0; d < devices; d++)
			weights[d] /= sum;
	}
	free(weights);
	return best;
}

/* Each kernel alone on all devices together, if it can be split; else on the best one. */
static double chain_bound(const struct weft_record *record)
{
	const size_t devices = record->devices->count;
	double *seconds = (double *)calloc(record->spec->count + 1, sizeof(double));
	double bound = 0;

	for (size_t t = 0; seconds && t < record->spec->count; t++) {
		double speed = 0;

		for (size_t d = 0; d < devices; d++) {
			const double rate = record->rates[t * devices + d];

			if (rate > 0 && record->slabs[t] > 1)
				speed += 1 / rate;
			else if (rate > 0)
				speed = fmax(speed, 1 / rate);
		}
		seconds[t] = speed > 0 ? (double)record->slabs[t] / speed : 0;
	}
	if (seconds)
		bound = longest_chain(record->spec, seconds);
	free(seconds);
	return bound;
}

double weft_report_lower_bound(const struct weft_record *record)
{
	return fmax(work_bound(record), chain_bound(record));
}

/* ---- all ----------------------------------------------------------------------------------------- */

void weft_report_summarise(const struct weft_record *record, struct weft_schedule_summary *summary)
{
	*summary = (struct weft_schedule_summary){.kernels = record->ended,
						  .devices = record->devices->count};
	for (size_t i = 0; i < record->timeline.count; i++) {
		const struct weft_span *span = &record->timeline.spans[i];

		summary->busy += span->end - span->start;
		summary->parts += span->kind == WEFT_SPAN_KERNEL;
		if (weft_span_is_transfer(span->kind))
			summary->transferred += (double)span->bytes;
	}
	summary->makespan = weft_timeline_makespan(&record->timeline);
	summary->critical_path = critical_path(record);
	summary->lower_bound = weft_report_lower_bound(record);
}
