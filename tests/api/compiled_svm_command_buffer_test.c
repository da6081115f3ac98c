/* SPDX-License-Identifier: MIT
 *
 * Shared virtual memory in command buffers: recorded copies, fills and kernels with pointers, and updates of these.
 */
#include "command_buffers.h"

#include "compiled_fixture.h"

#define ITEMS 256
#define BYTES (ITEMS * sizeof(cl_int))

static const char *const source =
	"kernel void add(global const int *a, global int *b) {\n"
	"  size_t i = get_global_id(0); b[i] += a[i];\n"
	"}\n"
	"kernel void add_behind(global ulong *way, global int *b) {\n"
	"  size_t i = get_global_id(0); b[i] += ((global int *)way[0])[i];\n"
	"}\n";

static cl_program program;

static int set_up(void **state)
{
	compiled_set_up(state);
	struct fixture *f = *state;
	command_buffers_find();
	program = compiled_program(f->context, source, NULL);
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return fixture_tear_down(state);
}

static cl_int *allocate(struct fixture *f)
{
	cl_int *memory = clSVMAlloc(f->context, CL_MEM_SVM_FINE_GRAIN_BUFFER, BYTES, 0);

	assert_non_null(memory);
	memset(memory, 0, BYTES);
	return memory;
}

static cl_kernel kernel_with(const char *name, const void *first, const void *second)
{
	cl_kernel kernel = clCreateKernel(program, name, NULL);

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, first), CL_SUCCESS);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 1, second), CL_SUCCESS);
	return kernel;
}

static cl_mutable_command_khr record(cl_command_buffer_khr buffer, cl_kernel kernel)
{
	static const size_t global = ITEMS;
	cl_mutable_command_khr handle = NULL;

	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &global,
						       NULL, 0, NULL, NULL, &handle),
			 CL_SUCCESS);
	return handle;
}

static void update(cl_command_buffer_khr buffer, const struct weft_mutable_dispatch_config *config)
{
	const cl_command_buffer_update_type_khr type = WEFT_MUTABLE_DISPATCH_CONFIG;
	const void *configs[] = {config};

	assert_int_equal(ext.clUpdateMutableCommandsKHR(buffer, 1, &type, configs), CL_SUCCESS);
}

static void expect_all(const cl_int *memory, cl_int value)
{
	for (int i = 0; i < ITEMS; i++)
		assert_int_equal(memory[i], value);
}

/* Recorded for an in-order queue, commands on one allocation keep their order. */
static void commands_and_updates(void **state)
{
	struct fixture *f = *state;
	cl_int *a = allocate(f);
	cl_int *b = allocate(f);
	cl_int *other = allocate(f);
	cl_kernel kernel = kernel_with("add", a, b);
	cl_command_buffer_khr buffer = command_buffer_for(f->queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	const cl_int three = 3;
	const cl_int forties = 40;

	assert_int_equal(ext.clCommandSVMMemFillKHR(buffer, NULL, NULL, a, &three, sizeof(three),
						    BYTES, 0, NULL, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(
		ext.clCommandSVMMemcpyKHR(buffer, NULL, NULL, b, a, BYTES, 0, NULL, NULL, NULL),
		CL_SUCCESS);
	cl_mutable_command_khr handle = record(buffer, kernel);
	command_buffer_finalize(buffer);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	command_buffer_run(buffer);
	expect_all(b, 6);

	const cl_mutable_dispatch_arg_khr arg = {0, 0, other};
	assert_int_equal(clEnqueueSVMMemFill(f->queue, other, &forties, sizeof(forties), BYTES, 0,
					     NULL, NULL),
			 CL_SUCCESS);
	update(buffer, &(struct weft_mutable_dispatch_config){
			       .command = handle, .num_svm_args = 1, .arg_svm_list = &arg});
	command_buffer_run(buffer);
	expect_all(b, 43);

	/* what the buffer uses stays while it needs it */
	clSVMFree(f->context, a);
	clSVMFree(f->context, other);
	command_buffer_run(buffer);
	expect_all(b, 43);
	command_buffer_release(buffer);
	clSVMFree(f->context, b);
}

/* What a kernel finds by pointers in memory is named before the recording, and by updates. */
static void execution_information(void **state)
{
	struct fixture *f = *state;
	cl_int *target = allocate(f);
	cl_int *sources[] = {allocate(f), allocate(f)};
	cl_ulong *way = (cl_ulong *)(void *)allocate(f);
	cl_kernel kernel = kernel_with("add_behind", way, target);
	cl_command_buffer_khr buffer = command_buffer_for(f->queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	const cl_bool no = CL_FALSE;
	const cl_int seven = 7;

	assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
					     sizeof(no), &no),
			 CL_SUCCESS);
	assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS,
					     sizeof(sources[0]), &sources[0]),
			 CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		assert_int_equal(ext.clCommandSVMMemFillKHR(buffer, NULL, NULL, sources[i], &seven,
							    sizeof(seven), BYTES, 0, NULL, NULL,
							    NULL),
				 CL_SUCCESS);
	cl_mutable_command_khr handle = record(buffer, kernel);
	command_buffer_finalize(buffer);
	for (int i = 0; i < 2; i++) {
		const cl_mutable_dispatch_exec_info_khr info = {CL_KERNEL_EXEC_INFO_SVM_PTRS,
								sizeof(sources[i]), &sources[i]};
		way[0] = (uintptr_t)sources[i];
		for (int round = 0; round < 2;
		     round++) /* the second one drafts in the spare kernel */
			update(buffer,
			       &(struct weft_mutable_dispatch_config){.command = handle,
								      .num_exec_infos = 1,
								      .exec_info_list = &info});
		command_buffer_run(buffer);
		expect_all(target, 7 * (i + 1));
	}
	command_buffer_release(buffer);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		clSVMFree(f->context, sources[i]);
	clSVMFree(f->context, target);
	clSVMFree(f->context, way);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_and_updates),
		cmocka_unit_test(execution_information),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
