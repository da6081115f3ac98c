/* SPDX-License-Identifier: MIT
 *
 * Which devices a list names: words with commas between them. Weft's platform is the first one, whatever the loader's order is. "cpu" is
 * the first CPU, since drivers for the same CPU would only be in each other's way; "gpu" and "accelerator" are all of that type, "all" is all; any other word is a part of a device's or its platform's
 * name. ":N" behind a word makes N sub-devices of each.
 */
#include "devices/devices.h"

#include <weft/memory_domain.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_PLATFORMS 32
#define MOST_DEVICES 64 /* of a platform, and sub-devices of a device */
#define NAME_SIZE 256

struct candidate {
	cl_device_id id;
	cl_device_type type;
	cl_platform_id platform_id;
	bool has_host_memory;
	bool likes_peers; /* these two: of weft_domain */
	cl_uint memory;
	char model[NAME_SIZE]; /* its name without a number */
	cl_uint units;
	cl_uint clock;
	size_t kind; /* the first candidate like it, counted from 1 */
	char name[NAME_SIZE];
	char platform[NAME_SIZE];
};

struct candidates {
	struct candidate *items; /* owned */
	size_t count;
};

/* ---- what there is ------------------------------------------------------------------------------- */

static bool is_weft(const char *platform)
{
	return strcmp(platform, "Weft") == 0;
}

/* Weft says which devices share their memory. Others say at most that it is the host's. */
static void find_memory(const struct weft_opencl *cl, size_t index, struct candidate *candidate)
{
	cl_uint number = 0;
	cl_bool unified = CL_FALSE;

	candidate->memory = (cl_uint)index;
	if (is_weft(candidate->platform) &&
	    cl->GetDeviceInfo(candidate->id, CL_DEVICE_MEMORY_DOMAIN_WEFT, sizeof(number), &number,
			      NULL) == CL_SUCCESS) {
		candidate->has_host_memory = number == 0;
		candidate->memory = number;
		candidate->likes_peers = true;
		return;
	}
	cl->GetDeviceInfo(candidate->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(unified), &unified,
			  NULL);
	candidate->has_host_memory = unified || (candidate->type & CL_DEVICE_TYPE_CPU);
}

static void find_kind(const struct weft_opencl *cl, const struct candidates *found,
		      struct candidate *candidate)
{
	snprintf(candidate->model, NAME_SIZE, "%s", candidate->name);
	cl->GetDeviceInfo(candidate->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(candidate->units),
			  &candidate->units, NULL);
	cl->GetDeviceInfo(candidate->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(candidate->clock),
			  &candidate->clock, NULL);
	for (candidate->kind = 1; candidate->kind <= found->count; candidate->kind++) {
		const struct candidate *other = &found->items[candidate->kind - 1];

		if (other->platform_id == candidate->platform_id &&
		    other->units == candidate->units && other->clock == candidate->clock &&
		    strcmp(other->model, candidate->model) == 0)
			break;
	}
}

static bool has_name(const struct candidates *found, const struct candidate *candidate)
{
	for (size_t i = 0; i < found->count; i++) {
		if (found->items[i].platform_id == candidate->platform_id &&
		    strcmp(found->items[i].name, candidate->name) == 0)
			return true;
	}
	return false;
}

/* Devices of a platform with one name get numbers: what is told of each, and kept for later runs, goes by its name. */
static void number_name(const struct candidates *found, struct candidate *candidate)
{
	const struct candidate unnumbered = *candidate;

	for (unsigned number = 2; has_name(found, candidate); number++)
		snprintf(candidate->name, NAME_SIZE, "%.200s (%u)", unnumbered.name, number);
}

static bool add_candidate(const struct weft_opencl *cl, struct candidates *found, cl_device_id id,
			  const struct candidate *of_platform)
{
	struct candidate *items =
		(struct candidate *)realloc(found->items, (found->count + 1) * sizeof(*items));

	if (!items)
		return false;
	found->items = items;
	struct candidate *added = &items[found->count];
	*added = *of_platform;
	added->id = id;
	cl_bool works = CL_FALSE;
	cl->GetDeviceInfo(id, CL_DEVICE_COMPILER_AVAILABLE, sizeof(works), &works, NULL);
	if (!works ||
	    cl->GetDeviceInfo(id, CL_DEVICE_TYPE, sizeof(added->type), &added->type, NULL) !=
		    CL_SUCCESS ||
	    cl->GetDeviceInfo(id, CL_DEVICE_NAME, NAME_SIZE, added->name, NULL) != CL_SUCCESS)
		return true;
	find_kind(cl, found, added);
	number_name(found, added);
	find_memory(cl, found->count, added);
	found->count++;
	return true;
}

