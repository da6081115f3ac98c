/* SPDX-License-Identifier: MIT
 *
 * A case's kernel on an OpenCL device: plain OpenCL 1.2 through the loader, so that every driver can be measured.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "bench.h"
#include "first_device.h"

#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
	const struct work *work;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffers[MAX_ARGUMENTS];
};

static bool open_buffers(struct session *session)
{
	const struct work *work = session->work;

	for (unsigned i = 0; i < work->num_arguments; i++) {
		const struct argument *argument = &work->arguments[i];
		bool output = argument->kind == ARGUMENT_OUTPUT;

		if (!output && argument->kind != ARGUMENT_INPUT)
			continue;
		session->buffers[i] = clCreateBuffer(
			session->context,
			CL_MEM_COPY_HOST_PTR | (output ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY),
			argument->size, argument->data, NULL);
		if (!session->buffers[i])
			return false;
	}
	return true;
}

struct session *session_open(const struct work *work)
{
	struct session *session = calloc(1, sizeof(*session));

	if (!session)
		return NULL;
	session->work = work;
	if (first_device_open(&session->device, &session->context, &session->queue) &&
	    open_buffers(session))
		return session;
	session_close(session);
	return NULL;
}

void session_close(struct session *session)
{
	for (unsigned i = 0; i < MAX_ARGUMENTS; i++) {
		if (session->buffers[i])
			clReleaseMemObject(session->buffers[i]);
	}
	if (session->kernel)
		clReleaseKernel(session->kernel);
	if (session->program)
		clReleaseProgram(session->program);
	if (session->queue)
		clReleaseCommandQueue(session->queue);
	if (session->context)
		clReleaseContext(session->context);
	free(session);
}

static void print_log(const struct session *session)
{
	static char log[4096];

	if (clGetProgramBuildInfo(session->program, session->device, CL_PROGRAM_BUILD_LOG,
				  sizeof(log) - 1, log, NULL) == CL_SUCCESS)
		fprintf(stderr, "%s\n", log);
}

static bool set_arguments(struct session *session)
{
	for (unsigned i = 0; i < session->work->num_arguments; i++) {
		const struct argument *argument = &session->work->arguments[i];
		const void *value = NULL;
		size_t size = argument->size;

		if (argument->kind == ARGUMENT_SCALAR)
			value = argument->data;
		if (session->buffers[i]) {
			value = &session->buffers[i];
			size = sizeof(session->buffers[i]);
		}
		if (clSetKernelArg(session->kernel, i, size, value) != CL_SUCCESS)
			return false;
	}
	return true;
}

bool session_build(struct session *session, const struct bench_case *bench, const char *options)
{
	char all_options[512];
	char path[512];

	snprintf(path, sizeof(path), "%s/%s.cl", BENCH_SOURCES, bench->kernel);
	char *text = read_text(path);
	const char *source = text;

	if (!text)
		return false;
	snprintf(all_options, sizeof(all_options), "%s %s", bench->options, options);
	session->program = clCreateProgramWithSource(session->context, 1, &source, NULL, NULL);
	free(text);
	if (!session->program)
		return false;
	if (clBuildProgram(session->program, 1, &session->device, all_options, NULL, NULL) !=
	    CL_SUCCESS) {
		print_log(session);
		return false;
	}
	session->kernel = clCreateKernel(session->program, bench->kernel, NULL);
	return session->kernel && set_arguments(session);
}

bool session_run(struct session *session)
{
	const struct work *work = session->work;
	const size_t *local = work->local[0] ? work->local : NULL;

	return clEnqueueNDRangeKernel(session->queue, session->kernel, work->dimensions, NULL,
				      work->global, local, 0, NULL, NULL) == CL_SUCCESS &&
	       clFinish(session->queue) == CL_SUCCESS;
}

bool session_clear(struct session *session)
{
	const char zero = 0;

	for (unsigned i = 0; i < session->work->num_arguments; i++) {
		const struct argument *argument = &session->work->arguments[i];

		if (argument->kind == ARGUMENT_OUTPUT &&
		    clEnqueueFillBuffer(session->queue, session->buffers[i], &zero, sizeof(zero), 0,
					argument->size, 0, NULL, NULL) != CL_SUCCESS)
			return false;
	}
	return clFinish(session->queue) == CL_SUCCESS;
}

bool session_read(struct session *session, void **got)
{
	for (unsigned i = 0; i < session->work->num_arguments; i++) {
		const struct argument *argument = &session->work->arguments[i];

		if (argument->kind != ARGUMENT_OUTPUT)
			continue;
		got[i] = malloc(argument->size);
		if (!got[i] ||
		    clEnqueueReadBuffer(session->queue, session->buffers[i], CL_TRUE, 0,
					argument->size, got[i], 0, NULL, NULL) != CL_SUCCESS)
			return false;
	}
	return true;
}
