/* SPDX-License-Identifier: MIT
 *
 * The benchmark's table, as text or Markdown. Every ratio is a driver's time divided by the first driver's: above 1,
 * the first driver is faster.
 */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SLOWER                                                                                     \
	1.10 /* the summary names the kernels that are slower than another driver's by more */
#define NAME_WIDTH 24
#define BUILD "build "

static const char *const failures[] = {
	[FAILED_NOTHING] = "",       [FAILED_DEVICE] = "no device", [FAILED_BUILD] = "no build",
	[FAILED_RUN] = "no run",     [FAILED_RESULT] = "wrong",     [FAILED_PROCESS] = "ended",
	[FAILED_UNOFFERED] = "none",
};

static const char *name_of(const struct table *table, unsigned driver)
{
	return driver < table->num_drivers ? table->drivers[driver].name : "openmp";
}

/* One cell, right-aligned; a width below 0 is left-aligned. */
__attribute__((format(printf, 3, 4))) static void cell(const struct table *table, int width,
						       const char *format, ...)
{
	char text[64];
	va_list values;

	va_start(values, format);
	vsnprintf(text, sizeof(text), format, values);
	va_end(values);
	if (table->markdown)
		printf("| %s ", text);
	else
		printf("%*s ", width, text);
}

static void end_row(const struct table *table)
{
	puts(table->markdown ? "|" : "");
	(void)fflush(stdout);
}

static void end_head(const struct table *table, unsigned columns)
{
	end_row(table);
	if (!table->markdown)
		return;
	printf("|---");
	for (unsigned i = 1; i < columns; i++)
		printf("|---:");
	end_row(table);
}

void report_head(const struct table *table)
{
	char title[64];
	unsigned columns = 2;

	cell(table, -NAME_WIDTH, "%s", "kernel");
	cell(table, 10, "%s", name_of(table, 0));
	for (unsigned i = 1; i <= table->num_drivers; i++) {
		cell(table, 10, "%s", name_of(table, i));
		cell(table, 6, "%s", "ratio");
		columns += 2;
	}
	for (unsigned i = 0; i < table->num_drivers; i++) {
		snprintf(title, sizeof(title), BUILD "%s", name_of(table, i));
		cell(table, (int)strlen(title), "%s", title);
		columns++;
	}
	end_head(table, columns);
}

static void cell_run(const struct table *table, double seconds, enum failed_step failed)
{
	if (isnan(seconds))
		cell(table, 10, "%s", failures[failed]);
	else
		cell(table, 10, seconds < 1 ? "%.3f" : "%.1f", seconds * 1e3);
}

static void cell_build(const struct table *table, unsigned driver, double seconds)
{
	int width = (int)strlen(BUILD) + (int)strlen(name_of(table, driver));

	if (isnan(seconds))
		cell(table, width, "%s", "");
	else
		cell(table, width, "%.0f", seconds * 1e3);
}

static void cell_ratio(const struct table *table, int width, double ratio)
{
	if (isnan(ratio))
		cell(table, width, "%s", "");
	else
		cell(table, width, "%.2f", ratio);
}

void report_row(const struct table *table, const struct row *row)
{
	cell(table, -NAME_WIDTH, "%s", row->bench->name);
	cell_run(table, row->run[0], row->failed[0]);
	for (unsigned i = 1; i <= table->num_drivers; i++) {
		cell_run(table, row->run[i], row->failed[i]);
		cell_ratio(table, 6, row->run[i] / row->run[0]);
	}
	for (unsigned i = 0; i < table->num_drivers; i++)
		cell_build(table, i, row->build[i]);
	end_row(table);
}

/* ---- the summary ----------------------------------------------------------------------------- */

/* The length of what a driver's name has before a colon. */
static size_t group_length(const char *name)
{
	return strcspn(name, ":");
}

static bool same_group(const struct table *table, unsigned a, unsigned b)
{
	const char *first = name_of(table, a);
	const char *second = name_of(table, b);

	return group_length(first) == group_length(second) &&
	       strncmp(first, second, group_length(first)) == 0;
}

/* Whether an earlier driver is of the same group. */
static bool in_earlier_group(const struct table *table, unsigned driver)
{
	for (unsigned i = 1; i < driver; i++) {
		if (same_group(table, i, driver))
			return true;
	}
	return false;
}

