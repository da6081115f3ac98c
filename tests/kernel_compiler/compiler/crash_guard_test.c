/* SPDX-License-Identifier: MIT
 *
 * Tests that nothing in a source, and no number of threads, ends the process or loses the
 * application's signal handlers.
 */
#include "compile.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char simple[] = "kernel void k(global int *p) { p[get_global_id(0)] += 1; }";

/* Whatever comes of it, it comes back, and the next source compiles. */
static enum weft_status survives_with(const char *source, const char *options, bool may_crash)
{
	struct weft_output output;

	enum weft_status status = test_build(source, options, &output);
	if (!may_crash && output.log && strstr(output.log, "the compiler crashed"))
		fail_msg("%s: crashed", source);
	if (status != WEFT_OK && !output.log)
		print_error("no log for %.60s\n", source);
	assert_true(status == WEFT_OK || output.log);
	assert_true(status == WEFT_OK || status == WEFT_BUILD_FAILED ||
		    status == WEFT_OUT_OF_MEMORY);
	weft_compiler.release(&output);
	expect_compile(simple, "", WEFT_OK, NULL);
	return status;
}

static enum weft_status survives(const char *source, const char *options)
{
	return survives_with(source, options, true);
}

/* A crash is survived, but what it leaves of the heap is luck. */
static void does_not_crash(const char *source, const char *options)
{
	survives_with(source, options, false);
}

/* A source that opens something `count` times and closes it again. */
struct nesting {
	const char *before, *open, *middle, *close, *after;
};

static void nest(const struct nesting *nesting, size_t count)
{
	char *head = repeated(nesting->before, nesting->open, count, nesting->middle);
	char *source = repeated(head, nesting->close, count, nesting->after);

	survives(source, "-w");
	free(head);
	free(source);
}

static void deep_nesting(void **state)
{
	static const struct nesting rows[] = {
		{"kernel void k(global int *p) { *p = ", "(", "1", ")", "; }"},
		{"kernel void k(global int *p) { *p = ", "-(", "1", ")", "; }"},
		{"kernel void k(global int *p) { *p = 1", "+1", "", "", "; }"},
		{"kernel void k(global int *p) { ", "{", "", "}", "}"},
		{"kernel void k(global int ", "*", "p", "", ") { }"},
		{"struct s { int a; } x = ", "{", "1", "}", ";"},
		{"int f", "(int f", "", ")", ";"},
		{"#if ", "(", "1", ")", "\n#endif\n"},
		{"", "#if 1\n", "", "#endif\n", ""},
	};
	/* Clang's time for these grows faster than they do. */
	static const struct nesting slow_rows[] = {
		{"kernel void k(global int *p) { *p = ", "- ", "1", "", "; }"},
		{"kernel void k(global int *p) { *p = ", "!", "*p", "", "; }"},
		{"kernel void k(global int *p) { *p = ", "*p?", "1", ":0", "; }"},
		{"kernel void k(global int *p) { ", "if (*p) ", "*p = 1;", "", " }"},
		{"kernel void k(global int *p) { int x", "[1]", "", "", "; }"},
		{"", "struct s { ", "int a; ", "}; ", ""},
		{"#define M(x) x\nconstant int a = ", "M(", "1", ")", ";"},
	};
	static const struct nesting loops = {"kernel void k(global int *p) { ", "while (*p) {",
					     "*p = 1;", "}", " }"};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		nest(&rows[i], 200);
		nest(&rows[i], 5000);
		nest(&rows[i], 200000);
	}
	for (size_t i = 0; i < sizeof(slow_rows) / sizeof(*slow_rows); i++) {
		nest(&slow_rows[i], 200);
		nest(&slow_rows[i], 1000);
	}
	nest(&loops, 60);
}

