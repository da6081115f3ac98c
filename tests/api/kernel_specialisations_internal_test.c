/* SPDX-License-Identifier: MIT
 *
 * Specialisations of kernels for one local size, and for formats of images: when they are asked for, which launches run them, and
 * what becomes of one that comes too late or not at all. The table of them has a test of its own
 * (tests/runtime/program/specialisation_table_test.c).
 */
#include "add_run.h"

#include "alloc.h"
#include "program/kernel.h"
#include "program/specialisation_table.h"
#include "program/specialisations.h"
#include "threads.h"

#include <sched.h>
#include <sys/mman.h>

#define ITEMS ADD_RUN_ITEMS
#define LONG UINT64_C(1000000000) /* ns: time for a specialisation */

static struct program_fixture *f;

/* One kernel with its buffers, on the first device. */

static int specialisations_set_up(void **state)
{
	assert_int_equal(program_set_up(state), 0);
	f = *state;
	return 0;
}

static struct add_run run_new(void)
{
	return add_run_of(f, program_built(f->both, "gains"));
}

static struct weft_ndrange range_of(size_t global, size_t local)
{
	return (struct weft_ndrange){.global_size = {global, 1, 1},
				     .local_size = {local, 1, 1},
				     .num_groups = {(global + local - 1) / local, 1, 1}};
}

/* Those of a launch; borrowed from the program. */
static struct weft_specialisation_pair find_pair(struct weft_specialisations *specialisations,
						 const struct weft_kernel_desc *kernel,
						 const struct weft_ndrange *range, const void *args)
{
	const struct weft_specialised_launch launch = {kernel, range, args};
	const struct weft_specialisation_pair pair =
		weft_specialisations_find(specialisations, &launch);

	weft_specialisation_put(pair.any_size);
	weft_specialisation_put(pair.sized);
	return pair;
}

/* For the local size of a launch of the program's kernel of that name. */
static struct weft_specialisation *find(const struct add_run *run, const char *name, size_t global,
					size_t local)
{
	const struct weft_kernel_code *code = weft_kernel_code(run->kernel, f->devices[0]);
	const struct weft_ndrange range = range_of(global, local);
	const struct weft_kernel_desc *desc = code->desc;

	while (strcmp(desc->name, name) != 0)
		desc++; /* add is the first */
	return find_pair(code->specialisations, desc, &range, NULL).sized;
}

static void wait_for(const struct weft_specialisation *specialisation)
{
	while (!weft_specialisation_code(specialisation))
		sched_yield();
}

/* Calls so far, with those for what the launches of other tests have asked for: on a busy machine any may be long enough. */
static int calls_so_far(void)
{
	wait_until_others_sleep();
	return f->compiler->calls();
}

static void test_specialisation_runs(void **state)
{
	struct add_run run = run_new();
	struct weft_specialisation *specialisation = find(&run, "add", ITEMS, 8);
	(void)state;

	assert_non_null(specialisation);
	f->compiler->set_gate(
		0); /* a machine may be so busy that the first launch is long enough */
	assert_int_equal(add_run_sum(&run, ITEMS, 8), 5);
	assert_null(weft_specialisation_code(specialisation));
	weft_specialisation_ran(specialisation, LONG);
	f->compiler->set_gate(1);
	wait_for(specialisation);
	assert_int_equal(add_run_sum(&run, ITEMS, 8), 5 + FAKE_VERSION_EXTRA);
	/* Another size, and groups that are not all whole, run what they ran before. */
	assert_int_equal(add_run_sum(&run, ITEMS, 16), 5);
	assert_int_equal(add_run_sum(&run, ITEMS - 1, 8), 5);
	/* Another kernel object has the same code. */
	struct add_run other = run;
	other.kernel = clCloneKernel(run.kernel, NULL);
	assert_non_null(other.kernel);
	assert_int_equal(add_run_sum(&other, ITEMS, 8), 5 + FAKE_VERSION_EXTRA);
	assert_int_equal(clReleaseKernel(other.kernel), CL_SUCCESS);
	add_run_release(&run);
}

/* A kernel has one for each local size whose groups are all whole. */
static void test_sizes(void **state)
{
	struct add_run run = run_new();
	struct weft_specialisation *first = find(&run, "add", ITEMS, 1);
	(void)state;

	assert_non_null(first);
	assert_ptr_equal(find(&run, "add", 2 * ITEMS, 1), first);
	assert_null(find(&run, "add", ITEMS + 1, 2));
	for (size_t local = 2; local <= ITEMS; local *= 2) {
		assert_non_null(find(&run, "add", ITEMS, local));
		assert_ptr_not_equal(find(&run, "add", ITEMS, local), first);
	}
	assert_ptr_equal(find(&run, "add", ITEMS, 1), first);
	add_run_release(&run);
}

