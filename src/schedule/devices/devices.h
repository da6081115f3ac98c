/* SPDX-License-Identifier: MIT
 *
 * The devices that kernels run on, of all platforms that the loader finds. Devices whose memory is one, such as the sub-devices of
 * a CPU, are a domain: they share its buffers. Domains of one platform that are not the host's memory share a context, so that
 * bytes go from one to the other without the host.
 */
#ifndef WEFT_SCHEDULE_DEVICES_H
#define WEFT_SCHEDULE_DEVICES_H

#include "opencl/opencl.h"

#include <weft/access_ranges.h>

struct weft_domain {
	cl_platform_id platform;
	cl_uint memory;     /* its number among those of its platform that are not the host's */
	size_t first;       /* the first domain with the same context */
	cl_context context; /* owned by that domain */
	cl_uint num_devices;
	/* The memory is the host's: kernels use the host's own bytes, and transfers copy nothing. */
	bool is_host;
	/* Kernels take addresses of the host, so no buffers are made, and no driver is told what the host reads or writes: all devices
	 * have fine-grained system SVM (OpenCL 5.6). */
	bool takes_pointers;
	/* A device gets bytes from another one's memory as soon as from the host's: of a machine with peers, Weft's accelerators. What other drivers make
	 * of such a copy is not known. */
	bool likes_peers;
	/* A device moves bytes faster from and to host memory that its driver has allocated. */
	bool likes_own_memory;
	size_t most_group; /* work-items of a group, of the device that takes the least */
};

struct weft_device {
	cl_device_id id; /* owned if is_part, else the platform's */
	bool is_part;
	char *name; /* owned: such as "cpu 0" of several parts */
	cl_device_type type;
	size_t domain;
	bool has_timer; /* of its own, and of the host's seconds: a GPU's */
	size_t kind; /* devices of one kind are as fast as each other; 0: there is no other one like it */
	cl_command_queue kernels;   /* owned: in order */
	cl_command_queue transfers; /* owned: transfers do not wait for the kernels of others */
	cl_command_queue results;   /* owned: nor do results wait for transfers to the device */
};

#define WEFT_NO_DOMAIN SIZE_MAX

/* Who says what kernels access: Weft's compiler, for kernels of all devices. */
struct weft_analyser {
	clGetKernelAccessRangesWEFT_fn ask;      /* NULL: the loader finds no Weft */
	clGetKernelFeaturesWEFT_fn ask_features; /* NULL: an older Weft */
	cl_device_id device;                     /* a device of Weft */
	size_t domain; /* the first one of the device's context; WEFT_NO_DOMAIN: no kernel runs on it */
	cl_context context; /* owned; NULL: the domain's */
};

struct weft_devices {
	struct weft_device *items; /* owned */
	size_t count;
	struct weft_domain *domains; /* owned */
	size_t num_domains;
	struct weft_analyser analyser;
};

/* Finds what `list` names; docs/schedule.md says how. NULL: the first CPU, Weft's if there is one, and all devices that are none. */
bool weft_devices_find(const struct weft_opencl *cl, const char *list, struct weft_devices *devices,
		       struct weft_error *error);
/* Makes contexts and queues. */
bool weft_devices_open(const struct weft_opencl *cl, struct weft_devices *devices,
		       struct weft_error *error);
/* For devices that are open. */
void weft_analyser_find(const struct weft_opencl *cl, struct weft_devices *devices);
void weft_devices_destroy(const struct weft_opencl *cl, struct weft_devices *devices);

#endif
