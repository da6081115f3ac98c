/* SPDX-License-Identifier: MIT
 *
 * `weft schedule`: the library of src/schedule as a command.
 */
#include "arguments.h"
#include "loaders.h"
#include "report.h"
#include "terminal.h"

#include <weft/schedule.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SETTINGS 64
#define MOST_NAME 64

struct setting {
	char name[MOST_NAME];
	long long value;
};

struct request {
	struct weft_schedule_options options;
	struct setting settings[MOST_SETTINGS];
	size_t num_settings;
	const char **files; /* owned: of borrowed paths */
	size_t num_files;
	const char *gantt;
	const char *trace;
	const char *features;
	bool verify;
	bool json;
	bool list;
	bool quiet;
};

/* ---- arguments ----------------------------------------------------------------------------------- */

static void read_setting(struct weft_arguments *arguments, struct request *request)
{
	struct setting *setting = &request->settings[request->num_settings];
	const char *sign = strchr(arguments->value, '=');
	const size_t length = sign ? (size_t)(sign - arguments->value) : 0;
	char *end = NULL;

	errno = 0;
	if (length > 0 && length < MOST_NAME)
		setting->value = strtoll(sign + 1, &end, 10);
	if (!end || end == sign + 1 || *end || errno != 0)
		weft_wrong_argument(arguments, "--set takes NAME=NUMBER, not '%s'",
				    arguments->value);
	else if (request->num_settings + 1 == MOST_SETTINGS)
		weft_wrong_argument(arguments, "there are too many --set");
	else
		snprintf(request->settings[request->num_settings++].name, MOST_NAME, "%.*s",
			 (int)length, arguments->value);
}

static void take_argument(struct weft_arguments *arguments, struct request *request)
{
	if (!arguments->option) {
		request->files[request->num_files++] = arguments->value;
		return;
	}
	const enum weft_option_id id = arguments->option->id;
	if (id == WEFT_SCHEDULE_DEVICES)
		request->options.devices = arguments->value;
	else if (id == WEFT_SCHEDULE_STRATEGY)
		request->options.strategy = arguments->value;
	else if (id == WEFT_SCHEDULE_STRATEGIES)
		request->list = true;
	else if (id == WEFT_SCHEDULE_SET)
		read_setting(arguments, request);
	else if (id == WEFT_SCHEDULE_SOURCES)
		request->options.sources = arguments->value;
	else if (id == WEFT_SCHEDULE_RATES)
		request->options.rates = arguments->value;
	else if (id == WEFT_SCHEDULE_VERIFY)
		request->verify = true;
	else if (id == WEFT_SCHEDULE_GANTT)
		request->gantt = arguments->value;
	else if (id == WEFT_SCHEDULE_TRACE)
		request->trace = arguments->value;
	else if (id == WEFT_SCHEDULE_FEATURES)
		request->features = arguments->value;
	else if (id == WEFT_SCHEDULE_QUIET)
		request->quiet = true;
	else
		request->json = true;
}

static void check_strategy(struct weft_arguments *arguments, const char *name)
{
	const struct weft_schedule_strategy *const *strategy = weft_schedule_strategies();

	while (*strategy && strcmp((*strategy)->name, name) != 0)
		strategy++;
	if (!*strategy)
		weft_wrong_argument(arguments, "there is no strategy '%s'; --strategies lists them",
				    name);
}

/* ---- what is printed ----------------------------------------------------------------------------- */

static void list_strategies(void)
{
	for (const struct weft_schedule_strategy *const *strategy = weft_schedule_strategies();
	     *strategy; strategy++)
		printf("%-14s %s\n", (*strategy)->name, (*strategy)->summary);
}

