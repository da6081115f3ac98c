/* SPDX-License-Identifier: MIT
 *
 * Which variables are set, whether Weft takes their values, and what of Weft they switch off.
 */
#include "commands.h"
#include "doctor.h"
#include "options.h"
#include "vendors.h"

#include <stdlib.h>

/* Each may make a loader see other drivers, or in another order. */
static const char *const loader_variables[] = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH",
					       "OCL_ICD_FILENAMES", "OCL_ICD_PLATFORM_SORT",
					       "OPENCL_LAYERS"};

static bool has_weft(const char *place)
{
	struct weft_vendors vendors = {0};
	bool found = false;

	weft_vendors_read(&vendors, place);
	for (size_t i = 0; i < vendors.count; i++)
		found = found || weft_vendor_is_weft(&vendors.items[i]);
	weft_vendors_destroy(&vendors);
	return found;
}

/* The variables that replace the folder of the machine. */
static void check_place(struct weft_doctor *doctor, const char *variable)
{
	const char *place = secure_getenv(variable);

	if (!place || !*place)
		return;
	if (has_weft(place))
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s=%s has Weft", variable, place);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT,
				"unset the variable, or let it name a folder with a weft.icd",
				"%s=%s replaces " WEFT_VENDORS_FOLDER ", and has no Weft", variable,
				place);
}

static void check_loader_variables(struct weft_doctor *doctor)
{
	const size_t count = sizeof(loader_variables) / sizeof(*loader_variables);

	for (size_t i = 0; i < count; i++) {
		const char *value = secure_getenv(loader_variables[i]);

		if (i < 2)
			check_place(doctor, loader_variables[i]);
		else if (value && *value)
			weft_doctor_say(doctor, WEFT_VERDICT_NOTE, NULL, "%s=%s is set",
					loader_variables[i], value);
	}
}

/* Variables with values that Weft does not take count as their defaults. */
static void check_values(struct weft_doctor *doctor)
{
	const struct weft_option_row *option = NULL;

	while ((option = weft_next_option(WEFT_COMMAND_RUN, option)) != NULL) {
		const char *value = option->variable ? secure_getenv(option->variable) : NULL;

		if (!value || !*value)
			continue;
		if (weft_option_takes(option->variable, value))
			weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s=%s", option->variable,
					value);
		else
			weft_doctor_say(doctor, WEFT_VERDICT_NOTE, "weft run --help says more",
					"%s=%s does not parse, so the default counts",
					option->variable, value);
	}
}

static unsigned sum(const struct weft_doctor *doctor)
{
	unsigned verdicts = 0;

	for (size_t i = 0; i < WEFT_NUM_VERDICTS; i++)
		verdicts += doctor->counts[i];
	return verdicts;
}

void weft_doctor_check_environment(struct weft_doctor *doctor)
{
	const unsigned before = sum(doctor);

	check_loader_variables(doctor);
	check_values(doctor);
	if (sum(doctor) == before)
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "none is set");
}
