/* SPDX-License-Identifier: MIT
 *
 * Imported memory: what the properties say of it, mapping it, and telling a dma_buf of accesses.
 */
#include "memory/external_memory.h"

#include "alloc.h"
#include "device/device.h"
#include "log.h"
#include "overflow.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- properties ------------------------------------------------------------------------------ */

static bool is_handle_type(cl_mem_properties name)
{
	return name == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR ||
	       name == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR;
}

static bool can_be_mapped(int fd)
{
	const int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == O_RDWR;
}

/* One property, whose name is `name`; *next is behind it and becomes what is behind its value. */
static bool read_one(cl_mem_properties name, const cl_mem_properties **next,
		     struct weft_external_desc *desc)
{
	if (is_handle_type(name) && !desc->type) {
		desc->type = (cl_external_memory_handle_type_khr)name;
		desc->fd = (int)(cl_uint) * (*next)++;
		return true;
	}
	if (name == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT && !desc->names_address) {
		const cl_mem_properties value = *(*next)++;

		desc->names_address = true;
		desc->has_address = value == CL_TRUE;
		return value == CL_TRUE || value == CL_FALSE;
	}
	if (name != CL_MEM_DEVICE_HANDLE_LIST_KHR || desc->devices)
		return false;
	desc->devices = *next;
	while (*(*next)++)
		desc->num_devices++;
	return true;
}

static cl_device_id device_of(const struct weft_external_desc *desc, cl_uint index)
{
	return (cl_device_id)(uintptr_t)desc->devices[index];
}

static cl_int check_devices(cl_context context, const struct weft_external_desc *desc)
{
	for (cl_uint i = 0; i < desc->num_devices; i++) {
		cl_device_id device = device_of(desc, i);

		if (!weft_object_is(device, WEFT_OBJECT_DEVICE) ||
		    !weft_context_has_device(context, device))
			return CL_INVALID_DEVICE;
	}
	return CL_SUCCESS;
}

cl_int weft_external_read(cl_context context, const cl_mem_properties *properties,
			  struct weft_external_desc *desc)
{
	const cl_mem_properties *next = properties;

	*desc = (struct weft_external_desc){.fd = -1};
	while (next && *next) {
		const cl_mem_properties name = *next++;

		if (!read_one(name, &next, desc))
			return CL_INVALID_PROPERTY;
	}
	if (next)
		desc->num_properties = (cl_uint)(next - properties) + 1;
	if (desc->devices && (!desc->type || desc->num_devices == 0))
		return CL_INVALID_PROPERTY;
	if (desc->type && !can_be_mapped(desc->fd))
		return CL_INVALID_PROPERTY;
	return check_devices(context, desc);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Bytes; 0 if that is not known. */
static uint64_t size_of(int fd)
{
	struct stat info;

	if (fstat(fd, &info) == 0 && info.st_size > 0)
		return (uint64_t)info.st_size;
	const off_t end = lseek(fd, 0, SEEK_END); /* a dma_buf says it so */
	return end > 0 ? (uint64_t)end : 0;
}

/* Maps external->size bytes, in whole pages of the file, which may be huge ones: only so can they be unmapped. */
static cl_int map(struct weft_external *external, int fd)
{
	void *address = MAP_FAILED;
	struct stat info;

	if (fstat(fd, &info) != 0 || info.st_blksize <= 0 ||
	    weft_round_up_overflows(external->size, (size_t)info.st_blksize, &external->size))
		return CL_INVALID_PROPERTY;
	if (!weft_alloc_must_fail())
		address = mmap(NULL, external->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	else
		errno = ENOMEM;
	if (address == MAP_FAILED)
		return errno == ENOMEM ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_INVALID_PROPERTY;
	external->address = address;
	return CL_SUCCESS;
}

cl_int weft_external_import(const struct weft_external_desc *desc, size_t size,
			    struct weft_external **external_ret)
{
	if (size_of(desc->fd) < size)
		return CL_INVALID_BUFFER_SIZE;
	struct weft_external *external =
		weft_zalloc(sizeof(*external) + desc->num_devices * sizeof(external->devices[0]));
	if (!external)
		return CL_OUT_OF_HOST_MEMORY;
	external->type = desc->type;
	external->size = size;
	external->num_devices = desc->num_devices;
	for (cl_uint i = 0; i < desc->num_devices; i++)
		external->devices[i] = device_of(desc, i);
	cl_int err = map(external, desc->fd);
	if (err != CL_SUCCESS) {
		weft_free(external);
		return err;
	}
	/* the mapping keeps the memory */
	external->fd = desc->type == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR ? desc->fd : -1;
	if (external->fd < 0)
		close(desc->fd);
	*external_ret = external;
	return CL_SUCCESS;
}

void weft_external_end(struct weft_external *external)
{
	if (!external)
		return;
	munmap(external->address, external->size);
	if (external->fd >= 0)
		close(external->fd);
	weft_free(external);
}

bool weft_external_suits(const struct weft_external *external, cl_device_id device)
{
	bool suits = external->num_devices == 0;

	for (cl_uint i = 0; i < external->num_devices; i++)
		suits = suits || external->devices[i] == device;
	return suits;
}

/* A memfd in the place of a dma_buf has no caches to be told of. */
void weft_external_sync(const struct weft_external *external, bool begin)
{
	const struct dma_buf_sync sync = {.flags = DMA_BUF_SYNC_RW |
						   (begin ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END)};
	int result;

	do
		result = ioctl(external->fd, DMA_BUF_IOCTL_SYNC, &sync);
	while (result < 0 && (errno == EINTR || errno == EAGAIN));
	if (result < 0 && errno != ENOTTY && errno != EINVAL)
		weft_log(WEFT_LOG_WARN, "memory", "a dma_buf could not be synchronised: %d", errno);
}
