/* SPDX-License-Identifier: MIT
 *
 * Compiler, module and work-group runner, put together by hand.
 */
#include "kernel_runner.h"

#include "digest.h"
#include "driver_optional.h"
#include "host.h"
#include "kernel/module.h"
#include "options.h"
#include "riscv_runner.h"
#include "spirv_source.h"
#include "thread.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <cmocka.h>

struct runner {
	struct weft_module *module;
	const struct weft_program_desc *program;
	struct runner_target target; /* strings borrowed */
};

#define COSTS                                                                                      \
	.integer = 1, .multiply = 3, .divide = 37, .real = 5, .real_divide = 17, .wide = 23,       \
	.wide_divide = 101, .branch = 2, .local_access = 7, .item = 11

const struct weft_costs runner_costs = {COSTS, .global_access = 97, .transfers = 1};
const struct weft_costs runner_reporting_costs = {COSTS};
/* In place of the first ones, where the simulator counts. */
static const struct weft_costs executed_costs = {.global_access = 1, .transfers = 1, .executed = 1};

static struct weft_device *devices[RUNNER_ACCEL + 1];

static struct weft_device *device_for(enum runner_way way)
{
	static const struct weft_driver *const drivers[] = {
		[RUNNER_BASIC] = &weft_basic_driver,
		[RUNNER_PTHREAD] = &weft_pthread_driver,
		[RUNNER_ACCEL] = &weft_accel_driver,
	};
	const struct weft_driver *driver = drivers[way];

	if (!devices[way])
		assert_int_equal(driver->device->open(0, &test_host, &devices[way]), WEFT_OK);
	return devices[way];
}

/* What kernels are compiled for: the instruction set of the accelerator that is asked for. */
static const char *wanted_isa(void)
{
	return riscv_runner_isa(getenv("WEFT_ACCEL") ? device_for(RUNNER_ACCEL) : NULL);
}

/* What loads modules of that. It uses the device for nothing but them. */
static struct weft_device *loader(const struct weft_driver_program_ops **ops)
{
	struct weft_device *device = wanted_isa() ? device_for(RUNNER_ACCEL) : NULL;

	*ops = device ? device->driver->program : &weft_module_ops;
	return device;
}

static const struct weft_compiler *open_compiler(void)
{
	static const struct weft_compiler *compiler;

	if (!compiler) {
		const char *other = weft_options()->compiler;
		void *library = dlopen(other ? other : WEFT_TEST_COMPILER, RTLD_NOW | RTLD_LOCAL);
		if (!library)
			fail_msg("%s", dlerror());
		compiler = dlsym(library, WEFT_COMPILER_SYMBOL);
	}
	assert_non_null(compiler);
	return compiler;
}

/* Whether the environment's variable is 1. */
static bool is_wanted(const char *variable)
{
	const char *value = getenv(variable);

	return value && strcmp(value, "1") == 0;
}

static struct weft_target full_target(const struct runner_target *wanted)
{
	return (struct weft_target){
		.cpu = wanted->cpu,
		.isa = wanted_isa(),
		.slow_gathers = wanted->slow_gathers,
		.costs = wanted->costs == &runner_costs && wanted_isa() ? &executed_costs
									: wanted->costs,
		.vector_width = wanted->vector_width,
		.extensions = "cl_khr_fp16 cl_khr_fp64 cl_khr_int64_base_atomics "
			      "cl_khr_int64_extended_atomics cl_khr_subgroup_extended_types "
			      "cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_ballot "
			      "cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_shuffle "
			      "cl_khr_subgroup_shuffle_relative cl_khr_subgroup_clustered_reduce "
			      "cl_khr_subgroup_rotate cl_intel_subgroups cl_khr_3d_image_writes "
			      "cl_khr_depth_images "
			      "cl_khr_mipmap_image cl_khr_mipmap_image_writes",
		.features =
			"__opencl_c_fp64 __opencl_c_int64 __opencl_c_generic_address_space "
			"__opencl_c_program_scope_global_variables "
			"__opencl_c_work_group_collective_functions "
			"__opencl_c_subgroups "
			"__opencl_c_images __opencl_c_read_write_images __opencl_c_3d_image_writes "
			"__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst "
			"__opencl_c_atomic_scope_device",
		.opencl_c_version = "3.0",
		.quick = is_wanted("WEFT_TEST_QUICK"),
	};
}

