/* SPDX-License-Identifier: MIT
 *
 * C++ for OpenCL: what a program computes does not depend on how its calls are chosen, on the vector's width, or on whether cycles
 * are counted.
 */
#include "kernel_runner.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ITEMS 61
#define POINTERS "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n"

#define BASES                                                                                      \
	POINTERS                                                                                   \
	"struct A { int a; A(int x) : a(x) {} virtual int f(int) const = 0; virtual int g() "      \
	"const\n"                                                                                  \
	"  { return a; } };\n"                                                                     \
	"struct X : virtual A { int x = 100; X(int n) : A(n) {}\n"                                 \
	"  int f(int n) const override { return n + x; } };\n"                                     \
	"struct Y : virtual A { int y = 5; Y(int n) : A(n) {}\n"                                   \
	"  int f(int n) const override { return n * y; } };\n"                                     \
	"struct B { int b = 7; virtual int h() { return b; } };\n"                                 \
	"struct Z : X, Y, B { int z; Z(int n) : A(n), X(n), Y(n), z(n) {}\n"                       \
	"  int f(int n) const override { return n * z; } int h() override { return z + 1; }\n"     \
	"  int g() const override { return 39; } };\n"                                             \
	"kernel void k(global int *p) { int i = get_global_id(0); X x(i); Y y(-i); Z z(i); B b;\n" \
	"  A *all[3] = {&x, &y, &z}; B *bs[3] = {&b, &b, &z}; A *a = all[i % 3];\n"                \
	"  p[i] = a->f(i) + (i % 3 == 0 ? i + 100 : i % 3 == 1 ? -bs[i % 3]->h() : 1 + "           \
	"bs[2]->h() "                                                                              \
	"- i) + (i % 3 == 2 ? a->g() - 1 : 0); }"

/* V is all that X and Y begin with, but in Z it lies in X: the first function of Y's part of the table is none. */
#define NEARLY_EMPTY                                                                               \
	POINTERS                                                                                   \
	"struct V { virtual int f() { return 10; } virtual int g() { return 11; } };\n"            \
	"struct X : virtual V { int x; virtual int h() { return x; }\n"                            \
	"  int g() override { return 100; } };\n"                                                  \
	"struct Y : virtual V { int y; virtual int m() { return y; } };\n"                         \
	"struct Z : X, Y { int z; int m() override { return y + z; } };\n"                         \
	"int of_y(Y *y) { return y->m() * 1000 + y->f() + y->g(); }\n"                             \
	"int of_x(X *x) { return x->h() * x->f(); }\n"                                             \
	"kernel void k(global int *p) { int i = get_global_id(0); Z z; X x;\n"                     \
	"  z.x = 2 * i + 14; z.y = 3; z.z = i; p[i] = of_y(&z) + of_x(&z); }"

/* Pointers to member functions, virtual ones and others, of objects in private and in global memory. */
#define MEMBERS                                                                                    \
	POINTERS                                                                                   \
	"struct A { int a; A(int n) : a(n) {} virtual int f(int n) { return a - n; }\n"            \
	"  int g(int n) { return 2 * a + n; } };\n"                                                \
	"struct P { int p = 5; virtual int h() { return p; } };\n"                                 \
	"struct B : P, A { int b = 5; B(int n) : A(n) {}\n"                                        \
	"  int f(int n) override { return a + a * b - n + p; } };\n"                               \
	"global A other(0);\n"                                                                     \
	"kernel void k(global int *p) { int i = get_global_id(0); A a(i); B b(i);\n"               \
	"  auto member = i % 4 == 1 ? &A::g : &A::f; A *o = i % 4 == 2 ? (A *)&b : &a;\n"          \
	"  if (i % 4 == 0) o = &other; p[i] = (o->*member)(5); }"

