/* SPDX-License-Identifier: MIT
 *
 * How a build's time and memory grow with the size of a source, for each shape of shapes.h, as a table.
 * usage: compile_growth [-s INSTRUCTIONS,…] [-l SECONDS] [-o OPTIONS] [-q] [SHAPE…]
 */
#include "measure.h"
#include "shapes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_SIZES 8

struct settings {
	double sizes[MOST_SIZES]; /* LLVM instructions, ascending */
	unsigned num_sizes;
	struct growth_limits limits;
};

/* The slope of a straight line through the logarithms: the exponent of growth. Not a number: fewer than two points. */
static double exponent(const double *sizes, const double *costs, unsigned count)
{
	double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0, n = 0;

	for (unsigned i = 0; i < count; i++) {
		if (costs[i] <= 0)
			continue;
		double x = log(sizes[i]), y = log(costs[i]);
		sum_x += x;
		sum_y += y;
		sum_xx += x * x;
		sum_xy += x * y;
		n++;
	}
	return n < 2 ? NAN : (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

static void print_row(const struct growth_shape *shape, const struct settings *settings)
{
	double seconds[MOST_SIZES], bytes[MOST_SIZES];

	printf("%-18s", shape->name);
	for (unsigned i = 0; i < settings->num_sizes; i++) {
		unsigned parts = (unsigned)(settings->sizes[i] / shape->instructions);
		struct growth_cost cost =
			growth_measure(shape, parts ? parts : 1, &settings->limits);

		seconds[i] = cost.seconds;
		bytes[i] = cost.bytes;
		if (cost.built)
			printf(" %7.3f s %5.0f MB", cost.seconds, cost.bytes / 1048576);
		else
			printf(" %s %7.3f s %2.0f MB",
			       cost.seconds < settings->limits.seconds ? "failed" : "over",
			       cost.seconds, cost.bytes / 1048576);
		fflush(stdout);
	}
	printf("   %5.2f %5.2f\n", exponent(settings->sizes, seconds, settings->num_sizes),
	       exponent(settings->sizes, bytes, settings->num_sizes));
}

static bool is_wanted(const char *name, char **names, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return count == 0;
}

static void read_sizes(struct settings *settings, char *list)
{
	settings->num_sizes = 0;
	for (char *place = list, *word;
	     settings->num_sizes < MOST_SIZES && (word = strsep(&place, ","));)
		settings->sizes[settings->num_sizes++] = strtod(word, NULL);
}

int main(int argc, char **argv)
{
	struct settings settings = {
		.sizes = {2500, 5000, 10000, 20000},
		.num_sizes = 4,
		.limits = {.seconds = 60, .options = ""},
	};
	int option;

	while ((option = getopt(argc, argv, "s:l:o:q")) != -1) {
		if (option == 's')
			read_sizes(&settings, optarg);
		else if (option == 'l')
			settings.limits.seconds = strtod(optarg, NULL);
		else if (option == 'o')
			settings.limits.options = optarg;
		else if (option == 'q')
			settings.limits.quick = true;
		else
			return 2;
	}
	for (size_t i = 0; i < growth_num_shapes; i++)
		if (is_wanted(growth_shapes[i].name, argv + optind, argc - optind))
			print_row(&growth_shapes[i], &settings);
	return 0;
}