/* As an application does that has the source compiled to SPIR-V. */
static enum weft_status build_by_spirv(struct weft_compile_desc *desc, struct weft_output *output)
{
	struct weft_il il = {0};
	char *log = NULL;
	void *module = spirv_from_source(desc->source, desc->options, &il.size, &log);

	il.bytes = module;
	desc->il = &il;
	if (!module)
		fail_msg("no SPIR-V: %s", log ? log : "");
	enum weft_status status = open_compiler()->build(desc, output);
	free(module);
	free(log);
	return status;
}

static enum weft_status build(const char *source, const struct runner_target *wanted,
			      struct weft_output *output)
{
	const struct weft_target target = full_target(wanted);
	struct weft_compile_desc desc = {
		.source = source,
		.source_size = strlen(source),
		.options = wanted->options,
		.target = &target,
	};

	memset(output, 0, sizeof(*output));
	if (is_wanted("WEFT_TEST_SPIRV"))
		return build_by_spirv(&desc, output);
	return open_compiler()->build(&desc, output);
}

/* NULL when it does not load. */
static struct runner *load(const struct weft_output *output, const struct runner_target *target)
{
	const struct weft_driver_program_ops *ops;
	struct weft_device *device = loader(&ops);
	struct runner *runner = calloc(1, sizeof(*runner));

	assert_non_null(runner);
	if (ops->load(device, output->data, output->size, &runner->module) != WEFT_OK) {
		free(runner);
		return NULL;
	}
	runner->program = ops->describe(runner->module);
	runner->target = *target;
	return runner;
}

struct runner *runner_try_build(const char *source, const struct runner_target *target, char **log)
{
	struct runner *runner = NULL;
	struct weft_output output;

	*log = NULL;
	if (build(source, target, &output) != WEFT_OK) {
		*log = strdup(output.log ? output.log : "(no log)");
	} else {
		runner = load(&output, target);
		if (!runner)
			*log = strdup("the kernel binary does not load");
	}
	open_compiler()->release(&output);
	return runner;
}

/* NULL when the program has none of that name. */
static const struct weft_kernel_desc *find_kernel(const struct runner *runner, const char *name)
{
	for (uint32_t i = 0; i < runner->program->num_kernels; i++) {
		if (strcmp(runner->program->kernels[i].name, name) == 0)
			return &runner->program->kernels[i];
	}
	return NULL;
}

/* NULL when the program has no such kernel, or the kernel has not the flag. */
static struct runner *specialise(const struct runner *runner, struct weft_specialise_desc desc,
				 uint32_t flag)
{
	struct weft_target target = full_target(&runner->target);
	const struct weft_kernel_desc *kernel = find_kernel(runner, desc.kernel);
	struct weft_output output = {0};

	if (!kernel || !(kernel->flags & flag))
		return NULL;
	desc.object = (struct weft_bytes){runner->program->object, runner->program->object_size};
	desc.target = &target;
	target.quick = false;
	if (open_compiler()->specialise(&desc, &output) != WEFT_OK)
		fail_msg("no specialisation of %s: %s", desc.kernel,
			 output.log ? output.log : "(no log)");
	struct runner *special = load(&output, &runner->target);
	assert_non_null(special);
	open_compiler()->release(&output);
	return special;
}

struct runner *runner_version(const struct runner *runner, const char *name, const size_t local[3])
{
	return specialise(
		runner,
		(struct weft_specialise_desc){
			.kernel = name,
			.local_size = {(uint32_t)local[0], (uint32_t)local[1], (uint32_t)local[2]},
		},
		WEFT_KERNEL_GAINS_BY_SIZE);
}

struct runner *runner_full(const struct runner *runner, const char *name)
{
	return specialise(runner, (struct weft_specialise_desc){.kernel = name}, WEFT_KERNEL_QUICK);
}

struct runner *runner_full_program(const struct runner *runner)
{
	struct weft_target target = full_target(&runner->target);
	const struct weft_bytes object = {runner->program->object, runner->program->object_size};
	const struct weft_link_desc desc = {.inputs = &object, .num_inputs = 1, .target = &target};
	struct weft_output output = {0};

