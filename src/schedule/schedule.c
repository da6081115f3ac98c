/* SPDX-License-Identifier: MIT
 *
 * The library's functions: a schedule and its life.
 */
#include "c_locale.h"
#include "data/content.h"
#include "data/npy.h"
#include "devices/devices.h"
#include "engine/engine.h"
#include "engine/rates.h"
#include "report/report.h"
#include "strategies/strategies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weft_schedule {
	/* Owned copies of the options; NULL: not given. */
	char *device_list;
	char *strategy_name;
	char *sources;
	char *rates;
	char *opencl_library;
	const struct weft_schedule_strategy *own_strategy;
	void (*progress)(void *data, double share);
	void *progress_data;
	void (*warn)(void *data, const char *text);
	void *warn_data;
	struct weft_error error;
	struct weft_variables variables;
	struct weft_spec spec;
	bool is_open; /* devices are there, and the engine is made: no more files are read */
	struct weft_opencl cl;
	struct weft_devices devices;
	struct weft_engine engine;
	bool has_run;
};

/* ---- life ---------------------------------------------------------------------------------------- */

static bool copy_text(const char *text, char **copy)
{
	*copy = text ? strdup(text) : NULL;
	return *copy || !text;
}

/* The options as this library knows them. False: the caller has set one that it does not know. */
static bool take_options(const void *given, size_t bytes, struct weft_schedule_options *options)
{
	const unsigned char *all = (const unsigned char *)given;
	const size_t known = bytes < sizeof(*options) ? bytes : sizeof(*options);

	if (!given)
		return true;
	memcpy(options, given, known);
	for (size_t i = known; i < bytes; i++) {
		if (all[i])
			return false;
	}
	return true;
}

weft_schedule *weft_schedule_create_sized(const struct weft_schedule_options *given, size_t bytes)
{
	struct weft_schedule_options options = {0};
	weft_schedule *schedule = (weft_schedule *)calloc(1, sizeof(*schedule));

	if (!schedule)
		return NULL;
	if (!take_options(given, bytes, &options))
		weft_fail(&schedule->error,
			  "there is an option that this libweft-schedule is too old for");
	schedule->own_strategy = options.own_strategy;
	schedule->progress = options.progress;
	schedule->progress_data = options.progress_data;
	schedule->warn = options.warn;
	schedule->warn_data = options.warn_data;
	if (copy_text(options.devices, &schedule->device_list) &&
	    copy_text(options.strategy, &schedule->strategy_name) &&
	    copy_text(options.sources, &schedule->sources) &&
	    copy_text(options.rates, &schedule->rates) &&
	    copy_text(options.opencl_library, &schedule->opencl_library))
		return schedule;
	weft_schedule_destroy(schedule);
	return NULL;
}

static void close_devices(weft_schedule *schedule)
{
	if (schedule->is_open)
		weft_engine_destroy(&schedule->engine);
	if (schedule->cl.library)
		weft_devices_destroy(&schedule->cl, &schedule->devices);
	schedule->is_open = false;
}

void weft_schedule_destroy(weft_schedule *schedule)
{
	if (!schedule)
		return;
	close_devices(schedule);
	weft_spec_destroy(&schedule->spec);
	weft_variables_destroy(&schedule->variables);
	free(schedule->device_list);
	free(schedule->strategy_name);
	free(schedule->sources);
	free(schedule->rates);
	free(schedule->opencl_library);
	free(schedule);
}

const char *weft_schedule_error(const weft_schedule *schedule)
{
	return schedule->error.text;
}

/* ---- files --------------------------------------------------------------------------------------- */

bool weft_schedule_set(weft_schedule *schedule, const char *name, long long value)
{
	if (strcmp(name, "partition") == 0 && (value < 0 || value > 10))
		return weft_fail(&schedule->error, "partition: %lld is not from 0 to 10", value);
	if (strcmp(name, "dataset") == 0 && value < 1)
		return weft_fail(&schedule->error, "dataset: %lld is not from 1 on", value);
	if (!weft_is_name(name))
		return weft_fail(&schedule->error, "'%s' is no name of an expression", name);
	return weft_variables_set(&schedule->variables, name, value) ||
	       weft_fail_memory(&schedule->error);
}

static bool read_file(weft_schedule *schedule, const char *path)
{
	const struct weft_spec_settings settings = {.variables = &schedule->variables,
						    .sources = schedule->sources};

	if (schedule->is_open)
		return weft_fail(&schedule->error, "%s: files are read before the first run", path);
	return !schedule->error.text[0] &&
	       weft_spec_read(&schedule->spec, path, &settings, &schedule->error);
}

bool weft_schedule_read(weft_schedule *schedule, const char *path)
{
	const struct weft_c_locale locale = weft_c_locale_enter();
	const bool done = read_file(schedule, path);

	weft_c_locale_leave(&locale);
	return done;
}

