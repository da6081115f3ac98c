/* SPDX-License-Identifier: MIT
 *
 * Trials of numbers of lanes: when versions are made, which one launches run then, by made up times, and what the kernel cache keeps of
 * it. The fake compiler's versions for 1 and for 32 lanes add other numbers, so that launches tell which one they run; it has none for the
 * other numbers of lanes that are tried.
 */
#include "add_run.h"

#include "changed_options.h"
#include "command_buffers.h"
#include "driver.h"
#include "program/kernel.h"
#include "program/specialisations.h"
#include "program/width_trial.h"
#include "remove_folder.h"

#include <stdio.h>

#define ITEMS ADD_RUN_ITEMS
#define LONG UINT64_C(10000000000) /* ns: ripe for anything */
#define GROUPS 1000                /* of a call, if the version may run so many */
#define GROUP_NS 100               /* then a call is long enough to count */
#define NEVER 1000000              /* calls: more than a trial has */
#define FULL_SUM (5 + FAKE_VERSION_EXTRA)
#define WIDE_SUM (5 + FAKE_WIDE_EXTRA)
#define NARROW_SUM (5 + FAKE_NARROW_EXTRA)

/* Of the trials here, in their order. */
enum versions { FULL, NARROW, WIDE, NUM_VERSIONS };

static struct program_fixture *f;
static char folder[] = "/tmp/weft-widths-XXXXXX";

static int set_up(void **state)
{
	assert_non_null(mkdtemp(folder));
	setenv("WEFT_CACHE_DIR", folder, 1);
	setenv("WEFT_TIER", "auto", 1);
	assert_int_equal(program_set_up(state), 0);
	command_buffers_find();
	f = *state;
	return 0;
}

/* All programs have the same object, and so the same entries. */
static void empty_cache(void)
{
	wait_until_others_sleep();
	remove_folder(folder);
}

static int tear_down(void **state)
{
	empty_cache();
	return program_tear_down(state);
}

struct run {
	struct add_run add;
	struct weft_specialisation *full; /* borrowed from the program; has code */
};

static struct weft_specialised_launch launch_of(const struct run *run, struct weft_ndrange *range)
{
	*range = (struct weft_ndrange){.global_size = {ITEMS, 1, 1},
				       .local_size = {8, 1, 1},
				       .num_groups = {ITEMS / 8, 1, 1}};
	return (struct weft_specialised_launch){
		weft_kernel_code(run->add.kernel, f->devices[0])->desc, range, NULL};
}

/* A launch that is begun, and never runs. */
static struct weft_specialisation_choice choose(const struct run *run)
{
	struct weft_ndrange range;
	const struct weft_specialised_launch launch = launch_of(run, &range);
	const struct weft_specialisation_choice choice = weft_specialisations_choose(
		weft_kernel_code(run->add.kernel, f->devices[0])->specialisations, &launch);

	weft_specialisation_put(choice.code);
	weft_specialisation_put(choice.better);
	return choice;
}

/* A kernel with full code. */
static struct run run_new(const char *source)
{
	struct run run = {.add = add_run_of(f, program_built(f->both, source))};
	struct weft_ndrange range;

	const struct weft_specialised_launch launch = launch_of(&run, &range);
	const struct weft_specialisation_pair pair = weft_specialisations_find(
		weft_kernel_code(run.add.kernel, f->devices[0])->specialisations, &launch);
	run.full = pair.any_size;
	assert_non_null(run.full);
	assert_null(pair.sized);
	run.full->replacement.ran(&run.full->replacement, LONG);
	wait_until_others_sleep();
	assert_non_null(weft_specialisation_code(run.full));
	weft_specialisation_put(pair.any_size);
	return run;
}

static void run_release(struct run *run)
{
	wait_until_others_sleep();
	add_run_release(&run->add);
}

static struct add_run_ends launch(const struct run *run)
{
	return add_run_launch(&run->add, ITEMS, 8);
}

static void expect_sum(const struct run *run, cl_int sum)
{
	assert_int_equal(add_run_sum(&run->add, ITEMS, 8), sum);
}

static uint32_t state_of(const struct run *run)
{
	return atomic_load(&run->full->trial->state);
}

/* Its versions are made. */
static struct weft_replacement *begin_trial(const struct run *run)
{
	struct weft_width_trial *trial = run->full->trial;

