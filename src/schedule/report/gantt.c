/* SPDX-License-Identifier: MIT
 *
 * A Gantt chart as SVG: a row for each device, kernels above and transfers below, and lines between kernels that wait for each
 * other.
 */
#include "report/report.h"
#include "report/write.h"

#include <math.h>
#include <string.h>

#define LETTER 6.6 /* a letter's width */
#define LEAST_LEFT 120.0
#define MOST_LEFT 320.0
#define WIDTH 900.0
#define ROW 46.0
#define TOP 34.0
#define AXIS 24.0 /* below the rows */
#define MOST_TICKS 12.0
#define KERNEL_HEIGHT 24.0
#define TRANSFER_HEIGHT 5.0 /* to a device, and below that the others */

struct chart {
	struct weft_strbuf text;
	const struct weft_record *record;
	double begin;
	double length; /* seconds */
	double left;   /* where it begins: device's names are before that */
	double scale;  /* points of a second */
};

static double x_of(const struct chart *chart, double seconds)
{
	return chart->left + (seconds - chart->begin) * chart->scale;
}

static double y_of(size_t device)
{
	return TOP + ROW * (double)device;
}

/* Below the top of the device's row. */
static double height_of(enum weft_span_kind kind)
{
	if (kind == WEFT_SPAN_KERNEL)
		return 0;
	return KERNEL_HEIGHT + 2 + (kind == WEFT_SPAN_TO_DEVICE ? 0 : TRANSFER_HEIGHT);
}

/* Neighbouring kernels get colours that are easy to tell apart. */
static void add_color(struct chart *chart, const struct weft_span *span)
{
	static const char *const transfers[] = {[WEFT_SPAN_TO_DEVICE] = "#999",
						[WEFT_SPAN_FROM_DEVICE] = "#555",
						[WEFT_SPAN_BETWEEN] = "#777",
						[WEFT_SPAN_KERNEL] = "",
						[WEFT_SPAN_MERGE] = "#b55"};

	if (span->kind == WEFT_SPAN_KERNEL)
		weft_strbuf_printf(&chart->text, "hsl(%zu,60%%,68%%)", span->task * 137 % 360);
	else
		weft_strbuf_puts(&chart->text, transfers[span->kind]);
}

static void add_span(struct chart *chart, const struct weft_span *span)
{
	static const char *const names[] = {[WEFT_SPAN_TO_DEVICE] = "to the device",
					    [WEFT_SPAN_FROM_DEVICE] = "from the device",
					    [WEFT_SPAN_BETWEEN] = "from device memory",
					    [WEFT_SPAN_KERNEL] = "kernel",
					    [WEFT_SPAN_MERGE] = "merged"};
	const bool is_kernel = span->kind == WEFT_SPAN_KERNEL;
	const double x = x_of(chart, span->start);
	const double width = fmax(0.5, (span->end - span->start) * chart->scale);
	const struct weft_spec_kernel *kernel = &chart->record->spec->kernels[span->task];

	weft_strbuf_printf(&chart->text,
			   "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.0f\" fill=\"", x,
			   y_of(span->device) + height_of(span->kind), width,
			   is_kernel ? KERNEL_HEIGHT : TRANSFER_HEIGHT);
	add_color(chart, span);
	weft_strbuf_puts(&chart->text, "\"><title>");
	weft_write_xml(&chart->text, kernel->name);
	weft_strbuf_puts(&chart->text, " (");
	weft_write_xml(&chart->text, kernel->label);
	weft_strbuf_printf(&chart->text, "), %s: ", names[span->kind]);
	if (is_kernel)
		weft_strbuf_printf(&chart->text, "slabs %zu to %zu of %zu", span->first_slab,
				   span->first_slab + span->slabs - 1,
				   chart->record->slabs[span->task]);
	else
		weft_strbuf_printf(&chart->text, "%zu bytes", span->bytes);
	weft_strbuf_printf(&chart->text, ", %.3f ms</title></rect>\n",
			   (span->end - span->start) * 1e3);
	if (!is_kernel || width < 24)
		return;
	/* A picture of its own, which ends where the kernel does. */
	weft_strbuf_printf(
		&chart->text,
		"<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.0f\"><text x=\"3\" "
		"y=\"16\">",
		x, y_of(span->device), width, KERNEL_HEIGHT);
	weft_write_xml(&chart->text, kernel->label);
	weft_strbuf_puts(&chart->text, "</text></svg>\n");
}