static void print_summary(weft_schedule *schedule, bool json)
{
	struct weft_schedule_summary summary;
	struct weft_report report = {.json = json};

	weft_schedule_summarise(schedule, &summary);
	const double idle = summary.makespan * (double)summary.devices - summary.busy;
	weft_report_begin(&report);
	weft_report_number(&report, "kernels", summary.kernels);
	weft_report_number(&report, "parts", summary.parts);
	weft_report_number(&report, "devices", summary.devices);
	weft_report_real(&report, "makespan_ms", summary.makespan * 1e3);
	weft_report_real(&report, "critical_path_ms", summary.critical_path * 1e3);
	weft_report_real(&report, "lower_bound_ms", summary.lower_bound * 1e3);
	weft_report_real(&report, "idle_ms", idle > 0 ? idle * 1e3 : 0);
	weft_report_bytes(&report, "transferred", (uint64_t)summary.transferred);
	weft_report_end(&report);
}

/* ---- the run ------------------------------------------------------------------------------------- */

#define PERMILLE 1000

static void show_progress(void *data, double share)
{
	weft_progress_step((struct weft_progress *)data, (uint64_t)(share * PERMILLE));
}

static void print_warning(void *data, const char *text)
{
	(void)data;
	weft_complain("warning: %s", text);
}

static bool run_and_verify(weft_schedule *schedule, const struct request *request)
{
	struct weft_progress *progress = (struct weft_progress *)request->options.progress_data;

	weft_progress_start(progress, "running", PERMILLE);
	bool done = weft_schedule_run(schedule);
	weft_progress_end(progress);
	if (!done || !request->verify)
		return done;
	weft_progress_start(progress, "verifying", PERMILLE);
	done = weft_schedule_verify(schedule);
	weft_progress_end(progress);
	return done;
}

static bool run(weft_schedule *schedule, const struct request *request)
{
	bool done = true;

	for (size_t i = 0; done && i < request->num_settings; i++)
		done = weft_schedule_set(schedule, request->settings[i].name,
					 request->settings[i].value);
	for (size_t i = 0; done && i < request->num_files; i++)
		done = weft_schedule_read(schedule, request->files[i]);
	done = done && run_and_verify(schedule, request);
	/* What ran before something failed is worth to be seen. */
	if (request->gantt)
		done = weft_schedule_write_gantt(schedule, request->gantt) && done;
	if (request->trace)
		done = weft_schedule_write_trace(schedule, request->trace) && done;
	if (request->features)
		done = weft_schedule_write_features(schedule, request->features) && done;
	return done;
}

static enum weft_exit schedule_files(struct request *request)
{
	struct weft_progress progress = {0};

	request->options.progress_data = &progress;
	if (!request->quiet) {
		request->options.progress = show_progress;
		request->options.warn = print_warning;
	}
	if (!weft_set_loaders(false))
		return WEFT_EXIT_TROUBLE;
	weft_schedule *schedule = weft_schedule_create(&request->options);
	if (!schedule) {
		weft_complain("out of memory");
		return WEFT_EXIT_TROUBLE;
	}
	const bool done = run(schedule, request);
	if (done && !request->quiet)
		print_summary(schedule, request->json);
	else if (!done)
		weft_complain("%s", weft_schedule_error(schedule));
	weft_schedule_destroy(schedule);
	return done ? WEFT_EXIT_DONE : WEFT_EXIT_REFUSED;
}

enum weft_exit weft_schedule_command(char **argv)
{
	struct weft_arguments arguments = {.command = WEFT_COMMAND_SCHEDULE, .next = argv};
	struct request request = {0};
	size_t count = 0;

	while (argv[count])
		count++;
	request.files = (const char **)calloc(count + 1, sizeof(*request.files));
	if (!request.files) {
		weft_complain("out of memory");
		return WEFT_EXIT_TROUBLE;
	}
	while (weft_next_argument(&arguments))
		take_argument(&arguments, &request);
	if (!arguments.ended && request.options.strategy)
		check_strategy(&arguments, request.options.strategy);
	if (!arguments.ended && request.num_files == 0 && !request.list)
		weft_wrong_argument(&arguments, "which files? weft schedule --help says more");
	enum weft_exit result = arguments.result;
	if (!arguments.ended && request.list)
		list_strategies();
	else if (!arguments.ended)
		result = schedule_files(&request);
	free(request.files);
	return result;
}
