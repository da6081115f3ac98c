/* SPDX-License-Identifier: MIT
 *
 * Starts a driver's child and reads its lines: "device", "value" and "problem", with tabs between the fields.
 */
#include "alloc.h"
#include "bench.h"
#include "child.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE 600 /* seconds, beside those of measures */
#define RUNS 2       /* of each measure: one warms up */

static int run_child(const void *data)
{
	return weft_bench_child(data);
}

/* Copies the next field. */
static void take_field(char **text, char *field, size_t size)
{
	const size_t length = strcspn(*text, "\t\n");

	snprintf(field, size, "%.*s", (int)length, *text);
	weft_clean_text(field);
	*text += length + ((*text)[length] == '\t');
}

static struct weft_bench_device *add_device(struct weft_bench_results *results, char *text,
					    bool is_weft)
{
	struct weft_bench_device *devices =
		weft_grow(results->devices, &results->room, results->count, sizeof(*devices));

	if (!devices)
		return NULL;
	results->devices = devices;
	struct weft_bench_device *device = &devices[results->count++];
	*device = (struct weft_bench_device){.is_weft = is_weft};
	take_field(&text, device->platform, sizeof(device->platform));
	take_field(&text, device->name, sizeof(device->name));
	take_field(&text, device->version, sizeof(device->version));
	return device;
}

static void set_value(struct weft_bench_device *device, char *text)
{
	char *number;
	const unsigned long measure = strtoul(text, &number, 10);
	const double value = strtod(number, NULL);

	if (measure < WEFT_NUM_MEASURES && isfinite(value))
		device->values[measure] = value;
}

static bool starts_with(char **line, const char *word)
{
	const size_t length = strlen(word);

	if (strncmp(*line, word, length) != 0)
		return false;
	*line += length;
	return true;
}

bool weft_bench_driver(const struct weft_bench_task *task, struct weft_bench_results *results,
		       char problem[160])
{
	struct weft_bench_device *device = NULL;
	struct weft_child child;
	const unsigned most = WEFT_BENCH_MOST_PLATFORMS * WEFT_BENCH_MOST_DEVICES;
	const double measures = task->seconds * RUNS * WEFT_NUM_MEASURES * most;
	char block[1024];
	char ending[WEFT_CHILD_ENDING];

	*problem = '\0';
	if (!weft_child_start(&child, run_child, task, PATIENCE + (unsigned)measures)) {
		snprintf(problem, 160, "%s", strerror(errno));
		return false;
	}
	while (fgets(block, sizeof(block), child.output)) {
		char *line = block;

		if (starts_with(&line, "device\t")) {
			device = add_device(results, line, task->is_weft);
		} else if (device && starts_with(&line, "value\t")) {
			set_value(device, line);
			task->step(task->data);
		} else if (starts_with(&line, "problem\t")) {
			char *text = device && !*device->problem ? device->problem : problem;

			take_field(&line, text, sizeof(device->problem));
		}
	}
	const int status = weft_child_end(&child);
	weft_child_ending(status, ending);
	if (device && status != 0 && !*device->problem)
		snprintf(device->problem, sizeof(device->problem), "%s", ending);
	if (!device && !*problem)
		snprintf(problem, 160, "%s", status == 0 ? "it has no device" : ending);
	return device != NULL;
}
