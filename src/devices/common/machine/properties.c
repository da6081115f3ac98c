/* SPDX-License-Identifier: MIT
 *
 * Device properties from the machine's.
 */
#include "machine/properties.h"

#include "digest.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

#define DEVICE_TYPE_CPU (UINT64_C(1) << 1) /* CL_DEVICE_TYPE_CPU */

/* Local memory should stay in the core's own cache beside what else the kernel touches. */
static uint64_t local_memory(const struct weft_machine *machine)
{
	uint64_t half = machine->caches.size[1] / 2;
	const uint64_t least = 64 * 1024;
	const uint64_t most = 256 * 1024;

	return half < least ? least : half > most ? most : half;
}

static void fill_key(const struct weft_machine *machine, struct weft_device_properties *properties)
{
	const char *cpu = weft_options()->cpu;
	size_t length = cpu ? strlen(cpu) : 0;

	properties->cpu = cpu;
	if (!cpu) {
		properties->slow_gathers = machine->cpu.slow_gathers;
		snprintf(properties->cpu_key, sizeof(properties->cpu_key), "%s", machine->cpu.key);
		return;
	}
	properties->slow_gathers =
		strncmp(cpu, "znver", 5) == 0; /* LLVM's names of AMD's since Zen */
	/* the name may be longer than the key */
	struct weft_digest digest = weft_digest_bytes(machine->cpu.key, strlen(machine->cpu.key));
	digest = weft_digest_field(digest, cpu, length);
	snprintf(properties->cpu_key, sizeof(properties->cpu_key), "%.40s-%016llx", cpu,
		 (unsigned long long)digest.low);
}

static uint32_t configuration_of(const struct weft_machine *machine)
{
	const struct weft_digest cpu =
		weft_digest_bytes(machine->cpu.key, strlen(machine->cpu.key));

	return (uint32_t)weft_digest_field(cpu, &machine->cores, sizeof(machine->cores)).low;
}

void weft_properties_fill(const struct weft_machine *machine, const struct weft_driver *driver,
			  const char *label, struct weft_property_strings *strings,
			  struct weft_device_properties *properties)
{
	struct weft_digest digest = weft_digest_bytes(machine->id, sizeof(machine->id));
	const uint64_t *sizes = machine->caches.size;

	snprintf(strings->name, sizeof(strings->name), "%s%s", machine->cpu.name, label);
	snprintf(strings->vendor, sizeof(strings->vendor), "%s", machine->cpu.vendor);
	snprintf(strings->cpu_features, sizeof(strings->cpu_features), "%s", machine->cpu.features);
	digest = weft_digest_field(digest, driver->name, strlen(driver->name));
	*properties = (struct weft_device_properties){
		.name = strings->name,
		.vendor = strings->vendor,
		.cpu_features = strings->cpu_features,
		.vendor_id = machine->cpu.vendor_id,
		.cpu_family = machine->cpu.family,
		.cpu_model = machine->cpu.model,
		.cpu_stepping = machine->cpu.stepping,
		.configuration = configuration_of(machine),
		.type = DEVICE_TYPE_CPU,
		.compute_units = machine->cores,
		.clock_mhz = machine->cpu.mhz,
		.global_memory = machine->memory,
		.max_allocation = machine->memory / 2,
		.cache_size = sizes[2]   ? sizes[2]
			      : sizes[1] ? sizes[1]
					 : sizes[0],
		.cache_line = machine->caches.line,
		.local_memory = local_memory(machine),
		.enqueues = true,
		.runs_native = true,
		.max_constant = 4 * 1024 * 1024,
		.max_group_size = 4096,
		.max_item_sizes = {4096, 4096, 4096},
		.native_vector_bytes = machine->cpu.vector_bytes,
		.max_alignment_bits = WEFT_KERNEL_ALIGNMENT * 8,
		.space = WEFT_SPACE_HOST,
	};
	memcpy(properties->uuid, &digest, sizeof(properties->uuid));
	fill_key(machine, properties);
}

enum weft_status weft_properties_part(const struct weft_device *parent, uint32_t first,
				      uint32_t count, struct weft_property_strings *strings,
				      struct weft_device *part)
{
	const struct weft_device_properties *whole = &parent->properties;

	if (count == 0 || first >= whole->compute_units || count > whole->compute_units - first)
		return WEFT_UNSUPPORTED;
	*part = *parent;
	part->properties.compute_units = count;
	snprintf(strings->name, sizeof(strings->name), "%s", whole->name);
	snprintf(strings->vendor, sizeof(strings->vendor), "%s", whole->vendor);
	snprintf(strings->cpu_features, sizeof(strings->cpu_features), "%s", whole->cpu_features);
	part->properties.name = strings->name;
	part->properties.vendor = strings->vendor;
	part->properties.cpu_features = strings->cpu_features;
	return WEFT_OK;
}