/* Those of Weft's platform, or of all others. */
static bool list_platforms(const struct weft_opencl *cl, bool of_weft, struct candidates *found)
{
	cl_platform_id platforms[MOST_PLATFORMS];
	cl_device_id devices[MOST_DEVICES];
	cl_uint num_platforms = 0;

	if (cl->GetPlatformIDs(MOST_PLATFORMS, platforms, &num_platforms) != CL_SUCCESS)
		num_platforms = 0;
	for (cl_uint i = 0; i < num_platforms && i < MOST_PLATFORMS; i++) {
		cl_uint count = 0;
		struct candidate common = {.platform_id = platforms[i]};

		cl->GetPlatformInfo(platforms[i], CL_PLATFORM_NAME, NAME_SIZE, common.platform,
				    NULL);
		if (is_weft(common.platform) != of_weft ||
		    cl->GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices,
				     &count) != CL_SUCCESS)
			continue;
		for (cl_uint d = 0; d < count && d < MOST_DEVICES; d++) {
			if (!add_candidate(cl, found, devices[d], &common))
				return false;
		}
	}
	return true;
}

static bool list_devices(const struct weft_opencl *cl, struct candidates *found,
			 struct weft_error *error)
{
	if (!list_platforms(cl, true, found) || !list_platforms(cl, false, found))
		return weft_fail_memory(error);
	return found->count > 0 || weft_fail(error, "no OpenCL device is found");
}

/* ---- what is wanted ------------------------------------------------------------------------------ */

static bool matches(const struct candidate *candidate, const char *word)
{
	if (strcasecmp(word, "cpu") == 0)
		return candidate->type & CL_DEVICE_TYPE_CPU;
	if (strcasecmp(word, "gpu") == 0)
		return candidate->type & CL_DEVICE_TYPE_GPU;
	if (strcasecmp(word, "accelerator") == 0)
		return candidate->type & CL_DEVICE_TYPE_ACCELERATOR;
	return strcasecmp(word, "all") == 0 || strcasestr(candidate->name, word) ||
	       strcasestr(candidate->platform, word);
}

static bool add_device(struct weft_devices *devices, const struct weft_device *device)
{
	struct weft_device *items = (struct weft_device *)realloc(
		devices->items, (devices->count + 1) * sizeof(*items));

	if (!items)
		return false;
	devices->items = items;
	items[devices->count++] = *device;
	return device->name != NULL;
}

/* The domain that the candidate's memory is, which may be there. */
static bool find_domain(struct weft_devices *devices, const struct candidate *candidate,
			size_t *domain)
{
	for (size_t i = 0; i < devices->num_domains; i++) {
		const struct weft_domain *known = &devices->domains[i];

		*domain = i;
		if (known->platform == candidate->platform_id &&
		    known->is_host == candidate->has_host_memory &&
		    (known->is_host || known->memory == candidate->memory))
			return true;
	}
	struct weft_domain *domains = (struct weft_domain *)realloc(
		devices->domains, (devices->num_domains + 1) * sizeof(*domains));

	if (!domains)
		return false;
	devices->domains = domains;
	*domain = devices->num_domains++;
	domains[*domain] = (struct weft_domain){.platform = candidate->platform_id,
						.memory = candidate->memory,
						.likes_peers = candidate->likes_peers,
						.is_host = candidate->has_host_memory};
	return true;
}

