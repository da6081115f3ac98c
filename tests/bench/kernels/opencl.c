/* SPDX-License-Identifier: MIT
 *
 * A case's kernel on an OpenCL device: plain OpenCL 1.2 through the loader, of 2.0 what images need, and of 2.1
 * SPIR-V if it is asked for, so that every driver can be measured.
 */
#include "bench.h"
#include "first_device.h"
#include "spirv_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
	const struct work *work;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	char *source; /* OpenCL C, or the module of it */
	size_t source_size;
	cl_program program;
	cl_kernel kernel;
	cl_mem memory[MAX_ARGUMENTS]; /* buffers and images */
	cl_sampler samplers[MAX_ARGUMENTS];
};

static cl_mem create_buffer(const struct session *session, const struct argument *argument,
			    cl_int *error)
{
	bool output = argument->kind == ARGUMENT_OUTPUT;

	return clCreateBuffer(session->context,
			      CL_MEM_COPY_HOST_PTR |
				      (output ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY),
			      argument->size, argument->data, error);
}

/* CL_IMAGE_FORMAT_NOT_SUPPORTED is no fault of the driver. */
static cl_int open_argument(struct session *session, unsigned index)
{
	const struct argument *argument = &session->work->arguments[index];
	cl_int error = CL_SUCCESS;

	if (argument->kind == ARGUMENT_SAMPLER) {
		session->samplers[index] = image_sampler(session->context, &argument->sampling);
		return session->samplers[index] ? CL_SUCCESS : CL_INVALID_SAMPLER;
	}
	if (argument->kind != ARGUMENT_INPUT && argument->kind != ARGUMENT_OUTPUT)
		return CL_SUCCESS;
	session->memory[index] =
		argument->picture.order
			? image_create(session->context, session->queue, argument, &error)
			: create_buffer(session, argument, &error);
	return error;
}

static enum failed_step open_arguments(struct session *session)
{
	if (!images_offered(session->device, session->work))
		return FAILED_UNOFFERED;
	for (unsigned i = 0; i < session->work->num_arguments; i++) {
		cl_int error = open_argument(session, i);

		if (error != CL_SUCCESS)
			return error == CL_IMAGE_FORMAT_NOT_SUPPORTED ? FAILED_UNOFFERED
								      : FAILED_DEVICE;
	}
	return FAILED_NOTHING;
}

struct session *session_open(const struct work *work, enum failed_step *failed)
{
	struct session *session = calloc(1, sizeof(*session));

	*failed = FAILED_DEVICE;
	if (!session)
		return NULL;
	session->work = work;
	if (first_device_open(&session->device, &session->context, &session->queue))
		*failed = open_arguments(session);
	if (*failed == FAILED_NOTHING)
		return session;
	session_close(session);
	return NULL;
}

void session_close(struct session *session)
{
	for (unsigned i = 0; i < MAX_ARGUMENTS; i++) {
		if (session->memory[i])
			clReleaseMemObject(session->memory[i]);
		if (session->samplers[i])
			clReleaseSampler(session->samplers[i]);
	}
	if (session->kernel)
		clReleaseKernel(session->kernel);
	if (session->program)
		clReleaseProgram(session->program);
	if (session->queue)
		clReleaseCommandQueue(session->queue);
	if (session->context)
		clReleaseContext(session->context);
	free(session->source);
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
		if (argument->kind == ARGUMENT_SAMPLER)
			value = &session->samplers[i];
		if (session->memory[i]) {
			value = &session->memory[i];
			size = sizeof(session->memory[i]);
		}
		if (clSetKernelArg(session->kernel, i, size, value) != CL_SUCCESS)
			return false;
	}
	return true;
}

static bool is_spirv(void)
{
	return getenv(BUILD_SPIRV) != NULL;
}

static bool make_spirv(struct session *session, const struct bench_case *bench)
{
	char *log = NULL;
	char *module =
		spirv_from_source(session->source, bench->options, &session->source_size, &log);

	if (!module)
		fprintf(stderr, "%s\n", log ? log : "Clang does not run");
	free(log);
	free(session->source);
	session->source = module;
	return module != NULL;
}

bool session_read_source(struct session *session, const struct bench_case *bench)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s.cl", BENCH_SOURCES, bench->kernel);
	session->source = read_text(path);
	return session->source && (!is_spirv() || make_spirv(session, bench));
}

static cl_program create_program(const struct session *session)
{
	const char *source = session->source;

	if (is_spirv())
		return clCreateProgramWithIL(session->context, source, session->source_size, NULL);
	return clCreateProgramWithSource(session->context, 1, &source, NULL, NULL);
}

bool session_build(struct session *session, const struct bench_case *bench, const char *options)
{
	char all_options[512];

	snprintf(all_options, sizeof(all_options), "%s %s", bench->options, options);
	session->program = create_program(session);
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

static bool clear(const struct session *session, unsigned index)
{
	const struct argument *argument = &session->work->arguments[index];
	cl_mem memory = session->memory[index];
	const char zero = 0;

	if (argument->picture.order)
		return image_clear(session->queue, memory, &argument->picture);
	return clEnqueueFillBuffer(session->queue, memory, &zero, sizeof(zero), 0, argument->size,
				   0, NULL, NULL) == CL_SUCCESS;
}

bool session_clear(struct session *session)
{
	for (unsigned i = 0; i < session->work->num_arguments; i++) {
		if (session->work->arguments[i].kind == ARGUMENT_OUTPUT && !clear(session, i))
			return false;
	}
	return clFinish(session->queue) == CL_SUCCESS;
}

static bool read_back(const struct session *session, unsigned index, void *data)
{
	const struct argument *argument = &session->work->arguments[index];
	cl_mem memory = session->memory[index];

	if (argument->picture.order)
		return image_read(session->queue, memory, &argument->picture, data);
	return clEnqueueReadBuffer(session->queue, memory, CL_TRUE, 0, argument->size, data, 0,
				   NULL, NULL) == CL_SUCCESS;
}

bool session_read(struct session *session, void **got)
{
	for (unsigned i = 0; i < session->work->num_arguments; i++) {
		const struct argument *argument = &session->work->arguments[i];

		if (argument->kind != ARGUMENT_OUTPUT)
			continue;
		got[i] = malloc(argument->size);
		if (!got[i] || !read_back(session, i, got[i]))
			return false;
	}
	return true;
}
