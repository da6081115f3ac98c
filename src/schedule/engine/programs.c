/* SPDX-License-Identifier: MIT
 *
 * Builds each program once for each context; kernels with the same source, options and preamble share it. Then the size of a
 * work-group that all devices take decides how each kernel is split.
 */
#include "engine/engine.h"

#include "spec/text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LOG 700 /* of a build log, for the message */

static bool fail_build(struct weft_engine *engine, const struct weft_spec_kernel *kernel,
		       cl_program program, size_t domain, struct weft_error *error)
{
	size_t size = 0;

	for (size_t d = 0; d < engine->devices->count; d++) {
		const struct weft_device *device = &engine->devices->items[d];

		if (engine->devices->domains[device->domain].first != domain ||
		    engine->cl->GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0,
						    NULL, &size) != CL_SUCCESS)
			continue;
		char *log = (char *)calloc(size + 1, 1);
		if (log)
			engine->cl->GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG,
							size, log, NULL);
		weft_fail(error, "%s: kernel '%s': %s does not build for %s:\n%.*s", kernel->place,
			  kernel->label, kernel->source, device->name, MOST_LOG, log ? log : "");
		free(log);
	}
	return weft_fail(error, "%s: kernel '%s': %s does not build, and no log says why",
			 kernel->place, kernel->label, kernel->source);
}

#define ANALYSED_OPTION " -cl-access-ranges-weft"

struct build_request {
	const struct weft_spec_kernel *kernel; /* one of those that share the program */
	const char *const *texts;              /* two */
	const char *options;
};

static bool build_for_domain(struct weft_engine *engine, struct weft_program *program,
			     size_t domain, const struct build_request *request,
			     struct weft_error *error)
{
	const struct weft_opencl *cl = engine->cl;
	const struct weft_spec_kernel *kernel = request->kernel;
	const size_t first = engine->devices->domains[domain].first;
	cl_int code = CL_SUCCESS;

	if (first != domain) {
		program->built[domain] = program->built[first];
		return true;
	}
	program->built[domain] = cl->CreateProgramWithSource(
		engine->devices->domains[domain].context, 2,
		(const char **)(void *)(uintptr_t)request->texts, NULL, &code);
	if (!weft_opencl_check(code, kernel->place, "CreateProgramWithSource", error))
		return false;
	code = cl->BuildProgram(program->built[domain], 0, NULL, request->options, NULL, NULL);
	if (code == CL_BUILD_PROGRAM_FAILURE)
		return fail_build(engine, kernel, program->built[domain], domain, error);
	return weft_opencl_check(code, kernel->place, "BuildProgram", error);
}

static bool build(struct weft_engine *engine, const struct weft_spec_kernel *kernel,
		  struct weft_program *program, const char *const texts[2],
		  struct weft_error *error)
{
	const struct weft_analyser *analyser = &engine->devices->analyser;
	struct build_request request = {.kernel = kernel, .texts = texts};
	char *analysed = NULL;

	if (asprintf(&analysed, "%s" ANALYSED_OPTION, kernel->options) < 0)
		return weft_fail_memory(error);
	bool done = true;
	for (size_t d = 0; done && d < engine->devices->num_domains; d++) {
		request.options = d == analyser->domain ? analysed : kernel->options;
		done = build_for_domain(engine, program, d, &request, error);
	}
	if (done && analyser->context)
		weft_known_slices_build(engine, program, texts, analysed);
	free(analysed);
	return done;
}

static bool add_program(struct weft_engine *engine, char *key, struct weft_program **added,
			struct weft_error *error)
{
	struct weft_program *programs = (struct weft_program *)realloc(
		engine->programs, (engine->num_programs + 1) * sizeof(*programs));

	if (!programs) {
		free(key);
		return weft_fail_memory(error);
	}
	engine->programs = programs;
	*added = &programs[engine->num_programs++];
	**added = (struct weft_program){
		.key = key,
		.built = (cl_program *)calloc(engine->devices->num_domains, sizeof(cl_program))};
	return (*added)->built || weft_fail_memory(error);
}

/* The program of a task, which may be there already. */
static bool find_program(struct weft_engine *engine, size_t task, const char *text,
			 struct weft_error *error)
{
	const struct weft_spec_kernel *kernel = &engine->spec->kernels[task];
	char *preamble = weft_split_preamble(kernel, text);
	struct weft_program *program = NULL;
	char *key = NULL;
	size_t i = 0;

	if (!preamble ||
	    asprintf(&key, "%s\n%s\n%s", kernel->source, kernel->options, preamble) < 0) {
		free(preamble);
		return weft_fail_memory(error);
	}
	while (i < engine->num_programs && strcmp(engine->programs[i].key, key) != 0)
		i++;
	engine->tasks[task].program = i;
	bool done = true;
	if (i == engine->num_programs) {
		const char *texts[2] = {preamble, text};

		done = add_program(engine, key, &program, error);
		if (done)
			program->source = weft_digest_bytes(text, strlen(text));
		done = done && build(engine, kernel, program, texts, error);
	} else {
		free(key);
	}
	free(preamble);
	return done;
}

/* ---- kernels ------------------------------------------------------------------------------------- */

