/* SPDX-License-Identifier: MIT
 *
 * The machine as this process may use it: cores by affinity and quota, memory, caches, a stable
 * name.
 */
#include "machine/machine.h"

#include "digest.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static uint64_t read_number(const char *folder, const char *file)
{
	char text[64];
	char *end;

	if (!weft_machine_read_line(folder, file, text, sizeof(text)))
		return 0;
	unsigned long long number = strtoull(text, &end, 10);
	if (*end == 'K')
		number <<= 10;
	else if (*end == 'M')
		number <<= 20;
	return number;
}

/* True for level 1's instruction cache, which no kernel's data goes through. */
static bool holds_instructions(const char *folder)
{
	char text[32];

	return weft_machine_read_line(folder, "type", text, sizeof(text)) &&
	       strncmp(text, "Instruction", 11) == 0;
}

void weft_caches_read(const char *root, int core, struct weft_caches *caches)
{
	char folder[PATH_MAX - 32];

	*caches = (struct weft_caches){0};
	for (int index = 0; index < 8; index++) {
		snprintf(folder, sizeof(folder), "%s/sys/devices/system/cpu/cpu%d/cache/index%d",
			 root, core, index);
		uint64_t level = read_number(folder, "level");
		if (level == 0)
			break;
		if (level > 3 || holds_instructions(folder))
			continue;
		caches->size[level - 1] = read_number(folder, "size");
		caches->line = (uint32_t)read_number(folder, "coherency_line_size");
	}
}

/* What the C library knows, where /sys is not mounted. */
static void caches_default(struct weft_caches *caches)
{
	static const int names[3] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
				     _SC_LEVEL3_CACHE_SIZE};

	for (int i = 0; i < 3 && caches->line == 0; i++) {
		long size = sysconf(names[i]);
		caches->size[i] = size > 0 ? (uint64_t)size : 0;
	}
	if (caches->line == 0)
		caches->line = 64;
}

static void read_cores(struct weft_machine *machine, const struct weft_limits *limits)
{
	int count = 0;

	if (sched_getaffinity(0, sizeof(machine->usable), &machine->usable) == 0) {
		count = CPU_COUNT(&machine->usable);
	} else { /* more cores than CPU_SETSIZE */
		long online = sysconf(_SC_NPROCESSORS_ONLN);
		count = online > 0 && online < INT_MAX ? (int)online : 1;
		CPU_ZERO(&machine->usable);
	}
	machine->cores = count > 0 ? (uint32_t)count : 1;
	if (limits->cores < machine->cores)
		machine->cores = limits->cores > 0 ? limits->cores : 1;
}

static void read_id(struct weft_machine *machine)
{
	char text[128] = "";
	FILE *file = fopen("/etc/machine-id", "re");

	if (file) {
		if (!fgets(text, sizeof(text), file))
			text[0] = '\0';
		fclose(file);
	}
	if (text[0] == '\0' && gethostname(text, sizeof(text) - 1) != 0)
		text[0] = '\0';
	struct weft_digest digest = weft_digest_bytes(text, strlen(text));
	digest = weft_digest_field(digest, machine->cpu.name, strlen(machine->cpu.name));
	memcpy(machine->id, &digest, sizeof(machine->id));
}

void weft_machine_read(struct weft_machine *machine)
{
	struct weft_limits limits;
	struct sysinfo info;
	size_t core = 0;

	*machine = (struct weft_machine){0};
	weft_cpu_read(&machine->cpu);
	weft_limits_read("", &limits);
	read_cores(machine, &limits);
	while (core < CPU_SETSIZE - 1 && !CPU_ISSET(core, &machine->usable))
		core++;
	weft_caches_read("", core == CPU_SETSIZE - 1 ? 0 : (int)core, &machine->caches);
	caches_default(&machine->caches);
	machine->memory = UINT64_C(1) << 30;
	if (sysinfo(&info) == 0)
		machine->memory = (uint64_t)info.totalram * info.mem_unit;
	if (limits.memory < machine->memory)
		machine->memory = limits.memory;
	read_id(machine);
}
