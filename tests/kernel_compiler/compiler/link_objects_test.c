/* SPDX-License-Identifier: MIT
 *
 * Tests of linking: objects and libraries put together, what is missing or twice there, damaged
 * inputs, and the shape of what comes out.
 */
#include "compile.h"
#include "kernel_abi.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static const char caller[] = "int twice(int x);\n"
			     "kernel void k(global int *p) { p[get_global_id(0)] = twice(*p); }\n";
static const char callee[] = "int twice(int x) { return 2 * x; }\n";

static void compile_ok(const char *source, struct weft_output *object)
{
	enum weft_status status = test_compile(source, "", object);

	if (object->log)
		print_error("%s", object->log);
	assert_int_equal(status, WEFT_OK);
	assert_int_equal(object->kind, WEFT_OUTPUT_OBJECT);
}

static void expect_link(const struct weft_output *const *objects, size_t count,
			enum weft_status status, const char *in_log)
{
	struct weft_output output;

	enum weft_status got = test_link(objects, count, "", &output);
	if (got != status)
		print_error("%d: %s\n", (int)got, output.log ? output.log : "");
	assert_int_equal(got, status);
	if (in_log)
		assert_non_null(strstr(output.log, in_log));
	else
		assert_null(output.log);
	weft_compiler.release(&output);
}

static void kernels_may_have_any_name(void **state)
{
	(void)state;
	expect_build("typedef struct { int a[100]; } S;\n"
		     "kernel void memcpy(global S *d) { d[1] = d[0]; }\n"
		     "kernel void weft_program(global int *p) { *p = 1; }\n"
		     "kernel void fma(global float *p) { *p = 1; }\n",
		     "", WEFT_OK, NULL);
}

/* LLVM turns the C library's printf("\n") into putchar, which no kernel has. */
static void printf_is_not_the_c_library_s(void **state)
{
	(void)state;
	expect_build("kernel void k(void) { printf(\"\\n\"); printf(\"text\\n\"); "
		     "printf(\"%s\\n\", \"t\"); }\n",
		     "", WEFT_OK, NULL);
}

static void objects_make_kernels(void **state)
{
	struct weft_output a, b;
	const struct weft_output *objects[] = {&a, &b, &b};

	(void)state;
	compile_ok(caller, &a);
	compile_ok(callee, &b);
	expect_link(objects, 2, WEFT_OK, NULL);
	expect_link(objects, 1, WEFT_BUILD_FAILED, "undefined function 'twice'");
	expect_link(objects, 3, WEFT_BUILD_FAILED, "twice");
	expect_link(objects, 0, WEFT_INVALID_BINARY, NULL);
	weft_compiler.release(&a);
	weft_compiler.release(&b);
}

static void libraries_of_libraries(void **state)
{
	struct weft_output a, b, library, both;
	const struct weft_output *objects[] = {&a, &library, &both};

	(void)state;
	compile_ok(caller, &a);
	compile_ok(callee, &b);
	assert_int_equal(
		test_link((const struct weft_output *[]){&b}, 1, "-create-library", &library),
		WEFT_OK);
	assert_int_equal(library.kind, WEFT_OUTPUT_LIBRARY);
	expect_link(objects, 2, WEFT_OK, NULL);
	/* what is missing from a library is no error yet */
	assert_int_equal(test_link(objects, 1, "-create-library", &both), WEFT_OK);
	weft_compiler.release(&both);
	assert_int_equal(test_link(objects, 2, "-create-library -enable-link-options", &both),
			 WEFT_OK);
	expect_link(objects + 2, 1, WEFT_OK, NULL);
	weft_compiler.release(&a);
	weft_compiler.release(&b);
	weft_compiler.release(&library);
	weft_compiler.release(&both);
}

static void names_are_readable(void **state)
{
	(void)state;
	expect_build("__attribute__((overloadable)) float4 f(global float4 *p, local char *q);\n"
		     "kernel void k(global float4 *p, local char *q) { *p = f(p, q); }",
		     "", WEFT_BUILD_FAILED,
		     "undefined function 'f(float vector[4] global*, char local*)'");
	expect_build("__attribute__((overloadable)) float exp(float x, float y);\n"
		     "kernel void k(global float *p) { *p = exp(p[0], p[1]); }",
		     "-cl-fast-relaxed-math", WEFT_BUILD_FAILED,
		     "undefined function 'exp(float, float)'");
	expect_build("extern constant int table[4];\n"
		     "kernel void k(global int *p) { *p = table[*p]; }",
		     "", WEFT_BUILD_FAILED, "undefined variable 'table'");
	expect_build("kernel void k(global int *p) { int *q = __builtin_alloca(*p); *q = *p; }", "",
		     WEFT_BUILD_FAILED, "'k' calls __builtin_alloca");
}