	target.quick = false;
	if (open_compiler()->link(&desc, &output) != WEFT_OK)
		fail_msg("no full code: %s", output.log ? output.log : "(no log)");
	struct runner *full = load(&output, &runner->target);
	assert_non_null(full);
	open_compiler()->release(&output);
	return full;
}

struct runner *runner_for_images(const struct runner *runner, const char *name,
				 const uint64_t *constants, uint32_t num_constants)
{
	return specialise(runner,
			  (struct weft_specialise_desc){.kernel = name,
							.image_constants = constants,
							.num_image_constants = num_constants},
			  WEFT_KERNEL_GAINS_BY_IMAGES);
}

/* As WEFT_CPU and WEFT_VECTOR_WIDTH say. The options are good until the next call. */
static struct runner_target default_target(const char *options)
{
	static char with_more[1024];
	const char *more = getenv("WEFT_TEST_OPTIONS");

	if (more) {
		snprintf(with_more, sizeof(with_more), "%s %s", options ? options : "", more);
		options = with_more;
	}
	return (struct runner_target){options, weft_options()->cpu,
				      (uint32_t)weft_options()->vector_width, NULL, false};
}

struct runner *runner_build(const char *source, const char *options)
{
	const struct runner_target target = default_target(options);
	char *log;
	struct runner *runner = runner_try_build(source, &target, &log);

	if (!runner)
		fail_msg("build failed: %s", log);
	return runner;
}

char *runner_build_error(const char *source, const char *options)
{
	const struct runner_target target = default_target(options);
	struct weft_output output;
	enum weft_status status = build(source, &target, &output);
	char *log = status == WEFT_OK ? NULL : strdup(output.log ? output.log : "");

	open_compiler()->release(&output);
	return log;
}

void runner_destroy(struct runner *runner)
{
	const struct weft_driver_program_ops *ops;
	struct weft_device *device = loader(&ops);

	ops->unload(device, runner->module);
	free(runner);
}

const struct weft_program_desc *runner_program(const struct runner *runner)
{
	return runner->program;
}

bool runner_has(const struct runner *runner, const char *name)
{
	return find_kernel(runner, name) != NULL;
}

const struct weft_kernel_desc *runner_kernel(const struct runner *runner, const char *name)
{
	const struct weft_kernel_desc *kernel = find_kernel(runner, name);

	if (!kernel)
		fail_msg("no kernel '%s'", name);
	return kernel;
}

/* Packs the arguments; returns the bytes of local memory. */
static size_t pack(const struct weft_kernel_desc *kernel, const struct runner_arg *args,
		   size_t num_args, unsigned char *block)
{
	size_t local = kernel->local_size;

	assert_int_equal(num_args, kernel->num_args);
	for (size_t i = 0; i < num_args; i++) {
		const struct weft_arg_desc *desc = &kernel->args[i];
		uint64_t word = (uint64_t)(uintptr_t)args[i].value;
		const void *bytes = &word;
		if (desc->kind == WEFT_ARG_LOCAL) {
			local = (local + WEFT_KERNEL_ALIGNMENT - 1) / WEFT_KERNEL_ALIGNMENT *
				WEFT_KERNEL_ALIGNMENT;
			word = local;
			local += args[i].size;
		} else if (desc->kind == WEFT_ARG_VALUE || desc->kind == WEFT_ARG_IMAGE ||
			   desc->kind == WEFT_ARG_SAMPLER) {
			assert_int_equal(args[i].size, desc->size);
			bytes = args[i].value;
		}
		memcpy(block + desc->offset, bytes, desc->size);
	}
	return local;
}

static struct weft_ndrange make_range(const struct runner_range *wanted)
{
	struct weft_ndrange range = {.work_dim = 1};

	for (uint32_t d = 0; d < 3; d++) {
		range.global_size[d] = wanted->global[d];
		range.local_size[d] = wanted->local[d];
		range.global_offset[d] = wanted->offset[d];
		range.num_groups[d] = (wanted->global[d] + wanted->local[d] - 1) / wanted->local[d];
		if (wanted->global[d] > 1)
			range.work_dim = d + 1;
	}
	return range;
}

void runner_allow(time_t seconds)
{
	const struct itimerval timer = {.it_value = {.tv_sec = seconds}};

	setitimer(ITIMER_PROF, &timer, NULL);
}

