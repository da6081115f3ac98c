/* SPDX-License-Identifier: MIT
 *
 * Command buffers (cl_khr_command_buffer): commands recorded in the order of a queue, and enqueued as one. What is run is
 * an exec (exec.h), made when recording ends; submissions keep it, not the command buffer.
 */
#ifndef WEFT_RUNTIME_COMMAND_BUFFER_H
#define WEFT_RUNTIME_COMMAND_BUFFER_H

#include "command_buffer/exec.h"
#include "graph/queue.h"
#include "mutex.h"
#include "object/command_buffer_khr.h"
#include "object/object.h"
#include "program/kernel.h"

/* CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR: all. */
#define WEFT_MUTABLE_DISPATCH_CAPABILITIES                                                         \
	(CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |             \
	 CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |                  \
	 CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)

/* An NDRange as the application gave it. */
struct weft_geometry {
	cl_uint work_dim;
	size_t offset[3];
	size_t global[3]; /* zeros: none was given */
	size_t local[3];  /* zeros: the runtime chooses */
	bool has_global;
	bool has_local;
};

/* A kernel, as recorded and updated. */
struct weft_recorded_kernel {
	cl_kernel kernel; /* as it was given; retained */
	/* Its arguments, with those of updates; retained. `kernel` itself when they are not looked at again. */
	cl_kernel args;
	/* What an update has replaced, to draft the next one in; owned; or NULL. */
	cl_kernel spare;
	struct weft_geometry geometry;
	bool uniform;                          /* all work-groups are whole */
	cl_mutable_dispatch_fields_khr fields; /* that updates may change */
};

/* A recorded command. Its command buffer owns it; the application's counts of it mean nothing. */
struct _cl_mutable_command_khr {
	struct weft_object base;
	cl_command_buffer_khr buffer; /* borrowed */
	cl_command_queue queue;       /* one of the command buffer's */
	uint32_t queue_number;        /* which of them */
	cl_command_type type;
	cl_uint index;
	cl_command_properties_khr *properties; /* owned copy with its zero, or NULL */
	cl_uint num_properties;                /* elements, the zero included */
	uint32_t *waits;                       /* owned; commands before it */
	uint32_t num_waits;
	bool barrier;
	/* Guarded by the command buffer's lock once it is part of one; but what updates leave alone. */
	struct weft_recorded_command *recorded; /* NULL while arguments are missing */
	struct weft_recorded_kernel launch;     /* of an NDRange */
	uint32_t draft; /* of an update under way: its newest number for this command; 0: none */
};

struct _cl_command_buffer_khr {
	struct weft_object base;
	cl_context context;       /* the queues' */
	cl_command_queue *queues; /* owned list, each retained */
	cl_uint num_queues;       /* at least 1 */
	cl_command_buffer_flags_khr flags;
	cl_mutable_dispatch_asserts_khr asserts;
	cl_command_buffer_properties_khr *properties; /* owned copy with its zero, or NULL */
	cl_uint num_properties;                       /* elements, the zero included */
	/* Its commands become events (event_replay.h): there are several queues, or kernels that enqueue kernels. Constant when recording has
	 * ended. */
	bool by_events;
	enum weft_dag_order
		order; /* of several queues: none, but each command of one in order comes after the one before it */
	struct weft_mutex lock; /* WEFT_RANK_COMMAND_BUFFER */
	bool finalized WEFT_GUARDED_BY(&lock);
	cl_mutable_command_khr *
		commands WEFT_GUARDED_BY(&lock); /* owned, in the order of recording */
	cl_uint num_commands WEFT_GUARDED_BY(&lock);
	cl_uint room WEFT_GUARDED_BY(&lock);
	cl_uint num_incomplete WEFT_GUARDED_BY(&lock); /* commands without a recorded command */
	struct weft_command_dag *dag WEFT_GUARDED_BY(
		&lock); /* NULL: to be made, for it follows from changed recorded commands */
	struct weft_exec *exec WEFT_GUARDED_BY(&lock); /* NULL: to be made */
	uint32_t generation WEFT_GUARDED_BY(&lock);    /* of the process that `exec` runs in */
};

struct weft_command_buffer_desc {
	struct weft_queue_list queues;
	const cl_command_buffer_properties_khr *properties; /* or NULL */
	cl_uint num_properties;                             /* elements, the zero included */
	cl_command_buffer_flags_khr flags;
	cl_mutable_dispatch_asserts_khr asserts;
};

cl_int weft_command_buffer_create(const struct weft_command_buffer_desc *desc,
				  cl_command_buffer_khr *buffer) WEFT_MUST_CHECK;
