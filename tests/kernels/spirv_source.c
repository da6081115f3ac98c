/* SPDX-License-Identifier: MIT
 *
 * Runs Clang on files in a folder of its own.
 */
#include "spirv_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Clang defines the macros of all extensions and features that its target may have. */
#define COMMAND                                                                                    \
	WEFT_TEST_CLANG " -target spirv64-unknown-unknown -x cl -Xclang -fdeclare-opencl-builtins" \
			" -Xclang -finclude-default-header -include " WEFT_TEST_DECLARATIONS       \
			" -mllvm --spirv-ext=+SPV_KHR_subgroup_rotate,+SPV_INTEL_subgroups"        \
			" -O1 @%s/options -c %s/source -o %s/module 2>%s/log"

/* All of a file, with a zero behind it; NULL when there is none. */
static char *read_whole(const char *folder, const char *name, size_t *size)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	*size = (size_t)ftell(file);
	rewind(file);
	char *bytes = calloc(*size + 1, 1);
	if (bytes && fread(bytes, 1, *size, file) != *size) {
		free(bytes);
		bytes = NULL;
	}
	fclose(file);
	return bytes;
}

static void write_whole(const char *folder, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	if (!file)
		return;
	fputs(text, file);
	fclose(file);
}

static void remove_file(const char *folder, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	unlink(path);
}

void *spirv_from_source(const char *source, const char *options, size_t *size, char **log)
{
	char folder[] = "/tmp/weft-spirv-XXXXXX";
	char command[1024];
	size_t log_size;

	if (!mkdtemp(folder))
		return NULL;
	write_whole(folder, "source", source);
	write_whole(folder, "options", options ? options : "");
	snprintf(command, sizeof(command), COMMAND, folder, folder, folder, folder);
	int status = system(command);
	char *module = read_whole(folder, "module", size);
	*log = read_whole(folder, "log", &log_size);
	remove_file(folder, "source");
	remove_file(folder, "options");
	remove_file(folder, "module");
	remove_file(folder, "log");
	rmdir(folder);
	if (status == 0)
		return module;
	free(module);
	return NULL;
}