/* The last part of a task; NULL: it has not run. */
static const struct weft_span *last_part(const struct weft_record *record, size_t task)
{
	const struct weft_span *last = NULL;

	for (size_t i = 0; i < record->timeline.count; i++) {
		const struct weft_span *span = &record->timeline.spans[i];

		if (span->kind == WEFT_SPAN_KERNEL && span->task == task &&
		    (!last || span->end > last->end))
			last = span;
	}
	return last;
}

static void add_edges(struct chart *chart, const struct weft_span *span)
{
	const struct weft_spec_kernel *kernel = &chart->record->spec->kernels[span->task];

	if (span->kind != WEFT_SPAN_KERNEL || span->first_slab != 0)
		return;
	for (size_t i = 0; i < kernel->num_depends; i++) {
		const struct weft_span *before = last_part(chart->record, kernel->depends[i]);

		if (before)
			weft_strbuf_printf(
				&chart->text,
				"<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
				x_of(chart, before->end), y_of(before->device) + 12,
				x_of(chart, span->start), y_of(span->device) + 12);
	}
}

/* Lines at round numbers of milliseconds: 1, 2 or 5 times a power of ten. */
static void add_axis(struct chart *chart)
{
	const double bottom = y_of(chart->record->devices->count);
	double step = pow(10, floor(log10(chart->length * 1e3 / MOST_TICKS)));

	for (int i = 0; chart->length * 1e3 / step > MOST_TICKS; i++)
		step *= i % 3 == 1 ? 2.5 : 2;
	for (unsigned i = 0; i * step <= chart->length * 1e3; i++) {
		const double x = x_of(chart, chart->begin + i * step * 1e-3);

		weft_strbuf_printf(&chart->text,
				   "<path d=\"M%.2f %.0fV%.0f\" stroke=\"#ddd\"/><text x=\"%.2f\" "
				   "y=\"%.0f\" fill=\"#666\">%g%s</text>\n",
				   x, TOP - 4, bottom, x - 3, bottom + 14, i * step,
				   i == 0 ? " ms" : "");
	}
}

static void add_names(struct chart *chart)
{
	for (size_t d = 0; d < chart->record->devices->count; d++) {
		weft_strbuf_printf(&chart->text, "<svg width=\"%.0f\"><text x=\"10\" y=\"%.2f\">",
				   chart->left - 6, y_of(d) + 16);
		weft_write_xml(&chart->text, chart->record->devices->items[d].name);
		weft_strbuf_puts(&chart->text, "</text></svg>\n");
	}
}

static void measure(struct chart *chart, double makespan)
{
	const struct weft_record *record = chart->record;
	size_t letters = 0;

	for (size_t d = 0; d < record->devices->count; d++) {
		const size_t length = strlen(record->devices->items[d].name);

		letters = length > letters ? length : letters;
	}
	chart->begin = INFINITY;
	for (size_t i = 0; i < record->timeline.count; i++)
		chart->begin = fmin(chart->begin, record->timeline.spans[i].start);
	chart->length = fmax(makespan, 1e-9);
	chart->left = fmin(fmax(20 + LETTER * (double)letters, LEAST_LEFT), MOST_LEFT);
	chart->scale = WIDTH / chart->length;
}

bool weft_report_gantt(const struct weft_record *record, const char *path, struct weft_error *error)
{
	struct weft_schedule_summary summary;
	struct chart chart = {.record = record};

	weft_report_summarise(record, &summary);
	measure(&chart, summary.makespan);
	weft_strbuf_printf(
		&chart.text,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"font-family=\"sans-serif\" font-size=\"12\" stroke=\"none\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		"<text x=\"10\" y=\"20\">%zu kernels in %zu parts, makespan %.3f ms, critical "
		"path %.3f ms, lower bound %.3f ms</text>\n",
		chart.left + WIDTH + 20, y_of(record->devices->count) + AXIS, summary.kernels,
		summary.parts, summary.makespan * 1e3, summary.critical_path * 1e3,
		summary.lower_bound * 1e3);
	add_axis(&chart);
	add_names(&chart);
	for (size_t i = 0; i < record->timeline.count; i++)
		add_span(&chart, &record->timeline.spans[i]);
	weft_strbuf_puts(&chart.text, "<g stroke=\"#222\" stroke-opacity=\"0.5\">\n");
	for (size_t i = 0; i < record->timeline.count; i++)
		add_edges(&chart, &record->timeline.spans[i]);
	weft_strbuf_puts(&chart.text, "</g>\n</svg>\n");
	return weft_write_file(path, &chart.text, error);
}