cl_command_buffer_state_khr weft_command_buffer_state(cl_command_buffer_khr buffer);
/* Ends recording. CL_INVALID_OPERATION: it has ended. */
cl_int weft_command_buffer_finalize(cl_command_buffer_khr buffer) WEFT_MUST_CHECK;
/* An executable one, on queues of the devices and the context that it was made for, the first of which is that of `enqueue`. *event as
 * weft_event_submit takes it. */
cl_int weft_command_buffer_enqueue(const struct weft_enqueue *enqueue,
				   const struct weft_queue_list *queues,
				   cl_command_buffer_khr buffer, cl_event *event) WEFT_MUST_CHECK;

/* ---- recording ------------------------------------------------------------------------------- */

/* What every recording has. */
struct weft_recording {
	cl_command_buffer_khr buffer;
	cl_command_queue queue; /* one of the command buffer's, */
	uint32_t queue_number;  /* and which */
	cl_command_type type;
	bool barrier;
	const cl_command_properties_khr *properties; /* or NULL */
	cl_uint num_properties;                      /* elements, the zero included */
	cl_uint num_waits;
	const cl_sync_point_khr *waits;
	cl_sync_point_khr *sync_point;  /* or NULL */
	cl_mutable_command_khr *handle; /* or NULL */
};

/* CL_INVALID_OPERATION: recording has ended. CL_INVALID_SYNC_POINT_WAIT_LIST_KHR. */
cl_int weft_command_buffer_check_recording(const struct weft_recording *recording) WEFT_MUST_CHECK;
/* Appends a command; of the recorded command takes the reference, also on an error. */
cl_int weft_command_buffer_record(const struct weft_recording *recording,
				  struct weft_recorded_command *recorded) WEFT_MUST_CHECK;
/* Appends a kernel that has been checked, with its arguments as they are. Without a recorded command, some are missing. */
cl_int weft_command_buffer_record_kernel(const struct weft_recording *recording,
					 const struct weft_recorded_kernel *launch,
					 struct weft_recorded_command *recorded) WEFT_MUST_CHECK;

/* ---- the order of the buffer's queues ------------------------------------------------------------ */

#define WEFT_NO_COMMAND UINT32_MAX

/* The number of the last command of each queue, WEFT_NO_COMMAND to begin with; owned by the caller; NULL: out of memory. */
uint32_t *weft_last_commands_create(cl_command_buffer_khr buffer) WEFT_MUST_CHECK;
/* The command is the next one, and now the last of its queue. Returns the one before it there if the queue is in order, and
 * WEFT_NO_COMMAND otherwise. */
uint32_t weft_last_commands_advance(uint32_t *last, const struct _cl_mutable_command_khr *command);

/* ---- copies for other queues ----------------------------------------------------------------- */

/* What clRemapCommandBufferKHR got, checked. */
struct weft_remapping {
	struct weft_queue_list queues;
	bool automatic; /* commands stay on their devices, where there is a queue for them */
	cl_uint num_handles;
	const cl_mutable_command_khr *handles;
};

/* In the same state, with the same order of the commands. Errors of recordings that depend on the device; then no handle is
 * written. */
cl_int weft_command_buffer_remap(cl_command_buffer_khr buffer,
				 const struct weft_remapping *remapping,
				 cl_mutable_command_khr *handles,
				 cl_command_buffer_khr *copy) WEFT_MUST_CHECK;

/* ---- updates --------------------------------------------------------------------------------- */

/* All or none of the updates are made. Their errors are clUpdateMutableCommandsKHR's of single configurations;
 * CL_INVALID_OPERATION, too, when recording has not ended. */
cl_int weft_command_buffer_update(cl_command_buffer_khr buffer, cl_uint num_configs,
				  const struct weft_mutable_dispatch_config *const *configs)
	WEFT_MUST_CHECK;
/* As of the last update. */
struct weft_geometry weft_mutable_command_geometry(cl_mutable_command_khr command);
/* Checks the NDRange for the queue's device, with `args_later` for arguments that are missing. */
cl_int weft_geometry_plan(cl_command_queue queue, cl_kernel kernel,
			  const struct weft_geometry *geometry, bool args_later,
			  struct weft_launch_plan *plan) WEFT_MUST_CHECK;
/* Whether all of its work-groups are whole. */
bool weft_launch_is_uniform(const struct weft_launch_plan *plan);

static inline bool weft_mutable_command_valid(cl_mutable_command_khr command)
{
	return weft_object_is(command, WEFT_OBJECT_MUTABLE_COMMAND);
}

#endif
