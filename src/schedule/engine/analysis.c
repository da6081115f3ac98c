/* SPDX-License-Identifier: MIT
 *
 * Weft's compiler, asked about a kernel.
 */
#include "engine/engine.h"

static bool set_values(struct weft_engine *engine, const struct weft_spec_kernel *kernel,
		       cl_kernel made)
{
	cl_int code = CL_SUCCESS;

	for (size_t i = 0; code == CL_SUCCESS && i < kernel->num_values; i++)
		code = engine->cl->SetKernelArg(made, kernel->values[i].pos, kernel->values[i].size,
						kernel->values[i].bytes);
	return code == CL_SUCCESS;
}

cl_kernel weft_analysis_kernel(struct weft_engine *engine, size_t task)
{
	const struct weft_program *program = &engine->programs[engine->tasks[task].program];
	const struct weft_analyser *analyser = &engine->devices->analyser;
	cl_program built = analyser->domain == WEFT_NO_DOMAIN ? program->analysed
							      : program->built[analyser->domain];
	cl_int code = CL_SUCCESS;

	if (!analyser->ask || !built)
		return NULL;
	cl_kernel made = engine->cl->CreateKernel(built, engine->tasks[task].kernel->name, &code);
	if (!made || set_values(engine, engine->tasks[task].kernel, made))
		return made;
	engine->cl->ReleaseKernel(made);
	return NULL;
}

static enum weft_model choose_model(const struct weft_devices *devices)
{
	for (size_t d = 0; d < devices->count; d++) {
		if (devices->items[d].type & CL_DEVICE_TYPE_GPU)
			return WEFT_MODEL_GPU;
	}
	return WEFT_MODEL_SIMULATED;
}

void weft_analysis_predict(struct weft_engine *engine, size_t task, cl_kernel made)
{
	const struct weft_analyser *analyser = &engine->devices->analyser;
	const struct weft_spec_kernel *kernel = engine->tasks[task].kernel;
	struct weft_task *described = &engine->tasks[task];

	described->has_features =
		analyser->ask_features &&
		analyser->ask_features(made, analyser->device, kernel->dimensions, NULL,
				       kernel->global, engine->splits[task].local,
				       CL_KERNEL_NUM_FEATURES_WEFT,
				       described->features) == CL_SUCCESS;
	if (described->has_features)
		engine->predictions[task] = weft_predict(
			choose_model(engine->devices), described->features,
			(double)(kernel->global[0] * kernel->global[1] * kernel->global[2]));
}
