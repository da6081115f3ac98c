/* SPDX-License-Identifier: MIT
 *
 * `weft info`.
 */
#include "arguments.h"
#include "compiler/build_id.h"
#include "compiler/compiler_library.h"
#include "entry_points.h"
#include "info_device.h"
#include "installation.h"
#include "machine/machine.h"
#include "options.h"
#include "platform/platform.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void report_library(struct weft_report *report, const char *key, const char *id_key,
			   const char *path)
{
	struct weft_digest id;
	char text[40];

	weft_report_text(report, key, path ? path : "not there");
	if (!path || !weft_build_id_read(path, &id))
		return;
	snprintf(text, sizeof(text), "%016" PRIx64 "%016" PRIx64, id.high, id.low);
	weft_report_text(report, id_key, text);
}

static void report_installation(struct weft_report *report)
{
	const char *given = weft_options()->compiler;
	char path[PATH_MAX];
	char compiler[PATH_MAX];

	weft_report_open(report, "weft", "Weft " WEFT_VERSION);
	weft_report_text(report, "version", WEFT_VERSION);
	report_library(report, "driver", "driver_build",
		       weft_installed_library(WEFT_DRIVER_NAME, path) ? path : NULL);
	if (!given && weft_installed_library(WEFT_COMPILER_NAME, compiler))
		given = compiler;
	report_library(report, "compiler", "compiler_build", given);
	weft_report_flag(report, "compiler_opens", weft_compiler_library() != NULL);
	weft_report_close(report);
}

static void report_machine(struct weft_report *report, const struct weft_machine *machine,
			   const struct weft_limits *limits)
{
	static const char *const caches[] = {"cache_l1", "cache_l2", "cache_l3"};

	weft_report_open(report, "cpu", "CPU");
	weft_report_text(report, "name", machine->cpu.name);
	weft_report_text(report, "vendor", machine->cpu.vendor);
	weft_report_number(report, "usable_cores", (uint64_t)CPU_COUNT(&machine->usable));
	if (limits->cores != UINT32_MAX)
		weft_report_number(report, "quota_cores", limits->cores);
	weft_report_number(report, "worker_cores", machine->cores);
	weft_report_bytes(report, "memory", machine->memory);
	if (limits->memory != UINT64_MAX)
		weft_report_bytes(report, "quota_memory", limits->memory);
	for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++) {
		if (machine->caches.size[i])
			weft_report_bytes(report, caches[i], machine->caches.size[i]);
	}
	weft_report_number(report, "vector_bits", (uint64_t)machine->cpu.vector_bytes * 8);
	weft_report_flag(report, "slow_gathers", machine->cpu.slow_gathers);
	weft_report_words(report, "features", machine->cpu.features);
	weft_report_close(report);
}

/* False: out of memory. */
static bool report_devices(struct weft_report *report)
{
	cl_uint count = 0;
	char title[192];
	char name[128] = "";
	bool done = true;

	const cl_device_id *devices = weft_platform_devices(&count);
	weft_report_open_array(report, "devices");
	for (cl_uint i = 0; i < count && done; i++) {
		weft_clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof(name), name, NULL);
		snprintf(title, sizeof(title), "Device %u: %s", i, name);
		weft_report_open(report, NULL, title);
		weft_report_text(report, "name", name);
		done = weft_info_device(report, devices[i]);
		weft_report_close(report);
	}
	weft_report_close_array(report);
	return done;
}

enum weft_exit weft_info_command(char **argv)
{
	struct weft_arguments arguments = {.command = WEFT_COMMAND_INFO, .next = argv};
	struct weft_report report = {0};
	struct weft_machine machine;
	struct weft_limits limits;

	while (weft_next_argument(&arguments)) {
		if (!arguments.option)
			weft_superfluous_argument(&arguments);
		report.json = true; /* WEFT_INFO_JSON, the one option */
	}
	if (arguments.ended)
		return arguments.result;
	weft_use_own_compiler();
	weft_machine_read(&machine);
	weft_limits_read("", &limits);
	weft_report_begin(&report);
	report_installation(&report);
	report_machine(&report, &machine, &limits);
	const bool done = report_devices(&report);
	weft_report_end(&report);
	if (!done)
		weft_complain("out of memory");
	return done ? WEFT_EXIT_DONE : WEFT_EXIT_TROUBLE;
}
