/* SPDX-License-Identifier: MIT
 *
 * What control groups allow this process: CPU quota and memory, of its group and all groups above it. A container may
 * see its group as the root of the mount, or the host's whole tree: the mount's root (field 4 of mountinfo) tells which
 * part of the group's path is below the mount point.
 */
#include "machine/machine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 4096

/* One mounted hierarchy. */
struct hierarchy {
	char mount[PATH_MAX]; /* where it is mounted, with the prefix of tests */
	char root[PATH_MAX];  /* which group the mount point shows */
	bool version2;
};

bool weft_machine_read_line(const char *folder, const char *file, char *line, size_t size)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path))
		return false;
	FILE *stream = fopen(path, "re");
	if (!stream)
		return false;
	bool got = fgets(line, (int)size, stream) != NULL;
	fclose(stream);
	return got;
}

static void apply_quota(struct weft_limits *limits, double quota, double period)
{
	if (quota <= 0 || period <= 0)
		return;
	double cores = quota / period;
	uint32_t whole = cores >= 1e9 ? UINT32_MAX : (uint32_t)cores;

	if (whole < cores && whole < UINT32_MAX)
		whole++;
	if (whole < limits->cores)
		limits->cores = whole;
}

static void apply_memory(struct weft_limits *limits, const char *line)
{
	unsigned long long bytes = strtoull(line, NULL, 10);

	/* "max", and version 1's "none", which is close to 2^63 */
	if (bytes == 0 || bytes >= UINT64_C(1) << 62)
		return;
	if (bytes < limits->memory)
		limits->memory = bytes;
}

/* "QUOTA PERIOD", or "max PERIOD" for none. */
static void apply_quota_line(struct weft_limits *limits, const char *line)
{
	char *end;
	double quota = strtod(line, &end);

	if (end != line)
		apply_quota(limits, quota, strtod(end, NULL));
}

/* The limits that one group sets. Files that are not there set none. */
static void apply_group(const struct hierarchy *hierarchy, const char *folder,
			struct weft_limits *limits)
{
	char line[128];
	char period[128];

	if (hierarchy->version2) {
		if (weft_machine_read_line(folder, "cpu.max", line, sizeof(line)))
			apply_quota_line(limits, line);
		if (weft_machine_read_line(folder, "memory.max", line, sizeof(line)))
			apply_memory(limits, line);
		return;
	}
	if (weft_machine_read_line(folder, "cpu.cfs_quota_us", line, sizeof(line)) &&
	    weft_machine_read_line(folder, "cpu.cfs_period_us", period, sizeof(period)))
		apply_quota(limits, strtod(line, NULL), strtod(period, NULL));
	if (weft_machine_read_line(folder, "memory.limit_in_bytes", line, sizeof(line)))
		apply_memory(limits, line);
}

/* Walks from the process's group up to the mount point. */
static void apply_path(const struct hierarchy *hierarchy, const char *group,
		       struct weft_limits *limits)
{
	char folder[2 * PATH_MAX];
	size_t root = strcmp(hierarchy->root, "/") == 0 ? 0 : strlen(hierarchy->root);
	size_t mount = strlen(hierarchy->mount);

	/* a group outside of what is mounted: the mount point is the nearest that can be seen */
	if (strncmp(group, hierarchy->root, root) != 0)
		group = "";
	else
		group += root;
	snprintf(folder, sizeof(folder), "%s%s", hierarchy->mount, group);
	for (;;) {
		apply_group(hierarchy, folder, limits);
		char *slash = strrchr(folder, '/');
		if (!slash || (size_t)(slash - folder) < mount)
			return;
		*slash = '\0';
	}
}

/* Whether `name` is among the comma-separated `list`. */
static bool lists(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (*list) {
		size_t entry = strcspn(list, ",\n");
		if (entry == length && strncmp(list, name, length) == 0)
			return true;
		list += entry + (list[entry] != '\0');
	}
	return false;
}

/* This process's group in the hierarchy that `controller` is in; "" stands for version 2. */
static bool find_group(const char *root, const char *controller, char *group)
{
	char path[PATH_MAX];
	char line[LINE_MAX_BYTES];
	bool found = false;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		/* hierarchy:controllers:path */
		char *controllers = strchr(line, ':');
		char *name = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!name)
			continue;
		*name++ = '\0';
		name[strcspn(name, "\n")] = '\0';
		controllers++;
		found = *controller ? lists(controllers, controller) : *controllers == '\0';
		if (found)
			snprintf(group, PATH_MAX, "%s", name);
	}
	fclose(file);
	return found;
}

/* One line of mountinfo: "id parent device root mount options … - type source super". */
static void apply_mount(const char *root, char *line, struct weft_limits *limits)
{
	struct hierarchy hierarchy = {0};
	char group[PATH_MAX];
	char mount[LINE_MAX_BYTES];
	char shown[LINE_MAX_BYTES];
	char type[32];
	char super[LINE_MAX_BYTES] = "";
	char *tail = strstr(line, " - ");

	if (!tail || sscanf(tail, " - %31s %*s %4095s", type, super) < 1 ||
	    strncmp(type, "cgroup", 6) != 0 ||
	    sscanf(line, "%*s %*s %*s %4095s %4095s", shown, mount) != 2)
		return;
	hierarchy.version2 = strcmp(type, "cgroup2") == 0;
	if (snprintf(hierarchy.mount, PATH_MAX, "%s%s", root, mount) >= PATH_MAX)
		return;
	snprintf(hierarchy.root, PATH_MAX, "%s", shown);
	if (hierarchy.version2) {
		if (find_group(root, "", group))
			apply_path(&hierarchy, group, limits);
		return;
	}
	static const char *const controllers[] = {"cpu", "memory"};
	for (int i = 0; i < 2; i++) {
		if (lists(super, controllers[i]) && find_group(root, controllers[i], group))
			apply_path(&hierarchy, group, limits);
	}
}

void weft_limits_read(const char *root, struct weft_limits *limits)
{
	char path[PATH_MAX];
	char line[LINE_MAX_BYTES];

	*limits = (struct weft_limits){.cores = UINT32_MAX, .memory = UINT64_MAX};
	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	FILE *file = fopen(path, "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		apply_mount(root, line, limits);
	fclose(file);
}
