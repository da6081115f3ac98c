/* SPDX-License-Identifier: MIT
 *
 * Updates of recorded kernels (cl_khr_command_buffer_mutable_dispatch). Each is drafted first, on top of earlier ones of
 * the same call; when all drafts are good, they are swapped in. Invariant: nothing changes before that.
 */
#include "alloc.h"
#include "command_buffer/command_buffer.h"

#include <string.h>

/* A new state of a recorded kernel. swap_in() exchanges it with the command's; then the draft holds the old state, to be
 * released. */
struct draft {
	cl_mutable_command_khr command;
	struct weft_recorded_kernel launch;     /* `args` retained; the rest borrowed */
	struct weft_recorded_command *recorded; /* owned; NULL while arguments are missing */
};

cl_int weft_geometry_plan(cl_command_queue queue, cl_kernel kernel,
			  const struct weft_geometry *geometry, bool args_later,
			  struct weft_launch_plan *plan)
{
	const struct weft_launch_request request = {
		.queue = queue,
		.kernel = kernel,
		.work_dim = geometry->work_dim,
		.offset = geometry->offset,
		.global = geometry->has_global ? geometry->global : NULL,
		.local = geometry->has_local ? geometry->local : NULL,
		.args_later = args_later,
	};

	return weft_launch_plan(&request, plan);
}

struct weft_geometry weft_mutable_command_geometry(cl_mutable_command_khr command)
{
	cl_command_buffer_khr buffer = command->buffer;

	weft_mutex_lock(&buffer->lock);
	struct weft_geometry geometry = command->launch.geometry;
	weft_mutex_unlock(&buffer->lock);
	return geometry;
}

bool weft_launch_is_uniform(const struct weft_launch_plan *plan)
{
	const struct weft_ndrange *range = &plan->range;

	for (int i = 0; i < 3 && !plan->empty; i++) {
		if (range->global_size[i] % range->local_size[i] != 0)
			return false;
	}
	return true;
}

/* ---- drafts ---------------------------------------------------------------------------------- */

static bool lists_fit(const struct weft_mutable_dispatch_config *config)
{
	return (config->num_args == 0) == (config->arg_list == NULL) &&
	       (config->num_svm_args == 0) == (config->arg_svm_list == NULL) &&
	       (config->num_exec_infos == 0) == (config->exec_info_list == NULL);
}

/* What may change was said when the command was recorded. */
static bool may_change(const struct weft_recorded_kernel *launch,
		       const struct weft_mutable_dispatch_config *config)
{
	cl_mutable_dispatch_fields_khr fields = launch->fields;

	if (config->work_dim && config->work_dim != launch->geometry.work_dim)
		return false;
	return (!config->global_work_offset || fields & CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR) &&
	       (!config->global_work_size || fields & CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR) &&
	       (!config->local_work_size || fields & CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR) &&
	       (!(config->num_args || config->num_svm_args) ||
		fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) &&
	       (!config->num_exec_infos || fields & CL_MUTABLE_DISPATCH_EXEC_INFO_KHR);
}

static void set_sizes(struct weft_geometry *geometry,
		      const struct weft_mutable_dispatch_config *config)
{
	size_t bytes = geometry->work_dim * sizeof(size_t);

	if (config->global_work_offset)
		memcpy(geometry->offset, config->global_work_offset, bytes);
	if (config->global_work_size)
		memcpy(geometry->global, config->global_work_size, bytes);
	if (config->local_work_size)
		memcpy(geometry->local, config->local_work_size, bytes);
	geometry->has_global = geometry->has_global || config->global_work_size;
	geometry->has_local = geometry->has_local || config->local_work_size;
}

/* A kernel object with the same arguments: the spare one, or a new one. */
static cl_int copy_kernel(cl_kernel source, cl_kernel *spare, cl_kernel *copy)
{
	const struct weft_kernel_desc *desc = source->desc;

	if (!*spare)
		return weft_kernel_clone(source, copy);
	cl_int err = weft_exec_info_copy(&source->exec_info, &(*spare)->exec_info);
	if (err != CL_SUCCESS)
		return err;
	*copy = *spare;
	*spare = NULL;
	memcpy((*copy)->args, source->args, desc->num_args * sizeof(*source->args));
	memcpy((*copy)->block, source->block, desc->args_size);
	return CL_SUCCESS;
}

