/* SPDX-License-Identifier: MIT
 *
 * Kernels in command buffers: the errors of recording them and of their updates, queries, what they compute with the
 * arguments and sizes of the moment, and while they are updated.
 */
#include "program_fixture.h"
#include "told.h"

#include "command_buffers.h"

#define ITEMS 16

static cl_program program;
static cl_kernel add;  /* out[i] = a[i] + b[i] + n */
static cl_mem mems[4]; /* of ITEMS numbers: 0 …, 100 …, and two to write to */

static cl_mem numbers(cl_context context, cl_int first)
{
	cl_int values[ITEMS];

	for (cl_int i = 0; i < ITEMS; i++)
		values[i] = first + i;
	cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, NULL);
	assert_non_null(mem);
	return mem;
}

static void set_args(cl_kernel kernel, cl_mem a, cl_mem b, cl_mem out, cl_int n)
{
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(a), &a), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(b), &b), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 2, sizeof(out), &out), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
}

static int set_up(void **state)
{
	int err = program_set_up(state);
	struct program_fixture *f = *state;

	command_buffers_find();
	program = program_built(f->base.context, "x");
	add = program_kernel(program, "add");
	for (int i = 0; i < 4; i++)
		mems[i] = numbers(f->base.context, i == 1 ? 100 : 0);
	set_args(add, mems[0], mems[1], mems[2], 7);
	return err;
}

static int tear_down(void **state)
{
	for (int i = 0; i < 4; i++)
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(add), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return program_tear_down(state);
}

/* One dimension, ITEMS in groups of `local` or whatever the runtime likes. */
static cl_int record(cl_command_buffer_khr buffer, const cl_command_properties_khr *properties,
		     cl_kernel kernel, const size_t *local, cl_mutable_command_khr *handle)
{
	static const size_t items = ITEMS;

	return ext.clCommandNDRangeKernelKHR(buffer, NULL, properties, kernel, 1, NULL, &items,
					     local, 0, NULL, NULL, handle);
}

/* A finalized one of one kernel. */
static cl_command_buffer_khr recorded(cl_command_queue queue, cl_command_buffer_flags_khr flags,
				      cl_kernel kernel, const size_t *local,
				      cl_mutable_command_khr *handle)
{
	cl_command_buffer_khr buffer = command_buffer_for(queue, flags);

	assert_int_equal(record(buffer, NULL, kernel, local, handle), CL_SUCCESS);
	command_buffer_finalize(buffer);
	return buffer;
}

static cl_int number_at(struct fixture *f, cl_mem mem, size_t place)
{
	cl_int number;

	assert_int_equal(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, place * sizeof(number),
					     sizeof(number), &number, 0, NULL, NULL),
			 CL_SUCCESS);
	return number;
}

/* ---- recording ------------------------------------------------------------------------------- */

static void recording_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_command_buffer_khr buffer = command_buffer_for(f->base.queue, 0);
	cl_command_buffer_khr elsewhere = command_buffer_for(f->base.other_queue, 0);
	cl_kernel unset = program_kernel(program, "add");
	cl_kernel greedy = program_kernel(program, "greedy");
	cl_kernel fixed = program_kernel(program, "fixed");
	const size_t sizes[3] = {ITEMS, 1, 1};
	const size_t none[3] = {0, 1, 1};
	const size_t huge[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};