/* Virtual functions that call themselves, in one work-item deeper than in the next, with objects of their own. */
#define DECORATORS                                                                                 \
	POINTERS                                                                                   \
	"struct A { virtual int f(int) const = 0; };\n"                                            \
	"struct V : A { int v; V(int n) : v(n) {} int f(int) const override { return v; } };\n"    \
	"struct S : A { const A *l, *r; S(const A *a, const A *b) : l(a), r(b) {}\n"               \
	"  int f(int n) const override { return l->f(n) + r->f(n); } };\n"                         \
	"struct D : A { int f(int n) const override { if (n <= 0) return (int)get_global_id(0);\n" \
	"  V one(1); S sum(this, &one); const A *s = &sum; return s->f(n - 1); } };\n"             \
	"kernel void k(global int *p) { int i = get_global_id(0); D d; V v(i); S s(&d, &v);\n"     \
	"  const A *all[] = {&s, &d, &v}; p[i] = all[i % 3]->f(i % 17); }"

static int32_t of_decorators(int32_t i)
{
	return i % 3 == 0 ? 2 * i + i % 17 : i % 3 == 1 ? i + i % 17 : i;
}

static int32_t of_templates(int32_t i)
{
	return 2 * i + i % 5;
}

static int32_t of_virtual(int32_t i)
{
	return i % 3 == 0 ? i + 100 : i % 3 == 1 ? -i : i * i;
}

static int32_t of_bases(int32_t i)
{
	return i % 3 == 0 ? 2 * (i + 100) : i % 3 == 1 ? 5 * i - 7 : i * i + 40;
}

static int32_t of_nearly_empty(int32_t i)
{
	return (i + 3) * 1000 + 110 + (i + 7) * 20;
}

static int32_t of_members(int32_t i)
{
	return i % 4 == 0 ? -5 : i % 4 == 1 ? 2 * i + 5 : i % 4 == 2 ? i + i * 5 : i - 5;
}

static int32_t of_pointers(int32_t i)
{
	return i % 4 == 0 ? i + 1 : i % 4 == 1 ? i * i : i % 4 == 2 ? -i : 0;
}

static int32_t of_barriers(int32_t i)
{
	return 7 + i / 4 * 4 + (i ^ 1) % 4;
}

static int32_t of_own_name(int32_t i)
{
	return i + 1000 + 5;
}

