/* SPDX-License-Identifier: MIT
 *
 * The kernel cache gives what a build would give, whatever has changed in the files around a source, and gives it without
 * the compiler when nothing has. Each step is a fresh process, with the real compiler, in a scratch folder.
 */
#include "fixture.h"

#include "child.h"
#include "latch.h"
#include "mapped.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A source that gives a number, built in `folder` after `change`, a shell command, was made in the scratch folder. */
struct step {
	const char *change;
	const char *folder;
	const char *source;  /* defines V */
	const char *options; /* "@" is the scratch folder */
	int number;
	bool compiled; /* or from the cache */
};

static char scratch[64];

/* ---- in the fresh process -------------------------------------------------------------------- */

static void with_scratch(const char *text, char *result, size_t size)
{
	size_t used = 0;

	for (; *text && used + sizeof(scratch) < size; text++) {
		if (*text == '@')
			used += (size_t)snprintf(result + used, size - used, "%s", scratch);
		else
			result[used++] = *text;
	}
	result[used] = '\0';
}

/* In another thread; the process is somewhere else by then. */
static void CL_CALLBACK signal_built(cl_program program, void *built)
{
	(void)program;
	latch_raise(built);
}

static cl_int build(cl_program program, const char *options, bool aside)
{
	static struct latch built = LATCH_INITIALIZER;

	if (!aside)
		return clBuildProgram(program, 0, NULL, options, NULL, NULL);
	cl_int err = clBuildProgram(program, 0, NULL, options, signal_built, &built);
	if (err != CL_SUCCESS || chdir("/") != 0)
		return err;
	latch_wait(&built, 1);
	return err;
}

/* The number that the source gives; -1: it does not build. */
static int run(struct fixture *f, const struct step *step, bool aside)
{
	const size_t one = 1;
	char text[1024], options[256];
	const char *string = text;
	cl_int number = -1;

	with_scratch(step->source, text, sizeof(text));
	with_scratch(step->options, options, sizeof(options));
	strcat(text, "\nkernel void k(global int *p) { *p = V; }\n");
	cl_program program = clCreateProgramWithSource(f->context, 1, &string, NULL, NULL);
	cl_int err = build(program, options, aside);
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	if (err == CL_SUCCESS && kernel) {
		cl_mem mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(number), &number);
		clSetKernelArg(kernel, 0, sizeof(mem), &mem);
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
		fixture_read(f, mem, &number, sizeof(number));
		clReleaseMemObject(mem);
		clReleaseKernel(kernel);
	}
	clReleaseProgram(program);
	return number;
}

/* Its exit status is the number, and 100 more when the compiler was loaded. */
static int fresh_process(const struct step *step, const char *folder, bool aside)
{
	void *state;

	if (chdir(folder) != 0)
		return 255;
	if (strcmp(step->folder, "removed") == 0 && rmdir(folder) != 0)
		return 255;
	fixture_set_up(&state);
	int number = run(state, step, aside);
	int loaded = is_mapped("libweft-compiler");
	fixture_tear_down(&state);
	return number < 0 ? 254 : number + 100 * loaded;
}

/* ---- the steps ------------------------------------------------------------------------------- */