static void types_that_contradict(void **state)
{
	struct weft_output a, b;
	const struct weft_output *objects[] = {&a, &b};

	(void)state;
	compile_ok(caller, &a);
	compile_ok("float twice(float x, float y) { return x * y; }\n", &b);
	/* LLVM lets declarations differ; either answer is fine, coming back is what counts */
	struct weft_output output;
	enum weft_status status = test_link(objects, 2, "", &output);
	assert_true(status == WEFT_OK || status == WEFT_BUILD_FAILED);
	weft_compiler.release(&output);
	weft_compiler.release(&a);
	weft_compiler.release(&b);
}

/* gdb finds lines in a binary that was built with -g, and nothing is spent on them otherwise. */
static void debug_lines(void **state)
{
	static const char source[] = "int f(int x)\n{\n\treturn x * 3;\n}\n"
				     "kernel void k(global int *p)\n{\n\t*p = f(*p);\n}\n";
	struct weft_output output;

	(void)state;
	assert_int_equal(test_build(source, "-g", &output), WEFT_OK);
	assert_non_null(memmem(output.data, output.size, ".debug_line", 11));
	weft_compiler.release(&output);
	assert_int_equal(test_build(source, "", &output), WEFT_OK);
	assert_null(memmem(output.data, output.size, ".debug_line", 11));
	weft_compiler.release(&output);
}

static void damaged_objects(void **state)
{
	struct weft_output object;
	char *bytes;

	(void)state;
	compile_ok(caller, &object);
	bytes = malloc(object.size + 16);
	assert_non_null(bytes);
	srandom(7);
	for (int round = 0; round < 600; round++) {
		struct weft_output damaged = {.data = bytes, .size = object.size};
		const struct weft_output *objects[] = {&damaged};

		memset(bytes, 0, object.size + 16);
		memcpy(bytes, object.data, object.size);
		if (round % 3 == 0) { /* another length */
			damaged.size = (size_t)random() % (object.size + 16);
			if (damaged.size == object.size)
				continue;
		} else {
			for (int i = 0; i <= round % 5; i++)
				bytes[(size_t)random() % object.size] ^= (char)(1 << random() % 8);
			if (memcmp(bytes, object.data, object.size) == 0)
				continue;
		}
		expect_link(objects, 1, WEFT_INVALID_BINARY, "error:");
	}
	free(bytes);
	weft_compiler.release(&object);
}

