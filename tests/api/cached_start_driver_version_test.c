/* SPDX-License-Identifier: MIT
 *
 * CL_DRIVER_VERSION, under which programs keep their own binaries: it differs where a binary would be refused, and where
 * another compiler would make another one; elsewhere it is the same, in every process. Each look is a fresh process.
 */
#include "fixture.h"

#include "child.h"
#include "mapped.h"

#include <regex.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define VERSION_SIZE 128

static char scratch[64];

/* ---- in the fresh process -------------------------------------------------------------------- */

/* Makes a binary and writes it to `path`. */
static bool make_binary(struct fixture *f, const char *path)
{
	static unsigned char bytes[1 << 20];
	const char *source = "kernel void k(global int *p) { *p = 1; }";
	unsigned char *list[] = {bytes};
	size_t size = 0;
	cl_program program = clCreateProgramWithSource(f->context, 1, &source, NULL, NULL);
	bool made = clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS;

	if (made) {
		FILE *file = fopen(path, "wb");

		clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL);
		clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(list), list, NULL);
		made = file && fwrite(bytes, 1, size, file) == size;
		made = file && fclose(file) == 0 && made;
	}
	clReleaseProgram(program);
	return made;
}

/* Whether the device takes the one at `path`. */
static bool takes_binary(struct fixture *f, const char *path)
{
	static unsigned char bytes[1 << 20];
	const unsigned char *list[] = {bytes};
	FILE *file = fopen(path, "rb");

	if (!file)
		return false;
	size_t size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	cl_program program =
		clCreateProgramWithBinary(f->context, 1, &f->device, &size, list, NULL, NULL);
	if (!program)
		return false;
	bool taken = clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS;
	clReleaseProgram(program);
	return taken;
}

/* Prints the version; its exit status says whether the binary at `path` is taken, 0, or refused, 1. */
static int fresh_process(const char *role, const char *path)
{
	char version[VERSION_SIZE];
	void *state;

	fixture_set_up(&state);
	struct fixture *f = state;
	if (clGetDeviceInfo(f->device, CL_DRIVER_VERSION, sizeof(version), version, NULL) !=
		    CL_SUCCESS ||
	    is_mapped("compiler.so"))
		return 2;
	printf("%s\n", version);
	fflush(stdout);
	if (strcmp(role, "make") == 0 && !make_binary(f, path))
		return 3;
	return takes_binary(f, path) ? 0 : 1;
}

/* ---- looks ----------------------------------------------------------------------------------- */

static int look(const char *role, char version[VERSION_SIZE])
{
	char path[96];
	int ends[2], status = -1;

	snprintf(path, sizeof(path), "%s/binary", scratch);
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork_limited();
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		execl("/proc/self/exe", "cached_start_driver_version_test", role, path,
		      (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	FILE *file = fdopen(ends[0], "r");
	assert_non_null(fgets(version, VERSION_SIZE, file));
	fclose(file);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void run(const char *command, const char *argument)
{
	char line[512];

	snprintf(line, sizeof(line), command, argument, scratch);
	assert_int_equal(system(line), 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_driver_version(void **state)
{
	/* as the process is, and what of it is in the version */
	static const struct {
		const char *name, *value;
		bool differs, refused;
	} rows[] = {
		{"WEFT_CPU", "generic", true, true},
		{"WEFT_VECTOR_WIDTH", "1", false, false},
		{"WEFT_THREADS", "1", false, false},
		{"WEFT_MAX_MEMORY", "1G", false, false},
		{"WEFT_CACHE", "1", false, false},
		/* another compiler, or none */
		{"WEFT_COMPILER", "/nowhere", true, false},
		{"WEFT_COMPILER", "/proc/self/exe", true, false},
		{"WEFT_COMPILER", "/etc/passwd", true, false},
		{"WEFT_COMPILER", "/dev/zero", true, false},
	};
	char first[VERSION_SIZE], other[VERSION_SIZE], path[96];
	regex_t form;
	(void)state;

	assert_int_equal(look("make", first), 0);
	assert_int_equal(regcomp(&form, "^[0-9]+\\.[0-9]+\\.[0-9]+-[0-9a-f]{16}\n$", REG_EXTENDED),
			 0);
	assert_int_equal(regexec(&form, first, 0, NULL, 0), 0);
	regfree(&form);
	assert_int_equal(look("take", other), 0);
	assert_string_equal(first, other);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char before[512] = "";

		if (getenv(rows[i].name))
			snprintf(before, sizeof(before), "%s", getenv(rows[i].name));
		setenv(rows[i].name, rows[i].value, 1);
		int got = look("take", other);
		if (got != rows[i].refused || (strcmp(first, other) != 0) != rows[i].differs)
			print_error("%s=%s: %d, %s", rows[i].name, rows[i].value, got, other);
		assert_int_equal(got, rows[i].refused);
		assert_int_equal(strcmp(first, other) != 0, rows[i].differs);
		setenv(rows[i].name, before, 1);
	}
	/* A copy of the compiler, stripped, with another time. */
	snprintf(path, sizeof(path), "%s/compiler.so", scratch);
	run("strip -o %2$s/compiler.so %1$s && touch -d 2001-01-01 %2$s/compiler.so",
	    REAL_COMPILER);
	setenv("WEFT_COMPILER", path, 1);
	assert_int_equal(look("take", other), 0);
	assert_string_equal(first, other);
	/* A FIFO without a writer: no build with it, but also no waiting. */
	snprintf(path, sizeof(path), "%s/fifo", scratch);
	assert_int_equal(mkfifo(path, 0600), 0);
	setenv("WEFT_COMPILER", path, 1);
	assert_int_equal(look("make", other), 3);
	assert_string_not_equal(first, other);
	setenv("WEFT_COMPILER", REAL_COMPILER, 1);
}

static int set_up(void **state)
{
	(void)state;
	strcpy(scratch, "/tmp/weft-driver-version-XXXXXX");
	assert_non_null(mkdtemp(scratch));
	return 0;
}

static int tear_down(void **state)
{
	char command[96];
	(void)state;

	snprintf(command, sizeof(command), "rm -rf %s", scratch);
	return system(command);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_driver_version, set_up, tear_down),
	};

	if (argc == 3)
		return fresh_process(argv[1], argv[2]);
	setenv("WEFT_COMPILER", REAL_COMPILER, 1);
	setenv("WEFT_CACHE", "0", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