static int start(const struct step *step, const char *mode)
{
	char folder[128];
	int status = -1;
	pid_t child = fork_limited();

	snprintf(folder, sizeof(folder), "%s/%s", scratch, step->folder);
	if (child == 0) {
		execl("/proc/self/exe", "cached_start_surroundings_test", mode, folder,
		      step->folder, step->source, step->options, scratch, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void take(const struct step *steps, size_t count, const char *mode)
{
	char command[512];
	int failed = 0;

	strcpy(scratch, "/tmp/weft-surroundings-XXXXXX");
	assert_non_null(mkdtemp(scratch));
	snprintf(command, sizeof(command), "%s/cache", scratch);
	setenv("WEFT_CACHE_DIR", command, 1);
	for (size_t i = 0; i < count; i++) {
		snprintf(command, sizeof(command), "cd %s && { %s; }", scratch, steps[i].change);
		assert_int_equal(system(command), 0);
		int expected = steps[i].number + 100 * steps[i].compiled;
		int got = start(&steps[i], mode);
		if (got != expected) {
			print_error("step %zu, after '%s': %d, not %d\n", i, steps[i].change, got,
				    expected);
			failed++;
		}
	}
	snprintf(command, sizeof(command), "rm -rf %s", scratch);
	assert_int_equal(system(command), 0);
	assert_int_equal(failed, 0);
}

#define TAKE(steps, mode) take(steps, sizeof(steps) / sizeof((steps)[0]), mode)

/* ---- the working folder ---------------------------------------------------------------------- */

#define H "#include <h.h>"

static void test_working_folder(void **state)
{
	static const struct step steps[] = {
		{"mkdir 1 2; echo '#define V 10' >1/h.h; echo '#define V 20' >2/h.h", "1", H,
		 "-I .", 10, true},
		{"true", "2", H, "-I .", 20, true},
		{"true", "1", H, "-I .", 10, false},
		{"true", "2", H, "-I .", 20, false},
		{"echo '#define V 11' >1/h.h", "1", H, "-I .", 11, true},
		{"true", "2", H, "-I .", 20, false},
		/* a path below, a path above, a folder that is not there */
		{"mkdir 1/sub 2/sub; echo '#define V 12' >1/sub/h.h", "1", H, "-I sub", 12, true},
		{"echo '#define V 22' >2/sub/h.h", "2", H, "-I sub", 22, true},
		{"true", "1", H, "-I sub", 12, false},
		{"true", "1/sub", H, "-I ../../2", 20, true},
		{"echo '#define V 23' >2/sub/h.h; mv 2/sub 2/other", "2", H, "-I sub -I .", 20,
		 true},
		{"mv 2/other 2/sub", "2", H, "-I sub -I .", 23, true},
		/* of no meaning to a source that does not look there */
		{"true", "1", "#define V 5", "", 5, true},
		{"true", "2", "#define V 5", "", 5, false},
		{"true", "1", H, "-I @/2", 20, true},
		{"true", "2", H, "-I @/2", 20, false},
		{"true", "1", H, "-I none -I @/2", 20, true},
		{"true", "2", H, "-I none -I @/2", 20, false},
		/* named by debug information */
		{"true", "1", "#define V 5", "-g", 5, true},
		{"true", "2", "#define V 5", "-g", 5, true},
		{"true", "1", "#define V 5", "-g", 5, false},
		/* one that is no more */
		{"mkdir removed", "removed", H, "-I . -I @/2", 20, true},
		{"mkdir removed", "removed", "#define V 5", "", 5, false},
	};
	(void)state;

	TAKE(steps, "here");
}

/* A build that goes on in another thread has the folder that its call was made in. */
static void test_build_aside(void **state)
{
	static const struct step steps[] = {
		{"mkdir 1 2; echo '#define V 10' >1/h.h; echo '#define V 20' >2/h.h", "1", H,
		 "-I .", 10, true},
		{"true", "2", H, "-I .", 20, true},
		{"true", "1", H, "-I .", 10, false},
	};
	(void)state;

	TAKE(steps, "aside");
}

/* ---- what was looked for in vain ------------------------------------------------------------- */

#define HAS(path) "#if __has_include(" path ")\n#define V 2\n#else\n#define V 1\n#endif\n"
#define BOTH "-I @/a -I @/b"

static void test_absent(void **state)
{
	static const struct step steps[] = {
		{"mkdir a b; echo '#define V 10' >b/h.h", "a", HAS("<later.h>"), BOTH, 1, true},
		{"true", "b", HAS("<later.h>"), BOTH, 1, false},
		{"touch b/later.h", "a", HAS("<later.h>"), BOTH, 2, true},
		{"true", "a", HAS("<later.h>"), BOTH, 2, false},
		{"rm b/later.h", "a", HAS("<later.h>"), BOTH, 1, true},
		{"true", "a", HAS("\"@/abs.h\""), "", 1, true},
		{"touch abs.h", "a", HAS("\"@/abs.h\""), "", 2, true},
		{"true", "a", HAS("\"rel.h\""), "-I .", 1, true},
		{"true", "b", HAS("\"rel.h\""), "-I .", 1, false},
		{"touch a/rel.h", "a", HAS("\"rel.h\""), "-I .", 2, true},
		{"true", "a", HAS("\"rel.h\""), "-I .", 2, false},
		{"true", "b", HAS("\"rel.h\""), "-I .", 1, false},
		/* earlier in the search path: a file, a folder with one, the folder of the search path itself */
		{"true", "a", H, BOTH, 10, true},
		{"true", "a", H, BOTH, 10, false},
		{"echo '#define V 11' >a/h.h", "a", H, BOTH, 11, true},
		{"mkdir b/s; echo '#define V 12' >b/s/h.h", "a", "#include <s/h.h>", BOTH, 12,
		 true},
		{"true", "a", "#include <s/h.h>", BOTH, 12, false},
		{"mkdir a/s", "a", "#include <s/h.h>", BOTH, 12, true},
		{"true", "a", "#include <s/h.h>", BOTH, 12, false},
		{"echo '#define V 13' >a/s/h.h", "a", "#include <s/h.h>", BOTH, 13, true},
		{"true", "a", H, "-I @/c -I @/b", 10, true},
		{"true", "a", H, "-I @/c -I @/b", 10, false},
		{"mkdir c; echo '#define V 14' >c/h.h", "a", H, "-I @/c -I @/b", 14, true},
		/* beside a header */
		{"echo '#include \"z.h\"' >b/y.h; mkdir d; echo '#define V 15' >d/z.h", "a",
		 "#include <y.h>", "-I @/b -I @/d", 15, true},
		{"echo '#define V 16' >b/z.h", "a", "#include <y.h>", "-I @/b -I @/d", 16, true},
		/* from the next folder on */
		{"echo '#include_next <n.h>' >a/n.h; echo '#define V 17' >d/n.h", "a",
		 "#include <n.h>", "-I @/a -I @/b -I @/d", 17, true},
		{"echo '#define V 18' >b/n.h", "a", "#include <n.h>", "-I @/a -I @/b -I @/d", 18,
		 true},
	};
	(void)state;

	TAKE(steps, "here");
}

/* ---- what is no plain file ------------------------------------------------------------------- */

#define ONCE "#include <o.h>\n#include <p.h>\n#define V 5"

static void test_kinds(void **state)
{
	static const struct step steps[] = {
		/* a folder, a pipe and a link to a device are no headers; what takes their place is one */
		{"mkdir a b a/h.h; echo '#define V 10' >b/h.h", "a", H, BOTH, 10, true},
		{"true", "a", H, BOTH, 10, false},
		{"rmdir a/h.h; echo '#define V 11' >a/h.h", "a", H, BOTH, 11, true},
		{"rm a/h.h; mkfifo a/h.h", "a", H, BOTH, 10, true},
		{"true", "a", H, BOTH, 10, false},
		{"rm a/h.h; ln -s /dev/zero a/h.h", "a", H, BOTH, 10, false},
		{"rm a/h.h; echo '#define V 12' >a/h.h", "a", H, BOTH, 12, true},
		{"mv a/h.h a/i.h; mkfifo a/h.h", "a", H, BOTH, 10, true},
		{"true", "a", HAS("\"/dev/zero\""), "", 1, true},
		{"true", "a", HAS("\"/dev/zero\""), "", 1, false},
		/* links: of a file, of a folder, and one that leads nowhere until later */
		{"rm a/h.h; ln -s i.h a/h.h", "a", H, BOTH, 12, true},
		{"true", "a", H, BOTH, 12, false},
		{"ln -sf ../b/h.h a/h.h", "a", H, BOTH, 10, true},
		{"ln -s a link", "a", "#include <i.h>", "-I @/link", 12, true},
		{"true", "a", "#include <i.h>", "-I @/link", 12, false},
		{"echo '#define V 13' >b/i.h; ln -sfn b link", "a", "#include <i.h>", "-I @/link",
		 13, true},
		{"ln -sf gone.h a/h.h", "a", H, BOTH, 10, true},
		{"true", "a", H, BOTH, 10, false},
		{"echo '#define V 14' >a/gone.h", "a", H, BOTH, 14, true},
		/* what #pragma once takes for one file, and what not: twice does not build */
		{"echo '#pragma once' >a/o.h; echo 'constant int VARIABLE = 1;' >>a/o.h; ln a/o.h "
		 "a/p.h",
		 "a", ONCE, BOTH, 5, true},
		{"true", "a", ONCE, BOTH, 5, false},
		{"rm a/p.h; cp a/o.h a/p.h", "a", ONCE, BOTH, 154, true},
		{"rm a/p.h; ln -s o.h a/p.h", "a", ONCE, BOTH, 5, false},
		/* an empty file */
		{": >a/e.h", "a", "#include <e.h>\n#define V 3", BOTH, 3, true},
		{"true", "a", "#include <e.h>\n#define V 3", BOTH, 3, false},
		{"echo '#error no' >a/e.h", "a", "#include <e.h>\n#define V 3", BOTH, 154,
		 true}, /* it does not build */
	};
	(void)state;

	TAKE(steps, "here");
}

/* ---- #embed ---------------------------------------------------------------------------------- */

#define EMBED "constant uchar bytes[] = {\n#embed \"@/e\"\n};\n#define V bytes[0]"
#define HAS_EMBED "#include <he.h>"

static void test_embed(void **state)
{
	static const struct step steps[] = {
		{"printf '\\001' >e", ".", EMBED, "", 1, true},
		{"true", ".", EMBED, "", 1, false},
		{"printf '\\002' >e", ".", EMBED, "", 2, true},
		{"printf '#if __has_embed(\"%s/f\")\\n#define V 2\\n#else\\n#define V "
		 "1\\n#endif\\n' $PWD >he.h",
		 ".", HAS_EMBED, "-I @", 1, true},
		{"true", ".", HAS_EMBED, "-I @", 1, false},
		{"echo >f", ".", HAS_EMBED, "-I @", 2, true},
	};
	(void)state;

	TAKE(steps, "here");
}

/* ---- time and the environment ---------------------------------------------------------------- */

#define CLOCK "#define V sizeof(__TIME__)"
#define STAMP "#include <t.h>\n#define V 4"

static void test_time(void **state)
{
	static const struct step steps[] = {
		{"mkdir a; echo 'constant char t[] = __TIMESTAMP__;' >a/t.h", "a", STAMP, "-I @/a",
		 4, true},
		{"touch -d 2001-01-01 a/t.h", "a", STAMP, "-I @/a", 4, true},
		{"true", "a", CLOCK, "", 9, true},
		{"true", "a", CLOCK, "", 9, true},
		/* it only asks whether there is one */
		{"true", "a", "#ifdef __TIME__\n#define V 6\n#endif", "", 6, true},
		{"true", "a", "#ifdef __TIME__\n#define V 6\n#endif", "", 6, false},
	};
	(void)state;

	TAKE(steps, "here");
}

#define IS_1970 "constant char date[] = __DATE__;\n#define V (date[9] == '7')"

/* What other compilers read is not read. */
static void test_environment(void **state)
{
	static const char *const names[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
					    "OBJC_INCLUDE_PATH", "INCLUDE"};
	static const struct step steps[] = {
		{"true", ".", HAS("<stdio.h>"), "", 1, true},
		{"true", ".", HAS("<stdio.h>"), "-w", 1, true},
		{"true", ".", HAS("<stdio.h>"), "", 1, false},
		{"true", ".", IS_1970, "", 0, true},
	};
	(void)state;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		setenv(names[i], "/usr/include", 1);
	/* what the linker would write */
	char path[64];
	snprintf(path, sizeof(path), "/tmp/weft-reproduce-%d.tar", getpid());
	setenv("LLD_REPRODUCE", path, 1);
	setenv("SOURCE_DATE_EPOCH", "0", 1);
	TAKE(steps, "here");
	assert_int_equal(access(path, F_OK), -1);
	unsetenv("LLD_REPRODUCE");
	unsetenv("SOURCE_DATE_EPOCH");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_working_folder), cmocka_unit_test(test_build_aside),
		cmocka_unit_test(test_absent),         cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_embed),          cmocka_unit_test(test_time),
		cmocka_unit_test(test_environment),
	};

	if (argc == 7) {
		const struct step step = {.folder = argv[3], .source = argv[4], .options = argv[5]};

		snprintf(scratch, sizeof(scratch), "%s", argv[6]);
		return fresh_process(&step, argv[2], strcmp(argv[1], "aside") == 0);
	}
	setenv("WEFT_COMPILER", REAL_COMPILER, 1);
	unsetenv("WEFT_CACHE");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
