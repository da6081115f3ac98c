/* SPDX-License-Identifier: MIT
 *
 * Helpers of the compiler's tests.
 */
#include "compile.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

const struct weft_target test_target = {
	.extensions = "cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics cl_khr_icd "
		      "cl_khr_fp64 cl_khr_int64_base_atomics",
	.features = "__opencl_c_int64 __opencl_c_fp64 __opencl_c_generic_address_space "
		    "__opencl_c_program_scope_global_variables __opencl_c_atomic_order_acq_rel "
		    "__opencl_c_atomic_scope_device __opencl_c_subgroups",
	.opencl_c_version = "3.0",
};

static struct weft_compile_desc desc_of(const char *source, const char *options)
{
	return (struct weft_compile_desc){
		.source = source,
		.source_size = strlen(source),
		.options = options,
		.target = &test_target,
	};
}

enum weft_status test_compile(const char *source, const char *options, struct weft_output *output)
{
	const struct weft_compile_desc desc = desc_of(source, options);

	memset(output, 0, sizeof(*output));
	return weft_compiler.compile(&desc, output);
}

enum weft_status test_build(const char *source, const char *options, struct weft_output *output)
{
	const struct weft_compile_desc desc = desc_of(source, options);

	memset(output, 0, sizeof(*output));
	return weft_compiler.build(&desc, output);
}

enum weft_status test_build_text(const char *source, enum weft_emit emit,
				 struct weft_output *output)
{
	struct weft_compile_desc desc = desc_of(source, "");

	desc.emit = emit;
	memset(output, 0, sizeof(*output));
	return weft_compiler.build(&desc, output);
}

enum weft_status test_link(const struct weft_output *const *objects, size_t num_objects,
			   const char *options, struct weft_output *output)
{
	struct weft_bytes inputs[16];
	struct weft_link_desc desc = {
		.inputs = inputs,
		.num_inputs = num_objects,
		.options = options,
		.target = &test_target,
	};

	assert_true(num_objects <= 16);
	for (size_t i = 0; i < num_objects; i++)
		inputs[i] = (struct weft_bytes){objects[i]->data, objects[i]->size};
	memset(output, 0, sizeof(*output));
	return weft_compiler.link(&desc, output);
}

static void check(const char *options, enum weft_status got, struct weft_output *output,
		  enum weft_status status, const char *in_log)
{
	const char *log = output->log ? output->log : "";

	if (got != status || (in_log ? !strstr(log, in_log) : *log != 0))
		print_error("options '%s': status %d, log:\n%.2000s\n", options ? options : "",
			    (int)got, log);
	assert_int_equal(got, status);
	if (in_log)
		assert_non_null(strstr(log, in_log));
	else
		assert_string_equal(log, "");
	assert_int_equal(output->kind == WEFT_OUTPUT_NONE, status != WEFT_OK);
	assert_int_equal(output->data == NULL, status != WEFT_OK);
	weft_compiler.release(output);
	assert_null(output->log);
}

void expect_compile(const char *source, const char *options, enum weft_status status,
		    const char *in_log)
{
	struct weft_output output;

	enum weft_status got = test_compile(source, options, &output);
	check(options, got, &output, status, in_log);
}

void expect_build(const char *source, const char *options, enum weft_status status,
		  const char *in_log)
{
	struct weft_output output;

	enum weft_status got = test_build(source, options, &output);
	check(options, got, &output, status, in_log);
}

char *repeated(const char *before, const char *text, size_t count, const char *after)
{
	size_t length = strlen(text);
	char *result = malloc(strlen(before) + count * length + strlen(after) + 1);
	char *end = result;

	assert_non_null(result);
	end = stpcpy(end, before);
	for (size_t i = 0; i < count; i++, end += length)
		memcpy(end, text, length);
	strcpy(end, after);
	return result;
}

const struct weft_program_desc *test_load(const void *binary, size_t size)
{
	char path[64];
	int file = memfd_create("kernels", MFD_CLOEXEC);

	assert_int_equal(write(file, binary, size), size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		print_error("%s\n", dlerror());
	assert_non_null(handle);
	const struct weft_program_desc *desc = dlsym(handle, WEFT_PROGRAM_SYMBOL);
	assert_non_null(desc);
	assert_int_equal(desc->abi, WEFT_KERNEL_ABI);
	return desc;
}

void test_run(const struct weft_kernel_desc *kernel, void *buffer)
{
	const struct weft_ndrange range = {
		.global_size = {1, 1, 1},
		.local_size = {1, 1, 1},
		.num_groups = {1, 1, 1},
		.work_dim = 1,
	};
	_Alignas(WEFT_KERNEL_ALIGNMENT) static unsigned char memory[3][1 << 16];
	struct weft_work_context context = {
		.local = memory[0], .spill = memory[1], .scratch = memory[2]};
	_Alignas(WEFT_KERNEL_ALIGNMENT) uint64_t args[3] = {(uintptr_t)buffer, 0, 1};

	assert_non_null(kernel->entry);
	kernel->entry(&range, args, &context, 0, 1);
}