/* The least time of the driver's group divided by the first driver's. */
static double best_ratio(const struct table *table, const struct row *row, unsigned driver)
{
	double best = NAN;

	for (unsigned i = 1; i <= table->num_drivers; i++) {
		if (same_group(table, i, driver))
			best = fmin(best, row->run[i]);
	}
	return best / row->run[0];
}

static void summarize(const struct table *table, const struct row *rows, unsigned num_rows,
		      unsigned driver)
{
	const char *mark = table->markdown ? "- " : "";
	const char *separator = "";
	double logarithms = 0;
	unsigned count = 0;

	for (unsigned i = 0; i < num_rows; i++) {
		double ratio = best_ratio(table, &rows[i], driver);

		if (!isnan(ratio)) {
			logarithms += log(ratio);
			count++;
		}
	}
	if (count == 0)
		return;
	printf("%s%.*s / %s: geometric mean %.2f over %u kernels", mark,
	       (int)group_length(name_of(table, driver)), name_of(table, driver), name_of(table, 0),
	       exp(logarithms / count), count);
	printf("; %s slower in: ", name_of(table, 0));
	for (unsigned i = 0; i < num_rows; i++) {
		double ratio = best_ratio(table, &rows[i], driver);

		if (!isnan(ratio) && ratio * SLOWER < 1) {
			printf("%s%s (%.2f)", separator, rows[i].bench->name, ratio);
			separator = ", ";
		}
	}
	puts(*separator ? "" : "none");
}

void report_summary(const struct table *table, const struct row *rows, unsigned num_rows)
{
	puts("");
	for (unsigned i = 1; i <= table->num_drivers; i++) {
		if (!in_earlier_group(table, i))
			summarize(table, rows, num_rows, i);
	}
}

/* ---- images beside buffers ------------------------------------------------------------------- */

static const struct row *find_row(const struct row *rows, unsigned num_rows, const char *name)
{
	for (unsigned i = 0; i < num_rows; i++) {
		if (strcmp(rows[i].bench->name, name) == 0)
			return &rows[i];
	}
	return NULL;
}

/* The row of a case's form on buffers; NULL, too, if the case itself has no row. */
static const struct row *find_buffer_form(const struct row *rows, unsigned num_rows,
					  const struct bench_case *bench)
{
	char name[64];

	snprintf(name, sizeof(name), "%s" BUFFER_FORM, bench->name);
	return find_row(rows, num_rows, bench->name) ? find_row(rows, num_rows, name) : NULL;
}

static void forms_head(const struct table *table, const char *title)
{
	puts("");
	cell(table, -NAME_WIDTH, "images / buffers, %s", title);
	for (unsigned i = 0; i < table->num_drivers; i++)
		cell(table, 10, "%s", name_of(table, i));
	end_head(table, 1 + table->num_drivers);
}

/* A geometric mean of the ratios that there are. */
struct mean {
	double logarithms;
	unsigned count;
};

static void mean_add(struct mean *mean, double ratio)
{
	if (isnan(ratio))
		return;
	mean->logarithms += log(ratio);
	mean->count++;
}

static void forms_means(const struct table *table, const char *title, const struct mean *means)
{
	cell(table, -NAME_WIDTH, "%s", title);
	for (unsigned i = 0; i < table->num_drivers; i++)
		cell_ratio(table, 10,
			   means[i].count ? exp(means[i].logarithms / means[i].count) : NAN);
	end_row(table);
}

void report_forms(const struct table *table, const struct row *rows, unsigned num_rows,
		  const char *title, const struct bench_case *cases)
{
	struct mean beside_buffers[MAX_DRIVERS] = {0};
	struct mean beside_first[MAX_DRIVERS] = {0};
	bool any = false;

	for (const struct bench_case *bench = cases; bench->name; bench++) {
		const struct row *images = find_row(rows, num_rows, bench->name);
		const struct row *buffers = find_buffer_form(rows, num_rows, bench);

		if (!buffers)
			continue;
		if (!any)
			forms_head(table, title);
		any = true;
		cell(table, -NAME_WIDTH, "%s", bench->name);
		for (unsigned i = 0; i < table->num_drivers; i++) {
			double ratio = images->run[i] / buffers->run[i];

			cell_ratio(table, 10, ratio);
			mean_add(&beside_buffers[i], ratio);
			mean_add(&beside_first[i], images->run[i] / images->run[0]);
		}
		end_row(table);
	}
	if (!any)
		return;
	forms_means(table, "geometric mean", beside_buffers);
	forms_means(table, "images, time / first's", beside_first);
}