static const struct {
	const char *source;
	const char *options;
	int32_t (*expected)(int32_t i);
} cases[] = {
	/* Templates, operators, references, lambdas, a default address space. */
	{"template<typename T> struct V { T x; V operator+(V o) const { return V{x + o.x}; } };\n"
	 "template<typename T, int n> T remainder_of(const T &a) { return a % n; }\n"
	 "namespace inner { void add(int &a, int b) { a += b; } }\n"
	 "kernel void k(global int *p) { int i = get_global_id(0);\n"
	 "  auto twice = [&](int z) { return V<int>{z} + V<int>{i}; };\n"
	 "  int r = twice(i).x; inner::add(r, remainder_of<int, 5>(i)); p[i] = r; }",
	 "-cl-std=CLC++", of_templates},
	/* Work-items that disagree, a pure virtual function, a virtual destructor. */
	{POINTERS "struct A { virtual int f(int) = 0; virtual ~A() {} };\n"
		  "struct X : A { int a = 100; int f(int x) override { return x + a; } };\n"
		  "struct Y : A { int f(int x) override { return -x; } };\n"
		  "struct Z : Y { int f(int x) override { return x * x; } };\n"
		  "kernel void k(global int *p) { int i = get_global_id(0); X x; Y y; Z z;\n"
		  "  A *all[3] = {&x, &y, &z}; p[i] = all[i % 3]->f(i); }",
	 "-cl-std=CLC++2021", of_virtual},
	/* Several bases, and virtual ones: offsets come from the class, too. */
	{BASES, "-cl-std=CLC++2021", of_bases},
	{BASES, "-cl-std=CLC++2021 -cl-opt-disable", of_bases},
	{NEARLY_EMPTY, "-cl-std=CLC++2021", of_nearly_empty},
	{MEMBERS, "-cl-std=CLC++2021", of_members},
	{MEMBERS, "-cl-std=CLC++2021 -cl-opt-disable", of_members},
	/* The last pointer leads to no function: nothing runs, the result is zero. */
	{POINTERS "int f(int a) { return a + 1; } int g(int a) { return a * a; }\n"
		  "int h(int a) { return -a; }\n"
		  "kernel void k(global int *p) { int i = get_global_id(0);\n"
		  "  int (*t[4])(int) = {f, g, h, 0}; p[i] = t[i % 4](i); }",
	 "-cl-std=CL3.0", of_pointers},
	/* Through memory, from one function to another one, with a structure. */
	{POINTERS
	 "struct S { int a, b; long c[4]; };\n"
	 "int f(struct S s) { return s.a + 1; } int g(struct S s) { return s.b * s.a; }\n"
	 "int h(struct S s) { return (int)-s.c[3]; }\n"
	 "struct T { int (*f)(struct S); };\n"
	 "kernel void k(global int *p) { int i = get_global_id(0); local struct T t[4];\n"
	 "  if (get_local_id(0) == 0) { t[0].f = f; t[1].f = g; t[2].f = h; t[3].f = 0; }\n"
	 "  barrier(CLK_LOCAL_MEM_FENCE);\n"
	 "  struct S s = {i, i, {0, 0, 0, i}}; p[i] = t[i % 4].f(s); }",
	 "-cl-std=CL2.0", of_pointers},
	/* A barrier in a function that the whole group calls. */
	{POINTERS "void f(local int *l, int i) { l[i % 4] = i; barrier(CLK_LOCAL_MEM_FENCE); }\n"
		  "void g(local int *l, int i) { l[i % 4] = 0; }\n"
		  "kernel void k(global int *p) { int i = get_global_id(0); local int l[4];\n"
		  "  void (*t)(local int *, int) = get_num_groups(0) > 1 ? f : g;\n"
		  "  t(l, i); p[i] = 7 + l[(i ^ 1) % 4]; }",
	 "-cl-std=CLC++2021", of_barriers},
	{DECORATORS, "-cl-std=CLC++2021", of_decorators},
	/* A function of the program's with a built-in's name and type; the built-in clamp() keeps its own min(). */
	{"int min(int a, int b) { return a + b; }\n"
	 "kernel void k(global int *p) { int i = get_global_id(0);\n"
	 "  p[i] = min(i, 1000) + clamp(i + 100, 3, 5); }",
	 "-cl-std=CLC++", of_own_name},
	/* Objects that are constructed before the first kernel, each once. */
	{"struct G { int a, n; G(int x) : a(x + get_global_size(0)) { n++; } };\n"
	 "namespace outer { G g(999); } global G h[2] = {G(1), G(3)};\n"
	 "template<typename T> struct S { static G s; };\n"
	 "template<typename T> G S<T>::s(sizeof(T));\n"
	 "kernel void k(global int *p) { int i = get_global_id(0);\n"
	 "  p[i] = i + outer::g.a + S<short>::s.a - h[1].a * outer::g.n + h[0].a * 3; }",
	 "-cl-std=CLC++", of_own_name},
};

static void check(const char *source, const struct runner_target *target,
		  int32_t (*expected)(int32_t))
{
	int32_t out[ITEMS + 3] = {0};
	const struct runner_arg args[] = {RUNNER_MEMORY(out)};
	char *log = NULL;
	struct runner *runner = runner_try_build(source, target, &log);

	if (!runner)
		print_error("%s\n%s\n", source, log ? log : "");
	assert_non_null(runner);
	runner_run(runner, "k", (const size_t[3]){ITEMS + 3, 1, 1}, (const size_t[3]){4, 1, 1},
		   args, 1);
	for (int32_t i = 0; i < ITEMS + 3; i++) {
		if (out[i] != expected(i))
			print_error("%s\nwork-item %d, width %u\n", source, (int)i,
				    target->vector_width);
		assert_int_equal(out[i], expected(i));
	}
	runner_destroy(runner);
	free(log);
}