/* Parts of equal size; the rest of the units is left out. */
static bool add_parts(const struct weft_opencl *cl, const struct candidate *candidate, long parts,
		      size_t domain, struct weft_devices *devices, struct weft_error *error)
{
	cl_device_id ids
		[2 *
		 MOST_DEVICES]; /* fewer than two for each that is wanted: the units may not divide */
	cl_uint units = 0;
	cl_uint count = 0;

	cl->GetDeviceInfo(candidate->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL);
	if (parts > MOST_DEVICES || (cl_uint)parts > units)
		return weft_fail(error, "%s has %u compute units, %ld parts of it are wanted",
				 candidate->name, units, parts);
	const cl_device_partition_property by[] = {
		CL_DEVICE_PARTITION_EQUALLY, (cl_device_partition_property)(units / (cl_uint)parts),
		0};
	if (!weft_opencl_check(
		    cl->CreateSubDevices(candidate->id, by, 2 * MOST_DEVICES, ids, &count),
		    candidate->name, "CreateSubDevices", error))
		return false;
	bool done = true;
	for (cl_uint i = 0; i < count; i++) {
		struct weft_device device = {.id = ids[i],
					     .is_part = true,
					     .type = candidate->type,
					     .domain = domain,
					     .kind = candidate->kind +
						     MOST_PLATFORMS * MOST_DEVICES * (size_t)parts};

		if (!done || i >= (cl_uint)parts) {
			cl->ReleaseDevice(ids[i]);
			continue;
		}
		if (asprintf(&device.name, "%s, part %u", candidate->name, i + 1) < 0)
			device.name = NULL;
		done = add_device(devices, &device);
	}
	return done || weft_fail_memory(error);
}

static bool add(const struct weft_opencl *cl, const struct candidate *candidate, long parts,
		struct weft_devices *devices, struct weft_error *error)
{
	struct weft_device device = {
		.id = candidate->id, .type = candidate->type, .kind = candidate->kind};

	if (!find_domain(devices, candidate, &device.domain))
		return weft_fail_memory(error);
	if (parts > 1)
		return add_parts(cl, candidate, parts, device.domain, devices, error);
	device.name = strdup(candidate->name);
	return add_device(devices, &device) || weft_fail_memory(error);
}

static bool fail_to_find(const char *word, const struct candidates *found, struct weft_error *error)
{
	char list[WEFT_ERROR_TEXT] = "";
	size_t length = 0;

	for (size_t i = 0; i < found->count && length < sizeof(list); i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s'%s' of '%s'",
					   i > 0 ? ", " : "", found->items[i].name,
					   found->items[i].platform);
	return weft_fail(error, "there is no further device '%s' among %s", word, list);
}

/* One word of the list; a device that an earlier word has named is not taken again. */
static bool add_word(const struct weft_opencl *cl, char *word, struct candidates *found,
		     struct weft_devices *devices, struct weft_error *error)
{
	char *colon = strrchr(word, ':');
	char *end = NULL;
	const long parts =
		colon && isdigit((unsigned char)colon[1]) ? strtol(colon + 1, &end, 10) : 1;
	const bool takes_one =
		strncasecmp(word, "cpu", 3) == 0 && (word[3] == 0 || word + 3 == colon);
	bool is_found = false;

	if (end && (*end || parts < 1))
		return weft_fail(error, "'%s' is no number of sub-devices", colon + 1);
	if (end)
		*colon = 0;
	for (size_t i = 0; i < found->count && !(takes_one && is_found); i++) {
		if (!found->items[i].id || !matches(&found->items[i], word))
			continue;
		is_found = true;
		if (!add(cl, &found->items[i], parts, devices, error))
			return false;
		found->items[i].id = NULL;
	}
	return is_found || fail_to_find(word, found, error);
}

static bool add_list(const struct weft_opencl *cl, const char *list, struct candidates *found,
		     struct weft_devices *devices, struct weft_error *error)
{
	char *copy = strdup(list);
	char *rest = NULL;
	bool done = copy || weft_fail_memory(error);

	for (char *word = done ? strtok_r(copy, ",", &rest) : NULL; done && word;
	     word = strtok_r(NULL, ",", &rest))
		done = add_word(cl, word, found, devices, error);
	free(copy);
	return done && (devices->count > 0 || weft_fail(error, "the list of devices is empty"));
}

/* The first CPU, and all that is none. */
static bool add_preset(const struct weft_opencl *cl, struct candidates *found,
		       struct weft_devices *devices, struct weft_error *error)
{
	bool has_cpu = false;

	for (size_t i = 0; i < found->count; i++) {
		const bool is_cpu = found->items[i].type & CL_DEVICE_TYPE_CPU;

		if (is_cpu && has_cpu)
			continue;
		has_cpu = has_cpu || is_cpu;
		if (!add(cl, &found->items[i], 1, devices, error))
			return false;
	}
	return true;
}

bool weft_devices_find(const struct weft_opencl *cl, const char *list, struct weft_devices *devices,
		       struct weft_error *error)
{
	struct candidates found = {0};

	const bool done = list_devices(cl, &found, error) &&
			  (list ? add_list(cl, list, &found, devices, error)
				: add_preset(cl, &found, devices, error));
	free(found.items);
	return done;
}
