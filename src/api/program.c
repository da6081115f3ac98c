/* SPDX-License-Identifier: MIT
 *
 * Program objects (specification 5.8): creating, building, compiling, linking. The queries are in
 * program_info.c.
 */
#include "program/program.h"
#include "check.h"
#include "entry_points.h"
#include "program/program_build.h"

/* ---- creating (5.8.1) ------------------------------------------------------------------------ */

static cl_int check_strings(cl_uint count, const char **strings)
{
	if (count == 0 || !strings)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < count; i++) {
		if (!strings[i])
			return CL_INVALID_VALUE;
	}
	return CL_SUCCESS;
}

cl_program CL_API_CALL weft_clCreateProgramWithSource(cl_context context, cl_uint count,
						      const char **strings, const size_t *lengths,
						      cl_int *errcode_ret)
{
	cl_program program = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = check_strings(count, strings);
	if (err == CL_SUCCESS)
		err = weft_program_create_source(context, count, strings, lengths, &program);
	weft_api_set_error(errcode_ret, err);
	return program;
}

cl_program CL_API_CALL weft_clCreateProgramWithIL(cl_context context, const void *il, size_t length,
						  cl_int *errcode_ret)
{
	cl_program program = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS && (!il || length == 0))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_program_create_il(context, il, length, &program);
	weft_api_set_error(errcode_ret, err);
	return program;
}

cl_program CL_API_CALL weft_clCreateProgramWithILKHR(cl_context context, const void *il,
						     size_t length, cl_int *errcode_ret)
{
	return weft_clCreateProgramWithIL(context, il, length, errcode_ret);
}

cl_int CL_API_CALL weft_clSetProgramSpecializationConstant(cl_program program, cl_uint id,
							   size_t size, const void *value)
{
	cl_int err = weft_check_program(program);

	if (err == CL_SUCCESS && program->origin != WEFT_PROGRAM_IL)
		err = CL_INVALID_PROGRAM;
	return err == CL_SUCCESS ? weft_program_set_constant(program, id, size, value) : err;
}

/* Whether destructors may come before its callbacks. All devices run those of C++ for OpenCL, and OpenCL C has none: for a program that
 * has been built without any, no device "supports destructors", as the conformance tests see it. */
static bool may_destroy(cl_program program)
{
	bool built = false;
	bool destroys = false;

	weft_mutex_lock(&program->lock);
	for (cl_uint i = 0; i < program->num_devices; i++) {
		const struct weft_program_desc *desc = program->builds[i].desc;

		built |= desc != NULL;
		destroys |= desc && desc->hooks & WEFT_PROGRAM_DESTROYS;
	}
	weft_mutex_unlock(&program->lock);
	return !built || destroys;
}

cl_int CL_API_CALL weft_clSetProgramReleaseCallback(cl_program program, weft_program_release notify,
						    void *user_data)
{
	cl_int err = weft_check_program(program);

	if (err == CL_SUCCESS && !may_destroy(program))
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS && !notify)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_program_add_release(program, notify, user_data);
	return err;
}

/* Whether the list and its count fit together and each device is one of `known`. An absent list is
 * fine where `optional`. */
static cl_int check_devices(cl_uint num_devices, const cl_device_id *devices, bool optional)
{
	if ((num_devices == 0) != (devices == NULL))
		return CL_INVALID_VALUE;
	return devices || optional ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_int check_context_devices(cl_context context, cl_uint num_devices,
				    const cl_device_id *devices)
{
	for (cl_uint i = 0; i < num_devices; i++) {
		if (!weft_context_has_device(context, devices[i]))
			return CL_INVALID_DEVICE;
	}
	return CL_SUCCESS;
}

static cl_int check_program_devices(cl_program program, cl_uint num_devices,
				    const cl_device_id *devices)
{
	for (cl_uint i = 0; i < num_devices; i++) {
		if (weft_program_device_index(program, devices[i]) == program->num_devices)
			return CL_INVALID_DEVICE;
	}
	return CL_SUCCESS;
}

/* The statuses say which entries are wrong. */
static cl_int check_binaries(const struct weft_program_binaries *binaries)
{
	cl_int err = CL_SUCCESS;

	if (!binaries->lengths || !binaries->binaries)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < binaries->num_devices; i++) {
		bool missing = binaries->lengths[i] == 0 || !binaries->binaries[i];

		if (missing)
			err = CL_INVALID_VALUE;
		if (binaries->status)
			binaries->status[i] = missing ? CL_INVALID_VALUE : CL_SUCCESS;
	}
	return err;
}

cl_program CL_API_CALL weft_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
						      const cl_device_id *devices,
						      const size_t *lengths,
						      const unsigned char **binaries,
						      cl_int *status, cl_int *errcode_ret)
{
	const struct weft_program_binaries list = {num_devices, devices, lengths, binaries, status};
	cl_program program = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = check_devices(num_devices, devices, false);
	if (err == CL_SUCCESS)
		err = check_context_devices(context, num_devices, devices);
	if (err == CL_SUCCESS)
		err = check_binaries(&list);
	if (err == CL_SUCCESS)
		err = weft_program_create_binary(context, &list, &program);
	weft_api_set_error(errcode_ret, err);
	return program;
}

/* ---- building (5.8.4, 5.8.5) ----------------------------------------------------------------- */