static bool check_arguments(struct weft_engine *engine, const struct weft_spec_kernel *kernel,
			    cl_kernel made, struct weft_error *error)
{
	const size_t given = kernel->num_buffers + kernel->num_values + kernel->num_locals;
	cl_uint count = 0;

	if (!weft_opencl_check(engine->cl->GetKernelInfo(made, CL_KERNEL_NUM_ARGS, sizeof(count),
							 &count, NULL),
			       kernel->place, "GetKernelInfo", error))
		return false;
	return count == given ||
	       weft_fail(error, "%s: kernel '%s' has %u arguments, the file says %zu",
			 kernel->place, kernel->label, count, given);
}

/* A kernel with reqd_work_group_size runs in groups of that size alone. */
static bool check_required_size(const struct weft_spec_kernel *kernel,
				const struct weft_group_limits *limits, struct weft_error *error)
{
	const size_t *required = limits->required;

	for (unsigned i = 0; required[0] && i < WEFT_MOST_DIMENSIONS; i++) {
		if (kernel->has_local && kernel->local[i] != required[i])
			return weft_fail(error,
					 "%s: kernel '%s' requires groups of %zu x %zu x %zu "
					 "work-items, not the file's localWorkSize",
					 kernel->place, kernel->label, required[0], required[1],
					 required[2]);
		if (kernel->global[i] % required[i] != 0)
			return weft_fail(error,
					 "%s: kernel '%s' requires groups of %zu x %zu x %zu "
					 "work-items, which do not divide globalWorkSize",
					 kernel->place, kernel->label, required[0], required[1],
					 required[2]);
	}
	return true;
}

/* The kernel object of each device, and what all of them say of the size of a group. */
static bool create_kernels(struct weft_engine *engine, size_t task,
			   struct weft_group_limits *limits, struct weft_error *error)
{
	const struct weft_spec_kernel *kernel = &engine->spec->kernels[task];
	const struct weft_program *program = &engine->programs[engine->tasks[task].program];

	*limits = (struct weft_group_limits){.most = SIZE_MAX};
	for (size_t d = 0; d < engine->devices->count; d++) {
		const struct weft_device *device = &engine->devices->items[d];
		size_t most = engine->devices->domains[device->domain].most_group;
		cl_int code = CL_SUCCESS;

		cl_kernel made = engine->cl->CreateKernel(program->built[device->domain],
							  kernel->name, &code);
		if (code == CL_INVALID_KERNEL_NAME)
			return weft_fail(error, "%s: kernel '%s': %s has no kernel function '%s'",
					 kernel->place, kernel->label, kernel->source,
					 kernel->name);
		if (!weft_opencl_check(code, kernel->place, "CreateKernel", error))
			return false;
		engine->tasks[task].kernels[d] = made;
		if (!check_arguments(engine, kernel, made, error))
			return false;
		engine->cl->GetKernelWorkGroupInfo(made, device->id, CL_KERNEL_WORK_GROUP_SIZE,
						   sizeof(most), &most, NULL);
		if (most < limits->most)
			limits->most = most;
		engine->cl->GetKernelWorkGroupInfo(
			made, device->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
			sizeof(limits->required), limits->required, NULL);
	}
	return check_required_size(kernel, limits, error);
}

static bool build_task(struct weft_engine *engine, size_t task, struct weft_error *error)
{
	const struct weft_spec_kernel *kernel = &engine->spec->kernels[task];
	struct weft_group_limits limits;
	char *text = weft_text_file_read(kernel->source, error);

	if (!text)
		return false;
	const bool done = find_program(engine, task, text, error) &&
			  create_kernels(engine, task, &limits, error);
	if (done)
		weft_split_kernel(kernel, text, &limits, &engine->splits[task]);
	free(text);
	cl_kernel analysed = done ? weft_analysis_kernel(engine, task) : NULL;
	if (!analysed)
		return done;
	weft_analysis_predict(engine, task, analysed);
	const bool found = weft_known_slices_find(engine, task, analysed);
	engine->cl->ReleaseKernel(analysed);
	return found || weft_fail_memory(error);
}

bool weft_programs_build(struct weft_engine *engine, struct weft_error *error)
{
	for (size_t t = 0; t < engine->spec->count; t++) {
		if (!build_task(engine, t, error))
			return false;
	}
	return true;
}

void weft_programs_destroy(struct weft_engine *engine)
{
	for (size_t t = 0; engine->tasks && t < engine->spec->count; t++) {
		for (size_t d = 0; engine->tasks[t].kernels && d < engine->devices->count; d++) {
			if (engine->tasks[t].kernels[d])
				engine->cl->ReleaseKernel(engine->tasks[t].kernels[d]);
		}
	}
	for (size_t i = 0; i < engine->num_programs; i++) {
		struct weft_program *program = &engine->programs[i];

		for (size_t d = 0; program->built && d < engine->devices->num_domains; d++) {
			if (program->built[d] && engine->devices->domains[d].first == d)
				engine->cl->ReleaseProgram(program->built[d]);
		}
		if (program->analysed)
			engine->cl->ReleaseProgram(program->analysed);
		free(program->built);
		free(program->key);
	}
	free(engine->programs);
}
