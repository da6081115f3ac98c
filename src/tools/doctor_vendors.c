/* SPDX-License-Identifier: MIT
 *
 * Reads the .icd files as loaders do, and loads what they name, each in a child.
 */
#include "child.h"
#include "doctor.h"
#include "installation.h"
#include "vendors.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE 30 /* seconds */

/* Prints the path of the library when it has loaded, or why it does not. */
static int load(const void *name)
{
	struct link_map *map = NULL;

	FILE *words = weft_child_words();
	if (!words)
		return 1;
	void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fputs(dlerror(), words);
		return 1;
	}
	if (!dlsym(library, "clGetExtensionFunctionAddress")) {
		fputs("it is no OpenCL driver", words);
		return 1;
	}
	if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map)
		fputs(map->l_name, words);
	return 0;
}

static const char *name_of(const struct weft_vendor *vendor)
{
	return vendor->icd ? vendor->icd : vendor->library;
}

/* What is wrong with the file itself: true, and it has been said. */
static bool check_file(struct weft_doctor *doctor, const struct weft_vendor *vendor)
{
	const size_t length = strlen(vendor->library);
	char mend[PATH_MAX + 64];

	if (vendor->error) {
		snprintf(mend, sizeof(mend), "chmod a+r %s; chmod a+x the folders that lead to it",
			 vendor->icd);
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT,
				vendor->error == EACCES ? mend
							: "remove it, or put a file in its place "
							  "that has the library's path",
				"%s cannot be read: %s", vendor->icd, strerror(vendor->error));
	} else if (length == 0) {
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT,
				"write the library's path into its first line",
				"%s names no library", vendor->icd);
	} else if (isspace((unsigned char)vendor->library[length - 1])) {
		weft_doctor_say(
			doctor, WEFT_VERDICT_FAULT, "remove what follows the name",
			"%s has white space behind the library's name, which loaders take as a "
			"part of it",
			vendor->icd);
	} else {
		return false;
	}
	return true;
}

/* A library of this name at another place: the installation that programs use is not that of this program. */
static void compare_installation(struct weft_doctor *doctor, const struct weft_vendor *vendor,
				 const char *loaded)
{
	char own[PATH_MAX];
	char real[PATH_MAX];

	if (weft_installed_library(WEFT_DRIVER_NAME, own) && realpath(loaded, real) &&
	    strcmp(own, real) != 0)
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, "if that is an old one, remove it",
				"%s: Weft, but of another installation: %s", name_of(vendor), real);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s: Weft", name_of(vendor));
}

/* True: it is Weft, and a loader can load it. */
static bool check_vendor(struct weft_doctor *doctor, const struct weft_vendor *vendor)
{
	const bool is_weft = weft_vendor_is_weft(vendor);
	struct weft_strbuf said = {0};
	char own[PATH_MAX] = "the whole path of " WEFT_DRIVER_NAME;
	char mend[2 * PATH_MAX];

	if (check_file(doctor, vendor))
		return false;
	const int status = weft_child_run(load, vendor->library, PATIENCE, &said);
	const bool loads =
		status == 0 && said.size > 0; /* else the library has ended the process */
	if (loads && is_weft) {
		compare_installation(doctor, vendor, said.data);
	} else if (loads) {
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s: another driver, %s",
				name_of(vendor), said.data);
	} else {
		weft_installed_library(WEFT_DRIVER_NAME, own);
		snprintf(mend, sizeof(mend),
			 "write %s into the file, or add the library's folder "
			 "to the linker's (ldconfig, LD_LIBRARY_PATH)",
			 own);
		weft_doctor_say(doctor, is_weft ? WEFT_VERDICT_FAULT : WEFT_VERDICT_NOTE,
				is_weft ? mend : "install what it needs, or remove the file",
				"%s does not load: %s", name_of(vendor),
				weft_doctor_reason(status, &said));
	}
	weft_strbuf_destroy(&said);
	return loads && is_weft;
}

void weft_doctor_check_vendors(struct weft_doctor *doctor)
{
	const char *place = weft_vendors_place();
	const char *list = secure_getenv("OCL_ICD_FILENAMES");
	struct weft_vendors vendors = {0};
	char own[PATH_MAX] = WEFT_DRIVER_NAME;
	char mend[PATH_MAX + 128];
	unsigned found = 0;

	const int error = weft_vendors_read(&vendors, place);
	if (error == EACCES)
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT,
				"chmod a+rx the folder and those that lead to it", "%s: %s", place,
				strerror(error));
	else if (error)
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, NULL, "%s: %s", place, strerror(error));
	const size_t in_place = vendors.count;
	if (list && *list)
		weft_vendors_read_list(&vendors, list);
	for (size_t i = 0; i < vendors.count; i++) {
		const bool usable = check_vendor(doctor, &vendors.items[i]);

		found += usable && i < in_place;
	}
	if (found == 0) {
		weft_installed_library(WEFT_DRIVER_NAME, own);
		snprintf(mend, sizeof(mend),
			 "weft run PROGRAM; or for all programs, as root: mkdir "
			 "-p " WEFT_VENDORS_FOLDER "; echo %s >" WEFT_VENDORS_FOLDER "/weft.icd",
			 own);
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, mend,
				"%s: none of %zu drivers is a Weft that loads", place, in_place);
	} else if (found > 1) {
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, "remove all but one",
				"%s has Weft %u times", place, found);
	}
	weft_vendors_destroy(&vendors);
}