	assert_non_null(trial);
	assert_int_equal(state_of(run), WEFT_WIDTH_WATCHED);
	trial->watch.ran(&trial->watch, LONG);
	wait_until_others_sleep();
	assert_int_equal(state_of(run), WEFT_WIDTH_TRIED);
	assert_int_equal(trial->num_versions, NUM_VERSIONS);
	const struct weft_specialisation_choice choice = choose(run);
	assert_ptr_equal(choice.part.replacement, &trial->base);
	assert_false(choice.part.timed);
	return choice.part.replacement;
}

/* ns of a work-group; those of calls with an odd number are `differ` times as much. */
struct times {
	uint64_t ns[NUM_VERSIONS];
	uint64_t differ;
};

/* Calls until the trial ends. `groups`: what each version has run. */
static void try(const struct run *run, struct weft_replacement *trial, const struct times *times,
		uint64_t groups[NUM_VERSIONS])
{
	static const uint32_t lanes[NUM_VERSIONS] = {16, 1, 32};
	uint32_t calls = 0;

	memset(groups, 0, NUM_VERSIONS * sizeof(groups[0]));
	while (state_of(run) == WEFT_WIDTH_TRIED) {
		const struct weft_trial_turn turn = trial->choose(trial);
		const uint64_t count = turn.most_groups < GROUPS ? turn.most_groups : GROUPS;

		assert_in_range(turn.version, 0, NUM_VERSIONS - 1);
		assert_int_equal(turn.kernel->vector_width, lanes[turn.version]);
		groups[turn.version] += count;
		trial->measured(trial, turn.version, count,
				count * times->ns[turn.version] * (calls % 2 ? times->differ : 1));
		assert_true(calls++ < NEVER);
	}
	assert_int_equal(state_of(run), WEFT_WIDTH_ENDED);
	assert_null(choose(run).part.replacement);
}

/* A thread begins to run the version, as `choose` may tell it. */
static void begin_call(const struct run *run, uint32_t version)
{
	run->full->trial->versions[version].calls++;
}

/* `ns`: of a work-group. */
static void end_call(const struct run *run, uint32_t version, uint64_t ns)
{
	struct weft_replacement *trial = &run->full->trial->base;

	trial->measured(trial, version, GROUPS, GROUPS * ns);
}

/* What launches run after such times. */
static void expect_decision(const struct times *times, cl_int sum)
{
	uint64_t groups[NUM_VERSIONS];
	struct run run = run_new("quick decision");

	try(&run, begin_trial(&run), times, groups);
	expect_sum(&run, sum);
	run_release(&run);
}

/* What a new program runs, which gets from the cache what was decided. */
static void expect_decided(cl_int sum)
{
	struct run run = run_new("quick decided");

	assert_null(run.full->trial);
	expect_sum(&run, sum);
	run_release(&run);
}

static bool is_sum(cl_int sum)
{
	return sum == FULL_SUM || sum == NARROW_SUM || sum == WIDE_SUM;
}

/* ---- when ------------------------------------------------------------------------------------ */

/* Launches are watched: some are timed. Nothing is compiled before they have run for long. */
static void test_watched(void **state)
{
	struct run run = run_new("quick watched");
	const struct weft_specialisation_choice first = choose(&run);
	const struct weft_specialisation_choice second = choose(&run);
	const struct weft_specialisation_choice third = choose(&run);
	struct weft_width_trial *trial = run.full->trial;
	(void)state;

	assert_ptr_equal(first.part.replacement, &trial->watch);
	assert_true(first.part.timed && second.part.timed && !third.part.timed);
	trial->watch.took(&trial->watch, 1000);
	wait_until_others_sleep();
	assert_int_equal(state_of(&run), WEFT_WIDTH_WATCHED);
	expect_sum(&run, FULL_SUM);
	run_release(&run);
}

/* Versions that are finished when there is nothing left to run them. */
static void test_late(void **state)
{
	struct run run = run_new("quick late");
	struct weft_width_trial *trial = run.full->trial;
	(void)state;

	f->compiler->set_gate(0);
	trial->watch.ran(&trial->watch, LONG);
	f->compiler->wait_for_one();
	expect_sum(&run, FULL_SUM);
	assert_int_equal(state_of(&run), WEFT_WIDTH_COMPILED);
	add_run_release(&run.add);
	f->compiler->set_gate(1);
	wait_until_others_sleep();
}

static void test_off(void **state)
{
	(void)state;
	changeable_options()->measure_width = false;
	struct run run = run_new("quick off");
	assert_null(run.full->trial);
	assert_null(choose(&run).part.replacement);
	run_release(&run);
	changeable_options()->measure_width = true;
	changeable_options()->vector_width = 32;
	run = run_new("quick given");
	assert_null(run.full->trial);
	run_release(&run);
	changeable_options()->vector_width = 0;
}

