/* SPDX-License-Identifier: MIT
 *
 * Asks each OpenCL loader, in a child, what it finds. A loader that belongs to a Python environment is one of those that PyOpenCL
 * and others bring.
 */
#include "child.h"
#include "doctor.h"
#include "object/opencl_headers.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE 60 /* seconds: drivers of others may take long to start */
#define LOADER "libOpenCL.so.1"
#define MOST_PLATFORMS 32
/* What clGetICDLoaderInfoOCLICD is asked, which both loaders have. */
#define LOADER_VERSION 2
#define LOADER_NAME 3

/* ---- in the child ----------------------------------------------------------------------------- */

typedef cl_int loader_info(cl_uint name, size_t size, void *value, size_t *size_ret);

static void print_loader(FILE *words, void *library)
{
	__typeof__(clGetExtensionFunctionAddress) *get_function =
		(__typeof__(clGetExtensionFunctionAddress) *)dlsym(library,
								   "clGetExtensionFunctionAddress");
	loader_info *info =
		get_function ? (loader_info *)get_function("clGetICDLoaderInfoOCLICD") : NULL;
	char name[128] = "";
	char version[128] = "";
	struct link_map *map = NULL;

	dlinfo(library, RTLD_DI_LINKMAP, &map);
	fputs(map ? map->l_name : LOADER, words);
	if (info && info(LOADER_NAME, sizeof(name), name, NULL) == CL_SUCCESS &&
	    info(LOADER_VERSION, sizeof(version), version, NULL) == CL_SUCCESS)
		fprintf(words, " (%s %s)", name, version);
	fputc('\n', words);
}

/* The loader in PyOpenCL's wheels does not start without this variable, which the package sets. */
static void set_home(const char *path)
{
	static const char package[] = "/pyopencl";
	const char *libraries = strstr(path, "/pyopencl/.libs/");
	char home[PATH_MAX];

	if (libraries && snprintf(home, sizeof(home), "%.*s%s", (int)(libraries - path), path,
				  package) < (int)sizeof(home))
		setenv("PYOPENCL_HOME", home, 0);
}

/* The first line is the loader; each further one is a platform. */
static int ask_loader(const void *path)
{
	cl_platform_id platforms[MOST_PLATFORMS];
	cl_uint count = 0;
	char name[128];

	FILE *words = weft_child_words();
	if (!words)
		return 1;
	set_home(path);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fputs(dlerror(), words);
		return 1;
	}
	__typeof__(clGetPlatformIDs) *get_ids =
		(__typeof__(clGetPlatformIDs) *)dlsym(library, "clGetPlatformIDs");
	__typeof__(clGetPlatformInfo) *get_info =
		(__typeof__(clGetPlatformInfo) *)dlsym(library, "clGetPlatformInfo");
	if (!get_ids || !get_info) {
		fputs("it is no OpenCL loader", words);
		return 1;
	}
	print_loader(words, library);
	get_ids(MOST_PLATFORMS, platforms, &count);
	for (cl_uint i = 0; i < count && i < MOST_PLATFORMS; i++) {
		if (get_info(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL) ==
		    CL_SUCCESS)
			fprintf(words, "%s\n", name);
	}
	return 0;
}

/* ---- verdicts --------------------------------------------------------------------------------- */

/* The lines behind the first one with commas between them, in place; the first one of them in `first`. */
static char *join_platforms(char *lines, char first[128])
{
	char *platforms = strchr(lines, '\n');

	if (!platforms)
		return NULL;
	*platforms++ = '\0';
	snprintf(first, 128, "%.*s", (int)strcspn(platforms, "\n"), platforms);
	for (char *c = platforms; *c; c++) {
		if (*c == '\n')
			*c = c[1] ? ',' : '\0';
	}
	return *platforms ? platforms : NULL;
}

static void judge(struct weft_doctor *doctor, char *lines)
{
	char first[128] = "";
	const char *platforms = join_platforms(lines, first);

	if (!platforms)
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, "see the drivers above",
				"%s finds no platform", lines);
	else if (!strstr(platforms, "Weft"))
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT,
				"see the drivers above, or weft run PROGRAM",
				"%s does not find Weft, but %s", lines, platforms);
	else if (strcmp(first, "Weft") != 0)
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE,
				"for programs that take the first one: weft run PROGRAM, or let "
				"OCL_ICD_VENDORS name a folder with weft.icd alone",
				"%s: Weft is not the first of %s", lines, platforms);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s finds %s", lines, platforms);
}

static void check_loader(struct weft_doctor *doctor, const char *path, const char *mend)
{
	struct weft_strbuf said = {0};

	const int status = weft_child_run(ask_loader, path, PATIENCE, &said);
	if (status == 0 && said.data)
		judge(doctor, said.data);
	else if (said.data)
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, mend, "%s: %s", path, said.data);
	else
		weft_doctor_say(
			doctor, WEFT_VERDICT_FAULT,
			"see the drivers above: remove the .icd file of the one that does it",
			"%s: %s when drivers are loaded", path, weft_doctor_reason(status, &said));
	weft_strbuf_destroy(&said);
}

/* The path as a pattern that only this path fits. */
static void escape(const char *path, char pattern[2 * PATH_MAX])
{
	for (; *path; path++) {
		if (strchr("*?[]\\", *path))
			*pattern++ = '\\';
		*pattern++ = *path;
	}
	*pattern = '\0';
}

/* Loaders in the folders of a Python environment, or of conda. */
static void check_prefix(struct weft_doctor *doctor, const char *prefix)
{
	static const char *const patterns[] = {"/lib/libOpenCL.so.1",
					       "/lib/python3*/site-packages/*/.libs/libOpenCL*.so*",
					       "/lib/python3*/site-packages/*.libs/libOpenCL*.so*"};
	char folder[2 * PATH_MAX];
	char pattern[2 * PATH_MAX + 64];
	glob_t found = {0};
	int flags = 0;

	if (strlen(prefix) >= PATH_MAX)
		return;
	escape(prefix, folder);
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		snprintf(pattern, sizeof(pattern), "%s%s", folder, patterns[i]);
		glob(pattern, flags, NULL, &found);
		flags = GLOB_APPEND;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_loader(doctor, found.gl_pathv[i],
			     "install the package again that brings this loader");
	globfree(&found);
}

/* The folder above that of the program, where that is called bin. */
static bool find_prefix(const char *program, char prefix[PATH_MAX])
{
	static const char bin[] = "/bin/";
	char path[PATH_MAX];

	if (!weft_doctor_find_program(program, path) ||
	    snprintf(prefix, PATH_MAX, "%s%s", *path == '/' ? "" : "./", path) >= PATH_MAX)
		return false;
	char *name = strrchr(prefix, '/') + 1;
	char *start = name - prefix < (ptrdiff_t)strlen(bin) ? prefix : name - strlen(bin);
	if (strncmp(start, bin, strlen(bin)) != 0)
		return false;
	*start = '\0';
	return true;
}

void weft_doctor_check_loaders(struct weft_doctor *doctor)
{
	static const char *const prefixes[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
	char own[PATH_MAX];

	check_loader(doctor, LOADER,
		     "install an OpenCL loader: Debian and Ubuntu's package ocl-icd-libopencl1, "
		     "Fedora's ocl-icd");
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		const char *prefix = secure_getenv(prefixes[i]);

		if (prefix && *prefix)
			check_prefix(doctor, prefix);
	}
	if (doctor->program && find_prefix(doctor->program, own))
		check_prefix(doctor, own);
}