/* Clang offers to crash in several ways, and to loop in one; the offer is declined. */
static void compiler_crashes(void **state)
{
	static const char *const sources[] = {
		"#pragma clang __debug crash\n",
		"#pragma clang __debug llvm_fatal_error\n",
		"#pragma clang __debug llvm_unreachable\n",
		"#pragma clang __debug parser_crash\n",
		"#pragma clang __debug overflow_stack\n",
		"#pragma clang __debug assert\n",
		"#pragma clang __debug handle_crash\n",
		"#pragma clang __debug captured\n{}\n",
		"#pragma clang __debug dump x\n",
		"#pragma GCC poison int\nint x;\n",
		"#pragma clang module import foo\n",
		"#pragma clang attribute push (__attribute__((kernel)), apply_to=function)\n",
		"#pragma comment(lib, \"c\")\n",
		"#pragma weak f\nvoid f(void);\n",
		"#pragma pack(push, 3)\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		survives(sources[i], "");
}

static const char *const hostile[] = {
	"kernel void k(void) { __builtin_trap(); }",
	"kernel void k(void) { __builtin_unreachable(); }",
	"kernel void k(void) { __builtin_debugtrap(); }",
	"kernel void k(void) { __builtin_longjmp(0, 1); }",
	"kernel void k(void) { __builtin_alloca(1L << 60); }",
	"kernel void k(global int *p, int n) { int *q = __builtin_alloca(n); q[0] = 1; *p "
	"= "
	"q[p[1]]; }",
	"kernel void k(global int *p) { while (*p) { int *q = __builtin_alloca(64); q[1] = "
	"1; *p = q[p[1]]; } }",
	"kernel void k(void) { volatile int a[1L << 40]; a[0] = 1; }",
	"kernel void k(void) { local int a[1L << 40]; a[0] = 1; }",
	"global int a[1L << 40];",
	"global char a[1L << 62]; global char b[1L << 62];",
	"constant int a[1 << 21] = {[(1 << 21) - 1] = 1};",
	"struct s { int a[1L << 50]; int b[1L << 50]; }; kernel void k(struct s x) {}",
	"kernel void k(global int __attribute__((ext_vector_type(1 << 20))) *p) { ++*p; }",
	"typedef int v __attribute__((vector_size(3))); v x;",
	"kernel void k(global _BitInt(8388608) *p) { *p *= *p; }",
	"kernel void k(global __int128 *p) { *p /= *p; }",
	"__attribute__((constructor)) void f(void) { *(global int *)0 = 1; }\n"
	"kernel void k(void) {}",
	"__attribute__((section(\".init_array\"))) constant long x = 1; kernel void "
	"k(void) {}",
	"__attribute__((section(\"\"))) constant long x = 1;",
	"void f(void) {} void g(void) __attribute__((alias(\"f\"))); kernel void k(void) { "
	"g(); }",
	"void f(void) __attribute__((ifunc(\"f\"))); kernel void k(void) { f(); }",
	"int f(void) __asm__(\"weft_program\"); int f(void) { return 1; }",
	"constant int weft_program = 3; kernel void k(global int *p) { *p = weft_program; "
	"}",
	"kernel void main(void) {}",
	"kernel void memcpy(void) {}",
	"__attribute__((visibility(\"default\"))) void free(void) {}\nkernel void k(void) "
	"{ free(); }",
	"kernel __attribute__((reqd_work_group_size(0, 0, 0))) void k(void) {}",
	"kernel __attribute__((reqd_work_group_size(4294967295, 4294967295, 4294967295))) "
	"void k(void) { barrier(CLK_LOCAL_MEM_FENCE); }",
	"kernel __attribute__((vec_type_hint(void))) void k(void) {}",
	"kernel void k(void) { goto a; a: goto b; b: goto a; }",
	"kernel void k(global int *p) { p[get_global_id(1)] = 1; for (;;); }",
	"kernel void k(global int *p) { if (p[get_local_id(0)]) for (;;); *p = 1; }",
	"kernel void k(global int *p) { barrier(1); for (;;) *p += 1; }",
	"kernel void k(global int *p) { for (;;) barrier(1); }",
	"kernel void k(global int *p) { if (*p) { barrier(1); for (;;); } *p = 1; }",
	"kernel void k(global int *p) { switch (*p) { case 0 ... 2147483647: *p = 1; } }",
	"__thread int x; kernel void k(void) { x = 1; }",
	"void f(int a, ...) { __builtin_va_list v; __builtin_va_start(v, a); }",
	"int f(int x) { return f(x - 1); } kernel void k(global int *p) { *p = f(*p); }",
	"kernel void k(global int *p) { k(p); }",
	"kernel void k(global int *p) { void (*f)(int) = (void (*)(int))p; f(1); }",
	"kernel void k(void) { ^{ return; }(); }",
	"kernel void k(image2d_t i) {} kernel void l(pipe int p) {} kernel void m(queue_t "
	"q) {}",
	"\xef\xbb\xbfkernel void k(void) {}",
	"\xff\xfe\x00",
	"\x7f"
	"ELF",
	"BC\xc0\xde",
	"#include __FILE__\n",
	"#embed \"/etc/passwd\"\n",
	"_Pragma(\"clang __debug crash\")",
	"#if __has_include(</dev/zero>)\n#error\n#endif\n",
	"kernel void k(void) { __builtin_printf(\"%s%n\", 1, 2); }",
	"@interface X @end",
	"import std;",
	"template <int N> struct S {};",
	"asm",
	"kernel kernel kernel",
};

static void hostile_sources(void **state)
{
	char *garbage;

	(void)state;
	for (size_t i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
		does_not_crash(hostile[i], "-w");
		does_not_crash(hostile[i], "-w -cl-std=CL3.0");
		does_not_crash(hostile[i], "-w -cl-std=CL3.0 -cl-opt-disable -g");
	}
	srandom(1);
	garbage = repeated("", "x", 4096, "");
	for (size_t round = 0; round < 30; round++) {
		for (size_t i = 0; i < 4096; i++)
			garbage[i] = (char)(random() % 255 + 1);
		survives(garbage, "");
	}
	free(garbage);
}

static void recursion_is_an_error(void **state)
{
	(void)state;
	expect_build("int f(int x) { return x < 1 ? 1 : f(x - 1) * x; }\n"
		     "kernel void k(global int *p) { *p = f(*p); }",
		     "", WEFT_BUILD_FAILED, "recurs");
}

/* 20,000 functions, of which the kernel calls the last. Owned. */
static char *many_functions(void)
{
	char *source = malloc(20000 * 64);
	char *end = source;

	assert_non_null(source);
	for (int i = 0; i < 20000; i++)
		end += sprintf(end, "int f%d(int x) { return x + %d; }\n", i, i);
	strcpy(end, "kernel void k(global int *p) { *p = f19999(*p); }\n");
	return source;
}

static void many_lines(void **state)
{
	char *comments = repeated("", "// nothing to see here\n", 100000, simple);
	char *functions = many_functions();
	char *statements =
		repeated("kernel void k(global int *p) {\n", "\tp[1] += p[0] * 3;\n", 100000, "}");
	char *wrong = repeated("kernel void k(void) {\n", "\tundeclared = 1;\n", 100000, "}");

	(void)state;
	assert_int_equal(survives(comments, ""), WEFT_OK);
	assert_int_equal(survives(functions, ""), WEFT_OK);
	assert_int_equal(survives(wrong, ""), WEFT_BUILD_FAILED);
	expect_compile(statements, "", WEFT_OK, NULL);
	free(comments);
	free(functions);
	free(statements);
	free(wrong);
}

static volatile sig_atomic_t caught;

static void on_signal(int signal)
{
	caught = signal;
}

/* The application's handlers are there before, after, and for its own faults. */
static void handlers_are_given_back(void **state)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
	struct sigaction mine = {.sa_handler = on_signal}, before[6], now;

	(void)state;
	sigemptyset(&mine.sa_mask);
	for (size_t i = 0; i < 6; i++)
		sigaction(signals[i], &mine, &before[i]);
	survives("#pragma clang __debug overflow_stack\n", "");
	for (size_t i = 0; i < 6; i++) {
		sigaction(signals[i], NULL, &now);
		assert_ptr_equal(now.sa_handler, on_signal);
		raise(signals[i]);
		assert_int_equal(caught, signals[i]);
		sigaction(signals[i], &before[i], NULL);
	}
}

