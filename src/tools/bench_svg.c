/* SPDX-License-Identifier: MIT
 *
 * The picture: for each measure a bar by device, as long as the device is fast beside the fastest one, and the value behind it.
 */
#include "bench.h"

#include <stdio.h>

#define LABELS 110 /* pixels to the left of the bars */
#define LENGTH 420 /* of the longest bar */
#define VALUES 130 /* to the right of it */
#define BAR 14
#define GAP 12
#define LINE 18 /* of the legend */
#define NUM_COLOURS 6

/* Okabe and Ito's, which people with colour vision deficiency tell apart. */
static const char *const colours[NUM_COLOURS] = {"#0072b2", "#e69f00", "#009e73",
						 "#cc79a7", "#56b4e9", "#d55e00"};

static void print_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			fputs("&lt;", file);
			break;
		case '&':
			fputs("&amp;", file);
			break;
		default:
			fputc(*text, file);
		}
	}
}

static double best_value(const struct weft_bench_results *results, size_t measure)
{
	double best = 0;

	for (size_t i = 0; i < results->count; i++) {
		const double value = results->devices[i].values[measure];
		const bool better =
			weft_measure_is_time(measure) ? best == 0 || value < best : value > best;

		if (value > 0 && better)
			best = value;
	}
	return best;
}

/* Returns where the next measure begins. */
static int print_measure(FILE *file, const struct weft_bench_results *results, size_t measure,
			 int top)
{
	const struct weft_measure *row = &weft_measures[measure];
	const double best = best_value(results, measure);
	char text[16];

	fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", LABELS - 8,
		top + BAR - 3, row->name);
	for (size_t i = 0; i < results->count; i++, top += BAR) {
		const double value = results->devices[i].values[measure];
		const double share = value <= 0                      ? 0
				     : weft_measure_is_time(measure) ? best / value
								     : value / best;

		fprintf(file,
			"<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
			LABELS, top, share * LENGTH, BAR - 2, colours[i % NUM_COLOURS]);
		weft_bench_format(value, text);
		fprintf(file, "<text x=\"%.1f\" y=\"%d\">%s%s%s</text>\n",
			LABELS + share * LENGTH + 5, top + BAR - 3, text, value > 0 ? " " : "",
			value > 0 ? row->unit : "");
	}
	return top + GAP;
}

bool weft_bench_write_svg(const char *path, const struct weft_bench_results *results)
{
	const int width = LABELS + LENGTH + VALUES;
	const int height = (int)(results->count * LINE + GAP + LINE +
				 WEFT_NUM_MEASURES * (results->count * BAR + GAP));
	int top = GAP;

	FILE *file = fopen(path, "we");
	if (!file)
		return false;
	fprintf(file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"font-family=\"sans-serif\" font-size=\"12\">\n"
		"<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
		width, height, width, height);
	for (size_t i = 0; i < results->count; i++, top += LINE) {
		fprintf(file,
			"<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>\n"
			"<text x=\"%d\" y=\"%d\">",
			LABELS, top, colours[i % NUM_COLOURS], LABELS + 18, top + 11);
		print_text(file, results->devices[i].platform);
		fputs(": ", file);
		print_text(file, results->devices[i].name);
		fputs("</text>\n", file);
	}
	fprintf(file, "<text x=\"%d\" y=\"%d\">longer is faster</text>\n", LABELS, top + 11);
	top += LINE + GAP / 2;
	for (size_t i = 0; i < WEFT_NUM_MEASURES; i++)
		top = print_measure(file, results, i, top);
	fputs("</svg>\n", file);
	const bool written = !ferror(file);
	return fclose(file) == 0 && written;
}