/* The checks that clBuildProgram and clCompileProgram share. */
static cl_int check_build(const struct weft_build_request *request)
{
	cl_int err = check_devices(request->num_devices, request->devices, true);

	if (err == CL_SUCCESS && !request->notify && request->user_data)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = check_program_devices(request->program, request->num_devices,
					    request->devices);
	return err;
}

cl_int CL_API_CALL weft_clBuildProgram(cl_program program, cl_uint num_devices,
				       const cl_device_id *devices, const char *options,
				       void(CL_CALLBACK *notify)(cl_program, void *),
				       void *user_data)
{
	const struct weft_build_request request = {
		.stage = WEFT_BUILD_EXECUTABLE,
		.program = program,
		.num_devices = num_devices,
		.devices = devices,
		.options = options,
		.notify = notify,
		.user_data = user_data,
	};

	cl_int err = weft_check_program(program);
	if (err == CL_SUCCESS)
		err = check_build(&request);
	if (err == CL_SUCCESS && program->origin == WEFT_PROGRAM_LINKED)
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS)
		err = weft_program_build(&request);
	return err;
}

/* Programs first: other checks need valid ones. */
static cl_int check_headers(const struct weft_build_request *request)
{
	cl_uint count = request->num_programs;

	if ((count == 0) != (request->programs == NULL) || (count == 0) != (request->names == NULL))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < count; i++) {
		if (!weft_program_valid(request->programs[i]))
			return CL_INVALID_PROGRAM;
		if (request->programs[i]->context != request->program->context)
			return CL_INVALID_CONTEXT;
	}
	for (cl_uint i = 0; i < count; i++) {
		if (!request->names[i])
			return CL_INVALID_VALUE;
		if (!request->programs[i]->source)
			return CL_INVALID_OPERATION;
	}
	return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clCompileProgram(cl_program program, cl_uint num_devices,
					 const cl_device_id *devices, const char *options,
					 cl_uint num_headers, const cl_program *headers,
					 const char **names,
					 void(CL_CALLBACK *notify)(cl_program, void *),
					 void *user_data)
{
	struct weft_build_request request = {
		.stage = WEFT_BUILD_OBJECT,
		.program = program,
		.num_devices = num_devices,
		.devices = devices,
		.options = options,
		.num_programs = num_headers,
		.programs = headers,
		.names = names,
		.notify = notify,
		.user_data = user_data,
	};

	cl_int err = weft_check_program(program);
	if (err == CL_SUCCESS && program->origin == WEFT_PROGRAM_IL)
		request.num_programs = 0; /* "…are ignored" */
	else if (err == CL_SUCCESS)
		err = check_headers(&request);
	if (err == CL_SUCCESS)
		err = check_build(&request);
	if (err == CL_SUCCESS && program->origin != WEFT_PROGRAM_SOURCE &&
	    program->origin != WEFT_PROGRAM_IL)
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS)
		err = weft_program_build(&request);
	return err;
}

/* In the order of the table, except that a program must be valid before its context is used. */
static cl_int check_link(cl_context context, const struct weft_build_request *request)
{
	for (cl_uint i = 0; request->programs && i < request->num_programs; i++) {
		if (weft_program_valid(request->programs[i]) &&
		    request->programs[i]->context != context)
			return CL_INVALID_CONTEXT;
	}
	cl_int err = check_devices(request->num_devices, request->devices, true);
	if (err == CL_SUCCESS && (request->num_programs == 0 || !request->programs))
		err = CL_INVALID_VALUE;
	for (cl_uint i = 0; i < request->num_programs && err == CL_SUCCESS; i++)
		err = weft_check_program(request->programs[i]);
	if (err == CL_SUCCESS && !request->notify && request->user_data)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = check_context_devices(context, request->num_devices, request->devices);
	return err;
}

/* A program is returned if the link could begin, whether or not it succeeds. */
cl_program CL_API_CALL weft_clLinkProgram(cl_context context, cl_uint num_devices,
					  const cl_device_id *devices, const char *options,
					  cl_uint num_programs, const cl_program *programs,
					  void(CL_CALLBACK *notify)(cl_program, void *),
					  void *user_data, cl_int *errcode_ret)
{
	struct weft_build_request request = {
		.stage = WEFT_BUILD_LINK,
		.num_devices = num_devices,
		.devices = devices,
		.options = options,
		.num_programs = num_programs,
		.programs = programs,
		.notify = notify,
		.user_data = user_data,
	};
	cl_program program = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = check_link(context, &request);
	if (err == CL_SUCCESS)
		err = weft_program_create(context, WEFT_PROGRAM_LINKED,
					  devices ? num_devices : context->num_devices,
					  devices ? devices : context->devices, &program);
	if (err == CL_SUCCESS) {
		request.program = program;
		err = weft_program_build(&request);
		if (err != CL_SUCCESS && err != CL_LINK_PROGRAM_FAILURE) {
			weft_object_release_api(&program->base);
			program = NULL;
		}
	}
	weft_api_set_error(errcode_ret, err);
	return program;
}

/* ---- the compiler (5.8.8): a hint, which is not taken: another build would load it again ----- */

cl_int CL_API_CALL weft_clUnloadPlatformCompiler(cl_platform_id platform)
{
	return weft_check_platform(platform);
}

cl_int CL_API_CALL weft_clUnloadCompiler(void)
{
	return CL_SUCCESS;
}