/* Short kernels are timed at launch 1, 2, 4, …, and each time stands for those before it. */
static void test_ripens(void **state)
{
	struct add_run run = run_new();
	struct weft_specialisation *specialisation = find(&run, "add", ITEMS, 4);
	int calls = calls_so_far();
	unsigned timed = 0;
	(void)state;

	for (unsigned i = 1; i <= 1000; i++) {
		bool wanted = weft_specialisation_count(specialisation, ITEMS);

		assert_int_equal(wanted, (i & (i - 1)) == 0);
		timed += wanted;
		if (wanted)
			weft_specialisation_ran(specialisation, 1000); /* 512 us in all */
	}
	assert_int_equal(timed, 10);
	assert_int_equal(f->compiler->calls(), calls);
	assert_null(weft_specialisation_code(specialisation));
	weft_specialisation_ran(specialisation, 1000000); /* 488 launches of it */
	wait_for(specialisation);
	assert_int_equal(f->compiler->calls(), calls + 1);
	add_run_release(&run);
}

/* What cannot be made is asked for once, and the kernel stays as it is. */
static void test_failure(void **state)
{
	struct add_run run = run_new();
	struct weft_specialisation *failing = find(&run, "nothing", ITEMS, 8);
	struct weft_specialisation *sound = find(&run, "add", ITEMS, 8);
	int calls = calls_so_far();
	(void)state;

	for (int i = 0; i < 3; i++)
		weft_specialisation_ran(failing, LONG);
	weft_specialisation_ran(sound, LONG);
	wait_for(sound);
	assert_int_equal(calls_so_far(), calls + 2);
	assert_null(weft_specialisation_code(failing));
	add_run_release(&run);
}

/* A specialisation that is finished when there is nothing left to run it. */
static void test_late(void **state)
{
	struct add_run run = run_new();
	(void)state;

	f->compiler->set_gate(0);
	weft_specialisation_ran(find(&run, "add", ITEMS, 8), LONG);
	f->compiler->wait_for_one();
	add_run_release(&run);
	f->compiler->set_gate(1);
	wait_until_others_sleep(); /* which allocates nothing beside the next tests */
}

/* ---- images ---------------------------------------------------------------------------------- */

struct image_args {
	struct weft_image image;
	uint64_t sampler;
};

static const struct weft_arg_desc image_args_desc[] = {
	{.kind = WEFT_ARG_IMAGE, .offset = offsetof(struct image_args, image)},
	{.kind = WEFT_ARG_SAMPLER, .offset = offsetof(struct image_args, sampler)},
};

static const struct weft_kernel_desc image_kernels[] = {
	{.name = "nothing", .flags = WEFT_KERNEL_GAINS_BY_SIZE},
	{.name = "add",
	 .flags = WEFT_KERNEL_GAINS_BY_IMAGES,
	 .args = image_args_desc,
	 .num_args = 2},
	{.name = "add",
	 .flags = WEFT_KERNEL_GAINS_BY_IMAGES | WEFT_KERNEL_GAINS_BY_SIZE,
	 .args = image_args_desc,
	 .num_args = 2},
};

/* Of a program with these kernels; for the caller to put. */
static struct weft_specialisations *image_specialisations(void)
{
	static const char object[] = FAKE_OBJECT;
	static const struct weft_program_desc desc = {.num_kernels = 3,
						      .kernels = image_kernels,
						      .object = object,
						      .object_size = sizeof(object)};

	return weft_specialisations_create(f->devices[0], &desc, false);
}

/* Borrowed from the program. */
static struct weft_specialisation_pair find_images(struct weft_specialisations *specialisations,
						   unsigned kernel, size_t global,
						   const struct image_args *args)
{
	const struct weft_ndrange range = range_of(global, 8);

	return find_pair(specialisations, &image_kernels[kernel], &range, args);
}

/* For the formats of a launch and any local size. */
static struct weft_specialisation *find_formats(struct weft_specialisations *specialisations,
						unsigned kernel, const struct image_args *args)
{
	return find_images(specialisations, kernel, ITEMS, args).any_size;
}

/* A launch that has ended. What it ran and counted for is borrowed from the program. */
static struct weft_specialisation_choice launch_images(struct weft_specialisations *specialisations,
						       unsigned kernel, size_t global,
						       const struct image_args *args)
{
	const struct weft_ndrange range = range_of(global, 8);
	const struct weft_specialised_launch launch = {&image_kernels[kernel], &range, args};
	const struct weft_specialisation_choice choice =
		weft_specialisations_choose(specialisations, &launch);

	weft_specialisation_put(choice.code);
	weft_specialisation_put(choice.better);
	return choice;
}

