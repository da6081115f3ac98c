/* SPDX-License-Identifier: MIT
 *
 * Building: from the request to a job, the job's run, and its result put into the program.
 * Invariant: a device's state is CL_BUILD_IN_PROGRESS exactly while a job has it, and only that job
 * changes it.
 */
#include "program/program_build.h"

#include "alloc.h"
#include "device/context.h"
#include "log.h"
#include "program/build_job.h"
#include "thread.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static void destroy_job(struct weft_build_job *job)
{
	for (cl_uint i = 0; i < job->num_devices; i++) {
		struct weft_device_job *device = &job->devices[i];

		for (size_t k = 0; k < device->num_inputs; k++)
			weft_program_binary_put(device->inputs[k]);
		weft_free(device->inputs);
		weft_program_build_destroy(&device->result, device->device);
	}
	for (cl_uint i = 0; i < job->num_headers; i++) {
		weft_free((char *)(uintptr_t)job->headers[i].name);
		weft_object_put(&job->header_programs[i]->base);
	}
	weft_free(job->devices);
	weft_free(job->headers);
	weft_free(job->header_programs);
	weft_free((void *)(uintptr_t)job->il.constants);
	weft_free(job->options);
	weft_free(job->folder);
	weft_object_put(&job->program->base);
	weft_free(job);
}

/* ---- from a request to a job ----------------------------------------------------------------- */

static cl_int copy_devices(struct weft_build_job *job, const struct weft_build_request *request)
{
	cl_program program = request->program;
	cl_uint count = request->devices ? request->num_devices : program->num_devices;
	const cl_device_id *devices = request->devices ? request->devices : program->devices;

	job->devices = weft_calloc(count, sizeof(*job->devices));
	if (!job->devices)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < count; i++) {
		struct weft_device_job *device = &job->devices[job->num_devices];
		bool repeated = false;

		for (cl_uint k = 0; k < job->num_devices; k++)
			repeated = repeated || job->devices[k].device == devices[i];
		if (repeated)
			continue;
		device->device = devices[i];
		device->index = weft_program_device_index(program, devices[i]);
		device->result.status = CL_BUILD_NONE;
		job->num_devices++;
	}
	return CL_SUCCESS;
}

static cl_int copy_headers(struct weft_build_job *job, const struct weft_build_request *request)
{
	if (request->num_programs == 0)
		return CL_SUCCESS;
	job->headers = weft_calloc(request->num_programs, sizeof(*job->headers));
	job->header_programs = weft_calloc(request->num_programs, sizeof(cl_program));
	if (!job->headers || !job->header_programs)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < request->num_programs; i++) {
		cl_program program = request->programs[i];
		struct weft_header *header = &job->headers[i];

		header->name = weft_strdup(request->names[i]);
		if (!header->name)
			return CL_OUT_OF_HOST_MEMORY;
		header->text = program->source ? program->source : "";
		header->size = program->source_size;
		weft_object_get(&program->base);
		job->header_programs[i] = program;
		job->num_headers++;
	}
	return CL_SUCCESS;
}

/* The values that constants have now: they can be set again while the job runs. */
static cl_int copy_il(struct weft_build_job *job)
{
	cl_program program = job->program;
	const struct weft_il_module *module = &program->il;
	struct weft_spec_constant *values =
		weft_calloc(module->num_constants, sizeof(struct weft_spec_constant));

	if (!values)
		return CL_OUT_OF_HOST_MEMORY;
	job->il = (struct weft_il){
		.bytes = module->bytes,
		.size = module->size,
		.constants = values,
	};
	weft_mutex_lock(&program->lock);
	for (size_t i = 0; i < module->num_constants; i++) {
		if (module->constants[i].is_set)
			values[job->il.num_constants++] = module->constants[i].value;
	}
	weft_mutex_unlock(&program->lock);
	return CL_SUCCESS;
}

/* A link takes a program's objects and libraries; 5.8.5: "All programs ... contain a compiled
 * binary or library for the device", or none of them does. */
static cl_int copy_inputs(struct weft_device_job *device, const struct weft_build_request *request)
{
	cl_int err = CL_SUCCESS;

	device->inputs = weft_calloc(request->num_programs, sizeof(*device->inputs));
	if (!device->inputs)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < request->num_programs && err == CL_SUCCESS; i++) {
		cl_program program = request->programs[i];
		cl_uint place = program->num_devices;

		/* What was made for a parent serves its sub-devices. */
		for (cl_device_id owner = device->device; owner && place == program->num_devices;
		     owner = owner->parent)
			place = weft_program_device_index(program, owner);
		if (place == program->num_devices)
			continue;
		weft_mutex_lock(&program->lock);
		const struct weft_program_build *build = &program->builds[place];
		if (weft_program_is_building(build))
			err = CL_INVALID_OPERATION;
		else if (build->binary && build->binary->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
			device->inputs[device->num_inputs++] =
				weft_program_binary_get(build->binary);
		weft_mutex_unlock(&program->lock);
	}
	device->skipped = device->num_inputs == 0;
	if (err == CL_SUCCESS && device->num_inputs != 0 &&
	    device->num_inputs != request->num_programs)
		err = CL_INVALID_OPERATION;
	return err;
}

