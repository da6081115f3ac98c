/* SPDX-License-Identifier: MIT
 *
 * A made-up tree of /proc and /sys in a folder, for functions that read them with a prefix.
 */
#ifndef WEFT_TESTS_DRIVER_MADE_UP_ROOT_H
#define WEFT_TESTS_DRIVER_MADE_UP_ROOT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char root[] = "/tmp/weft-machine-XXXXXX";

static inline int make_root(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static inline int remove_root(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

/* Writes a file of the made-up tree, with its folders. */
static inline void put(const char *path, const char *text)
{
	char command[512];
	char full[256];

	snprintf(full, sizeof(full), "%s%s", root, path);
	snprintf(command, sizeof(command), "mkdir -p $(dirname %s)", full);
	assert_int_equal(system(command), 0);
	FILE *file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A core's cache, and which cores share it. */
static inline void put_cache(int core, int index, int level, const char *type, const char *shared)
{
	static const char *const files[] = {"level", "type", "shared_cpu_list"};
	char number[8];
	const char *texts[] = {number, type, shared};
	char path[128];

	snprintf(number, sizeof(number), "%d", level);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", core,
			 index, files[i]);
		put(path, texts[i]);
	}
}

#endif