/* By the formats of images and the numbers of samplers, not by what else an image is; by the local size where the kernel
 * gains by that, too. */
static void test_images(void **state)
{
	struct weft_specialisations *made = image_specialisations();
	struct image_args args = {.image = {.format = 1, .width = 5}, .sampler = 2};
	(void)state;

	assert_non_null(made);
	struct weft_specialisation *first = find_formats(made, 1, &args);
	const struct weft_specialisation_pair both = find_images(made, 2, ITEMS, &args);
	assert_non_null(first);
	assert_non_null(both.any_size);
	assert_non_null(both.sized);
	assert_ptr_not_equal(both.any_size, both.sized);
	args.image.width = 7;
	assert_ptr_equal(find_formats(made, 1, &args), first);
	assert_null(find_images(made, 1, ITEMS, &args).sized);
	assert_ptr_equal(find_images(made, 2, ITEMS, &args).sized, both.sized);
	assert_ptr_equal(find_images(made, 2, ITEMS + 1, &args).any_size, both.any_size);
	assert_null(find_images(made, 2, ITEMS + 1, &args).sized);
	assert_null(find_images(made, 0, ITEMS + 1, &args).sized);
	args.sampler = 3;
	struct weft_specialisation *second = find_formats(made, 1, &args);
	assert_ptr_not_equal(second, first);
	args = (struct image_args){.image = {.format = 2}, .sampler = 1};
	assert_ptr_not_equal(find_formats(made, 1, &args), first);
	assert_ptr_not_equal(find_formats(made, 1, &args), second);
	weft_specialisations_close(made);
}

/* A large launch has its specialisation made at once, behind smaller ones, too; a small one when the kernel has run for 10 ms. */
static void test_image_times(void **state)
{
	struct weft_specialisations *made = image_specialisations();
	struct image_args args = {.sampler = 0};
	int calls = calls_so_far();
	(void)state;

	assert_non_null(made);
	struct weft_specialisation_choice choice = launch_images(made, 1, ITEMS, &args);
	assert_null(choice.code);
	assert_true(choice.timed);
	assert_int_equal(calls_so_far(), calls); /* a look into the cache */
	weft_specialisation_ran(choice.better, 5000000);
	assert_int_equal(calls_so_far(), calls);
	weft_specialisation_ran(choice.better, 5000000);
	wait_for(choice.better);
	assert_ptr_equal(launch_images(made, 1, ITEMS, &args).code, choice.better);
	args.sampler = 1;
	wait_for(launch_images(made, 1, 1 << 20, &args).better);
	assert_int_equal(calls_so_far(), calls + 2);
	args.sampler = 2;
	struct weft_specialisation *later = launch_images(made, 1, ITEMS, &args).better;
	wait_until_others_sleep(); /* which looked for it in the cache */
	assert_int_equal(calls_so_far(), calls + 2);
	assert_ptr_equal(launch_images(made, 1, 1 << 20, &args).better, later);
	wait_for(later);
	assert_int_equal(calls_so_far(), calls + 3);
	weft_specialisations_close(made);
}

/* Launches of many local sizes share the code for their formats, which is made first. One for a local size is made when launches
 * with that size have run for long with it. */
static void test_image_sizes(void **state)
{
	struct weft_specialisations *made = image_specialisations();
	const struct image_args args = {.sampler = 0};
	int calls = calls_so_far();
	(void)state;

	assert_non_null(made);
	struct weft_specialisation *formats = launch_images(made, 2, 1 << 20, &args).better;
	wait_for(formats);
	for (size_t local = 1; local <= 64; local *= 2) {
		const struct weft_ndrange range = range_of(1 << 20, local);
		const struct weft_specialised_launch launch = {&image_kernels[2], &range, &args};
		const struct weft_specialisation_choice choice =
			weft_specialisations_choose(made, &launch);

		assert_ptr_equal(choice.code, formats);
		assert_non_null(choice.better);
		weft_specialisation_put(choice.code);
		weft_specialisation_put(choice.better);
	}
	assert_int_equal(calls_so_far(), calls + 1);
	struct weft_specialisation *sized = launch_images(made, 2, 1 << 20, &args).better;
	weft_specialisation_ran(sized, 20000000); /* for two launches */
	assert_int_equal(calls_so_far(), calls + 1);
	weft_specialisation_ran(sized, 10000000);
	wait_for(sized);
	assert_ptr_equal(launch_images(made, 2, 1 << 20, &args).code, sized);
	assert_null(launch_images(made, 2, 1 << 20, &args).better);
	assert_ptr_equal(launch_images(made, 2, (1 << 20) + 1, &args).code, formats);
	weft_specialisations_close(made);
}