static cl_int change_kernel(const struct weft_mutable_dispatch_config *config, cl_kernel kernel)
{
	cl_int err = CL_SUCCESS;

	for (cl_uint i = 0; i < config->num_args && err == CL_SUCCESS; i++) {
		const cl_mutable_dispatch_arg_khr *arg = &config->arg_list[i];

		err = weft_kernel_set_arg(kernel, arg->arg_index, arg->arg_size, arg->arg_value);
	}
	for (cl_uint i = 0; i < config->num_svm_args && err == CL_SUCCESS; i++) {
		const cl_mutable_dispatch_arg_khr *arg = &config->arg_svm_list[i];

		err = weft_kernel_set_address(kernel, arg->arg_index, arg->arg_value);
	}
	for (cl_uint i = 0; i < config->num_exec_infos && err == CL_SUCCESS; i++) {
		const cl_mutable_dispatch_exec_info_khr *info = &config->exec_info_list[i];

		err = weft_exec_info_set(&kernel->exec_info, kernel->program->context,
					 info->param_name, info->param_value_size,
					 info->param_value);
	}
	return err;
}

/* *args is another kernel object then: the arguments of the one before with those of the configuration. */
static cl_int set_args(const struct weft_mutable_dispatch_config *config, cl_kernel *args)
{
	cl_kernel changed;

	if (config->num_args == 0 && config->num_svm_args == 0 && config->num_exec_infos == 0) {
		weft_object_get(&(*args)->base);
		return CL_SUCCESS;
	}
	cl_int err = copy_kernel(*args, &config->command->launch.spare, &changed);
	if (err != CL_SUCCESS)
		return err;
	err = change_kernel(config, changed);
	if (err != CL_SUCCESS)
		weft_object_put(&changed->base);
	else
		*args = changed;
	return err;
}

/* The sizes that were given decide whether groups are whole, and an update must leave that as it was. */
static bool changes_uniformity(const struct weft_recorded_kernel *before,
			       const struct weft_recorded_kernel *after)
{
	return before->geometry.has_local && before->geometry.has_global &&
	       before->uniform != after->uniform;
}

static cl_int check_draft(cl_command_buffer_khr buffer,
			  const struct weft_mutable_dispatch_config *config)
{
	cl_mutable_command_khr command = config->command;

	if (!weft_mutable_command_valid(command) || command->buffer != buffer ||
	    !command->launch.kernel)
		return CL_INVALID_MUTABLE_COMMAND_KHR;
	if (!may_change(&command->launch, config))
		return CL_INVALID_OPERATION;
	if (!lists_fit(config))
		return CL_INVALID_VALUE;
	return config->num_svm_args && !weft_device_offers_svm(command->queue->device)
		       ? CL_INVALID_OPERATION
		       : CL_SUCCESS;
}

/* `base` is what the command is, or the newest draft of it. Arguments may be missing only where they were missing before:
 * an argument may be unset by now, when another thread has released its memory object. */
static cl_int make_draft(const struct weft_mutable_dispatch_config *config,
			 const struct draft *base, struct draft *draft)
{
	cl_command_queue queue = config->command->queue;
	struct weft_recorded_kernel *launch = &draft->launch;
	struct weft_launch_plan plan;

	*launch = base->launch;
	cl_int err = set_args(config, &launch->args);
	if (err != CL_SUCCESS) {
		launch->args = NULL;
		return err;
	}
	set_sizes(&launch->geometry, config);
	err = weft_geometry_plan(queue, launch->args, &launch->geometry, true, &plan);
	if (err != CL_SUCCESS)
		return err;
	launch->uniform = weft_launch_is_uniform(&plan);
	if (changes_uniformity(&base->launch, launch))
		return CL_INVALID_OPERATION;
	if (!weft_kernel_has_all_args(launch->args))
		return base->recorded ? CL_INVALID_KERNEL_ARGS : CL_SUCCESS;
	return weft_recorded_command_create_launch(queue, launch->args, &plan, &draft->recorded);
}

