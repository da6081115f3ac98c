/* SPDX-License-Identifier: MIT
 *
 * One build of one program, for one or more devices: what it needs, copied or retained, so that it
 * can outlive the call that asked for it. Made and ended by program_build.c, run by build_job.c.
 */
#ifndef WEFT_RUNTIME_BUILD_JOB_H
#define WEFT_RUNTIME_BUILD_JOB_H

#include "compiler/cache.h"
#include "compiler/program_binary.h"
#include "program/program.h"
#include "threads/callbacks.h"

struct weft_device_job {
	cl_uint index; /* in program->devices */
	cl_device_id device;
	cl_build_status before; /* while it was in progress */
	struct weft_program_binary *
		*inputs; /* owned array of retained: what to link, or the one to load */
	size_t num_inputs;
	bool skipped;              /* nothing to link for this device */
	struct weft_cache_key key; /* of what the compiler made */
	bool made_before;          /* it was in the cache, or is a binary of the application */
	enum weft_status status;
	struct weft_program_build result;
};

struct weft_build_job {
	enum weft_build_stage stage;
	cl_program program; /* retained */
	char *options;      /* owned; not NULL */
	char *folder;       /* owned: the working folder of the call; NULL: there is none */
	struct weft_device_job *devices; /* owned */
	cl_uint num_devices;
	struct weft_il il; /* bytes borrowed from the program; NULL: it is made from none */
	cl_program *header_programs; /* owned array of retained */
	struct weft_header *headers; /* owned; names owned, text borrowed from header_programs */
	cl_uint num_headers;
	void(CL_CALLBACK *notify)(cl_program, void *);
	void *user_data;
	struct weft_callback callback;
};

/* Whether the job can begin, as far as that is known without compiling: WEFT_INVALID_OPTIONS, with the reason in
 * a device's result, or WEFT_UNSUPPORTED without a compiler. What is in the cache needs neither. */
enum weft_status weft_build_job_check(struct weft_build_job *job) WEFT_MUST_CHECK;

/* Makes every device's `result` and `status`. No lock is held. */
void weft_build_job_run(struct weft_build_job *job);

#endif