/* ---- runs ---------------------------------------------------------------------------------------- */

static void warn_of_overruns(const weft_schedule *schedule, size_t task)
{
	const struct weft_spec_kernel *kernel = &schedule->spec.kernels[task];
	const struct weft_known_slices *known = schedule->engine.splits[task].known;
	char place[WEFT_BUFFER_PLACE];
	char text[WEFT_BUFFER_PLACE + 128];

	for (size_t i = 0; known && i < kernel->num_buffers; i++) {
		const size_t bytes = kernel->buffers[i].bytes;

		/* What is further away than this comes of numbers without a bound. */
		if (known[i].end <= bytes || known[i].end > UINT32_MAX)
			continue;
		weft_spec_place(kernel, &kernel->buffers[i], place);
		snprintf(text, sizeof(text),
			 "%s: the kernel may use bytes up to %llu, the buffer has %zu", place,
			 (unsigned long long)known[i].end, bytes);
		schedule->warn(schedule->warn_data, text);
	}
}

static bool open_devices(weft_schedule *schedule)
{
	struct weft_error *error = &schedule->error;

	if (schedule->is_open)
		return true;
	if (schedule->spec.count == 0)
		return weft_fail(error, "there is no kernel to run");
	if (!weft_spec_link(&schedule->spec, error) ||
	    !weft_opencl_open(&schedule->cl, schedule->opencl_library, error) ||
	    !weft_devices_find(&schedule->cl, schedule->device_list, &schedule->devices, error) ||
	    !weft_devices_open(&schedule->cl, &schedule->devices, error))
		return false;
	schedule->is_open = true;
	const bool done = weft_engine_create(&schedule->engine, &schedule->cl, &schedule->devices,
					     &schedule->spec, error);
	for (size_t t = 0; done && schedule->warn && t < schedule->spec.count; t++)
		warn_of_overruns(schedule, t);
	return done &&
	       (!schedule->rates || weft_rates_load(&schedule->engine, schedule->rates, error));
}

static const struct weft_schedule_strategy *find_strategy(weft_schedule *schedule)
{
	if (schedule->own_strategy)
		return schedule->own_strategy;
	if (!schedule->strategy_name)
		return weft_schedule_strategies()[0];
	const struct weft_schedule_strategy *found = weft_strategy_named(schedule->strategy_name);
	if (!found)
		weft_fail(&schedule->error, "there is no strategy '%s'", schedule->strategy_name);
	return found;
}

static bool compare_reference(weft_schedule *schedule, const struct weft_spec_kernel *kernel,
			      const struct weft_spec_buffer *buffer, const void *got)
{
	char what[WEFT_BUFFER_PLACE];
	void *right = malloc(buffer->bytes);

	if (!right)
		return weft_fail_memory(&schedule->error);
	weft_spec_place(kernel, buffer, what);
	const bool done =
		weft_data_read(buffer->reference, what, buffer, right, &schedule->error) &&
		weft_content_check(buffer, what, got, right, &schedule->error);
	free(right);
	return done;
}

/* The results that a file asks for are written, and compared. Those of kernels that have not ended are left out: the run has said
 * why. */
static bool deliver(weft_schedule *schedule, size_t task, size_t index)
{
	const struct weft_spec_kernel *kernel = &schedule->spec.kernels[task];
	const struct weft_spec_buffer *buffer = &kernel->buffers[index];
	const void *got = weft_engine_result(&schedule->engine, task, index);

	char what[WEFT_BUFFER_PLACE];

	if (!got)
		return true;
	weft_spec_place(kernel, buffer, what);
	if (buffer->save && !weft_data_write(buffer->save, what, buffer, got, &schedule->error))
		return false;
	return !buffer->reference || compare_reference(schedule, kernel, buffer, got);
}

static bool run_engine(const weft_schedule *schedule, struct weft_engine *engine,
		       const struct weft_schedule_strategy *strategy)
{
	engine->progress = schedule->progress;
	engine->progress_data = schedule->progress_data;
	return weft_engine_run(engine, strategy);
}

static bool run(weft_schedule *schedule)
{
	schedule->has_run = false;
	if (schedule->error.text[0])
		return false;
	const struct weft_schedule_strategy *strategy = find_strategy(schedule);
	if (!strategy || !open_devices(schedule))
		return false;
	const bool ran = run_engine(schedule, &schedule->engine, strategy);
	bool done = ran;
	schedule->has_run = true;
	/* What can be had is delivered, whatever else failed. */
	for (size_t t = 0; t < schedule->spec.count; t++) {
		for (size_t i = 0; i < schedule->spec.kernels[t].num_buffers; i++)
			done = deliver(schedule, t, i) && done;
	}
	if (ran && schedule->rates)
		done = weft_rates_save(&schedule->engine, schedule->rates, &schedule->error) &&
		       done;
	return done;
}

