/* SPDX-License-Identifier: MIT
 *
 * Reading the properties of a semaphore (specification 5.12, "Creating Semaphores"): names, each with a value or with a list
 * of values.
 */
#include "semaphore_properties.h"

#include "check.h"

/* The list, and what was found so far. */
struct reader {
	const cl_semaphore_properties_khr *next;
	struct weft_semaphore_desc *desc;
	bool has_type;
	bool has_devices;
	bool has_exports;
};

/* Whether it is the first time; counts it. */
static bool first(bool *seen)
{
	bool is_first = !*seen;

	*seen = true;
	return is_first;
}

static bool is_handle_type(cl_semaphore_properties_khr name)
{
	return name == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR || name == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
}

/* The first value of a list that ends with 0, and how many it has. */
static cl_semaphore_properties_khr read_list(struct reader *reader, cl_uint *count)
{
	const cl_semaphore_properties_khr value = *reader->next;

	*count = 0;
	while (*reader->next++)
		(*count)++;
	return value;
}

static cl_int read_type(struct reader *reader)
{
	if (!first(&reader->has_type) || *reader->next++ != CL_SEMAPHORE_TYPE_BINARY_KHR)
		return CL_INVALID_PROPERTY;
	return CL_SUCCESS;
}

/* "if it does not identify exactly one valid device", or one that is not in the context */
static cl_int read_devices(struct reader *reader)
{
	cl_uint count;
	cl_device_id device = (cl_device_id)(uintptr_t)read_list(reader, &count);

	if (!first(&reader->has_devices))
		return CL_INVALID_PROPERTY;
	if (count != 1 || weft_check_device(device) != CL_SUCCESS ||
	    !weft_context_has_device(reader->desc->context, device))
		return CL_INVALID_DEVICE;
	reader->desc->device = device;
	return CL_SUCCESS;
}

static cl_int read_exports(struct reader *reader)
{
	cl_uint count;
	cl_semaphore_properties_khr type = read_list(reader, &count);

	if (!first(&reader->has_exports) || (count > 0 && !is_handle_type(type)))
		return CL_INVALID_PROPERTY;
	if (count > 1)
		return CL_INVALID_VALUE;
	reader->desc->exported = (cl_external_semaphore_handle_type_khr)type;
	return CL_SUCCESS;
}

static cl_int read_handle(struct reader *reader, cl_semaphore_properties_khr type)
{
	struct weft_semaphore_desc *desc = reader->desc;

	if (desc->imported)
		return CL_INVALID_PROPERTY;
	desc->imported = (cl_external_semaphore_handle_type_khr)type;
	desc->fd = (int)(cl_uint)*reader->next++;
	return CL_SUCCESS;
}

static cl_int read_one(struct reader *reader)
{
	const cl_semaphore_properties_khr name = *reader->next++;

	switch (name) {
	case CL_SEMAPHORE_TYPE_KHR:
		return read_type(reader);
	case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
		return read_devices(reader);
	case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
		return read_exports(reader);
	default:
		return is_handle_type(name) ? read_handle(reader, name) : CL_INVALID_PROPERTY;
	}
}

static cl_int check_whole(const struct reader *reader)
{
	const struct weft_semaphore_desc *desc = reader->desc;

	if (!reader->has_type)
		return CL_INVALID_VALUE;
	if (desc->imported && reader->has_exports)
		return CL_INVALID_OPERATION;
	if (!desc->device)
		return CL_INVALID_PROPERTY;
	if (desc->imported && !weft_semaphore_can_import(desc->imported, desc->fd))
		return CL_INVALID_PROPERTY;
	return CL_SUCCESS;
}

cl_int weft_semaphore_read_properties(cl_context context,
				      const cl_semaphore_properties_khr *properties,
				      struct weft_semaphore_desc *desc)
{
	struct reader reader = {.next = properties, .desc = desc};
	cl_int err = CL_SUCCESS;

	*desc = (struct weft_semaphore_desc){.context = context, .properties = properties};
	if (!properties)
		return CL_INVALID_VALUE;
	if (context->num_devices == 1)
		desc->device = context->devices[0];
	while (err == CL_SUCCESS && *reader.next)
		err = read_one(&reader);
	if (err == CL_SUCCESS)
		err = check_whole(&reader);
	desc->num_properties = (cl_uint)(reader.next - properties) + 1;
	return err;
}