void runner_close_devices(void)
{
	for (size_t way = 0; way < sizeof(devices) / sizeof(devices[0]); way++) {
		if (devices[way])
			devices[way]->driver->device->close(devices[way]);
		devices[way] = NULL;
	}
}

static void run_on_device(const struct weft_launch *launch, struct weft_device *device)
{
	struct node *node = node_new(device, WEFT_OP_NDRANGE);

	node->command.launch = *launch;
	assert_int_equal(node_run(node), WEFT_OK);
	assert_int_equal(host_mistakes(), 0);
}

/* ---- memory of a device ---------------------------------------------------------------------- */

static void copy_to_device(struct weft_device *device, const struct runner_arg *arg, uint64_t place,
			   bool back)
{
	struct node *node = node_new(device, WEFT_OP_COPY);
	void *here = (void *)(uintptr_t)arg->value, *there = (void *)(uintptr_t)place;

	node->command.copy = (struct weft_copy){
		.source = back ? there : here,
		.destination = back ? here : there,
		.source_space = back ? device->properties.space : WEFT_SPACE_HOST,
		.destination_space = back ? WEFT_SPACE_HOST : device->properties.space,
		.region = {arg->size, 1, 1},
		.source_pitch = {arg->size, arg->size},
		.destination_pitch = {arg->size, arg->size},
	};
	assert_int_equal(node_run(node), WEFT_OK);
}

static bool is_memory(const struct weft_arg_desc *desc)
{
	return desc->kind == WEFT_ARG_GLOBAL || desc->kind == WEFT_ARG_CONSTANT;
}

