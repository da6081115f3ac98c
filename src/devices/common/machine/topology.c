/* SPDX-License-Identifier: MIT
 *
 * The topology: each domain is named by its first core, and read once, not for each of its cores.
 */
#include "machine/topology.h"

#include "alloc.h"
#include "machine/machine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CACHES 10 /* index0, index1, … of a core */
#define LIST_BYTES 4096

void weft_topology_parse(const char *text, cpu_set_t *cores)
{
	char *end;

	CPU_ZERO(cores);
	for (;;) {
		unsigned long first = strtoul(text, &end, 10);
		unsigned long last = first;

		if (end == text)
			return;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && first < CPU_SETSIZE; first++)
			CPU_SET(first, cores);
		if (*end != ',')
			return;
		text = end + 1;
	}
}

static bool read_list(const char *folder, const char *file, cpu_set_t *cores)
{
	char text[LIST_BYTES];

	if (!weft_machine_read_line(folder, file, text, sizeof(text)))
		return false;
	weft_topology_parse(text, cores);
	return true;
}

/* Makes one domain of the cores, unless they are one already. */
static void unite(struct weft_topology *topology, enum weft_domain domain, const cpu_set_t *cores)
{
	uint16_t number = 0;

	for (uint32_t i = 0; i < topology->count; i++) {
		struct weft_place *place = &topology->places[i];

		if (!CPU_ISSET(place->core, cores))
			continue;
		if (number == 0)
			number = (uint16_t)(place->core + 1);
		place->domains[domain] = number;
	}
}

static void read_nodes(const char *root, struct weft_topology *topology)
{
	char folder[PATH_MAX - 32];
	cpu_set_t nodes;
	cpu_set_t cores;

	snprintf(folder, sizeof(folder), "%s/sys/devices/system/node", root);
	if (!read_list(folder, "online", &nodes))
		return;
	for (size_t node = 0; node < CPU_SETSIZE; node++) {
		if (!CPU_ISSET(node, &nodes))
			continue;
		snprintf(folder, sizeof(folder), "%s/sys/devices/system/node/node%zu", root, node);
		if (read_list(folder, "cpulist", &cores))
			unite(topology, WEFT_DOMAIN_NUMA, &cores);
	}
}

/* Where a level of cache is, or WEFT_NUM_DOMAINS. */
static enum weft_domain domain_of_level(unsigned long level)
{
	static const enum weft_domain domains[] = {WEFT_DOMAIN_L1, WEFT_DOMAIN_L2, WEFT_DOMAIN_L3,
						   WEFT_DOMAIN_L4};

	return level >= 1 && level <= 4 ? domains[level - 1] : WEFT_NUM_DOMAINS;
}

/* Reads the caches of a core, except those that were read for another core. */
static void read_caches(const char *root, struct weft_topology *topology,
			const struct weft_place *place)
{
	char folder[PATH_MAX - 32];
	char text[32];
	cpu_set_t cores;

	for (int index = 0; index < MOST_CACHES; index++) {
		snprintf(folder, sizeof(folder), "%s/sys/devices/system/cpu/cpu%d/cache/index%d",
			 root, place->core, index);
		if (!weft_machine_read_line(folder, "level", text, sizeof(text)))
			return;
		enum weft_domain domain = domain_of_level(strtoul(text, NULL, 10));
		if (domain == WEFT_NUM_DOMAINS || place->domains[domain] != 0)
			continue;
		if (weft_machine_read_line(folder, "type", text, sizeof(text)) &&
		    strncmp(text, "Instruction", 11) == 0)
			continue;
		if (read_list(folder, "shared_cpu_list", &cores))
			unite(topology, domain, &cores);
	}
}

static int compare(const void *a, const void *b)
{
	const struct weft_place *x = a;
	const struct weft_place *y = b;

	for (int domain = 0; domain < WEFT_NUM_DOMAINS; domain++) {
		if (x->domains[domain] != y->domains[domain])
			return x->domains[domain] < y->domains[domain] ? -1 : 1;
	}
	return (x->core > y->core) - (x->core < y->core);
}

struct weft_topology *weft_topology_read(const char *root, const cpu_set_t *usable)
{
	struct weft_topology *topology = weft_zalloc(
		sizeof(*topology) + (size_t)CPU_COUNT(usable) * sizeof(topology->places[0]));

	if (!topology)
		return NULL;
	for (uint16_t core = 0; core < CPU_SETSIZE; core++) {
		if (CPU_ISSET(core, usable))
			topology->places[topology->count++].core = core;
	}
	read_nodes(root, topology);
	for (uint32_t i = 0; i < topology->count; i++)
		read_caches(root, topology, &topology->places[i]);
	qsort(topology->places, topology->count, sizeof(topology->places[0]), compare);
	return topology;
}

uint32_t weft_topology_split(const struct weft_topology *topology, enum weft_domain domain,
			     uint32_t first, uint32_t count, uint32_t *counts)
{
	const struct weft_place *places = topology->places + first;
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || places[i].domains[domain] != places[i - 1].domains[domain])
			counts[found++] = 0;
		counts[found - 1]++;
	}
	return found;
}

void weft_topology_thin(struct weft_topology *topology, uint32_t count, bool spread)
{
	for (uint32_t i = 0; spread && i < count; i++)
		topology->places[i] = topology->places[(uint64_t)i * topology->count / count];
	topology->count = count;
}

void weft_topology_cores(const struct weft_topology *topology, uint32_t first, uint32_t count,
			 cpu_set_t *cores)
{
	CPU_ZERO(cores);
	for (uint32_t i = first; i < first + count; i++)
		CPU_SET(topology->places[i].core, cores);
}
