/* SPDX-License-Identifier: MIT
 *
 * `weft run`: sets the variables of OpenCL loaders and of Weft, and becomes the program.
 */
#include "arguments.h"
#include "installation.h"
#include "options.h"
#include "run_folder.h"
#include "strbuf.h"
#include "vendors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As env and nohup end. */
#define EXIT_CANNOT_RUN 126
#define EXIT_NOT_FOUND 127

/* No list with colons can have the library. */
static bool has_colon(const char *library)
{
	return strchr(library, ':') != NULL;
}

/* ocl-icd takes a folder, or a library in its place; Khronos' loader has the list of libraries, which come first, and a folder. */
static bool set_loaders(const char *vendors, const char *library, const char *more)
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
	       set_loaders(folder, library, more);
	weft_vendors_destroy(&vendors);
	return done;
}

/* An option that stands for an environment variable. */
static void set_variable(struct weft_arguments *arguments)
{
	const struct weft_option_row *option = arguments->option;
	const char *value = arguments->value ? arguments->value : option->negative ? "0" : "1";

	if (!weft_option_takes(option->variable, value))
		weft_wrong_argument(arguments, "%s does not take '%s'", option->variable, value);
	else if (setenv(option->variable, value, 1) != 0)
		weft_wrong_argument(arguments, "out of memory");
}

static enum weft_exit become(char **program)
{
	execvp(program[0], program);
	const int error = errno;
	weft_complain("%s: %s", program[0], strerror(error));
	return (enum weft_exit)(error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

enum weft_exit weft_run_command(char **argv)
{
	struct weft_arguments arguments = {.command = WEFT_COMMAND_RUN, .next = argv};
	char library[PATH_MAX];
	char **program = NULL;
	bool only = false;

	while (!program && weft_next_argument(&arguments)) {
		if (!arguments.option)
			program = arguments.next - 1;
		else if (arguments.option->id == WEFT_RUN_ONLY)
			only = true;
		else
			set_variable(&arguments);
	}
	if (!arguments.ended && !program)
		weft_wrong_argument(&arguments, "which program? weft run --help says more");
	if (arguments.ended)
		return arguments.result;
	if (!weft_installed_library(WEFT_DRIVER_NAME, library)) {
		weft_complain(WEFT_DRIVER_NAME " is not in the installation of this program");
		return WEFT_EXIT_TROUBLE;
	}
	if (!(only && !has_colon(library) ? set_loaders(library, library, NULL)
					  : set_folder(library, only)))
		return WEFT_EXIT_TROUBLE;
	return become(program);
}
