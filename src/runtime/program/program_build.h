/* SPDX-License-Identifier: MIT
 *
 * Building, compiling and linking programs, in the calling thread or in one of its own.
 */
#ifndef WEFT_RUNTIME_PROGRAM_BUILD_H
#define WEFT_RUNTIME_PROGRAM_BUILD_H

#include "program/program.h"

/* What an entry point was asked, checked by it but for the state of the programs. Everything is
 * borrowed for the call. */
struct weft_build_request {
	enum weft_build_stage stage;
	cl_program program;
	cl_uint num_devices;
	const cl_device_id *devices; /* of the program; NULL: all of them */
	const char *options;         /* or NULL */
	cl_uint num_programs;
	const cl_program *programs; /* headers of a compilation, inputs of a link */
	const char **names;         /* of the headers */
	void(CL_CALLBACK *notify)(cl_program, void *); /* or NULL: wait for the end */
	void *user_data;
};

/* Builds and returns the specification's code. With `notify`, returns as soon as the build can
 * begin. When it could not begin, or its options turn out to be invalid, nothing has changed. */
cl_int weft_program_build(const struct weft_build_request *request) WEFT_MUST_CHECK;

#endif
