/* SPDX-License-Identifier: MIT
 *
 * Two tiers of code: what runs first, what is compiled a second time and when, and which code binaries, other processes and pinned
 * tiers get. Versions by the fake compiler, of which launches can tell that they run them, stand for full code.
 */
#include "add_run.h"

#include "changed_options.h"
#include "driver.h"
#include "program/kernel.h"
#include "program/specialisations.h"
#include "program/tier.h"
#include "remove_folder.h"

#include <sched.h>

#define ITEMS ADD_RUN_ITEMS
#define MS UINT64_C(1000000)
#define QUICK_SUM 5 /* what `add` leaves */
#define FULL_SUM (QUICK_SUM + FAKE_VERSION_EXTRA)

static struct program_fixture *f;
static char folder[] = "/tmp/weft-tiers-XXXXXX";

static int set_up(void **state)
{
	assert_non_null(mkdtemp(folder));
	setenv("WEFT_CACHE_DIR", folder, 1);
	setenv("WEFT_TIER", "auto", 1);
	assert_int_equal(program_set_up(state), 0);
	f = *state;
	return 0;
}

static int tear_down(void **state)
{
	wait_until_others_sleep();
	remove_folder(folder);
	return program_tear_down(state);
}

static struct add_run run_new(const char *source)
{
	return add_run_of(f, program_built(f->both, source));
}

static void run_release(struct add_run *run)
{
	wait_until_others_sleep();
	add_run_release(run);
}

static const struct weft_kernel_code *code_of(const struct add_run *run)
{
	return weft_kernel_code(run->kernel, f->devices[0]);
}

/* Those of a launch with this local size; borrowed from the program. */
static struct weft_specialisation_pair find(const struct add_run *run, size_t local)
{
	const struct weft_ndrange range = {.global_size = {ITEMS, 1, 1},
					   .local_size = {local, 1, 1},
					   .num_groups = {ITEMS / local, 1, 1}};
	const struct weft_specialised_launch launch = {code_of(run)->desc, &range, NULL};
	const struct weft_specialisation_pair pair =
		weft_specialisations_find(code_of(run)->specialisations, &launch);

	weft_specialisation_put(pair.any_size);
	weft_specialisation_put(pair.sized);
	return pair;
}

/* The next launch is not timed. */
static void mute(struct weft_specialisation *specialisation)
{
	if (specialisation)
		atomic_store(&specialisation->run.launches, 2);
}

/* What the kernel leaves in the first and last element of one group. A machine may be so busy that any launch takes long: this one's
 * time does not count. */
static cl_int launch(const struct add_run *run, size_t local)
{
	const struct weft_specialisation_pair pair = find(run, local);

	mute(pair.any_size);
	mute(pair.sized);
	return add_run_sum(run, local, local);
}

/* A launch that is begun, and takes no time. */
static struct weft_specialisation_choice choose(const struct add_run *run, size_t local)
{
	const struct weft_ndrange range = {.global_size = {ITEMS, 1, 1},
					   .local_size = {local, 1, 1},
					   .num_groups = {ITEMS / local, 1, 1}};
	const struct weft_specialised_launch launch = {code_of(run)->desc, &range, NULL};
	const struct weft_specialisation_choice choice =
		weft_specialisations_choose(code_of(run)->specialisations, &launch);

	weft_specialisation_put(choice.code);
	weft_specialisation_put(choice.better);
	return choice;
}

static void note_time(struct weft_specialisation *specialisation, uint64_t time)
{
	specialisation->replacement.ran(&specialisation->replacement, time);
}

static int calls_so_far(void)
{
	wait_until_others_sleep();
	return f->compiler->calls();
}

/* ---- the policy ------------------------------------------------------------------------------ */

/* A kernel without code for local sizes: full code, once, for all sizes. */
static void test_full_code(void **state)
{
	struct add_run run = run_new("quick");
	const struct weft_specialisation_pair pair = find(&run, 8);
	const int calls = calls_so_far();
	(void)state;

	assert_non_null(pair.any_size);
	assert_null(pair.sized);
	assert_ptr_equal(find(&run, 16).any_size, pair.any_size);
	assert_int_equal(launch(&run, 8), QUICK_SUM);
	note_time(pair.any_size, 5 * MS);
	assert_int_equal(calls_so_far(), calls);
	note_time(pair.any_size, 15 * MS);
	note_time(pair.any_size, 15 * MS);
	assert_int_equal(calls_so_far(), calls + 1);
	assert_int_equal(launch(&run, 8), FULL_SUM);
	assert_int_equal(launch(&run, 16), FULL_SUM);
	assert_int_equal(calls_so_far(), calls + 1);
	run_release(&run);
}

