/* SPDX-License-Identifier: MIT
 *
 * Contexts and queues of the devices.
 */
#include "devices/devices.h"

#include <stdlib.h>

static bool takes_pointers(const struct weft_opencl *cl, cl_device_id device)
{
	cl_device_svm_capabilities svm = 0;

	return cl->SetKernelArgSVMPointer &&
	       cl->GetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm), &svm, NULL) ==
		       CL_SUCCESS &&
	       (svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
}

/* Whether one domain's devices may be in the context of the other one. */
static bool share_context(const struct weft_domain *a, const struct weft_domain *b)
{
	return a == b || (a->platform == b->platform && !a->is_host && !b->is_host);
}

/* The context of the domain, with the devices of all that share it; or that of the first of these. */
static bool find_context(const struct weft_opencl *cl, struct weft_devices *devices, size_t index,
			 struct weft_error *error)
{
	struct weft_domain *domain = &devices->domains[index];
	cl_device_id *ids = (cl_device_id *)calloc(devices->count, sizeof(cl_device_id));
	const char *name = "";
	cl_uint count = 0;
	cl_int code = CL_SUCCESS;

	if (!ids)
		return weft_fail_memory(error);
	domain->first = 0;
	while (!share_context(&devices->domains[domain->first], domain))
		domain->first++;
	for (size_t i = 0; i < devices->count; i++) {
		const struct weft_device *device = &devices->items[i];

		if (!share_context(&devices->domains[device->domain], domain))
			continue;
		name = device->name;
		ids[count++] = device->id;
	}
	domain->context = domain->first < index
				  ? devices->domains[domain->first].context
				  : cl->CreateContext(NULL, count, ids, NULL, NULL, &code);
	free(ids);
	return weft_opencl_check(code, name, "CreateContext", error);
}

static bool open_domain(const struct weft_opencl *cl, struct weft_devices *devices, size_t index,
			struct weft_error *error)
{
	struct weft_domain *domain = &devices->domains[index];

	domain->most_group = SIZE_MAX;
	domain->takes_pointers = domain->is_host;
	for (size_t i = 0; i < devices->count; i++) {
		size_t most = 1;

		if (devices->items[i].domain != index)
			continue;
		domain->takes_pointers =
			domain->takes_pointers && takes_pointers(cl, devices->items[i].id);
		domain->likes_own_memory =
			!domain->is_host && (devices->items[i].type & CL_DEVICE_TYPE_GPU);
		domain->num_devices++;
		cl->GetDeviceInfo(devices->items[i].id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(most),
				  &most, NULL);
		if (most < domain->most_group)
			domain->most_group = most;
	}
	return find_context(cl, devices, index, error);
}

bool weft_devices_open(const struct weft_opencl *cl, struct weft_devices *devices,
		       struct weft_error *error)
{
	for (size_t i = 0; i < devices->num_domains; i++) {
		if (!open_domain(cl, devices, i, error))
			return false;
	}
	for (size_t i = 0; i < devices->count; i++) {
		struct weft_device *device = &devices->items[i];
		cl_context context = devices->domains[device->domain].context;
		cl_int code = CL_SUCCESS;

		device->has_timer = device->type & CL_DEVICE_TYPE_GPU;
		device->kernels = cl->CreateCommandQueue(
			context, device->id, device->has_timer ? CL_QUEUE_PROFILING_ENABLE : 0,
			&code);
		if (code == CL_SUCCESS)
			device->transfers = cl->CreateCommandQueue(context, device->id, 0, &code);
		if (code == CL_SUCCESS)
			device->results = cl->CreateCommandQueue(context, device->id, 0, &code);
		if (!weft_opencl_check(code, device->name, "CreateCommandQueue", error))
			return false;
	}
	weft_analyser_find(cl, devices);
	return true;
}

void weft_devices_destroy(const struct weft_opencl *cl, struct weft_devices *devices)
{
	for (size_t i = 0; i < devices->count; i++) {
		struct weft_device *device = &devices->items[i];

		if (device->kernels)
			cl->ReleaseCommandQueue(device->kernels);
		if (device->transfers)
			cl->ReleaseCommandQueue(device->transfers);
		if (device->results)
			cl->ReleaseCommandQueue(device->results);
	}
	if (devices->analyser.context)
		cl->ReleaseContext(devices->analyser.context);
	for (size_t i = 0; i < devices->num_domains; i++) {
		if (devices->domains[i].context && devices->domains[i].first == i)
			cl->ReleaseContext(devices->domains[i].context);
	}
	for (size_t i = 0; i < devices->count; i++) {
		if (devices->items[i].is_part)
			cl->ReleaseDevice(devices->items[i].id);
		free(devices->items[i].name);
	}
	free(devices->items);
	free(devices->domains);
	*devices = (struct weft_devices){0};
}
