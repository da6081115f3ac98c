/* SPDX-License-Identifier: MIT
 *
 * Tests of the front end: diagnostics, what a source can include and see, debug lines.
 */
#include "compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void errors_have_places(void **state)
{
	static const char *const rows[][2] = {
		{"kernel void k(global int *p)\n{\n\tp[0] = q;\n}\n",
		 "<source>:3:9: error: use of undeclared identifier 'q'\n"},
		{"kernel void k(global int *p)\n{\n\tp[0] = q;\n}\n", "p[0] = q;\n"},
		{"int f(void) { return 1 }", "<source>:1:23: error: expected ';'"},
		{"#line 7 \"my.cl\"\n#error broken\n", "my.cl:7:2: error: broken"},
		{"kernel int k(void) { return 1; }",
		 "<source>:1:12: error: kernel must have void return"},
		{"void f(void) { image2d_tt i; }", "<source>:1:16: error:"},
		{"kernel void k(int *p) {}", "<source>:1:20: error:"},
		{"kernel void k(global int *p) { *p = f(); }", "<source>:1:37: error:"},
		{"#include \"missing.h\"\n",
		 "<source>:1:10: fatal error: 'missing.h' file not found"},
		{"#include <stdio.h>\n", "<source>:1:10: fatal error: 'stdio.h' file not found"},
		{"#include <stddef.h>\n", "file not found"},
		{"#include </dev/zero>\n", "file not found"},
		{"#include \"/dev/stdin\"\n", "file not found"},
		{"#include \"/\"\n", "error:"},
		{"kernel void k(void) { asm(\"int3\"); }", "<source>:1:23: error:"},
		{"kernel void k(void) { __asm__ volatile(\"int3\"); }",
		 "inline assembly is disabled"},
		{"__asm__(\".globl x\");", "error:"},
		{"int f(int) __asm__(\"weft.indirect_call\"); int f(int n) { return f(n - 1); }",
		 "the name is the compiler's own"},
		{"#ifdef __IMAGE_SUPPORT__\n#else\n#error no images\n#endif\n", "no images"},
		{"#if defined(__SPIR__) || defined(__SPIR64__) || "
		 "defined(__SPIRV__)\n#else\n#error cpu\n"
		 "#endif\n",
		 "cpu"},
		{"#if defined(cl_khr_fp16) || defined(__opencl_c_images)\n#else\n#error "
		 "truthful\n#endif\n",
		 "truthful"},
		{"half f(half x) { return x; }", "error:"},
		{"_Static_assert(sizeof(size_t) == 8, \"\"); _Static_assert(sizeof(long) == 4, "
		 "\"\");",
		 "<source>:1:57: error: static assertion failed"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect_compile(rows[i][0], "", WEFT_BUILD_FAILED, rows[i][1]);
}

static void warnings_obey(void **state)
{
	static const char source[] = "#warning careful\nkernel void k(void) {}\n";

	(void)state;
	expect_compile(source, "", WEFT_OK, "<source>:1:2: warning: careful");
	expect_compile(source, "-w", WEFT_OK, NULL);
	expect_compile(source, "-Werror", WEFT_BUILD_FAILED, "<source>:1:2: error: careful");
	expect_compile(source, "-Werror -w", WEFT_OK, NULL);
}

/* What a program may use without including anything. */
static void language_is_there(void **state)
{
	static const char *const rows[][2] = {
		{"kernel void k(global float4 *p) { p[get_global_id(0)] = sin(p[0]) + dot(p[0], "
		 "p[1]); }",
		 ""},
		{"kernel void k(global double *p) { *p = fma(*p, *p, 1.0); }", ""},
		{"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
		 "kernel void k(global double *p) { *p = sqrt(*p); }",
		 "-cl-std=CL1.0"},
		{"kernel void k(local int *p) { barrier(CLK_LOCAL_MEM_FENCE); *p = as_int(1.0f); }",
		 "-cl-std=CL1.0"},
		{"kernel void k(global int *p) { atomic_add(p, 1); vstore3(vload3(0, p), 1, p); }",
		 "-cl-std=CL1.1"},
		{"kernel void k(global int *p) { printf(\"%d\\n\", *p); }", "-cl-std=CL1.2"},
		{"global int g = 3; int f(int *p) { return *p; }\n"
		 "kernel void k(global int *p) { *p = f(p) + f(&g); }",
		 "-cl-std=CL3.0"},
		{"#ifndef __opencl_c_generic_address_space\n#error no\n#endif\n", "-cl-std=CL3.0"},
		{"#ifdef __opencl_c_device_enqueue\n#error no\n#endif\n", "-cl-std=CL3.0"},
		{"#if !defined(cl_khr_fp64) || !defined(cl_khr_icd)\n#error no\n#endif\n",
		 "-cl-std=CL1.0"},
		{"#if __ENDIAN_LITTLE__ != 1\n#error no\n#endif\n", ""},
		{"const sampler_t s = CLK_FILTER_NEAREST;", ""},
		{"constant float pi = M_PI_F; constant ulong big = ULONG_MAX; constant float x = "
		 "INFINITY;",
		 ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect_compile(rows[i][0], rows[i][1], WEFT_OK, NULL);
}

/* A device with images: what each version of the language has of them, and what it says of them. */
static void images_are_there(void **state)
{
	static const struct {
		const char *source, *options;
	} rows[] = {
		{"#ifndef __IMAGE_SUPPORT__\n#error no\n#endif\n"
		 "kernel void k(read_only image2d_t i, sampler_t s, write_only image2d_t o) {"
		 " write_imagef(o, (int2)(0), read_imagef(i, s, (float2)(0))); }",
		 "-cl-std=CL1.0"},
		{"#if !__IMAGE_SUPPORT__ || !defined(cl_khr_3d_image_writes)\n#error no\n#endif\n"
		 "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
		 "kernel void k(read_only image1d_buffer_t i, write_only image3d_t o) {"
		 " write_imagei(o, (int4)(0), read_imagei(i, get_image_width(i))); }",
		 "-cl-std=CL1.2"},
		{"#ifndef cl_khr_mipmap_image\n#error no\n#endif\n"
		 "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
		 "kernel void k(read_only image2d_t i, sampler_t s, global float4 *o) {"
		 " *o = read_imagef(i, s, (float2)(0), 1.5f); }",
		 "-cl-std=CL1.2"},
		{"kernel void k(read_only image2d_depth_t i, write_only image2d_depth_t o) {"
		 " write_imagef(o, (int2)(0), read_imagef(i, (int2)(0))); }",
		 "-cl-std=CL2.0"},
		{"#ifndef cl_khr_mipmap_image_writes\n#error no\n#endif\n"
		 "kernel void k(read_only image2d_array_t i, sampler_t s, write_only image2d_t o, "
		 "read_write image2d_t b) {"
		 " write_imagef(o, (int2)(0), get_image_num_mip_levels(i), read_imagef(i, s, "
		 "(float4)(0), (float2)(0), (float2)(1)) +"
		 " read_imagef(b, (int2)(0))); }",
		 "-cl-std=CL2.0"},
		{"#if !defined(__opencl_c_images) || !defined(__opencl_c_read_write_images) ||"
		 " !defined(__opencl_c_3d_image_writes)\n#error no\n#endif\n"
		 "constant sampler_t s = CLK_ADDRESS_REPEAT | CLK_NORMALIZED_COORDS_TRUE;\n"
		 "kernel void k(read_only image1d_array_t i, read_write image3d_t o) {"
		 " write_imageh(o, (int4)(0), read_imageh(i, s, (float2)(0)) + read_imageh(o, "
		 "(int4)(0))); }",
		 "-cl-std=CL3.0"},
	};
	static const struct weft_target target = {
		.extensions = "cl_khr_fp16 cl_khr_3d_image_writes cl_khr_depth_images "
			      "cl_khr_mipmap_image "
			      "cl_khr_mipmap_image_writes",
		.features =
			"__opencl_c_images __opencl_c_read_write_images __opencl_c_3d_image_writes",
		.opencl_c_version = "3.0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct weft_compile_desc desc = {
			.source = rows[i].source,
			.source_size = strlen(rows[i].source),
			.options = rows[i].options,
			.target = &target,
		};
		struct weft_output output = {0};
		enum weft_status status = weft_compiler.build(&desc, &output);

		if (status != WEFT_OK)
			fail_msg("%s %s: %s", rows[i].options, rows[i].source, output.log);
		weft_compiler.release(&output);
	}
}

static void headers_as_text(void **state)
{
	static const char source[] = "#include \"a.h\"\n#include <sub/b.h>\n#include \"../c.h\"\n"
				     "#if A + B + C + D != 15\n#error wrong\n#endif\n";
	static const char a[] = "#define A 1\n";
	static const char a_last[] = "#define A 8 /* the last of a name counts */\n";
	static const char b[] = "#define B 2\n#include \"d.h\"\n";
	static const char c[] = "#define C 1\n";
	static const char d[] = "#define D 4\nnot even text\0";
	const struct weft_header headers[] = {
		{"a.h", a, sizeof(a) - 1},           {"sub/b.h", b, sizeof(b) - 1},
		{"../c.h", c, sizeof(c) - 1},        {"sub/d.h", d, 12},
		{"a.h", a_last, sizeof(a_last) - 1},
	};
	const struct weft_compile_desc desc = {
		.source = source,
		.source_size = sizeof(source) - 1,
		.headers = headers,
		.num_headers = sizeof(headers) / sizeof(*headers),
		.target = &test_target,
	};
	struct weft_output output = {0};

	(void)state;
	enum weft_status status = weft_compiler.compile(&desc, &output);
	if (output.log)
		print_error("%s", output.log);
	assert_int_equal(status, WEFT_OK);
	assert_int_equal(output.num_places, 0);
	weft_compiler.release(&output);
}

static void error_in_a_header_names_it(void **state)
{
	static const char source[] = "#include \"x/bad.h\"\n";
	const struct weft_header header = {"x/bad.h", "\nint f(;\n", 9};
	const struct weft_compile_desc desc = {
		.source = source,
		.source_size = sizeof(source) - 1,
		.headers = &header,
		.num_headers = 1,
		.target = &test_target,
	};
	struct weft_output output = {0};

	(void)state;
	assert_int_equal(weft_compiler.compile(&desc, &output), WEFT_BUILD_FAILED);
	assert_non_null(strstr(output.log, "x/bad.h:2:7: error:"));
	weft_compiler.release(&output);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static bool has_place(const struct weft_output *output, const char *path, enum weft_place_kind kind)
{
	for (size_t i = 0; i < output->num_places; i++)
		if (strcmp(output->places[i].path, path) == 0 && output->places[i].kind == kind)
			return true;
	return false;
}

static void include_folders(void **state)
{
	char folder[] = "/tmp/weft test XXXXXX";
	char path[64], options[128];
	struct weft_output output;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/one.h", folder);
	write_file(path, "#define ONE 1\n#include \"one.h\"\n");
	snprintf(options, sizeof(options), "-I \"%s\"", folder);
	/* it includes itself, until Clang stops it */
	expect_compile("#include \"one.h\"\n", options, WEFT_BUILD_FAILED, "nested too deeply");

	write_file(path, "#define ONE 1\n");
	assert_int_equal(
		test_compile("#include \"one.h\"\n#include <one.h>\n#if ONE != 1\n#error\n#endif\n",
			     options, &output),
		WEFT_OK);
	assert_int_equal(output.num_places, 3);
	assert_true(has_place(&output, "./one.h",
			      WEFT_PLACE_NOTHING)); /* the working folder comes first */
	assert_true(has_place(&output, folder, WEFT_PLACE_FOLDER));
	assert_true(has_place(&output, path, WEFT_PLACE_FILE));
	assert_false(output.uses_folder);
	weft_compiler.release(&output);

	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0); /* opening it would block */
	expect_compile("#include \"one.h\"\n", options, WEFT_BUILD_FAILED, "file not found");
	unlink(path);
	rmdir(folder);
}

/* Of the folder that is given: what is found there, and what is not; of one that is gone, nothing. */
static void working_folder(void **state)
{
	static const char source[] = "#include \"one.h\"\n#if ONE != 1\n#error\n#endif\n";
	char folder[] = "/tmp/weft-test-XXXXXX";
	char path[64], found[64];
	struct weft_output output = {0};
	struct weft_compile_desc desc = {
		.source = source,
		.source_size = sizeof(source) - 1,
		.options = "-I . -I none",
		.target = &test_target,
		.folder = folder,
	};

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/one.h", folder);
	write_file(path, "#define ONE 1\n");
	assert_int_equal(weft_compiler.compile(&desc, &output), WEFT_OK);
	assert_true(output.uses_folder);
	assert_false(output.uses_time);
	assert_true(has_place(&output, "none", WEFT_PLACE_NOTHING));
	snprintf(found, sizeof(found), "%s/./one.h", folder);
	assert_true(has_place(&output, found, WEFT_PLACE_FILE));
	weft_compiler.release(&output);
	unlink(path);
	rmdir(folder);

	assert_int_equal(weft_compiler.compile(&desc, &output), WEFT_BUILD_FAILED);
	assert_false(output.uses_folder);
	assert_non_null(strstr(output.log, "'one.h' file not found"));
	weft_compiler.release(&output);
	desc.source = "kernel void k(void) {}";
	desc.source_size = strlen(desc.source);
	assert_int_equal(weft_compiler.compile(&desc, &output), WEFT_OK);
	weft_compiler.release(&output);
}

static void embedded_zeros_and_no_newline(void **state)
{
	const struct weft_compile_desc desc = {
		.source = "kernel void k(void) {}\0\0", .source_size = 24, .target = &test_target};
	struct weft_output output = {0};

	(void)state;
	assert_int_equal(weft_compiler.compile(&desc, &output), WEFT_OK);
	weft_compiler.release(&output);
	expect_compile("kernel void k(void) {}", "", WEFT_OK, NULL);
	expect_compile("kernel void k(void) {} // end\\", "-w", WEFT_OK, NULL);
}

/* What version 3.1 adds to 3.0 comes without a pragma. */
static void version_3_1(void **state)
{
	static const char source[] =
		"#if __OPENCL_C_VERSION__ != 310 || CL_VERSION_3_1 != 310 || "
		"__OPENCL_VERSION__ != 310\n#error version\n#endif\n"
		"kernel void k(global char2 *a, global size_t *n, global ptrdiff_t *d) {\n"
		"  a[0] = sub_group_broadcast(a[1], 0) + sub_group_rotate(a[2].x, 1);\n"
		"  a[3].x = sub_group_shuffle(a[3].x, 2) + sub_group_shuffle_down(a[4].y, 1u);\n"
		"  a[5] = bit_reverse(a[5]); a[6].x = bitfield_insert(a[6].x, a[6].y, 1u, 2u);\n"
		"  d[0] = dot_4x8packed_ss_int(n[0], n[1]) + sub_group_reduce_add(a[7].x);\n"
		"  printf(\"%zu %td %zx\", n[2], d[2], n[3]);\n}\n";
	struct weft_target target = test_target;
	struct weft_compile_desc desc = {.source = source,
					 .source_size = sizeof(source) - 1,
					 .options = "-cl-std=CL3.1 -Werror",
					 .target = &target};
	struct weft_output output = {0};

	(void)state;
	target.opencl_c_version = "3.1";
	target.extensions =
		"cl_khr_extended_bit_ops cl_khr_integer_dot_product cl_khr_subgroup_extended_types "
		"cl_khr_subgroup_rotate cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative";
	target.features = "__opencl_c_int64 __opencl_c_subgroups "
			  "__opencl_c_integer_dot_product_input_4x8bit "
			  "__opencl_c_integer_dot_product_input_4x8bit_packed";
	enum weft_status status = weft_compiler.compile(&desc, &output);
	if (status != WEFT_OK)
		print_error("%s", output.log);
	assert_int_equal(status, WEFT_OK);
	weft_compiler.release(&output);
	/* A version that is there has its number in all others. */
	desc.source = "#if CL_VERSION_3_1 != 310 || __OPENCL_C_VERSION__ != 300\n#error no\n#endif";
	desc.source_size = strlen(desc.source);
	desc.options = "-cl-std=CL3.0";
	assert_int_equal(weft_compiler.compile(&desc, &output), WEFT_OK);
	weft_compiler.release(&output);
}

/* Their declarations are left out where no source names them, in whatever way. */
static void intel_subgroups_by_any_name(void **state)
{
	static const char *const sources[] = {
		"#define P(a, b) a ## b\nkernel void k(global uint *a) { *a = "
		"P(intel_s, ub_group_shuffle)(*a, 0u); }",
		"#define P(a, b) a ?\?=?\?= b\nkernel void k(global uint *a) { *a = "
		"P(intel_s, ub_group_shuffle)(*a, 0u); }",
		"kernel void k(global uint *a) { *a = intel_s\\\nub_group_shuffle(*a, 0u); }",
		"kernel void k(global uint *a) { *a = intel_s\\ \t\nub_group_shuffle(*a, 0u); }",
		"kernel void k(global uint *a) { *a = intel_s?\?/\nub_group_shuffle(*a, 0u); }",
		"#import \"shuffle.h\"\nkernel void k(global uint *a) { *a = SHUFFLE(*a, 0u); }",
	};
	static const char text[] = "#define SHUFFLE intel_sub_group_shuffle\n";
	const struct weft_header header = {"shuffle.h", text, sizeof(text) - 1};
	struct weft_target target = test_target;

	(void)state;
	target.extensions = "cl_khr_subgroups cl_intel_subgroups";
	target.features = "__opencl_c_subgroups";
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		const struct weft_compile_desc desc = {.source = sources[i],
						       .source_size = strlen(sources[i]),
						       .options = "-w",
						       .target = &target,
						       .headers = &header,
						       .num_headers = 1};
		struct weft_output output = {0};
		enum weft_status status = weft_compiler.compile(&desc, &output);

		if (status != WEFT_OK)
			print_error("%s", output.log);
		assert_int_equal(status, WEFT_OK);
		weft_compiler.release(&output);
	}
}

/* What is read before a short source lacks what it does not name; before a long one it is complete. */
static void short_and_long_sources(void **state)
{
	static const char *const rows[][2] = {
		{"kernel void k(global float *p) { p[0] = NAN + HUGE_VALF * FLT_MAX - M_PI_F; }",
		 ""},
		{"kernel void k(global float16 *p) { p->s01 = p->lo.hi.xy; p[1] = "
		 "as_float16(p[2]); }",
		 ""},
		{"kernel void k(global double *p) { p[0] = sin(p[1]) * DBL_MAX + M_E; }", ""},
		{"kernel void k(global int *p) { p[0] = FP_ILOGBNAN + CHAR_BIT + __INT_MAX__; }",
		 ""},
		{"#if defined(__FLT_DENORM_MIN__) && __SIZEOF_LONG__ == 8\n"
		 "kernel void k(global TYPE *p) { *p = (TYPE)(LIMIT); }\n#endif\n",
		 "-D TYPE=char4 -D LIMIT=SCHAR_MAX"},
		{"kernel void k(global atomic_int *p) { atomic_fetch_add_explicit(p, 1, "
		 "memory_order_relaxed, memory_scope_device); }",
		 "-cl-std=CL3.0"},
		{"kernel void k(local int *p, global int *q) { barrier(CLK_LOCAL_MEM_FENCE); "
		 "*q = work_group_reduce_add(*p); printf(\"%d\", *p); }",
		 "-cl-std=CL2.0"},
		{"kernel void k(global event_t *p) { void *q = p; }", ""},
		/* a warning, two errors */
		{"#define M_PI 3\nkernel void k(global int *p) { *p = M_PI; float4 f; f.xy = f.zw; "
		 "}",
		 "-Wall"},
		{"struct s { int n; }; kernel void k(global struct s *p) { float2 f = p->n; "
		 "p[0].n = INFINITY; }\n#warning careful\n",
		 ""},
		{"kernel void k(global int *p) { *p = CLK_LOCAL_MEM_FENC; }", ""},
		{"kernel void k(global int *p) { flaot4 f; }", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct weft_output outputs[2] = {{0}};
		char *const sources[2] = {repeated(rows[i][0], "", 0, "\n"),
					  repeated(rows[i][0], "\n/* long */", 1000, "\n")};
		enum weft_status status[2];

		for (size_t k = 0; k < 2; k++) {
			const struct weft_compile_desc desc = {
				.source = sources[k],
				.source_size = strlen(sources[k]),
				.options = rows[i][1],
				.target = &test_target,
				.emit = WEFT_EMIT_SOURCE_IR,
			};
			status[k] = weft_compiler.build(&desc, &outputs[k]);
		}
		const char *const logs[2] = {outputs[0].log ? outputs[0].log : "",
					     outputs[1].log ? outputs[1].log : ""};
		if (status[0] != status[1] || strcmp(logs[0], logs[1]) != 0)
			fail_msg("source %zu: %s\n%s", i, logs[0], logs[1]);
		assert_int_equal(outputs[0].size, outputs[1].size);
		if (status[0] == WEFT_OK)
			assert_memory_equal(outputs[0].data, outputs[1].data, outputs[0].size);
		for (size_t k = 0; k < 2; k++) {
			weft_compiler.release(&outputs[k]);
			free(sources[k]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_have_places),
		cmocka_unit_test(warnings_obey),
		cmocka_unit_test(language_is_there),
		cmocka_unit_test(images_are_there),
		cmocka_unit_test(headers_as_text),
		cmocka_unit_test(error_in_a_header_names_it),
		cmocka_unit_test(include_folders),
		cmocka_unit_test(working_folder),
		cmocka_unit_test(embedded_zeros_and_no_newline),
		cmocka_unit_test(version_3_1),
		cmocka_unit_test(intel_subgroups_by_any_name),
		cmocka_unit_test(short_and_long_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