/* What was counted while a launch ran does not count again at its end. */
static void test_counted_once(void **state)
{
	struct add_run run = run_new("quick");
	struct weft_specialisation *full = find(&run, 8).any_size;
	const int calls = calls_so_far();
	(void)state;

	(void)weft_specialisation_count(full, ITEMS);
	note_time(full, 5 * MS);
	weft_specialisation_ran(full, 6 * MS);
	assert_int_equal(calls_so_far(), calls);
	(void)weft_specialisation_count(full, ITEMS);
	weft_specialisation_ran(full, 6 * MS);
	assert_int_equal(calls_so_far(), calls + 1);
	run_release(&run);
}

/* What a launch computes counts, not what it waits for: a core, say, or here the clock. */
static void test_waiting(void **state)
{
	struct add_run run = run_new("quick");
	const int calls = calls_so_far();
	const cl_int nap = FAKE_NAP;
	const size_t items = ITEMS;
	(void)state;

	assert_int_equal(clSetKernelArg(run.kernel, 3, sizeof(nap), &nap), CL_SUCCESS);
	for (size_t local = ITEMS / 4; local <= ITEMS; local *= 4) {
		assert_int_equal(clEnqueueNDRangeKernel(run.queue, run.kernel, 1, NULL, &items,
							&local, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(clFinish(run.queue), CL_SUCCESS);
	}
	assert_int_equal(calls_so_far(), calls);
	run_release(&run);
}

/* Code for a local size is full code: a kernel that runs with one size is compiled for that one alone. */
static void test_sized_code(void **state)
{
	struct add_run run = run_new("quick gains");
	const struct weft_specialisation_pair pair = find(&run, 8);
	const int calls = calls_so_far();
	(void)state;

	assert_non_null(pair.sized);
	note_time(pair.sized, 25 * MS);
	note_time(pair.sized, 25 * MS);
	note_time(pair.sized, 25 * MS);
	assert_int_equal(calls_so_far(), calls + 1);
	assert_int_equal(launch(&run, 8), FULL_SUM);
	assert_int_equal(launch(&run, 16), QUICK_SUM);
	assert_int_equal(calls_so_far(), calls + 1);
	assert_null(weft_specialisation_code(pair.any_size));
	run_release(&run);
}

/* Many sizes, none of them for long: full code for any, and then code for one that runs for longer. */
static void test_many_sizes(void **state)
{
	struct add_run run = run_new("quick gains");
	const int calls = calls_so_far();
	(void)state;

	for (size_t local = 1; local <= 4; local *= 2)
		note_time(find(&run, local).sized, 8 * MS);
	assert_int_equal(calls_so_far(), calls);
	assert_int_equal(launch(&run, 8), QUICK_SUM); /* it asks */
	assert_int_equal(calls_so_far(), calls + 1);
	assert_int_equal(launch(&run, 1), FULL_SUM);
	assert_int_equal(launch(&run, 16), FULL_SUM);
	note_time(find(&run, 1).sized, 30 * MS);
	assert_int_equal(calls_so_far(), calls + 1);
	note_time(find(&run, 1).sized, 15 * MS);
	assert_int_equal(calls_so_far(), calls + 2);
	run_release(&run);
}

/* A launch counts while it runs, and goes on with full code. */
static void test_launch_tells(void **state)
{
	struct add_run run = run_new("quick");
	const struct weft_specialisation_choice choice = choose(&run, 8);
	(void)state;

	assert_null(choice.code);
	assert_ptr_equal(choice.better, find(&run, 8).any_size);
	assert_null(weft_specialisation_code(choice.better));
	note_time(choice.better, 50 * MS);
	wait_until_others_sleep();
	assert_non_null(weft_specialisation_code(choice.better));
	assert_ptr_equal(atomic_load(&choice.better->replacement.kernel),
			 weft_specialisation_code(choice.better)->desc);
	run_release(&run);
}

/* Units of an archive are quick, too. */
static void test_archive(void **state)
{
	struct add_run run = run_new("quick postponed");
	(void)state;

	assert_non_null(code_of(&run)->unit);
	assert_int_equal(launch(&run, 8), QUICK_SUM);
	note_time(find(&run, 8).any_size, 50 * MS);
	wait_until_others_sleep();
	assert_int_equal(launch(&run, 8), FULL_SUM);
	run_release(&run);
}

/* ---- who gets which -------------------------------------------------------------------------- */

/* A program of the binaries. */
static cl_program reload(cl_program program)
{
	unsigned char *binaries[2];
	size_t sizes[2];
	cl_int err;

	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL),
		CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		binaries[i] = malloc(sizes[i]);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binaries), binaries, NULL),
		CL_SUCCESS);
	cl_program loaded = clCreateProgramWithBinary(f->both, 2, f->devices, sizes,
						      (const unsigned char **)binaries, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clBuildProgram(loaded, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		free(binaries[i]);
	return loaded;
}

/* The bytes of the first device's binary; the caller's. */
static unsigned char *binary_of(cl_program program, size_t *size)
{
	size_t sizes[2];
	unsigned char *binaries[2] = {0};

	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL),
		CL_SUCCESS);
	binaries[0] = malloc(sizes[0]);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binaries), binaries, NULL),
		CL_SUCCESS);
	*size = sizes[0];
	return binaries[0];
}

