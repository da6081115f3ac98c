/* SPDX-License-Identifier: MIT */
#include "loaders.h"

#include "commands.h"
#include "installation.h"
#include "run_folder.h"
#include "strbuf.h"
#include "vendors.h"

#include <stdlib.h>
#include <string.h>

/* No list with colons can have the library. */
static bool has_colon(const char *library)
{
	return strchr(library, ':') != NULL;
}

/* ocl-icd takes a folder, or a library in its place; Khronos' loader has the list of libraries, which come first, and a folder. */
static bool set_variables(const char *vendors, const char *library, const char *more)
{
	struct weft_strbuf list = {0};

	if (!has_colon(library))
		weft_strbuf_puts(&list, library);
	if (more && *more)
		weft_strbuf_printf(&list, "%s%s", list.size ? ":" : "", more);
	const bool done = !list.failed && setenv("OCL_ICD_VENDORS", vendors, 1) == 0 &&
			  setenv("OCL_ICD_FILENAMES", list.size ? list.data : "", 1) == 0 &&
			  setenv("OCL_ICD_PLATFORM_SORT", "none", 1) == 0;
	weft_strbuf_destroy(&list);
	if (!done)
		weft_complain("out of memory");
	return done;
}

/* With a folder that has Weft's file before those of the other drivers, or alone. */
static bool set_folder(const char *library, bool only)
{
	const char *more = only ? NULL : secure_getenv("OCL_ICD_FILENAMES");
	struct weft_vendors vendors = {0};
	char folder[PATH_MAX];

	if (!only)
		weft_vendors_read(&vendors, weft_vendors_place());
	bool done = !vendors.failed;
	if (!done)
		weft_complain("out of memory");
	done = done && weft_run_folder(library, &vendors, folder) &&
	       set_variables(folder, library, more);
	weft_vendors_destroy(&vendors);
	return done;
}

bool weft_set_loaders(bool only)
{
	char library[PATH_MAX];

	if (!weft_installed_library(WEFT_DRIVER_NAME, library)) {
		weft_complain(WEFT_DRIVER_NAME " is not in the installation of this program");
		return false;
	}
	return only && !has_colon(library) ? set_variables(library, library, NULL)
					   : set_folder(library, only);
}
