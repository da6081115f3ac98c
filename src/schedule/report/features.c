/* SPDX-License-Identifier: MIT */
#include "report/report.h"
#include "report/write.h"

static void add_task(struct weft_strbuf *text, const struct weft_engine *engine, size_t task)
{
	const struct weft_task *described = &engine->tasks[task];
	const struct weft_spec_kernel *kernel = described->kernel;

	weft_strbuf_puts(text, " {\"kernel\": \"");
	weft_write_json(text, kernel->label);
	weft_strbuf_puts(text, "\", \"name\": \"");
	weft_write_json(text, kernel->name);
	weft_strbuf_printf(text, "\", \"work_items\": %zu, \"features\": [",
			   kernel->global[0] * kernel->global[1] * kernel->global[2]);
	for (unsigned i = 0; i < CL_KERNEL_NUM_FEATURES_WEFT; i++)
		weft_strbuf_printf(text, "%s%.17g", i ? ", " : "", described->features[i]);
	weft_strbuf_printf(text, "], \"predicted\": [%.9g, %.9g]}", engine->predictions[task].cpu,
			   engine->predictions[task].other);
}

bool weft_report_features(const struct weft_engine *engine, const char *path,
			  struct weft_error *error)
{
	struct weft_strbuf text = {0};
	const char *separator = "[\n";

	for (size_t t = 0; t < engine->spec->count; t++) {
		if (!engine->tasks[t].has_features)
			continue;
		weft_strbuf_puts(&text, separator);
		add_task(&text, engine, t);
		separator = ",\n";
	}
	weft_strbuf_puts(&text, separator[0] == '[' ? "[]\n" : "\n]\n");
	return weft_write_file(path, &text, error);
}