static cl_int make_drafts(cl_command_buffer_khr buffer, cl_uint count,
			  const struct weft_mutable_dispatch_config *const *configs,
			  struct draft *drafts) WEFT_REQUIRES(&buffer->lock)
{
	cl_int err = CL_SUCCESS;

	for (cl_uint i = 0; i < count && err == CL_SUCCESS; i++) {
		err = check_draft(buffer, configs[i]);
		if (err != CL_SUCCESS)
			break;
		cl_mutable_command_khr command = configs[i]->command;
		const struct draft present = {command, command->launch, command->recorded};
		const struct draft *base = command->draft ? &drafts[command->draft - 1] : &present;

		drafts[i].command = command;
		err = make_draft(configs[i], base, &drafts[i]);
		command->draft = i + 1;
	}
	for (cl_uint i = 0; i < count && drafts[i].command; i++)
		drafts[i].command->draft = 0;
	return err;
}

/* The next update of the command needs a kernel object to draft in. */
static void keep_spare(struct draft *draft)
{
	cl_mutable_command_khr command = draft->command;

	if (!command || command->launch.spare || draft->launch.args == command->launch.args)
		return;
	command->launch.spare = draft->launch.args;
	draft->launch.args = NULL;
}

static void destroy_drafts(struct draft *drafts, cl_uint count)
{
	for (cl_uint i = 0; drafts && i < count; i++) {
		weft_recorded_command_put(drafts[i].recorded);
		if (drafts[i].launch.args)
			weft_object_put(&drafts[i].launch.args->base);
	}
	weft_free(drafts);
}

/* ---- swapping them in ------------------------------------------------------------------------ */

/* The command does something else. Returns an exec that cannot follow, or NULL. */
static struct weft_exec *change_exec(cl_command_buffer_khr buffer, cl_mutable_command_khr command,
				     const struct weft_recorded_command *old)
	WEFT_REQUIRES(&buffer->lock)
{
	struct weft_exec *exec = buffer->exec;
	bool other_order =
		buffer->order == WEFT_DAG_BY_DATA &&
		(!old || !weft_accesses_equal(&old->accesses, &command->recorded->accesses));

	if (other_order) {
		weft_dag_put(buffer->dag);
		buffer->dag = NULL;
	}
	if (!exec)
		return NULL;
	if (!other_order && weft_exec_is_idle(exec)) {
		weft_exec_change(exec, command->index, command->recorded);
		return NULL;
	}
	buffer->exec = NULL;
	return exec;
}

/* Returns what change_exec returns. */
static struct weft_exec *swap_in(cl_command_buffer_khr buffer, struct draft *draft)
	WEFT_REQUIRES(&buffer->lock)
{
	cl_mutable_command_khr command = draft->command;
	const struct draft before = {command, command->launch, command->recorded};

	command->launch.args = draft->launch.args;
	command->launch.geometry = draft->launch.geometry;
	command->launch.uniform = draft->launch.uniform;
	command->recorded = draft->recorded;
	*draft = before;
	buffer->num_incomplete += !command->recorded;
	buffer->num_incomplete -= !before.recorded;
	return command->recorded ? change_exec(buffer, command, before.recorded) : NULL;
}

cl_int weft_command_buffer_update(cl_command_buffer_khr buffer, cl_uint num_configs,
				  const struct weft_mutable_dispatch_config *const *configs)
{
	struct draft *drafts = weft_calloc(num_configs, sizeof(*drafts));
	struct weft_exec *left = NULL;

	if (!drafts)
		return CL_OUT_OF_HOST_MEMORY;
	weft_mutex_lock(&buffer->lock);
	cl_int err = buffer->finalized ? make_drafts(buffer, num_configs, configs, drafts)
				       : CL_INVALID_OPERATION;
	for (cl_uint i = 0; i < num_configs && err == CL_SUCCESS; i++) {
		struct weft_exec *exec = swap_in(buffer, &drafts[i]);

		left = exec ? exec : left; /* there was one at most */
	}
	for (cl_uint i = 0; i < num_configs; i++)
		keep_spare(&drafts[i]);
	weft_mutex_unlock(&buffer->lock);
	if (left)
		weft_object_put(&left->base);
	destroy_drafts(drafts, num_configs);
	return err;
}