/* Loads a kernel binary as an application's process would; NULL when the linker cannot. */
static void *load(const struct weft_output *output)
{
	int fd = memfd_create("kernels", MFD_CLOEXEC);
	char path[64];

	assert_true(fd >= 0);
	assert_int_equal(write(fd, output->data, output->size), output->size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		print_error("%s\n", dlerror());
	close(fd);
	return handle;
}

static void binary_loads_and_describes_itself(void **state)
{
	static const char source[] =
		"kernel void one(global float *a, float b, local int *c) { a[get_global_id(0)] = "
		"b; }\n"
		"kernel void two(constant int *p, global int *q) { *q = *p / q[1]; }\n"
		"global int counter = 3; void helper(void) { counter++; }\n";
	struct weft_output output;

	(void)state;
	assert_int_equal(test_build(source, "-cl-std=CL3.0 -g", &output), WEFT_OK);
	void *handle = load(&output);
	assert_non_null(handle);
	const struct weft_program_desc *program = dlsym(handle, WEFT_PROGRAM_SYMBOL);
	assert_non_null(program);
	assert_int_equal(program->abi, WEFT_KERNEL_ABI);
	assert_int_equal(program->num_kernels, 2);
	assert_string_equal(program->kernels[0].name, "one");
	assert_string_equal(program->kernels[1].name, "two");
	assert_int_equal(program->kernels[0].num_args, 3);
	assert_string_equal(program->kernels[0].args[1].name, "b");
	/* nothing but the descriptor can be found */
	assert_null(dlsym(handle, "helper"));
	assert_null(dlsym(handle, "counter"));
	dlclose(handle);
	weft_compiler.release(&output);
}

/* Whatever the code generator calls is there in a process that has libc alone. */
static void library_calls_resolve(void **state)
{
	static const char *const sources[] = {
		"struct big { char a[4096]; };\n"
		"kernel void k(global struct big *p) { p[0] = p[1]; }",
		"kernel void k(global float *p) { *p = fma(p[0], p[1], p[2]); }",
		"kernel void k(global double *p) { *p = fma(p[0], p[1], p[2]); }",
		"kernel void k(global float *p) { *p = sin(p[2]) + pow(p[3], "
		"p[4]); }",
		"kernel void k(global half *p, global float *q) { vstore_half(*q, 0, p); *q = "
		"vload_half(1, p); }",
		"kernel void k(global half *p, global double *q) { vstore_half(*q, 0, p); }",
		"kernel void k(global ulong *p) { p[0] = mul_hi(p[1], p[2]) + p[3] / p[4]; }",
		"kernel void k(global double *p, global ulong *q) { *p = *q; *q = p[1]; }",
		"kernel void k(global char *p) { for (int i = 0; i < 100000; i++) p[i] = 0; }",
		"kernel void k(global int *p) { int a[5000] = {0}; a[*p] = 1; *p = a[p[1]]; }",
	};
	static const char *const cpus[] = {NULL, "x86-64", "haswell"};

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		for (size_t j = 0; j < 3; j++) {
			struct weft_target target = test_target;
			const struct weft_compile_desc desc = {
				.source = sources[i],
				.source_size = strlen(sources[i]),
				.target = &target,
			};
			struct weft_output output = {0};

			target.cpu = cpus[j];
			enum weft_status status = weft_compiler.build(&desc, &output);
			if (status != WEFT_OK)
				print_error("%s\n%s\n", sources[i], output.log ? output.log : "");
			assert_int_equal(status, WEFT_OK);
			void *handle = load(&output);
			assert_non_null(handle);
			dlclose(handle);
			weft_compiler.release(&output);
		}
	}
}

/* An object says nothing about the CPU that it was compiled for. */
static void objects_for_another_cpu(void **state)
{
	static const char source[] =
		"kernel void k(global float *p, global double *q) {\n"
		"  *p = rsqrt(*p) + half_rsqrt(p[1]); *q = hypot(*q, rsqrt(q[1])); }\n";
	static const char *const options[] = {"", "-cl-fast-relaxed-math"};
	struct weft_target target = test_target;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct weft_compile_desc desc = {
			.source = source,
			.source_size = strlen(source),
			.options = options[i],
			.target = &target,
		};
		struct weft_output object = {0}, output = {0};
		target.cpu = "skylake-avx512";
		assert_int_equal(weft_compiler.compile(&desc, &object), WEFT_OK);
		const struct weft_bytes input = {object.data, object.size};
		const struct weft_link_desc link = {
			.inputs = &input, .num_inputs = 1, .options = "", .target = &target};
		target.cpu = "haswell";
		enum weft_status status = weft_compiler.link(&link, &output);
		if (output.log)
			print_error("%s\n", output.log);
		assert_int_equal(status, WEFT_OK);
		weft_compiler.release(&output);
		weft_compiler.release(&object);
	}
}

static void unknown_cpu(void **state)
{
	const struct weft_target target = {.cpu = "pdp11", .opencl_c_version = "3.0"};
	const struct weft_compile_desc desc = {.source = "", .target = &target};
	struct weft_output output = {0};

	(void)state;
	assert_int_equal(weft_compiler.build(&desc, &output), WEFT_BUILD_FAILED);
	assert_non_null(strstr(output.log, "pdp11"));
	weft_compiler.release(&output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_make_kernels),
		cmocka_unit_test(printf_is_not_the_c_library_s),
		cmocka_unit_test(kernels_may_have_any_name),
		cmocka_unit_test(libraries_of_libraries),
		cmocka_unit_test(names_are_readable),
		cmocka_unit_test(types_that_contradict),
		cmocka_unit_test(debug_lines),
		cmocka_unit_test(damaged_objects),
		cmocka_unit_test(binary_loads_and_describes_itself),
		cmocka_unit_test(library_calls_resolve),
		cmocka_unit_test(objects_for_another_cpu),
		cmocka_unit_test(unknown_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
