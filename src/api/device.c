/* SPDX-License-Identifier: MIT
 *
 * The entry points of devices, except their query: sub-devices and timers (specification 4.2, 4.3).
 */
#include "alloc.h"
#include "check.h"
#include "clock.h"
#include "entry_points.h"

#include <string.h>

/* A partition scheme: how many compute units each sub-device gets. */
struct partition {
	const cl_device_partition_property *properties; /* what CL_DEVICE_PARTITION_TYPE will say */
	cl_device_partition_property by_domain[3];      /* room for it */
	cl_device_partition_property *by_counts;        /* room for it, owned, or NULL */
	cl_uint num_properties;                         /* elements, including the zero */
	cl_uint *counts;                                /* owned, num */
	cl_uint num;
};

static cl_uint compute_units(cl_device_id device)
{
	return weft_device_properties(device)->compute_units;
}

static bool can_partition(cl_device_id device)
{
	return device->impl->driver->device->partition && compute_units(device) > 1;
}

static cl_int read_equally(cl_device_id device, struct partition *partition)
{
	const cl_device_partition_property each = partition->properties[1];

	partition->num_properties = 3;
	if (each <= 0 || partition->properties[2])
		return CL_INVALID_VALUE;
	if ((uintptr_t)each > compute_units(device))
		return CL_INVALID_DEVICE_PARTITION_COUNT;
	/* A single part that is the whole device is no partition. */
	if (!can_partition(device) || (uintptr_t)each == compute_units(device))
		return CL_DEVICE_PARTITION_FAILED;
	partition->num = compute_units(device) / (cl_uint)each;
	partition->counts = weft_calloc(partition->num, sizeof(cl_uint));
	if (!partition->counts)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < partition->num; i++)
		partition->counts[i] = (cl_uint)each;
	return CL_SUCCESS;
}

/*
 * Reads up to the end of the counts. The zero that ends the properties follows it, but DPC++ leaves that zero
 * out: what lies there is not read, and the copy has a zero of its own.
 */
static cl_int read_by_counts(cl_device_id device, struct partition *partition)
{
	const cl_device_partition_property *counts = partition->properties + 1;
	cl_device_partition_property left = compute_units(device);
	cl_uint num = 0;

	for (; counts[num] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; num++) {
		if (counts[num] < 0 || counts[num] > left)
			return CL_INVALID_DEVICE_PARTITION_COUNT;
		left -= counts[num];
	}
	if (num == 0)
		return CL_INVALID_VALUE;
	if (!can_partition(device))
		return CL_DEVICE_PARTITION_FAILED;
	partition->num = num;
	partition->num_properties = num + 3;
	partition->counts = weft_calloc(num, sizeof(cl_uint));
	partition->by_counts = weft_calloc(partition->num_properties, sizeof(*counts));
	if (!partition->counts || !partition->by_counts)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(partition->by_counts, partition->properties, (num + 2) * sizeof(*counts));
	partition->properties = partition->by_counts;
	for (cl_uint i = 0; i < num; i++)
		partition->counts[i] = (cl_uint)counts[i];
	return CL_SUCCESS;
}

/* The domain that was used is what CL_DEVICE_PARTITION_TYPE says (specification 4.2, table 5). */
static cl_int read_by_domain(cl_device_id device, struct partition *partition)
{
	const cl_device_affinity_domain wanted =
		(cl_device_affinity_domain)partition->properties[1];

	if (wanted == 0 || partition->properties[2])
		return CL_INVALID_VALUE;
	partition->counts = weft_calloc(compute_units(device), sizeof(cl_uint));
	if (!partition->counts)
		return CL_OUT_OF_HOST_MEMORY;
	cl_device_affinity_domain used =
		weft_device_split(device, wanted, partition->counts, &partition->num);
	/* A scheme that the device does not support is not valid, though it supports others (specification 4.3). */
	if (used == 0)
		return wanted == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE &&
				       !can_partition(device)
			       ? CL_DEVICE_PARTITION_FAILED
			       : CL_INVALID_VALUE;
	partition->by_domain[0] = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
	partition->by_domain[1] = (cl_device_partition_property)used;
	partition->properties = partition->by_domain;
	partition->num_properties = 3;
	return CL_SUCCESS;
}

static cl_int read_partition(cl_device_id device, struct partition *partition)
{
	if (!partition->properties)
		return CL_INVALID_VALUE;
	switch (partition->properties[0]) {
	case CL_DEVICE_PARTITION_EQUALLY:
		return read_equally(device, partition);
	case CL_DEVICE_PARTITION_BY_COUNTS:
		return read_by_counts(device, partition);
	case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
		return read_by_domain(device, partition);
	default:
		return CL_INVALID_VALUE;
	}
}

/* All of them are made before the first is handed out. */
static cl_int create_sub_devices(cl_device_id device, const struct partition *partition,
				 cl_device_id *devices)
{
	cl_device_id *made = weft_calloc(partition->num, sizeof(cl_device_id));

	if (!made)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = weft_device_partition(device, partition->properties, partition->num_properties,
					   partition->counts, partition->num, made);
	if (err == CL_SUCCESS)
		memcpy(devices, made, partition->num * sizeof(cl_device_id));
	weft_free(made);
	return err;
}

cl_int CL_API_CALL weft_clCreateSubDevices(cl_device_id device,
					   const cl_device_partition_property *properties,
					   cl_uint num_devices, cl_device_id *devices,
					   cl_uint *num_devices_ret)
{
	struct partition partition = {.properties = properties};

	cl_int err = weft_check_device(device);
	if (err == CL_SUCCESS)
		err = read_partition(device, &partition);
	if (err == CL_SUCCESS && devices && num_devices < partition.num)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && devices)
		err = create_sub_devices(device, &partition, devices);
	if (err == CL_SUCCESS && num_devices_ret)
		*num_devices_ret = partition.num;
	weft_free(partition.counts);
	weft_free(partition.by_counts);
	return err;
}

cl_int CL_API_CALL weft_clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_time,
						cl_ulong *host_time)
{
	cl_int err = weft_check_device(device);

	if (err == CL_SUCCESS && (!device_time || !host_time))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		weft_device_read_timers(device, device_time, host_time);
	return err;
}

cl_int CL_API_CALL weft_clGetHostTimer(cl_device_id device, cl_ulong *host_time)
{
	cl_int err = weft_check_device(device);

	if (err == CL_SUCCESS && !host_time)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		*host_time = weft_clock_now();
	return err;
}
