/* SPDX-License-Identifier: MIT
 *
 * Reads .icd files as ocl-icd and Khronos' loader do: the first line is the library's name.
 */
#include "vendors.h"

#include "alloc.h"
#include "installation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".icd"

const char *weft_vendors_place(void)
{
	static const char *const variables[] = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"};

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *place = secure_getenv(variables[i]);

		if (place && *place)
			return place;
	}
	return WEFT_VENDORS_FOLDER;
}

static bool has_suffix(const char *name)
{
	const size_t length = strlen(name);

	return length > strlen(SUFFIX) && strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0;
}

static void add(struct weft_vendors *vendors, const char *icd, const char *library, int error)
{
	struct weft_vendor *items =
		weft_grow(vendors->items, &vendors->room, vendors->count, sizeof(*items));

	if (!items) {
		vendors->failed = true;
		return;
	}
	vendors->items = items;
	const struct weft_vendor vendor = {icd ? weft_strdup(icd) : NULL, weft_strdup(library),
					   error};
	if ((icd && !vendor.icd) || !vendor.library) {
		weft_free(vendor.icd);
		weft_free(vendor.library);
		vendors->failed = true;
		return;
	}
	items[vendors->count++] = vendor;
}

FILE *weft_open_file(const char *path)
{
	const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat info;

	if (descriptor < 0)
		return NULL;
	if (fstat(descriptor, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)))
		return fdopen(descriptor, "r");
	close(descriptor);
	errno = EINVAL;
	return NULL;
}

static void read_icd(struct weft_vendors *vendors, const char *path)
{
	char line[PATH_MAX] = "";
	int error = 0;

	FILE *file = weft_open_file(path);
	if (!file || (!fgets(line, sizeof(line), file) && ferror(file)))
		error = errno;
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	add(vendors, path, line, error);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct weft_vendor *)a)->icd, ((const struct weft_vendor *)b)->icd);
}

static int read_folder(struct weft_vendors *vendors, const char *folder)
{
	const size_t first = vendors->count;
	char path[PATH_MAX];
	struct dirent *entry;

	DIR *stream = opendir(folder);
	if (!stream)
		return errno;
	while ((entry = readdir(stream)) != NULL) {
		if (has_suffix(entry->d_name) && snprintf(path, sizeof(path), "%s/%s", folder,
							  entry->d_name) < (int)sizeof(path))
			read_icd(vendors, path);
	}
	closedir(stream);
	if (!vendors->failed && vendors->count > first)
		qsort(vendors->items + first, vendors->count - first, sizeof(*vendors->items),
		      by_name);
	return 0;
}

/* ocl-icd looks for a file without a folder among those of the machine first, and leaves libraries without one to the linker. */
static bool read_without_folder(struct weft_vendors *vendors, const char *name)
{
	const char *folder = secure_getenv("OPENCL_VENDOR_PATH");
	char path[PATH_MAX];

	if (strchr(name, '/'))
		return false;
	if (!has_suffix(name)) {
		add(vendors, NULL, name, 0);
		return true;
	}
	if (snprintf(path, sizeof(path), "%s/%s", folder && *folder ? folder : WEFT_VENDORS_FOLDER,
		     name) >= (int)sizeof(path) ||
	    access(path, F_OK) != 0)
		return false;
	read_icd(vendors, path);
	return true;
}

int weft_vendors_read(struct weft_vendors *vendors, const char *place)
{
	struct stat info;

	if (stat(place, &info) == 0 && S_ISDIR(info.st_mode))
		return read_folder(vendors, place);
	if (read_without_folder(vendors, place))
		return 0;
	if (has_suffix(place))
		read_icd(vendors, place);
	else if (stat(place, &info) == 0)
		add(vendors, NULL, place, 0);
	else
		return errno;
	return 0;
}

void weft_vendors_read_list(struct weft_vendors *vendors, const char *list)
{
	char path[PATH_MAX];

	while (*list) {
		const size_t length = strcspn(list, ":");

		if (length > 0 && length < sizeof(path)) {
			memcpy(path, list, length);
			path[length] = '\0';
			add(vendors, NULL, path, 0);
		}
		list += length + (list[length] == ':');
	}
}

bool weft_vendor_is_weft(const struct weft_vendor *vendor)
{
	const char *slash = vendor->library ? strrchr(vendor->library, '/') : NULL;
	const char *name = slash ? slash + 1 : vendor->library;
	const size_t length = strlen(WEFT_DRIVER_NAME);

	return name && strncmp(name, WEFT_DRIVER_NAME, length) == 0 &&
	       strspn(name + length, " \t\r") == strlen(name + length);
}

void weft_vendors_destroy(struct weft_vendors *vendors)
{
	for (size_t i = 0; i < vendors->count; i++) {
		weft_free(vendors->items[i].icd);
		weft_free(vendors->items[i].library);
	}
	weft_free(vendors->items);
	*vendors = (struct weft_vendors){0};
}