bool weft_schedule_run(weft_schedule *schedule)
{
	const struct weft_c_locale locale = weft_c_locale_enter();
	const bool done = run(schedule);

	weft_c_locale_leave(&locale);
	return done;
}

static bool compare(weft_schedule *schedule, const struct weft_engine *serial, size_t task,
		    size_t index)
{
	const struct weft_spec_kernel *kernel = &schedule->spec.kernels[task];
	const struct weft_spec_buffer *buffer = &kernel->buffers[index];
	const struct weft_object *got = schedule->engine.tasks[task].objects[index];
	const struct weft_object *right = serial->tasks[task].objects[index];
	char place[WEFT_BUFFER_PLACE];
	char what[WEFT_BUFFER_PLACE + 32];

	if (buffer->direction == WEFT_INPUT || memcmp(got->host, right->host, buffer->bytes) == 0)
		return true;
	struct weft_spec_buffer exact = *buffer;
	exact.tolerance = 0;
	weft_spec_place(kernel, buffer, place);
	snprintf(what, sizeof(what), "%s differs from a serial run", place);
	return weft_content_check(&exact, what, got->host, right->host, &schedule->error);
}

static bool verify(weft_schedule *schedule)
{
	struct weft_engine serial;

	if (!schedule->has_run || schedule->error.text[0])
		return weft_fail(&schedule->error, "there is no run to compare with");
	bool done = weft_engine_create(&serial, &schedule->cl, &schedule->devices, &schedule->spec,
				       &schedule->error) &&
		    run_engine(schedule, &serial, &weft_strategy_serial);
	for (size_t t = 0; done && t < schedule->spec.count; t++) {
		for (size_t i = 0; done && i < schedule->spec.kernels[t].num_buffers; i++)
			done = compare(schedule, &serial, t, i);
	}
	weft_engine_destroy(&serial);
	return done;
}

bool weft_schedule_verify(weft_schedule *schedule)
{
	const struct weft_c_locale locale = weft_c_locale_enter();
	const bool done = verify(schedule);

	weft_c_locale_leave(&locale);
	return done;
}

/* ---- results ------------------------------------------------------------------------------------- */

const void *weft_schedule_buffer(weft_schedule *schedule, const char *label, unsigned pos,
				 size_t *bytes)
{
	for (size_t t = 0; schedule->has_run && t < schedule->spec.count; t++) {
		const struct weft_spec_kernel *kernel = &schedule->spec.kernels[t];

		if (strcmp(kernel->label, label) != 0)
			continue;
		for (size_t i = 0; i < kernel->num_buffers; i++) {
			if (kernel->buffers[i].pos != pos)
				continue;
			*bytes = kernel->buffers[i].bytes;
			return weft_engine_result(&schedule->engine, t, i);
		}
	}
	return NULL;
}

void weft_schedule_summarise_sized(weft_schedule *schedule, struct weft_schedule_summary *summary,
				   size_t bytes)
{
	struct weft_schedule_summary all = {0};
	struct weft_record record;

	if (schedule->has_run && weft_record_take(&schedule->engine, &record)) {
		weft_report_summarise(&record, &all);
		weft_record_destroy(&record);
	}
	memset(summary, 0, bytes);
	memcpy(summary, &all, bytes < sizeof(all) ? bytes : sizeof(all));
}

typedef bool report_writer(const struct weft_record *record, const char *path,
			   struct weft_error *error);

static bool write_report(weft_schedule *schedule, const char *path, report_writer *writer)
{
	struct weft_record record;

	if (!schedule->has_run)
		return weft_fail(&schedule->error, "nothing has run");
	if (!weft_record_take(&schedule->engine, &record))
		return weft_fail_memory(&schedule->error);
	const struct weft_c_locale locale = weft_c_locale_enter();
	const bool done = writer(&record, path, &schedule->error);

	weft_c_locale_leave(&locale);
	weft_record_destroy(&record);
	return done;
}

bool weft_schedule_write_gantt(weft_schedule *schedule, const char *path)
{
	return write_report(schedule, path, weft_report_gantt);
}

bool weft_schedule_write_trace(weft_schedule *schedule, const char *path)
{
	return write_report(schedule, path, weft_report_trace);
}

bool weft_schedule_write_features(weft_schedule *schedule, const char *path)
{
	if (!schedule->has_run)
		return weft_fail(&schedule->error, "nothing has run");
	const struct weft_c_locale locale = weft_c_locale_enter();
	const bool done = weft_report_features(&schedule->engine, path, &schedule->error);

	weft_c_locale_leave(&locale);
	return done;
}