/* It has quick code whatever has run. Nothing is compiled for it, and who loads it gets both tiers. */
static void check_binary(const char *source)
{
	struct add_run run = run_new(source);
	size_t size, size_then;
	unsigned char *bytes = binary_of(run.program, &size);

	note_time(find(&run, 8).any_size, 50 * MS);
	const int calls = calls_so_far();
	assert_int_equal(launch(&run, 8), FULL_SUM);
	unsigned char *bytes_then = binary_of(run.program, &size_then);
	assert_int_equal(size, size_then);
	assert_memory_equal(bytes, bytes_then, size);
	free(bytes);
	free(bytes_then);
	struct add_run loaded = add_run_of(f, reload(run.program));
	run_release(&run);
	assert_true(code_of(&loaded)->desc->flags & WEFT_KERNEL_QUICK);
	assert_int_equal(launch(&loaded, 8), QUICK_SUM);
	assert_int_equal(calls_so_far(), calls);
	note_time(find(&loaded, 8).any_size, 50 * MS);
	assert_int_equal(calls_so_far(), calls + 1);
	assert_int_equal(launch(&loaded, 8), FULL_SUM);
	run_release(&loaded);
}

static void test_binaries(void **state)
{
	(void)state;
	check_binary("quick");
	check_binary("quick postponed");
}

/* A program from a binary finds full code in the cache, though the program is not there. */
static void test_binary_and_cache(void **state)
{
	(void)state;
	changeable_options()->cache = true;
	struct add_run run = run_new("quick loaded");
	note_time(find(&run, 8).any_size, 50 * MS);
	const int calls = calls_so_far();
	struct add_run loaded = add_run_of(f, reload(run.program));
	run_release(&run);
	assert_null(choose(&loaded, 8).code);
	wait_until_others_sleep();
	assert_int_equal(launch(&loaded, 8), FULL_SUM);
	assert_int_equal(f->compiler->calls(), calls);
	run_release(&loaded);
	changeable_options()->cache = false;
}

/* Full code that was made before is found by the first launch of a program that comes from the cache, without the compiler. */
static void test_cache(void **state)
{
	(void)state;
	changeable_options()->cache = true;
	struct add_run run = run_new("quick cached");
	assert_int_equal(launch(&run, 8), QUICK_SUM);
	note_time(find(&run, 8).any_size, 50 * MS);
	run_release(&run);
	const int calls = calls_so_far();
	run = run_new("quick cached");
	assert_null(choose(&run, 8).code);
	wait_until_others_sleep();
	assert_int_equal(launch(&run, 8), FULL_SUM);
	assert_int_equal(f->compiler->calls(), calls);
	run_release(&run);
	changeable_options()->cache = false;
}

/* One that the cache has no full code of runs on, and asks again when it has run for long. */
static void test_not_in_cache(void **state)
{
	(void)state;
	changeable_options()->cache = true;
	struct add_run run = run_new("quick gains cached");
	run_release(&run);
	const int calls = calls_so_far();
	run = run_new("quick gains cached");
	assert_null(choose(&run, 8).code);
	wait_until_others_sleep();
	assert_int_equal(launch(&run, 8), QUICK_SUM);
	assert_int_equal(calls_so_far(), calls);
	note_time(find(&run, 8).sized, 50 * MS);
	assert_int_equal(calls_so_far(), calls + 1);
	assert_int_equal(launch(&run, 8), FULL_SUM);
	run_release(&run);
	changeable_options()->cache = false;
}

static void test_pinned(void **state)
{
	(void)state;
	changeable_options()->tier = "quick";
	struct add_run run = run_new("quick gains");
	assert_true(code_of(&run)->desc->flags & WEFT_KERNEL_QUICK);
	assert_null(code_of(&run)->specialisations);
	assert_int_equal(launch(&run, 8), QUICK_SUM);
	run_release(&run);
	changeable_options()->tier = "full";
	run = run_new("quick");
	assert_false(code_of(&run)->desc->flags & WEFT_KERNEL_QUICK);
	assert_null(code_of(&run)->specialisations);
	run_release(&run);
	changeable_options()->tier = "both";
	assert_int_equal(weft_tier(), WEFT_TIER_FULL);
	changeable_options()->tier = "auto";
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full_code),    cmocka_unit_test(test_counted_once),
		cmocka_unit_test(test_sized_code),   cmocka_unit_test(test_many_sizes),
		cmocka_unit_test(test_launch_tells), cmocka_unit_test(test_archive),
		cmocka_unit_test(test_binaries),     cmocka_unit_test(test_not_in_cache),
		cmocka_unit_test(test_cache),        cmocka_unit_test(test_binary_and_cache),
		cmocka_unit_test(test_pinned),       cmocka_unit_test(test_waiting),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