/* The executable that clCreateProgramWithBinary got; without options, those of the binary count. */
static cl_int copy_executable(struct weft_device_job *device, cl_program program)
{
	cl_int err = CL_INVALID_BINARY;

	device->inputs = weft_calloc(1, sizeof(*device->inputs));
	if (!device->inputs)
		return CL_OUT_OF_HOST_MEMORY;
	weft_mutex_lock(&program->lock);
	struct weft_program_binary *binary = program->builds[device->index].binary;
	if (binary && binary->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
		device->inputs[device->num_inputs++] = weft_program_binary_get(binary);
		err = CL_SUCCESS;
	}
	weft_mutex_unlock(&program->lock);
	return err;
}

static cl_int copy_binaries(struct weft_build_job *job, const struct weft_build_request *request)
{
	for (cl_uint i = 0; i < job->num_devices; i++) {
		struct weft_device_job *device = &job->devices[i];
		cl_int err = CL_SUCCESS;

		if (request->stage == WEFT_BUILD_LINK)
			err = copy_inputs(device, request);
		else if (request->program->origin == WEFT_PROGRAM_BINARY)
			err = copy_executable(device, request->program);
		if (err != CL_SUCCESS)
			return err;
	}
	return CL_SUCCESS;
}

/* "input_programs is an array of program objects that are compiled binaries or libraries" (5.8.5): a device for which
 * none of them is gets no executable, but a link for no device at all has nothing to do. */
static bool has_nothing_to_link(const struct weft_build_job *job)
{
	bool nothing = true;

	for (cl_uint i = 0; i < job->num_devices; i++)
		nothing = nothing && job->devices[i].skipped;
	return nothing;
}