#define TRY(b, queue, kernel, dims, offset, global, local)                                         \
	ext.clCommandNDRangeKernelKHR(b, queue, NULL, kernel, dims, offset, global, local, 0,      \
				      NULL, NULL, NULL)
	assert_int_equal(TRY(NULL, NULL, add, 1, NULL, sizes, NULL), CL_INVALID_COMMAND_BUFFER_KHR);
	assert_int_equal(TRY(buffer, f->base.out_of_order, add, 1, NULL, sizes, NULL),
			 CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(TRY(buffer, NULL, (cl_kernel)mems[0], 1, NULL, sizes, NULL),
			 CL_INVALID_KERNEL);
	assert_int_equal(TRY(elsewhere, NULL, add, 1, NULL, sizes, NULL), CL_INVALID_CONTEXT);
	assert_int_equal(TRY(buffer, NULL, unset, 1, NULL, sizes, NULL), CL_INVALID_KERNEL_ARGS);
	assert_int_equal(TRY(buffer, NULL, add, 0, NULL, sizes, NULL), CL_INVALID_WORK_DIMENSION);
	assert_int_equal(TRY(buffer, NULL, add, 4, NULL, sizes, NULL), CL_INVALID_WORK_DIMENSION);
	assert_int_equal(TRY(buffer, NULL, add, 1, huge, sizes, NULL), CL_INVALID_GLOBAL_OFFSET);
	assert_int_equal(TRY(buffer, NULL, add, 1, NULL, sizes, none), CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(TRY(buffer, NULL, add, 3, NULL, huge, NULL), CL_INVALID_GLOBAL_WORK_SIZE);
	assert_int_equal(TRY(buffer, NULL, fixed, 1, NULL, sizes, sizes),
			 CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(TRY(buffer, NULL, greedy, 1, NULL, sizes, NULL), CL_OUT_OF_RESOURCES);
	command_buffer_finalize(buffer);
	assert_int_equal(TRY(buffer, NULL, add, 1, NULL, sizes, NULL), CL_INVALID_OPERATION);
#undef TRY
	command_buffer_release(buffer);
	command_buffer_release(elsewhere);
	assert_int_equal(clReleaseKernel(unset), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(greedy), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(fixed), CL_SUCCESS);
}

static void property_errors(void **state)
{
	struct program_fixture *f = *state;
	const cl_command_buffer_properties_khr asserting[] = {
		CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
		CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
	cl_command_buffer_khr asserts =
		ext.clCreateCommandBufferKHR(1, &f->base.queue, asserting, NULL);
	cl_command_buffer_khr buffer = command_buffer_for(f->base.queue, 0);
	cl_kernel unset = program_kernel(program, "add");
	const size_t local = 4;
	const struct {
		cl_command_properties_khr list[5];
		cl_int code;
	} trials[] = {
		{{0x1234, 1, 0}, CL_INVALID_VALUE},
		{{CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0,
		  CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0},
		 CL_INVALID_VALUE},
		{{CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1u << 9, 0}, CL_INVALID_VALUE},
		{{CL_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0}, CL_INVALID_VALUE},
		{{CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, 0},
		 CL_SUCCESS},
		{{CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}, CL_INVALID_VALUE}, /* no local size */
	};

	for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++)
		assert_int_equal(record(buffer, trials[i].list, add, NULL, NULL), trials[i].code);
	assert_int_equal(record(buffer, trials[5].list, add, &local, NULL), CL_SUCCESS);
	assert_int_equal(record(asserts, NULL, add, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(record(asserts, NULL, add, &local, NULL), CL_SUCCESS);
	/* arguments can be missing only where they can still come */
	const cl_command_properties_khr later[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
						   CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
	assert_int_equal(record(buffer, later, unset, NULL, NULL), CL_INVALID_KERNEL_ARGS);
	command_buffer_release(buffer);
	command_buffer_release(asserts);
	assert_int_equal(clReleaseKernel(unset), CL_SUCCESS);
}

/* The queue of another device, and a kernel that was built for another. */
static void other_devices(void **state)
{
	struct program_fixture *f = *state;
	cl_command_queue queues[2];
	cl_program one = program_from(f->both, "x");

	for (int i = 0; i < 2; i++)
		queues[i] = clCreateCommandQueueWithProperties(f->both, f->devices[i], NULL, NULL);
	assert_int_equal(clBuildProgram(one, 1, &f->devices[0], NULL, NULL, NULL), CL_SUCCESS);
	cl_kernel kernel = program_kernel(one, "nothing");
	cl_command_buffer_khr buffer = command_buffer_for(queues[0], 0);
	cl_command_buffer_khr other = command_buffer_for(queues[1], 0);

	assert_int_equal(record(other, NULL, kernel, NULL, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
	assert_int_equal(record(buffer, NULL, kernel, NULL, NULL), CL_SUCCESS);
	command_buffer_finalize(buffer);
	assert_int_equal(ext.clEnqueueCommandBufferKHR(1, &queues[1], buffer, 0, NULL, NULL),
			 CL_INVALID_DEVICE);
	command_buffer_run(buffer);
	command_buffer_release(buffer);
	command_buffer_release(other);
	for (int i = 0; i < 2; i++)
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(one), CL_SUCCESS);
}

/* What is set later is for what is recorded later. */
static void arguments_of_the_moment(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel kernel = clCloneKernel(add, NULL);
	cl_command_buffer_khr buffer = command_buffer_for(f->base.queue, 0);

	assert_int_equal(record(buffer, NULL, kernel, NULL, NULL), CL_SUCCESS);
	set_args(kernel, mems[2], mems[1], mems[3], 1);
	assert_int_equal(record(buffer, NULL, kernel, NULL, NULL), CL_SUCCESS);
	set_args(kernel, mems[0], mems[0], mems[0], 0);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	command_buffer_finalize(buffer);
	for (int i = 0; i < 3; i++) {
		command_buffer_run(buffer);
		assert_int_equal(number_at(&f->base, mems[2], 5), 5 + 105 + 7);
		assert_int_equal(number_at(&f->base, mems[3], 5), 5 + 105 + 7 + 105 + 1);
	}
	command_buffer_release(buffer);
}

/* ---- handles --------------------------------------------------------------------------------- */

#define QUERY(param, value)                                                                        \
	ext.clGetMutableCommandInfoKHR(handle, (param), sizeof(value), &(value), &size)

static void handle_queries(void **state)
{
	struct program_fixture *f = *state;
	const cl_command_properties_khr properties[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
							CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0};
	const size_t sizes[2][2] = {{8, 2}, {4, 1}};
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_mutable_command_khr handle;
	cl_command_properties_khr list[3];
	cl_command_buffer_khr parent;
	cl_command_queue queue;
	cl_command_type type;
	size_t given[3];
	cl_kernel kernel;
	cl_uint dims;
	size_t size;

	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, properties, add, 2, NULL,
						       sizes[0], sizes[1], 0, NULL, NULL, &handle),
			 CL_SUCCESS);
	assert_int_equal(QUERY(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, queue), CL_SUCCESS);
	assert_ptr_equal(queue, f->base.queue);
	assert_int_equal(QUERY(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, parent), CL_SUCCESS);
	assert_ptr_equal(parent, buffer);
	assert_int_equal(QUERY(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, type), CL_SUCCESS);
	assert_int_equal(type, CL_COMMAND_NDRANGE_KERNEL);
	assert_int_equal(QUERY(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, list), CL_SUCCESS);
	assert_int_equal(size, sizeof(properties));
	assert_memory_equal(list, properties, sizeof(properties));
	assert_int_equal(QUERY(CL_MUTABLE_DISPATCH_KERNEL_KHR, kernel), CL_SUCCESS);
	assert_ptr_equal(kernel, add);
	assert_int_equal(QUERY(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, dims), CL_SUCCESS);
	assert_int_equal(dims, 2);
	assert_int_equal(QUERY(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, given), CL_SUCCESS);
	assert_int_equal(size, 2 * sizeof(size_t));
	assert_true(given[0] == 0 && given[1] == 0);
	assert_int_equal(QUERY(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, given), CL_SUCCESS);
	assert_memory_equal(given, sizes[0], sizeof(sizes[0]));
	assert_int_equal(QUERY(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, given), CL_SUCCESS);
	assert_memory_equal(given, sizes[1], sizeof(sizes[1]));
	assert_int_equal(QUERY(0x1234, given), CL_INVALID_VALUE);
	assert_int_equal(ext.clGetMutableCommandInfoKHR(handle, CL_MUTABLE_DISPATCH_KERNEL_KHR, 2,
							&kernel, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(ext.clGetMutableCommandInfoKHR((cl_mutable_command_khr)add,
							CL_MUTABLE_DISPATCH_KERNEL_KHR, 0, NULL,
							&size),
			 CL_INVALID_MUTABLE_COMMAND_KHR);
	/* without properties and a local size */
	assert_int_equal(record(buffer, NULL, add, NULL, &handle), CL_SUCCESS);
	assert_int_equal(QUERY(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, list), CL_SUCCESS);
	assert_int_equal(size, 0);
	assert_int_equal(QUERY(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, given), CL_SUCCESS);
	assert_int_equal(given[0], 0);
	command_buffer_release(buffer);
}

/* ---- updates --------------------------------------------------------------------------------- */

static cl_int update(cl_command_buffer_khr buffer,
		     const struct weft_mutable_dispatch_config *config)
{
	const cl_command_buffer_update_type_khr type = WEFT_MUTABLE_DISPATCH_CONFIG;
	const void *configs[] = {config};

	return ext.clUpdateMutableCommandsKHR(buffer, 1, &type, configs);
}

static cl_int set_one(cl_command_buffer_khr buffer, cl_mutable_command_khr handle, cl_uint index,
		      size_t size, const void *value)
{
	const cl_mutable_dispatch_arg_khr arg = {index, size, value};
	const struct weft_mutable_dispatch_config config = {
		.command = handle, .num_args = 1, .arg_list = &arg};

	return update(buffer, &config);
}

static void update_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_mutable_command_khr handle;
	cl_mutable_command_khr fixed_handle;
	const size_t local = 4;
	cl_command_buffer_khr constant = recorded(f->base.queue, 0, add, &local, &fixed_handle);
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	const cl_command_buffer_update_type_khr types[] = {WEFT_MUTABLE_DISPATCH_CONFIG, 77};
	struct weft_mutable_dispatch_config config = {0};
	const void *configs[] = {&config, NULL};

	assert_int_equal(record(buffer, NULL, add, &local, &handle), CL_SUCCESS);
	config.command = handle;
	assert_int_equal(update(buffer, &config), CL_INVALID_OPERATION); /* still recording */
	command_buffer_finalize(buffer);
	assert_int_equal(update(buffer, &config), CL_SUCCESS);

	assert_int_equal(update(NULL, &config), CL_INVALID_COMMAND_BUFFER_KHR);
	config.command = fixed_handle;
	assert_int_equal(update(constant, &config), CL_INVALID_OPERATION);
	assert_int_equal(update(buffer, &config), CL_INVALID_MUTABLE_COMMAND_KHR);
	config.command = NULL;
	assert_int_equal(update(buffer, &config), CL_INVALID_MUTABLE_COMMAND_KHR);
	config.command = (cl_mutable_command_khr)buffer;
	assert_int_equal(update(buffer, &config), CL_INVALID_MUTABLE_COMMAND_KHR);
	config.command = handle;
#define LISTS(count, types, configs) ext.clUpdateMutableCommandsKHR(buffer, count, types, configs)
	assert_int_equal(LISTS(1, NULL, configs), CL_INVALID_VALUE);
	assert_int_equal(LISTS(1, types, NULL), CL_INVALID_VALUE);
	assert_int_equal(LISTS(0, types, NULL), CL_INVALID_VALUE);
	assert_int_equal(LISTS(0, NULL, configs), CL_INVALID_VALUE);
	assert_int_equal(LISTS(1, types + 1, configs), CL_INVALID_VALUE);
	assert_int_equal(LISTS(1, types, configs + 1), CL_INVALID_VALUE);
	assert_int_equal(LISTS(0, NULL, NULL), CL_SUCCESS);
#undef LISTS
	command_buffer_release(buffer);
	command_buffer_release(constant);
}

/* What one configuration can have wrong. */
static void config_errors(void **state)
{
	struct program_fixture *f = *state;
	const size_t local = 4;
	const size_t uneven = 3;
	const size_t zero = 0;
	const size_t far = SIZE_MAX;
	const size_t more = 2 * ITEMS + 1;
	const cl_mutable_dispatch_arg_khr arg = {0, sizeof(cl_mem), &mems[0]};
	const cl_mutable_dispatch_arg_khr none = {99, sizeof(void *), &mems[0]};
	const cl_mutable_dispatch_exec_info_khr info = {0, 0, NULL};
	cl_mutable_command_khr handle;
	cl_command_buffer_khr buffer =
		recorded(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR, add, &local, &handle);
	const struct {
		struct weft_mutable_dispatch_config config;
		cl_int code;
	} trials[] = {
		{{.work_dim = 2}, CL_INVALID_OPERATION},
		{{.work_dim = 1}, CL_SUCCESS},
		{{.num_args = 1}, CL_INVALID_VALUE},
		{{.arg_list = &arg}, CL_INVALID_VALUE},
		{{.num_svm_args = 1}, CL_INVALID_VALUE},
		{{.arg_svm_list = &arg}, CL_INVALID_VALUE},
		{{.exec_info_list = &info}, CL_INVALID_VALUE},
		{{.num_svm_args = 1, .arg_svm_list = &none},
		 fixture_svm(&f->base) ? CL_INVALID_ARG_INDEX : CL_INVALID_OPERATION},
		{{.num_exec_infos = 1, .exec_info_list = &info}, CL_INVALID_VALUE},
		{{.local_work_size = &zero}, CL_INVALID_WORK_GROUP_SIZE},
		{{.local_work_size = &uneven}, CL_INVALID_OPERATION},
		{{.global_work_size = &more}, CL_INVALID_OPERATION},
		{{.global_work_offset = &far}, CL_INVALID_GLOBAL_OFFSET},
	};

	for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++) {
		struct weft_mutable_dispatch_config config = trials[i].config;

		config.command = handle;
		assert_int_equal(update(buffer, &config), trials[i].code);
	}
	assert_int_equal(set_one(buffer, handle, 4, sizeof(cl_mem), &mems[0]),
			 CL_INVALID_ARG_INDEX);
	assert_int_equal(set_one(buffer, handle, 0, 3, &mems[0]), CL_INVALID_ARG_SIZE);
	assert_int_equal(set_one(buffer, handle, 3, sizeof(cl_int), NULL), CL_INVALID_ARG_VALUE);
	assert_int_equal(set_one(buffer, handle, 0, sizeof(cl_mem), &f->base.queue),
			 CL_INVALID_MEM_OBJECT);
	command_buffer_run(buffer);
	assert_int_equal(number_at(&f->base, mems[2], 3), 3 + 103 + 7);
	command_buffer_release(buffer);
}

/* Each field can be changed only if it was said so. */
static void field_errors(void **state)
{
	struct program_fixture *f = *state;
	static const cl_mutable_dispatch_fields_khr fields[] = {
		CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR,
		CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR,
		CL_MUTABLE_DISPATCH_EXEC_INFO_KHR};
	const size_t local = 4;
	const size_t zero = 0;
	const cl_bool no = CL_FALSE;
	const cl_mutable_dispatch_exec_info_khr info = {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
							sizeof(no), &no};
	const size_t items = ITEMS;
	const cl_mutable_dispatch_arg_khr arg = {0, sizeof(cl_mem), &mems[0]};
	const struct weft_mutable_dispatch_config changes[] = {
		{.global_work_offset = &zero},
		{.global_work_size = &items},
		{.local_work_size = &local},
		{.num_args = 1, .arg_list = &arg},
		{.num_exec_infos = 1, .exec_info_list = &info}};

	for (size_t i = 0; i < 5; i++) {
		const cl_command_properties_khr properties[] = {
			CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, fields[i], 0};
		cl_command_buffer_khr buffer =
			command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
		cl_mutable_command_khr handle;

		assert_int_equal(record(buffer, properties, add, &local, &handle), CL_SUCCESS);
		command_buffer_finalize(buffer);
		for (size_t k = 0; k < 5; k++) {
			struct weft_mutable_dispatch_config config = changes[k];

			config.command = handle;
			assert_int_equal(update(buffer, &config),
					 i == k ? CL_SUCCESS : CL_INVALID_OPERATION);
		}
		command_buffer_release(buffer);
	}
}

static void sizes_change(void **state)
{
	struct program_fixture *f = *state;
	const size_t half = ITEMS / 2;
	const size_t eight = 8;
	cl_mutable_command_khr handle;
	cl_command_buffer_khr buffer =
		recorded(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR, add, NULL, &handle);
	const struct weft_mutable_dispatch_config upper = {
		.command = handle, .global_work_offset = &half, .global_work_size = &half};
	const struct weft_mutable_dispatch_config groups = {.command = handle,
							    .local_work_size = &eight};
	cl_int zeros[ITEMS] = {0};
	size_t given;
	size_t size;

	assert_int_equal(clEnqueueWriteBuffer(f->base.queue, mems[2], CL_TRUE, 0, sizeof(zeros),
					      zeros, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(update(buffer, &upper), CL_SUCCESS);
	assert_int_equal(update(buffer, &groups), CL_SUCCESS);
	command_buffer_run(buffer);
	assert_int_equal(number_at(&f->base, mems[2], half - 1), 0);
	assert_int_equal(number_at(&f->base, mems[2], half), (cl_int)half * 2 + 107);
	assert_int_equal(QUERY(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, given), CL_SUCCESS);
	assert_int_equal(given, half);
	assert_int_equal(QUERY(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, given), CL_SUCCESS);
	assert_int_equal(given, half);
	assert_int_equal(QUERY(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, given), CL_SUCCESS);
	assert_int_equal(given, 8);
	command_buffer_release(buffer);
}

/* All or none; of two updates of a command, the later one counts. */
static void several_at_once(void **state)
{
	struct program_fixture *f = *state;
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	const cl_command_buffer_update_type_khr types[3] = {0};
	const cl_int values[] = {1000, 2000, 3000};
	cl_mutable_dispatch_arg_khr args[3];
	struct weft_mutable_dispatch_config list[3];
	const void *configs[3];
	cl_mutable_command_khr handles[2];

	for (int i = 0; i < 2; i++) {
		set_args(add, mems[0], mems[1], mems[2 + i], 7);
		assert_int_equal(record(buffer, NULL, add, NULL, &handles[i]), CL_SUCCESS);
	}
	set_args(add, mems[0], mems[1], mems[2], 7);
	command_buffer_finalize(buffer);
	for (int i = 0; i < 3; i++) {
		args[i] = (cl_mutable_dispatch_arg_khr){3, sizeof(cl_int), &values[i]};
		list[i] = (struct weft_mutable_dispatch_config){
			.command = handles[i % 2], .num_args = 1, .arg_list = &args[i]};
		configs[i] = &list[i];
	}
	args[2].arg_index = 99;
	assert_int_equal(ext.clUpdateMutableCommandsKHR(buffer, 3, types, configs),
			 CL_INVALID_ARG_INDEX);
	command_buffer_run(buffer);
	assert_int_equal(number_at(&f->base, mems[2], 0), 107);
	assert_int_equal(number_at(&f->base, mems[3], 0), 107);
	args[2].arg_index = 3;
	assert_int_equal(ext.clUpdateMutableCommandsKHR(buffer, 3, types, configs), CL_SUCCESS);
	command_buffer_run(buffer);
	assert_int_equal(number_at(&f->base, mems[2], 0), 3100);
	assert_int_equal(number_at(&f->base, mems[3], 0), 2100);
	command_buffer_release(buffer);
}

/* Arguments may come after the end of recording; until then it cannot be enqueued. */
static void arguments_come_later(void **state)
{
	struct program_fixture *f = *state;
	const cl_command_properties_khr later[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
						   CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_kernel unset = program_kernel(program, "add");
	const cl_int n = 50;
	cl_mutable_command_khr handle;

	assert_int_equal(record(buffer, later, unset, NULL, &handle), CL_SUCCESS);
	assert_int_equal(command_buffer_state(buffer), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
	command_buffer_finalize(buffer);
	for (cl_uint i = 0; i < 4; i++) {
		assert_int_equal(command_buffer_state(buffer),
				 CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
		assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
				 CL_INVALID_OPERATION);
		assert_int_equal(i < 3 ? set_one(buffer, handle, i, sizeof(cl_mem), &mems[i])
				       : set_one(buffer, handle, i, sizeof(n), &n),
				 CL_SUCCESS);
	}
	assert_int_equal(command_buffer_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	command_buffer_run(buffer);
	assert_int_equal(number_at(&f->base, mems[2], 1), 1 + 101 + 50);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseKernel(unset), CL_SUCCESS);
}

/* Nothing of it is submitted, nor running. */
static void what_is_not_run_tells_the_error(void **state)
{
	struct program_fixture *f = *state;
	cl_command_queue queues[] = {f->base.queue, f->base.out_of_order};
	static struct told told;

	for (int i = 0; i < 2; i++) {
		set_args(add, mems[0], mems[1], mems[2], 1);
		cl_command_buffer_khr buffer = recorded(queues[i], 0, add, NULL, NULL);
		cl_event gate = clCreateUserEvent(f->base.context, NULL);
		cl_event event;

		assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &event),
				 CL_SUCCESS);
		told_ask(&told, event);
		assert_int_equal(clSetUserEventStatus(gate, -42), CL_SUCCESS);
		told_check(&told, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
		assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
		command_buffer_release(buffer);
	}
}

/* A memory object that has ended is no argument: when it is recorded, and when an update gets there later. */
static void released_arguments(void **state)
{
	struct program_fixture *f = *state;
	const cl_command_properties_khr later[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
						   CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_kernel kernel = program_kernel(program, "add");
	cl_mem gone = numbers(f->base.context, 0);
	const cl_int n = 50;
	cl_mutable_command_khr handle;

	set_args(kernel, gone, mems[1], mems[2], n);
	assert_int_equal(clReleaseMemObject(gone), CL_SUCCESS);
	assert_int_equal(record(buffer, NULL, kernel, NULL, NULL), CL_INVALID_KERNEL_ARGS);
	assert_int_equal(record(buffer, later, kernel, NULL, &handle), CL_SUCCESS);
	command_buffer_finalize(buffer);
	assert_int_equal(set_one(buffer, handle, 0, sizeof(gone), &gone), CL_INVALID_MEM_OBJECT);
	assert_int_equal(set_one(buffer, handle, 3, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(set_one(buffer, handle, 0, sizeof(mems[0]), &mems[0]), CL_SUCCESS);
	command_buffer_run(buffer);
	assert_int_equal(number_at(&f->base, mems[2], 1), 1 + 101 + 50);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* Submissions keep what they were enqueued with. */
static void updates_of_what_is_pending(void **state)
{
	struct program_fixture *f = *state;
	cl_mutable_command_khr handle;
	cl_command_buffer_khr buffer =
		recorded(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR, add, NULL, &handle);
	cl_event gate = clCreateUserEvent(f->base.context, NULL);
	cl_mem outs[5];

	for (cl_int i = 0; i < 5; i++) {
		cl_int n = 1000 * i;

		outs[i] = numbers(f->base.context, 0);
		assert_int_equal(set_one(buffer, handle, 2, sizeof(cl_mem), &outs[i]), CL_SUCCESS);
		assert_int_equal(set_one(buffer, handle, 3, sizeof(n), &n), CL_SUCCESS);
		assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, NULL),
				 CL_SUCCESS);
	}
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	for (cl_int i = 0; i < 5; i++)
		assert_int_equal(number_at(&f->base, outs[i], 2), 2 + 102 + 1000 * i);
	for (int i = 0; i < 5; i++)
		assert_int_equal(clReleaseMemObject(outs[i]), CL_SUCCESS);
	command_buffer_run(buffer); /* what it kept is still there */
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	command_buffer_release(buffer);
}

static void CL_CALLBACK note_end(cl_mem mem, void *ended)
{
	(void)mem;
	*(volatile int *)ended = 1;
}

/* An argument that was replaced is not kept. */
static void replaced_arguments_go(void **state)
{
	struct program_fixture *f = *state;
	cl_mem out = numbers(f->base.context, 0);
	volatile int ended = 0;
	cl_mutable_command_khr handle;

	assert_int_equal(clSetMemObjectDestructorCallback(out, note_end, (void *)&ended),
			 CL_SUCCESS);
	set_args(add, mems[0], mems[1], out, 7);
	cl_command_buffer_khr buffer =
		recorded(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR, add, NULL, &handle);
	set_args(add, mems[0], mems[1], mems[2], 7);
	command_buffer_run(buffer);
	assert_int_equal(clReleaseMemObject(out), CL_SUCCESS);
	assert_int_equal(ended, 0);
	assert_int_equal(set_one(buffer, handle, 2, sizeof(cl_mem), &mems[2]), CL_SUCCESS);
	assert_int_equal(ended, 1);
	command_buffer_run(buffer);
	command_buffer_release(buffer);
}

/* The order that follows from what kernels do to memory follows their updates. */
static void order_follows_updates(void **state)
{
	struct program_fixture *f = *state;
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_mutable_command_khr handles[2];

	set_args(add, mems[0], mems[1], mems[2], 0); /* 2 = 0 + 1 */
	assert_int_equal(record(buffer, NULL, add, NULL, &handles[0]), CL_SUCCESS);
	set_args(add, mems[1], mems[1], mems[3], 0); /* 3 = 1 + 1 */
	assert_int_equal(record(buffer, NULL, add, NULL, &handles[1]), CL_SUCCESS);
	set_args(add, mems[0], mems[1], mems[2], 7);
	command_buffer_finalize(buffer);
	for (cl_int turn = 0; turn < 50; turn++) {
		cl_int n = turn;

		assert_int_equal(set_one(buffer, handles[0], 3, sizeof(n), &n), CL_SUCCESS);
		/* 3 = 2 + 2, which depends on the other one; then not */
		cl_mem from = turn % 2 ? mems[1] : mems[2];
		assert_int_equal(set_one(buffer, handles[1], 0, sizeof(from), &from), CL_SUCCESS);
		assert_int_equal(set_one(buffer, handles[1], 1, sizeof(from), &from), CL_SUCCESS);
		command_buffer_run(buffer);
		assert_int_equal(number_at(&f->base, mems[2], 4), 4 + 104 + n);
		assert_int_equal(number_at(&f->base, mems[3], 4),
				 turn % 2 ? 208 : 2 * (4 + 104 + n));
	}
	command_buffer_release(buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recording_errors),
		cmocka_unit_test(property_errors),
		cmocka_unit_test(other_devices),
		cmocka_unit_test(arguments_of_the_moment),
		cmocka_unit_test(handle_queries),
		cmocka_unit_test(update_errors),
		cmocka_unit_test(config_errors),
		cmocka_unit_test(field_errors),
		cmocka_unit_test(sizes_change),
		cmocka_unit_test(several_at_once),
		cmocka_unit_test(arguments_come_later),
		cmocka_unit_test(what_is_not_run_tells_the_error),
		cmocka_unit_test(released_arguments),
		cmocka_unit_test(updates_of_what_is_pending),
		cmocka_unit_test(replaced_arguments_go),
		cmocka_unit_test(order_follows_updates),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