/* The arguments' memory goes to the device, which has one of its own, and comes back. */
static void run_apart(const struct weft_launch *launch, struct weft_device *device,
		      const struct runner_arg *args, unsigned char *block)
{
	const struct weft_kernel_desc *kernel = launch->kernel;
	const struct weft_driver_memory_ops *memory = device->driver->memory;
	void *places[32];

	assert_true(kernel->num_args <= sizeof(places) / sizeof(places[0]));
	for (uint32_t i = 0; i < kernel->num_args; i++) {
		if (!is_memory(&kernel->args[i]))
			continue;
		places[i] = NULL;
		if (args[i].size > 0) {
			assert_int_equal(memory->allocate(device, args[i].size, 128, &places[i]),
					 WEFT_OK);
			copy_to_device(device, &args[i], (uintptr_t)places[i], false);
		}
		memcpy(block + kernel->args[i].offset, &places[i], sizeof(places[i]));
	}
	run_on_device(launch, device);
	for (uint32_t i = 0; i < kernel->num_args; i++) {
		if (!is_memory(&kernel->args[i]) || !places[i])
			continue;
		copy_to_device(device, &args[i], (uintptr_t)places[i], true);
		memory->release(device, places[i]);
	}
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static struct weft_digest cycles_digest;

uint64_t runner_cycles(void)
{
	return cycles_digest.low;
}

static const struct weft_observer *other_observer;

void runner_observe(const struct weft_observer *observer)
{
	other_observer = observer;
}

static uint64_t cache_bytes = 1;

void runner_assume_cache(uint64_t bytes)
{
	cache_bytes = bytes;
}

static const struct runner *replacing;
static uint32_t replacing_share; /* runner_replace_by */

void runner_replace_by(const struct runner *better, uint32_t share)
{
	replacing = better;
	replacing_share = share;
}

static void measure(void *data, const uint64_t *cycles, uint64_t num_items, uint32_t region)
{
	struct weft_digest *digest = data;

	*digest = weft_digest_field(*digest, &region, sizeof(region));
	*digest = weft_digest_field(*digest, cycles, num_items * sizeof(*cycles));
}

/* ---- ways ------------------------------------------------------------------------------------ */

static void forget_time(struct weft_replacement *replacement, uint64_t time)
{
	(void)replacement;
	(void)time;
}

static void take_over(struct weft_replacement *replacement, const struct weft_kernel_desc *kernel)
{
	const struct weft_kernel_desc *better = runner_kernel(replacing, kernel->name);

	assert_true(weft_kernel_fits(better, kernel));
	assert_int_equal(better->vector_width, kernel->vector_width);
	atomic_store_explicit(&replacement->kernel, better, memory_order_release);
}

static void *take_over_later(void *data)
{
	const struct weft_launch *launch = data;

	for (uint32_t i = 128; i < replacing_share; i++)
		weft_pause();
	take_over(launch->replacement, launch->kernel);
	return NULL;
}

static void run_replaced(struct weft_launch *launch, struct weft_device *device)
{
	pthread_t thread;

	if (replacing_share < 128) {
		take_over(launch->replacement, launch->kernel);
		run_on_device(launch, device);
		return;
	}
	assert_int_equal(pthread_create(&thread, NULL, take_over_later, launch), 0);
	run_on_device(launch, device);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

static void run_here(const struct weft_launch *launch)
{
	/* every other transfer is chosen */
	static const struct weft_observer to_digest = {
		.measure = measure,
		.data = &cycles_digest,
		.transfers = UINT64_C(0x5555555555555555),
	};

	struct weft_arena arena = {NULL, 0};
	struct weft_work work;

	assert_int_equal(weft_work_start(&work, launch), WEFT_OK);
	assert_int_equal(weft_work_prepare(&work, &arena), WEFT_OK);
	cycles_digest = (struct weft_digest){0};
	if (wanted_isa())
		work.executor = riscv_runner_begin(launch, &arena);
	work.observer = other_observer ? other_observer : &to_digest;
	const uint64_t middle =
		launch->replacement ? work.num_groups * replacing_share / 256 : work.num_groups / 3;
	weft_work_run(&work, &arena, 0, middle);
	work.cache_bytes = cache_bytes;
	if (launch->replacement)
		take_over(launch->replacement, launch->kernel);
	weft_work_run(&work, &arena, middle, work.num_groups);
	const enum weft_status ran = weft_work_finish(&work);
	assert_true(ran == WEFT_OK || ran == WEFT_CALL_FAILED);
	if (work.executor)
		riscv_runner_end(work.executor);
	weft_arena_destroy(&arena);
}

/* Whether no two arguments lead to one place: tests give each buffer to one argument, or the same address to several. */
static bool are_distinct(const struct weft_kernel_desc *kernel, const struct runner_arg *args)
{
	for (uint32_t i = 0; i < kernel->num_args; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (is_memory(&kernel->args[i]) && is_memory(&kernel->args[j]) &&
			    args[i].value && args[i].value == args[j].value)
				return false;
		}
	}
	return true;
}

void runner_launch(const struct runner *runner, const char *name, const struct runner_range *range,
		   const struct runner_arg *args, size_t num_args, enum runner_way way)
{
	const struct weft_kernel_desc *kernel = runner_kernel(runner, name);
	size_t block_size = (kernel->args_size + 2 * WEFT_KERNEL_ALIGNMENT) /
			    WEFT_KERNEL_ALIGNMENT * WEFT_KERNEL_ALIGNMENT;
	unsigned char *block = aligned_alloc(WEFT_KERNEL_ALIGNMENT, block_size);
	struct weft_replacement replacement = {.kernel = NULL, .ran = forget_time};
	struct weft_launch launch = {
		.module = runner->module,
		.kernel = kernel,
		.range = make_range(range),
		.args = block,
		.replacement = replacing && (way == RUNNER_DIRECT || way == RUNNER_PTHREAD)
				       ? &replacement
				       : NULL,
	};

	assert_non_null(block);
	/* Both versions of loops run. */
	launch.range.apart = way != RUNNER_DIRECT && are_distinct(kernel, args);
	launch.local_bytes = pack(kernel, args, num_args, block);
	if (way == RUNNER_DIRECT || (wanted_isa() && way != RUNNER_ACCEL))
		run_here(&launch);
	else if (way == RUNNER_ACCEL)
		run_apart(&launch, device_for(way), args, block);
	else if (launch.replacement)
		run_replaced(&launch, device_for(way));
	else
		run_on_device(&launch, device_for(way));
	free(block);
}

void runner_run(const struct runner *runner, const char *name, const size_t global[3],
		const size_t local[3], const struct runner_arg *args, size_t num_args)
{
	struct runner_range range = {.offset = {0, 0, 0}};

	memcpy(range.global, global, sizeof(range.global));
	memcpy(range.local, local, sizeof(range.local));
	runner_launch(runner, name, &range, args, num_args, RUNNER_DIRECT);
}