static cl_int copy_options(struct weft_build_job *job, const struct weft_build_request *request)
{
	const char *options = request->options;

	if (!options && request->program->origin == WEFT_PROGRAM_BINARY)
		options = job->devices[0].inputs[0]->options;
	job->options = weft_strdup(options ? options : "");
	return job->options ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* A build that runs in another thread has the folder of its call all the same. */
static cl_int copy_folder(struct weft_build_job *job)
{
	char path[PATH_MAX];

	if (!getcwd(path, sizeof(path)))
		return CL_SUCCESS; /* it was removed, or lies too deep */
	job->folder = weft_strdup(path);
	return job->folder ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int create_job(const struct weft_build_request *request, struct weft_build_job **job_ret)
{
	struct weft_build_job *job = weft_zalloc(sizeof(*job));

	if (!job)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_get(&request->program->base);
	job->program = request->program;
	job->stage = request->stage;
	job->notify = request->notify;
	job->user_data = request->user_data;
	cl_int err = copy_devices(job, request);
	if (err == CL_SUCCESS && request->stage == WEFT_BUILD_OBJECT)
		err = copy_headers(job, request);
	if (err == CL_SUCCESS && request->program->origin == WEFT_PROGRAM_IL)
		err = copy_il(job);
	if (err == CL_SUCCESS)
		err = copy_binaries(job, request);
	if (err == CL_SUCCESS && has_nothing_to_link(job))
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS)
		err = copy_options(job, request);
	if (err == CL_SUCCESS && request->stage != WEFT_BUILD_LINK)
		err = copy_folder(job);
	if (err != CL_SUCCESS) {
		destroy_job(job);
		return err;
	}
	*job_ret = job;
	return CL_SUCCESS;
}

/* ---- the program's state --------------------------------------------------------------------- */

/* CL_INVALID_OPERATION while another build has one of the devices, or kernels are attached (5.8.4).
 */
static cl_int begin(struct weft_build_job *job)
{
	cl_program program = job->program;
	cl_int err = CL_SUCCESS;

	weft_mutex_lock(&program->lock);
	if (program->num_kernels > 0)
		err = CL_INVALID_OPERATION;
	for (cl_uint i = 0; i < job->num_devices && err == CL_SUCCESS; i++) {
		const struct weft_program_build *build = &program->builds[job->devices[i].index];

		if (weft_program_is_building(build))
			err = CL_INVALID_OPERATION;
		job->devices[i].before =
			build->status == CL_BUILD_IN_PROGRESS ? CL_BUILD_NONE : build->status;
	}
	for (cl_uint i = 0; i < job->num_devices && err == CL_SUCCESS; i++) {
		struct weft_program_build *build = &program->builds[job->devices[i].index];

		if (job->devices[i].skipped)
			continue;
		build->status = CL_BUILD_IN_PROGRESS;
		build->generation = weft_fork_generation();
	}
	weft_mutex_unlock(&program->lock);
	return err;
}

/* Leaves what the program had in the job, which frees it without a lock. */
static void publish(struct weft_build_job *job)
{
	cl_program program = job->program;

	weft_mutex_lock(&program->lock);
	for (cl_uint i = 0; i < job->num_devices; i++) {
		struct weft_device_job *device = &job->devices[i];
		struct weft_program_build *build = &program->builds[device->index];
		struct weft_program_build previous = *build;

		if (device->skipped)
			continue;
		/* A program from binaries keeps them: they are its source. */
		if (program->origin == WEFT_PROGRAM_BINARY && !device->result.binary) {
			device->result.binary = previous.binary;
			previous.binary = NULL;
		}
		*build = device->result;
		device->result = previous;
	}
	weft_mutex_unlock(&program->lock);
}

/* The program keeps what it had, but for the log, which is the last call's (5.8.9). Of a program that was never built the
 * status becomes an error, because there is no log to ask for otherwise (CL_PROGRAM_BUILD_LOG). */
static void withdraw(struct weft_build_job *job)
{
	cl_program program = job->program;

	weft_mutex_lock(&program->lock);
	for (cl_uint i = 0; i < job->num_devices; i++) {
		struct weft_device_job *device = &job->devices[i];
		struct weft_program_build *build = &program->builds[device->index];
		char *previous = build->log;

		if (device->skipped)
			continue;
		build->status = device->before;
		if (!device->result.log)
			continue;
		if (build->status == CL_BUILD_NONE)
			build->status = CL_BUILD_ERROR;
		build->log = device->result.log;
		device->result.log = previous;
	}
	weft_mutex_unlock(&program->lock);
}

/* The reason is the same for all devices; not all have been asked. */
static void share_reason(struct weft_build_job *job)
{
	const char *reason = NULL;

	for (cl_uint i = 0; i < job->num_devices && !reason; i++)
		reason = job->devices[i].result.log;
	for (cl_uint i = 0; i < job->num_devices && reason; i++) {
		if (!job->devices[i].result.log)
			job->devices[i].result.log = weft_strdup(reason);
	}
}

/* ---- the run --------------------------------------------------------------------------------- */

static cl_int stage_error(enum weft_build_stage stage, enum weft_status status)
{
	static const struct {
		cl_int failure;
		cl_int options;
		cl_int unavailable;
	} codes[] = {
		[WEFT_BUILD_EXECUTABLE] = {CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS,
					   CL_COMPILER_NOT_AVAILABLE},
		[WEFT_BUILD_OBJECT] = {CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS,
				       CL_COMPILER_NOT_AVAILABLE},
		[WEFT_BUILD_LINK] = {CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS,
				     CL_LINKER_NOT_AVAILABLE},
	};

	if (status == WEFT_BUILD_FAILED)
		return codes[stage].failure;
	if (status == WEFT_INVALID_OPTIONS)
		return codes[stage].options;
	if (status == WEFT_UNSUPPORTED)
		return codes[stage].unavailable;
	return weft_status_to_cl(status);
}

/* The worst that happened; an argument's fault before a build's. */
static enum weft_status job_status(const struct weft_build_job *job)
{
	enum weft_status status = WEFT_OK;

	for (cl_uint i = 0; i < job->num_devices; i++) {
		enum weft_status next = job->devices[i].status;

		if (status == WEFT_OK || next == WEFT_INVALID_OPTIONS || next == WEFT_UNSUPPORTED)
			status = next;
	}
	return status;
}

static void report_invalid(const struct weft_build_job *job)
{
	const char *message = "a build could not begin";

	for (cl_uint i = 0; i < job->num_devices; i++) {
		if (job->devices[i].result.log)
			message = job->devices[i].result.log;
	}
	weft_log(WEFT_LOG_ERROR, "compiler", "%s", message);
	weft_context_report(job->program->context, message);
}

/* The build cannot begin: the caller gets the code, and the program keeps all but its log. */
static cl_int refuse(struct weft_build_job *job, enum weft_status status)
{
	cl_int err = stage_error(job->stage, status);

	report_invalid(job);
	share_reason(job);
	withdraw(job);
	destroy_job(job);
	return err;
}

static cl_int run_now(struct weft_build_job *job)
{
	weft_build_job_run(job);
	enum weft_status status = job_status(job);
	if (status == WEFT_INVALID_OPTIONS || status == WEFT_UNSUPPORTED)
		return refuse(job, status);
	publish(job);
	cl_int err = stage_error(job->stage, status);
	destroy_job(job);
	return err;
}

static void run_notify(struct weft_callback *callback)
{
	struct weft_build_job *job = WEFT_CONTAINER_OF(callback, struct weft_build_job, callback);

	job->notify(job->program, job->user_data);
	destroy_job(job);
}

static void *run_thread(void *data)
{
	struct weft_build_job *job = data;

	weft_build_job_run(job);
	publish(job);
	job->callback.run = run_notify;
	weft_callbacks_post(&job->callback);
	return NULL;
}

cl_int weft_program_build(const struct weft_build_request *request)
{
	struct weft_build_job *job = NULL;

	cl_int err = create_job(request, &job);
	if (err != CL_SUCCESS)
		return err;
	err = begin(job);
	if (err != CL_SUCCESS) {
		destroy_job(job);
		return err;
	}
	if (!job->notify)
		return run_now(job);
	enum weft_status status = weft_build_job_check(job);
	if (status != WEFT_OK)
		return refuse(job, status);
	if (!weft_thread_start("weft-build", run_thread, job))
		run_thread(job);
	return CL_SUCCESS;
}
