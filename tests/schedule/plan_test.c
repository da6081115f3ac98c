/* SPDX-License-Identifier: MIT
 *
 * What the strategy `plan` does with graphs that take too long to plan, and with rates without bounds.
 */
#include "engine/outcomes.h"
#include "strategies/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define DEVICES 2
#define SLABS 16
#define MOST_DEPENDS 40

struct world {
	struct weft_schedule_task *tasks;
	struct weft_schedule_device devices[DEVICES];
	double *rates;
	bool *is_measured;
	struct weft_schedule_costs *costs;
	size_t *order;
	size_t *last_devices;
	void *memory;
	const struct weft_schedule_strategy *follows;
	struct weft_schedule_view view;
};

/* Tasks that wait for as many others that have ended as `depends` says, with rates that are known. */
static void start(struct world *world, size_t tasks, size_t depends, double rate)
{
	static char name[] = "k";
	static const size_t others[MOST_DEPENDS];
	static const double bytes[MOST_DEPENDS];

	*world = (struct world){
		.tasks = (struct weft_schedule_task *)calloc(tasks, sizeof(*world->tasks)),
		.devices = {{.name = name, .is_cpu = true}, {.name = name, .domain = 1}},
		.rates = (double *)calloc(DEVICES * tasks, sizeof(double)),
		.is_measured = (bool *)calloc(DEVICES * tasks, sizeof(bool)),
		.costs = (struct weft_schedule_costs *)calloc(DEVICES * tasks,
							      sizeof(*world->costs)),
		.order = (size_t *)calloc(tasks, sizeof(size_t)),
		.last_devices = (size_t *)calloc(tasks, sizeof(size_t)),
	};
	for (size_t t = 0; t < tasks; t++) {
		world->tasks[t] = (struct weft_schedule_task){.label = name,
							      .kernel = name,
							      .slabs = SLABS,
							      .unclaimed = SLABS,
							      .is_ready = true,
							      .depends = others,
							      .depends_bytes = bytes,
							      .num_depends = t > 0 ? depends : 0};
		world->order[t] = t;
		world->last_devices[t] = WEFT_SCHEDULE_NO_DEVICE;
	}
	for (size_t pair = 0; pair < DEVICES * tasks; pair++) {
		world->rates[pair] = rate;
		world->is_measured[pair] = true;
	}
	world->view = (struct weft_schedule_view){.num_tasks = tasks,
						  .tasks = world->tasks,
						  .num_devices = DEVICES,
						  .devices = world->devices,
						  .rates = world->rates,
						  .is_measured = world->is_measured,
						  .costs = world->costs,
						  .order = world->order,
						  .last_devices = world->last_devices,
						  .memory = &world->memory,
						  .follows = &world->follows};
}

static void end(struct world *world)
{
	free(world->tasks);
	free(world->rates);
	free(world->is_measured);
	free(world->costs);
	free(world->order);
	free(world->last_devices);
	free(world->memory);
}

/* Whether another strategy decides because the graph is too large: a plan has not been made. */
static bool is_too_large(size_t tasks, size_t depends, double rate)
{
	struct weft_schedule_decision decision = {0};
	struct world world;

	start(&world, tasks, depends, rate);
	const bool has_decided = weft_strategy_plan.decide(&world.view, &decision);
	const struct weft_plan *plan = (const struct weft_plan *)world.memory;
	const bool is_large = plan->count == 0;
	if (is_large)
		assert_ptr_equal(world.follows, &weft_strategy_claims);
	else
		assert_true(has_decided && decision.num_parts > 0);
	end(&world);
	return is_large;
}

static void test_large(void **state)
{
	(void)state;
	assert_false(is_too_large(30, 0, 1e-6));
	assert_false(is_too_large(30, 3, 1e-6));
	assert_false(is_too_large(100, 0, 1e-6));
	assert_true(is_too_large(2000, 0, 1e-6));
	assert_true(is_too_large(300, MOST_DEPENDS, 1e-6));
	/* It is worth more time if what is planned takes long. */
	assert_true(is_too_large(60, MOST_DEPENDS, 1e-6));
	assert_false(is_too_large(60, MOST_DEPENDS, 10));
}

static void test_boundless(void **state)
{
	(void)state;
	assert_false(is_too_large(3, 0, INFINITY));
	assert_false(is_too_large(3, 0, NAN));
	assert_false(is_too_large(3, 0, 1e308));
}

/* Who decides if runs by `plan` have taken one second, those by another strategy so long, and those by others two. */
static const struct weft_schedule_strategy *decider(const struct weft_schedule_strategy *other,
						    size_t runs, double seconds)
{
	struct weft_schedule_outcome outcomes[WEFT_MOST_OUTCOMES];
	struct weft_schedule_decision decision = {0};
	struct world world;

	start(&world, 8, 0, 1e-4);
	for (size_t i = 0; weft_schedule_strategies()[i]; i++) {
		const struct weft_schedule_strategy *strategy = weft_schedule_strategies()[i];

		outcomes[world.view.num_outcomes++] =
			strategy == other
				? (struct weft_schedule_outcome){strategy->name, runs, seconds}
				: (struct weft_schedule_outcome){
					  strategy->name, 4,
					  strategy == &weft_strategy_plan ? 1 : 2};
	}
	world.view.outcomes = outcomes;
	weft_strategy_plan.decide(&world.view, &decision);
	const struct weft_schedule_strategy *follows = world.follows;
	end(&world);
	return follows ? follows : &weft_strategy_plan;
}

static void test_outcomes(void **state)
{
	const struct weft_schedule_strategy *heft = &weft_strategy_heft;

	(void)state;
	assert_ptr_equal(decider(heft, 4, 0.9), heft);
	assert_ptr_equal(decider(heft, 4, 0.99), &weft_strategy_plan);
	assert_ptr_equal(decider(heft, 4, 1.1), &weft_strategy_plan);
	/* One run says little; the forecast is that of the plan, here. */
	assert_ptr_equal(decider(heft, 1, 1.1), heft);
	assert_ptr_equal(decider(&weft_strategy_plan, 4, 2.1), &weft_strategy_claims);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_boundless),
		cmocka_unit_test(test_outcomes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
