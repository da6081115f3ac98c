/* SPDX-License-Identifier: MIT
 *
 * Drivers of the command line, and a process's environment for one of them.
 */
#define _GNU_SOURCE
#include "drivers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool driver_parse(char *text, struct driver *driver)
{
	char *options = calloc(strlen(text) + 2, 1);
	char *name = strsep(&text, "=");
	char *part;

	if (!text || !options) {
		free(options);
		return false;
	}
	*driver = (struct driver){.name = name, .vendors = strsep(&text, ","), .options = options};
	while ((part = strsep(&text, ","))) {
		if (part[0] == '-')
			strcat(strcat(options, " "), part);
		else if (driver->num_settings <
			 sizeof(driver->settings) / sizeof(driver->settings[0]))
			driver->settings[driver->num_settings++] = part;
	}
	return true;
}

/* Some loaders take folders only: an .icd file alone is put into one that has no other. */
static void choose_vendors(const char *path, const char *folder)
{
	char vendors[64];
	char link_name[80];
	struct stat status;

	snprintf(vendors, sizeof(vendors), "%s/vendors", folder);
	snprintf(link_name, sizeof(link_name), "%s/driver.icd", vendors);
	char *file = realpath(path, NULL);
	bool is_file = file && stat(file, &status) == 0 && S_ISREG(status.st_mode);
	if (is_file &&
	    ((mkdir(vendors, 0700) != 0 || symlink(file, link_name) != 0) && errno != EEXIST))
		fprintf(stderr, "%s: %s\n", link_name, strerror(errno));
	setenv("OCL_ICD_VENDORS", is_file ? vendors : path, 1);
	free(file);
}

void driver_choose(const struct driver *driver, const char *folder)
{
	choose_vendors(driver->vendors, folder);
	setenv("XDG_CACHE_HOME", folder, 1);
	setenv("WEFT_CACHE_DIR", folder, 1);
	setenv("POCL_CACHE_DIR", folder, 1);
	for (unsigned i = 0; i < driver->num_settings; i++) {
		char *setting = strdup(driver->settings[i]);
		char *value = setting ? strchr(setting, '=') : NULL;

		if (value) {
			*value = 0;
			setenv(setting, value + 1, 1);
		}
		free(setting);
	}
}