static void results_are_those_of_the_source(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		check(cases[i].source, &(struct runner_target){.options = cases[i].options},
		      cases[i].expected);
		check(cases[i].source,
		      &(struct runner_target){.options = cases[i].options, .vector_width = 8},
		      cases[i].expected);
		check(cases[i].source,
		      &(struct runner_target){.options = cases[i].options,
					      .vector_width = 1,
					      .costs = &runner_costs},
		      cases[i].expected);
	}
}

static void what_is_no_part_of_the_language_is_refused(void **state)
{
	static const struct {
		const char *source, *part;
	} refused[] = {
		{"kernel void k(global int *p) { try { p[0] = 1; } catch (...) {} }", "exceptions"},
		{"kernel void k(global int *p) { p[0] = *new int(4); }", "'default new'"},
		{"struct A { virtual void f(); }; kernel void k(global int *p) {}", "virtual"},
		{"struct A { A(); }; A a; kernel void k() {}", "undefined function 'A::A()'"},
		{POINTERS "struct A { virtual int f(int) = 0; };\n"
			  "struct B : A { A *a; int f(int i) override { int n = a->f(i);\n"
			  "  barrier(CLK_LOCAL_MEM_FENCE); return n; } };\n"
			  "kernel void k(global int *p) { B b; b.a = &b; p[0] = b.a->f(1); }",
		 "function 'B::f(int)' calls itself, by a pointer or as a virtual function; then"},
		{POINTERS
		 "struct A { virtual int f(int) = 0; };\n"
		 "struct B : A { A *a; int f(int i) override { return a->f(i); } };\n"
		 "struct C : A { A *a; int f(int i) override {\n"
		 "  return work_group_reduce_add(a->f(i)); } };\n"
		 "kernel void k(global int *p) { B b; C c; b.a = &c; c.a = &b; p[0] = b.a->f(1); }",
		 "virtual function, through 'B::f(int)'; then it cannot have a barrier"},
		{POINTERS "int g(int n) { return n ? g(n - 1) : 0; }\n"
			  "kernel void k(global int *p) { int (*f)(int) = g; p[0] = f(p[0]); }",
		 "function 'g(int)' calls itself, directly; OpenCL does not allow recursion"},
		{POINTERS
		 "struct A { virtual int f(int) = 0; };\n"
		 "struct B : A { A *a; int f(int i) override { int t[20000];\n"
		 "  for (int j = 0; j < 20000; j++) t[j] = j ^ i; return a->f(t[i]) + t[i]; } };\n"
		 "kernel void k(global int *p) { B b; b.a = &b; p[0] = b.a->f(1); }",
		 "have variables of 80"},
		{"namespace n { struct A { __attribute__((naked)) void f() {} }; }\n"
		 "kernel void k() {}",
		 "attribute 'naked'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		char *log = runner_build_error(refused[i].source, "-cl-std=CLC++2021");
		assert_non_null(log);
		if (!strstr(log, refused[i].part))
			print_error("%s\n%s\n", refused[i].source, log);
		assert_non_null(strstr(log, refused[i].part));
		free(log);
	}
}

/* The system call refuses to store where a kernel could not. What it stores is what is there. */
static bool may_write(const void *address)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], address, 1), 1);
	const bool written = read(ends[0], (void *)(uintptr_t)address, 1) == 1;
	assert_true(written || errno == EFAULT);
	close(ends[0]);
	close(ends[1]);
	return written;
}

static void what_the_driver_reads_is_constant(void **state)
{
	static const char source[] = "global int variable = 1;\n"
				     "kernel void k(global int *p) { p[0] = variable++; }\n";
	struct runner *runner = runner_build(source, "-cl-std=CL3.0");
	const struct weft_kernel_desc *kernel = runner_kernel(runner, "k");

	(void)state;
	assert_false(may_write(kernel));
	assert_false(may_write(kernel->args));
	assert_false(may_write(kernel->name));
	runner_destroy(runner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_are_those_of_the_source),
		cmocka_unit_test(what_is_no_part_of_the_language_is_refused),
		cmocka_unit_test(what_the_driver_reads_is_constant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