/* A thread's own faults, while another compiles, reach the application's handler. */
static void *compile_for_a_while(void *argument)
{
	char *source = repeated("", "struct s; // and no more than that\n", 5000, simple);
	struct weft_output output;

	(void)argument;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(test_compile(source, "", &output), WEFT_OK);
		weft_compiler.release(&output);
	}
	free(source);
	return NULL;
}

static void other_threads_signals_pass(void **state)
{
	struct sigaction mine = {.sa_handler = on_signal}, before;
	pthread_t thread;

	(void)state;
	sigemptyset(&mine.sa_mask);
	sigaction(SIGFPE, &mine, &before);
	assert_int_equal(pthread_create(&thread, NULL, compile_for_a_while, NULL), 0);
	for (int i = 0; i < 1000; i++) {
		caught = 0;
		pthread_kill(pthread_self(), SIGFPE);
		assert_int_equal(caught, SIGFPE);
	}
	pthread_join(thread, NULL);
	sigaction(SIGFPE, &before, NULL);
}

static void *compile_many(void *argument)
{
	static const char *const sources[] = {
		simple,
		"kernel void k(void) { error }",
		"int f(int x) { return f(x); } kernel void k(global int *p) { *p = f(1); }",
		"kernel void k(global float *p) { p[get_global_id(0)] = fma(p[1], p[2], p[3]); }",
	};
	static const enum weft_status expected[] = {WEFT_OK, WEFT_BUILD_FAILED, WEFT_BUILD_FAILED,
						    WEFT_OK};
	size_t start = (size_t)(uintptr_t)argument;
	uintptr_t wrong = 0;

	for (size_t i = start; i < start + 24; i++) {
		struct weft_output output;
		enum weft_status status = test_build(sources[i % 4], "", &output);

		wrong += status != expected[i % 4];
		weft_compiler.release(&output);
	}
	return (void *)wrong;
}

static void eight_threads_at_once(void **state)
{
	pthread_t threads[8];

	(void)state;
	for (uintptr_t i = 0; i < 8; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, compile_many, (void *)i), 0);
	for (size_t i = 0; i < 8; i++) {
		void *wrong;

		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deep_nesting),
		cmocka_unit_test(compiler_crashes),
		cmocka_unit_test(hostile_sources),
		cmocka_unit_test(recursion_is_an_error),
		cmocka_unit_test(many_lines),
		cmocka_unit_test(handlers_are_given_back),
		cmocka_unit_test(other_threads_signals_pass),
		cmocka_unit_test(eight_threads_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