/* No trial of a kernel that shows how many lanes it has. */
static void test_shows_lanes(void **state)
{
	static const uint32_t shown[] = {
		WEFT_KERNEL_PRINTS,      WEFT_KERNEL_HAS_SUBGROUPS, WEFT_KERNEL_ENQUEUES,
		WEFT_KERNEL_CALLS_HOST,  WEFT_KERNEL_COUNTS_CYCLES, WEFT_KERNEL_MAY_BLOCK,
		WEFT_KERNEL_ITEMS_ALONE, WEFT_KERNEL_MAY_WAIT,
	};
	struct run run = run_new("quick shown");
	struct weft_kernel_desc desc = *run.full->code.desc;
	const struct weft_specialisation_code code = {NULL, &desc};
	const struct weft_width_owner none = {0};
	const uint32_t flags = desc.flags;
	(void)state;

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		desc.flags = flags | shown[i];
		assert_null(weft_width_trial_create(f->devices[0], &code, 0, &none));
		desc.vector_width = 4;
		assert_false(weft_width_trial_add(run.full->trial, &code));
	}
	run_release(&run);
}

static void expect_candidates(uint32_t own, const char *expected)
{
	const struct weft_kernel_desc desc = {.vector_width = own};
	uint32_t lanes[WEFT_WIDTH_VERSIONS - 1];
	char text[64] = "";

	for (uint32_t i = 0; i < weft_width_candidates(&desc, lanes); i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %u", lanes[i]);
	assert_string_equal(text, expected);
}

static void test_candidates(void **state)
{
	(void)state;
	expect_candidates(1, " 16 32 8 4");
	expect_candidates(2, " 1 4 8");
	expect_candidates(4, " 1 8 2 16");
	expect_candidates(8, " 1 16 4 32");
	expect_candidates(16, " 1 32 8 4");
	expect_candidates(32, " 1 16 8");
}

/* No version can run what the first one has begun: there is no trial, nor in later programs. */
static void test_none_fits(void **state)
{
	struct run run;
	(void)state;

	empty_cache();
	changeable_options()->cache = true;
	run = run_new("quick alone");
	struct weft_width_trial *trial = run.full->trial;
	const struct weft_kernel_desc *own = run.full->code.desc;
	struct weft_kernel_desc other = *own;
	other.first_dimension = 1;
	trial->versions[0].code.desc = &other;
	trial->watch.ran(&trial->watch, LONG);
	wait_until_others_sleep();
	assert_int_equal(state_of(&run), WEFT_WIDTH_ENDED);
	trial->versions[0].code.desc = own;
	assert_int_equal(trial->num_versions, 1);
	expect_sum(&run, FULL_SUM);
	run_release(&run);
	expect_decided(FULL_SUM);
	changeable_options()->cache = false;
}

/* ---- which version --------------------------------------------------------------------------- */

/* Work-groups of one launch run any. */
static void test_launches(void **state)
{
	struct run run = run_new("quick launches");
	(void)state;

	(void)begin_trial(&run);
	for (int i = 0; i < 50; i++) {
		const struct add_run_ends ends = launch(&run);

		assert_true(is_sum(ends.first) && is_sum(ends.last));
	}
	run_release(&run);
}

/* The fastest one stays, and is what a later program gets from the cache. */
static void test_faster(void **state)
{
	const struct times times = {{GROUP_NS, GROUP_NS * 8 / 10, GROUP_NS / 2}, 1};
	uint64_t groups[NUM_VERSIONS];
	(void)state;

	empty_cache();
	changeable_options()->cache = true;
	struct run run = run_new("quick faster");
	struct weft_replacement *trial = begin_trial(&run);
	try(&run, trial, &times, groups);
	expect_sum(&run, WIDE_SUM);
	run_release(&run);
	expect_decided(WIDE_SUM);
	changeable_options()->cache = false;
	expect_decision(&(struct times){{GROUP_NS, GROUP_NS / 2, GROUP_NS * 8 / 10}, 1},
			NARROW_SUM);
}

/* Little gain: the compiler's choice stays, also for a later program, which tries no more. */
static void test_level(void **state)
{
	(void)state;
	empty_cache();
	changeable_options()->cache = true;
	expect_decision(&(struct times){{GROUP_NS, GROUP_NS - 2, GROUP_NS + 2}, 1}, FULL_SUM);
	expect_decided(FULL_SUM);
	changeable_options()->cache = false;
}

/* Every other launch has ten times as much to do: whichever version has more of the short ones by chance, none is surely faster. */
static void test_launches_differ(void **state)
{
	(void)state;
	expect_decision(&(struct times){{GROUP_NS, GROUP_NS, GROUP_NS}, 10}, FULL_SUM);
}

/* Every other launch has three times as much to do: the version that is faster for each of them is found by more times. */
static void test_more_times(void **state)
{
	const struct times times = {{GROUP_NS, GROUP_NS * 11 / 10, GROUP_NS * 9 / 10}, 3};
	struct run run = run_new("quick more");
	uint64_t groups[NUM_VERSIONS];
	(void)state;

	try(&run, begin_trial(&run), &times, groups);
	assert_true(groups[FULL] > WEFT_WIDTH_FIRST_SAMPLES * 2 * (uint64_t)GROUPS);
	expect_sum(&run, WIDE_SUM);
	run_release(&run);
}

/* Short calls at the launches' ends, in which the version that is faster for all else is slower, do not count. */
static void test_ends(void **state)
{
	struct run run = run_new("quick ends");
	struct weft_replacement *trial = begin_trial(&run);
	uint32_t calls = 0;
	(void)state;

	while (state_of(&run) == WEFT_WIDTH_TRIED) {
		const struct weft_trial_turn turn = trial->choose(trial);
		const uint64_t most = calls % 4 ? GROUPS / 10 : GROUPS;
		const uint64_t count = turn.most_groups < most ? turn.most_groups : most;
		const bool is_end = count < GROUPS && turn.version == WIDE;
		const uint64_t time = is_end ? 3 * GROUP_NS : GROUP_NS;

		trial->measured(trial, turn.version, count,
				count * (turn.version == WIDE && !is_end ? time / 2 : time));
		assert_true(calls++ < NEVER);
	}
	expect_sum(&run, WIDE_SUM);
	run_release(&run);
}

/* Slow versions run few times; much slower ones not a whole call. */
static void test_slow(void **state)
{
	const struct times times = {{GROUP_NS, 2 * GROUP_NS, 8 * GROUP_NS}, 1};
	struct run run = run_new("quick slow");
	uint64_t groups[NUM_VERSIONS];
	(void)state;

	try(&run, begin_trial(&run), &times, groups);
	assert_in_range(groups[NARROW], GROUPS, 6 * GROUPS);
	assert_in_range(groups[WIDE], 1, GROUPS - 1);
	expect_sum(&run, FULL_SUM);
	run_release(&run);
}

/* Work-groups that take long: one of them shows that a version is much slower. */
static void test_slow_groups(void **state)
{
	const struct times times = {{1000000, 2000000, 30000000}, 1};
	struct run run = run_new("quick groups");
	uint64_t groups[NUM_VERSIONS];
	(void)state;

	try(&run, begin_trial(&run), &times, groups);
	assert_int_equal(groups[WIDE], 1);
	assert_in_range(groups[NARROW], GROUPS, 6 * GROUPS);
	expect_sum(&run, FULL_SUM);
	run_release(&run);
}

/* A version that several threads had begun with when it was dropped stays so. */
static void test_slow_threads(void **state)
{
	struct run run = run_new("quick threads");
	struct weft_replacement *trial = begin_trial(&run);
	uint64_t groups[NUM_VERSIONS];
	(void)state;

	while (run.full->trial->versions[FULL].samples < WEFT_WIDTH_FIRST_SAMPLES) {
		begin_call(&run, FULL);
		end_call(&run, FULL, GROUP_NS);
	}
	for (int thread = 0; thread < 3; thread++)
		begin_call(&run, WIDE);
	for (int thread = 0; thread < 3; thread++)
		end_call(&run, WIDE, 8 * GROUP_NS);
	try(&run, trial, &(struct times){{GROUP_NS, GROUP_NS, 8 * GROUP_NS}, 1}, groups);
	assert_int_equal(groups[WIDE], 0);
	expect_sum(&run, FULL_SUM);
	run_release(&run);
}

/* Calls that are too short to be measured: nothing is decided, and a later program that has longer ones tries again. */
static void test_short(void **state)
{
	static const struct times times[] = {{{1, 0, 0}, 1},
					     {{GROUP_NS, GROUP_NS, GROUP_NS / 2}, 1}};
	static const cl_int sums[] = {FULL_SUM, WIDE_SUM};
	uint64_t groups[NUM_VERSIONS];
	(void)state;

	empty_cache();
	changeable_options()->cache = true;
	for (int i = 0; i < 2; i++) {
		struct run run = run_new("quick short");

		try(&run, begin_trial(&run), &times[i], groups);
		expect_sum(&run, sums[i]);
		run_release(&run);
	}
	expect_decided(WIDE_SUM);
	changeable_options()->cache = false;
}

/* Of the versions that a trial has made there is code until it ends with another one, and no thread runs them. */
static void test_unloaded(void **state)
{
	const struct times times = {{GROUP_NS, GROUP_NS * 8 / 10, GROUP_NS / 2}, 1};
	struct run run = run_new("quick unloaded");
	const struct weft_width_version *versions = run.full->trial->versions;
	struct weft_replacement *trial = begin_trial(&run);
	uint64_t groups[NUM_VERSIONS];
	(void)state;

	begin_call(&run, NARROW);
	begin_call(&run, NARROW);
	try(&run, trial, &times, groups);
	end_call(&run, NARROW, GROUP_NS);
	assert_non_null(versions[NARROW].code.module);
	end_call(&run, NARROW, GROUP_NS);
	assert_null(versions[NARROW].code.module);
	assert_non_null(versions[WIDE].code.module);
	assert_non_null(run.full->code.module);
	expect_sum(&run, WIDE_SUM);
	run_release(&run);
	run = run_new("quick unloaded");
	trial = begin_trial(&run);
	try(&run, trial, &(struct times){{GROUP_NS, GROUP_NS, GROUP_NS}, 1}, groups);
	for (uint32_t i = NARROW; i < NUM_VERSIONS; i++)
		assert_null(run.full->trial->versions[i].code.module);
	expect_sum(&run, FULL_SUM);
	run_release(&run);
}

/* A recorded launch runs what others would. */
static void test_recorded(void **state)
{
	const struct times times = {{GROUP_NS, GROUP_NS, GROUP_NS / 2}, 1};
	const size_t items = ITEMS, local = 8;
	struct run run = run_new("quick recorded");
	uint64_t groups[NUM_VERSIONS];
	cl_int sum = 0;
	cl_int err;
	(void)state;

	cl_command_buffer_khr buffer = ext.clCreateCommandBufferKHR(1, &run.add.queue, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, run.add.kernel, 1, NULL,
						       &items, &local, 0, NULL, NULL, NULL),
			 CL_SUCCESS);
	command_buffer_finalize(buffer);
	struct weft_replacement *trial = begin_trial(&run);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
				 CL_SUCCESS);
		sum = add_run_read(&run.add, ITEMS).first;
		assert_true(is_sum(sum));
		if (i == 0)
			try(&run, trial, &times, groups);
	}
	assert_int_equal(sum, WIDE_SUM);
	assert_int_equal(ext.clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
	run_release(&run);
}

