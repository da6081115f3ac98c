/* SPDX-License-Identifier: MIT
 *
 * A run in the format that Perfetto and Chrome's viewer read: a thread for each device, and arrows between kernels that wait for
 * each other.
 */
#include "report/report.h"
#include "report/write.h"

static void add_names(struct weft_strbuf *text, const struct weft_devices *devices)
{
	for (size_t d = 0; d < devices->count; d++) {
		weft_strbuf_printf(text,
				   "{\"ph\":\"M\",\"pid\":1,\"tid\":%zu,\"name\":\"thread_name\","
				   "\"args\":{\"name\":\"",
				   d + 1);
		weft_write_json(text, devices->items[d].name);
		weft_strbuf_puts(text, "\"}},\n");
	}
}

static void add_span(struct weft_strbuf *text, const struct weft_record *record,
		     const struct weft_span *span)
{
	static const char *const names[] = {[WEFT_SPAN_TO_DEVICE] = "to the device",
					    [WEFT_SPAN_FROM_DEVICE] = "from the device",
					    [WEFT_SPAN_BETWEEN] = "from device memory",
					    [WEFT_SPAN_KERNEL] = "",
					    [WEFT_SPAN_MERGE] = "merge"};
	const struct weft_spec_kernel *kernel = &record->spec->kernels[span->task];

	weft_strbuf_puts(text, "{\"ph\":\"X\",\"name\":\"");
	weft_write_json(text, span->kind == WEFT_SPAN_KERNEL ? kernel->name : names[span->kind]);
	weft_strbuf_printf(
		text, "\",\"pid\":1,\"tid\":%zu,\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"kernel\":\"",
		span->device + 1, span->start * 1e6, (span->end - span->start) * 1e6);
	weft_write_json(text, kernel->label);
	if (span->kind == WEFT_SPAN_KERNEL)
		weft_strbuf_printf(text, "\",\"first slab\":%zu,\"slabs\":%zu}},\n",
				   span->first_slab, span->slabs);
	else
		weft_strbuf_printf(text, "\",\"bytes\":%zu}},\n", span->bytes);
}

/* An arrow from each part of a kernel to the first part of one that waits for it. */
static void add_arrows(struct weft_strbuf *text, const struct weft_record *record,
		       const struct weft_span *before, const struct weft_span *after,
		       size_t *number)
{
	const struct weft_spec_kernel *kernel = &record->spec->kernels[after->task];
	size_t i = 0;

	if (before->kind != WEFT_SPAN_KERNEL || after->kind != WEFT_SPAN_KERNEL ||
	    after->first_slab != 0)
		return;
	while (i < kernel->num_depends && kernel->depends[i] != before->task)
		i++;
	if (i == kernel->num_depends)
		return;
	weft_strbuf_printf(text,
			   "{\"ph\":\"s\",\"name\":\"edge\",\"cat\":\"graph\",\"id\":%zu,\"pid\":1,"
			   "\"tid\":%zu,\"ts\":%.3f},\n"
			   "{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"edge\",\"cat\":\"graph\",\"id\":%"
			   "zu,\"pid\":1,\"tid\":%zu,\"ts\":%.3f},\n",
			   *number, before->device + 1, before->end * 1e6 - 0.001, *number,
			   after->device + 1, after->start * 1e6);
	(*number)++;
}

bool weft_report_trace(const struct weft_record *record, const char *path, struct weft_error *error)
{
	const struct weft_timeline *timeline = &record->timeline;
	struct weft_strbuf text = {0};
	size_t number = 1;

	weft_strbuf_puts(&text, "{\"traceEvents\":[\n");
	add_names(&text, record->devices);
	for (size_t i = 0; i < timeline->count; i++)
		add_span(&text, record, &timeline->spans[i]);
	for (size_t i = 0; i < timeline->count; i++) {
		for (size_t k = 0; k < timeline->count; k++)
			add_arrows(&text, record, &timeline->spans[i], &timeline->spans[k],
				   &number);
	}
	weft_strbuf_puts(&text, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{"
				"\"name\":\"weft schedule\"}}\n]}\n");
	return weft_write_file(path, &text, error);
}