/* More formats than may have code: the next one has the place of one that runs less. Launches that run that have it still. */
static void test_image_formats(void **state)
{
	struct weft_specialisations *made = image_specialisations();
	const struct weft_ndrange range = range_of(1 << 20, 8);
	struct image_args args = {.sampler = 0};
	const struct weft_specialised_launch launch = {&image_kernels[1], &range, &args};
	(void)state;

	assert_non_null(made);
	for (args.sampler = 1; args.sampler <= WEFT_SPECIALISATION_CODES; args.sampler++)
		wait_for(launch_images(made, 1, 1 << 20, &args).better);
	args.sampler = 1;
	const struct weft_specialisation_choice running =
		weft_specialisations_choose(made, &launch);
	assert_non_null(running.code);
	for (args.sampler = 2; args.sampler <= WEFT_SPECIALISATION_CODES; args.sampler++)
		assert_non_null(launch_images(made, 1, 1 << 24, &args).code);
	while (!launch_images(made, 1, 1 << 24, &args).code) /* which asks for it */
		wait_until_others_sleep();
	args.sampler = 1;
	assert_null(launch_images(made, 1, 1 << 20, &args).code);
	assert_non_null(weft_specialisation_code(running.code));
	weft_specialisations_close(made);
	assert_non_null(weft_specialisation_code(running.code)->desc->entry);
	weft_specialisation_put(running.code);
	wait_until_others_sleep();
}

/* A look into the cache that begins when the program's code is gone. */
static void test_image_late(void **state)
{
	static const char object[] = FAKE_OBJECT;
	const struct weft_ndrange range = range_of(ITEMS, 8);
	const struct image_args args = {.sampler = 0};
	struct weft_kernel_desc *kernel = mmap(NULL, sizeof(*kernel), PROT_READ | PROT_WRITE,
					       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct weft_program_desc desc = {.num_kernels = 1,
					       .kernels = kernel,
					       .object = object,
					       .object_size = sizeof(object)};
	struct add_run run = run_new();
	(void)state;

	assert_true(kernel != MAP_FAILED);
	*kernel = image_kernels[1];
	struct weft_specialisations *made =
		weft_specialisations_create(f->devices[0], &desc, false);
	assert_non_null(made);
	f->compiler->set_gate(0);
	weft_specialisation_ran(find(&run, "add", ITEMS, 8), LONG);
	f->compiler->wait_for_one();
	const struct weft_specialised_launch launch = {kernel, &range, &args};
	const struct weft_specialisation_choice choice = weft_specialisations_choose(made, &launch);
	assert_non_null(choice.better);
	weft_specialisation_put(choice.better);
	weft_specialisations_close(made);
	assert_int_equal(munmap(kernel, sizeof(*kernel)), 0);
	f->compiler->set_gate(1);
	wait_until_others_sleep();
	add_run_release(&run);
}

/* A program that gains nothing. */
static void test_none(void **state)
{
	cl_program program = program_built(f->both, "x");
	cl_kernel kernel = program_kernel(program, "add");
	(void)state;

	assert_null(weft_kernel_code(kernel, f->devices[0])->specialisations);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* What lacked memory, in one of the three allocations of a request, is asked for again. */
static void test_failure_to_ask(void **state)
{
	struct add_run run = run_new();
	struct weft_specialisation *specialisation = find(&run, "add", ITEMS, 8);
	(void)state;

	assert_non_null(specialisation);
	for (int n = 0; n < 3; n++) {
		weft_alloc_fail_after(n);
		weft_specialisation_ran(specialisation, LONG);
		assert_true(weft_alloc_has_failed());
		weft_alloc_fail_after(-1);
	}
	weft_specialisation_ran(specialisation, LONG);
	wait_for(specialisation);
	assert_int_equal(add_run_sum(&run, ITEMS, 8), 5 + FAKE_VERSION_EXTRA);
	add_run_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_specialisation_runs),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_ripens),
		cmocka_unit_test(test_failure),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_image_times),
		cmocka_unit_test(test_image_sizes),
		cmocka_unit_test(test_image_formats),
		cmocka_unit_test(test_image_late),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_failure_to_ask),
	};

	return cmocka_run_group_tests(tests, specialisations_set_up, program_tear_down);
}