/* ---- the cache ------------------------------------------------------------------------------- */

/* A number of lanes that was decided, but for which there is no code: as if none were. */
static void test_decided_fails(void **state)
{
	(void)state;
	empty_cache();
	changeable_options()->cache = true;
	struct run run = run_new("quick noted");
	run.full->trial->owner.decided(run.full, 8);
	run_release(&run);
	run = run_new("quick noted");
	assert_non_null(run.full->trial);
	expect_sum(&run, FULL_SUM);
	run.full->trial->owner.decided(run.full, 12);
	run_release(&run);
	run = run_new("quick noted");
	assert_non_null(run.full->trial);
	expect_sum(&run, FULL_SUM);
	run_release(&run);
	changeable_options()->cache = false;
}

/* Without trials nothing counts that one has decided: launches run what they do where no trial ever was. */
static void test_decided_off(void **state)
{
	(void)state;
	empty_cache();
	changeable_options()->cache = true;
	struct run run = run_new("quick noted");
	run.full->trial->owner.decided(run.full, 32);
	run_release(&run);
	changeable_options()->measure_width = false;
	expect_decided(FULL_SUM);
	changeable_options()->measure_width = true;
	expect_decided(WIDE_SUM);
	changeable_options()->cache = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_watched),      cmocka_unit_test(test_late),
		cmocka_unit_test(test_off),          cmocka_unit_test(test_shows_lanes),
		cmocka_unit_test(test_candidates),   cmocka_unit_test(test_none_fits),
		cmocka_unit_test(test_launches),     cmocka_unit_test(test_faster),
		cmocka_unit_test(test_level),        cmocka_unit_test(test_launches_differ),
		cmocka_unit_test(test_more_times),   cmocka_unit_test(test_ends),
		cmocka_unit_test(test_slow),         cmocka_unit_test(test_short),
		cmocka_unit_test(test_recorded),     cmocka_unit_test(test_decided_fails),
		cmocka_unit_test(test_decided_off),  cmocka_unit_test(test_slow_groups),
		cmocka_unit_test(test_slow_threads), cmocka_unit_test(test_unloaded),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
