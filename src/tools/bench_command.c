/* SPDX-License-Identifier: MIT
 *
 * `weft bench`: this installation's driver, and each other one that loaders of this machine find.
 */
#include "alloc.h"
#include "arguments.h"
#include "bench.h"
#include "installation.h"
#include "report.h"
#include "terminal.h"
#include "vendors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS 0.25
#define LONGEST 60.0

struct bench {
	double seconds;
	const char *picture;
	bool json;
	struct weft_bench_results results;
	struct weft_progress progress;
	uint64_t steps;
};

static void step(void *data)
{
	struct bench *bench = data;

	weft_progress_step(&bench->progress, ++bench->steps);
}

static void add_driver(struct bench *bench, const char *library, bool is_weft)
{
	const struct weft_bench_task task = {.library = library,
					     .is_weft = is_weft,
					     .seconds = bench->seconds,
					     .step = step,
					     .data = bench};
	char problem[160];

	if (!weft_bench_driver(&task, &bench->results, problem)) {
		weft_progress_end(&bench->progress);
		weft_complain("%s: left out: %s", library, problem);
	}
}

static void measure_all(struct bench *bench, const char *own)
{
	const char *list = secure_getenv("OCL_ICD_FILENAMES");
	struct weft_vendors vendors = {0};

	weft_vendors_read(&vendors, weft_vendors_place());
	if (list)
		weft_vendors_read_list(&vendors, list);
	weft_progress_start(&bench->progress, "measuring", (vendors.count + 1) * WEFT_NUM_MEASURES);
	add_driver(bench, own, true);
	for (size_t i = 0; i < vendors.count; i++) {
		bench->steps = (i + 1) * WEFT_NUM_MEASURES;
		if (!weft_vendor_is_weft(&vendors.items[i]) && *vendors.items[i].library)
			add_driver(bench, vendors.items[i].library, false);
	}
	weft_progress_end(&bench->progress);
	weft_vendors_destroy(&vendors);
}

/* ---- results ---------------------------------------------------------------------------------- */

/* How many times as fast Weft's first device is as the best of the others; 0: there is nothing to compare. */
static double compare(const struct weft_bench_results *results, size_t measure)
{
	const double own = results->devices[0].values[measure];
	double best = 0;

	for (size_t i = 1; i < results->count; i++) {
		const double other = results->devices[i].values[measure];

		if (results->devices[i].is_weft || other <= 0)
			continue;
		const double ratio = weft_measure_is_time(measure) ? other / own : own / other;
		if (own > 0 && (best == 0 || ratio < best))
			best = ratio;
	}
	return results->devices[0].is_weft ? best : 0;
}

static void print_table(const struct weft_bench_results *results)
{
	for (size_t i = 0; i < results->count; i++) {
		const struct weft_bench_device *device = &results->devices[i];

		printf("(%zu) %s: %s, %s%s%s\n", i + 1, device->platform, device->name,
		       device->version, *device->problem ? "; " : "", device->problem);
	}
	printf("\n%-14s%-9s", "", "");
	for (size_t i = 0; i < results->count; i++)
		printf("      (%zu)", i + 1);
	printf("   Weft is\n");
	for (size_t row = 0; row < WEFT_NUM_MEASURES; row++) {
		const double ratio = compare(results, row);
		char words[32];
		char text[16];

		printf("%-14s%-9s", weft_measures[row].name, weft_measures[row].unit);
		for (size_t i = 0; i < results->count; i++) {
			const double value = results->devices[i].values[row];

			weft_bench_format(value, text);
			printf(" %8s", text);
		}
		printf("   ");
		if (ratio > 0) {
			snprintf(words, sizeof(words), "%.2f x as fast", ratio);
			weft_print_coloured(ratio >= 1 ? WEFT_GREEN : WEFT_YELLOW, words);
		}
		printf("\n");
	}
}

static void print_json(const struct weft_bench_results *results)
{
	struct weft_report report = {.json = true};
	char text[32];

	weft_report_begin(&report);
	weft_report_open_array(&report, "devices");
	for (size_t i = 0; i < results->count; i++) {
		const struct weft_bench_device *device = &results->devices[i];

		weft_report_open(&report, NULL, "");
		weft_report_text(&report, "platform", device->platform);
		weft_report_text(&report, "device", device->name);
		weft_report_text(&report, "driver_version", device->version);
		weft_report_text(&report, "problem", device->problem);
		weft_report_open(&report, "values", "");
		for (size_t row = 0; row < WEFT_NUM_MEASURES; row++) {
			snprintf(text, sizeof(text), "%s %s", weft_measures[row].name,
				 weft_measures[row].unit);
			weft_report_real(&report, text, device->values[row]);
		}
		weft_report_close(&report);
		weft_report_close(&report);
	}
	weft_report_close_array(&report);
	weft_report_end(&report);
}

static enum weft_exit show(const struct bench *bench)
{
	if (bench->results.count == 0)
		return WEFT_EXIT_TROUBLE;
	if (bench->json)
		print_json(&bench->results);
	else
		print_table(&bench->results);
	if (bench->picture && !weft_bench_write_svg(bench->picture, &bench->results)) {
		weft_complain("%s: %s", bench->picture, strerror(errno));
		return WEFT_EXIT_TROUBLE;
	}
	for (size_t i = 0; i < bench->results.count; i++) {
		if (*bench->results.devices[i].problem)
			return WEFT_EXIT_REFUSED;
	}
	return WEFT_EXIT_DONE;
}

static void take_option(struct bench *bench, struct weft_arguments *arguments)
{
	char *end;

	switch ((int)arguments->option->id) {
	case WEFT_BENCH_JSON:
		bench->json = true;
		break;
	case WEFT_BENCH_SVG:
		bench->picture = arguments->value;
		break;
	default: /* WEFT_BENCH_SECONDS */
		bench->seconds = strtod(arguments->value, &end);
		if (*end || end == arguments->value ||
		    !(bench->seconds >= 0 && bench->seconds <= LONGEST))
			weft_wrong_argument(arguments,
					    "--seconds takes a number up to %g, not '%s'", LONGEST,
					    arguments->value);
	}
}

enum weft_exit weft_bench_command(char **argv)
{
	struct weft_arguments arguments = {.command = WEFT_COMMAND_BENCH, .next = argv};
	struct bench bench = {.seconds = SECONDS};
	char own[PATH_MAX];

	while (weft_next_argument(&arguments)) {
		if (arguments.option)
			take_option(&bench, &arguments);
		else
			weft_superfluous_argument(&arguments);
	}
	if (arguments.ended)
		return arguments.result;
	if (!weft_installed_library(WEFT_DRIVER_NAME, own)) {
		weft_complain(WEFT_DRIVER_NAME " is not in the installation of this program");
		return WEFT_EXIT_TROUBLE;
	}
	measure_all(&bench, own);
	const enum weft_exit result = show(&bench);
	weft_free(bench.results.devices);
	return result;
}
