/* SPDX-License-Identifier: MIT
 *
 * Command DAGs: which command comes after which, by wait lists, barriers, and what is done to memory. The test looks at
 * the order alone, so that edges that follow from others do not matter.
 */
#include "alloc.h"
#include "command_buffer/command_dag.h"
#include "device/context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 64

static struct _cl_mem buffers[4];
static struct _cl_context context;

struct steps {
	struct weft_dag_builder *builder;
	struct weft_access_builder accesses; /* of the next one */
	uint32_t count;
};

static void begin(struct steps *steps, enum weft_dag_order order)
{
	*steps = (struct steps){.builder = weft_dag_builder_create(order)};
	weft_access_builder_init(&steps->accesses, &context);
	assert_non_null(steps->builder);
}

/* The next step does this to bytes `begin` to `end` of a buffer. */
static void touches(struct steps *steps, unsigned buffer, size_t first, size_t end, bool writes)
{
	weft_accesses_add(&steps->accesses, &buffers[buffer], first, end,
			  writes ? WEFT_ACCESS_WRITE : WEFT_ACCESS_READ);
}

static uint32_t add(struct steps *steps, uint32_t num_waits, const uint32_t *waits, bool barrier)
{
	const struct weft_dag_step step = {.waits = waits,
					   .num_waits = num_waits,
					   .barrier = barrier,
					   .accesses = &steps->accesses.list};

	assert_true(weft_dag_builder_add(steps->builder, &step));
	weft_access_builder_init(&steps->accesses, &context);
	return steps->count++;
}

static struct weft_command_dag *end(struct steps *steps)
{
	struct weft_command_dag *dag = weft_dag_builder_finish(steps->builder);

	assert_non_null(dag);
	assert_int_equal(dag->num_nodes, steps->count);
	weft_dag_builder_destroy(steps->builder);
	return dag;
}

/* Marks all that comes after `from`. */
static void follow(const struct weft_command_dag *dag, uint32_t from, bool *reached)
{
	for (uint32_t i = 0; i < dag->nodes[from].num_successors; i++) {
		uint32_t next = dag->nodes[from].successors[i];

		assert_true(next > from && next < dag->num_nodes);
		if (!reached[next]) {
			reached[next] = true;
			follow(dag, next, reached);
		}
	}
}

static bool comes_after(const struct weft_command_dag *dag, uint32_t later, uint32_t earlier)
{
	bool reached[MOST] = {false};

	follow(dag, earlier, reached);
	return reached[later];
}

/* The counts say what the lists say. */
static void check_counts(const struct weft_command_dag *dag)
{
	int32_t predecessors[MOST] = {0};
	uint32_t roots = 0;
	uint32_t ends = 0;

	for (uint32_t i = 0; i < dag->num_nodes; i++) {
		for (uint32_t k = 0; k < dag->nodes[i].num_successors; k++)
			predecessors[dag->nodes[i].successors[k]]++;
		ends += dag->nodes[i].num_successors == 0;
	}
	for (uint32_t i = 0; i < dag->num_nodes; i++) {
		assert_int_equal(dag->nodes[i].predecessors, predecessors[i]);
		if (predecessors[i] == 0)
			assert_int_equal(dag->roots[roots++], i);
	}
	assert_int_equal(dag->num_roots, roots);
	assert_int_equal(dag->num_ends, ends);
}

static void nothing(void **state)
{
	struct steps steps;

	(void)state;
	begin(&steps, WEFT_DAG_BY_DATA);
	struct weft_command_dag *dag = end(&steps);
	check_counts(dag);
	weft_dag_put(dag);
	weft_dag_put(NULL);
}

static void serial(void **state)
{
	struct steps steps;

	(void)state;
	begin(&steps, WEFT_DAG_SERIAL);
	for (int i = 0; i < 5; i++)
		add(&steps, 0, NULL, i == 3);
	struct weft_command_dag *dag = end(&steps);
	check_counts(dag);
	assert_int_equal(dag->num_roots, 1);
	for (uint32_t i = 1; i < 5; i++)
		assert_int_equal(dag->nodes[i].predecessors, 1);
	weft_dag_put(dag);
}

static void wait_lists(void **state)
{
	struct steps steps;

	(void)state;
	begin(&steps, WEFT_DAG_OUT_OF_ORDER);
	uint32_t a = add(&steps, 0, NULL, false);
	uint32_t b = add(&steps, 0, NULL, false);
	const uint32_t both[] = {a, b, a};
	uint32_t c = add(&steps, 3, both, false); /* one twice */
	uint32_t d = add(&steps, 1, &a, false);
	struct weft_command_dag *dag = end(&steps);
	check_counts(dag);
	assert_true(comes_after(dag, c, a) && comes_after(dag, c, b) && comes_after(dag, d, a));
	assert_false(comes_after(dag, b, a) || comes_after(dag, d, b) || comes_after(dag, d, c));
	assert_int_equal(dag->nodes[c].predecessors, 2);
	weft_dag_put(dag);
}

/* A barrier without a wait list comes after all; with one, after that alone; either way all later come after it. */
static void barriers(void **state)
{
	struct steps steps;

	(void)state;
	begin(&steps, WEFT_DAG_OUT_OF_ORDER);
	uint32_t a = add(&steps, 0, NULL, false);
	uint32_t b = add(&steps, 0, NULL, false);
	uint32_t some = add(&steps, 1, &a, true);
	uint32_t c = add(&steps, 0, NULL, false);
	uint32_t d = add(&steps, 1, &b, false); /* waits for what is before the barrier, too */
	uint32_t all = add(&steps, 0, NULL, true);
	uint32_t e = add(&steps, 0, NULL, false);
	uint32_t again = add(&steps, 0, NULL, true);
	struct weft_command_dag *dag = end(&steps);
	check_counts(dag);
	assert_true(comes_after(dag, some, a));
	assert_false(comes_after(dag, some, b));
	assert_true(comes_after(dag, c, some) && comes_after(dag, d, some));
	assert_true(comes_after(dag, d, b));
	assert_false(comes_after(dag, d, c));
	for (uint32_t i = 0; i < all; i++)
		assert_true(comes_after(dag, all, i));
	assert_true(comes_after(dag, e, all) && comes_after(dag, again, e));
	weft_dag_put(dag);
}

/* What no command waited for before a barrier with a wait list is waited for by the next without one. */
static void barrier_leaves_some_behind(void **state)
{
	struct steps steps;

	(void)state;
	begin(&steps, WEFT_DAG_OUT_OF_ORDER);
	uint32_t a = add(&steps, 0, NULL, false);
	uint32_t b = add(&steps, 0, NULL, false);
	add(&steps, 1, &a, true);
	uint32_t first = add(&steps, 1, &a, true); /* waits for what is before another barrier */
	uint32_t all = add(&steps, 0, NULL, true);
	struct weft_command_dag *dag = end(&steps);
	check_counts(dag);
	assert_true(comes_after(dag, first, first - 1));
	assert_true(comes_after(dag, all, b) && comes_after(dag, all, first));
	weft_dag_put(dag);
}

static void readers_and_writers(void **state)
{
	struct steps steps;

	(void)state;
	begin(&steps, WEFT_DAG_BY_DATA);
	touches(&steps, 0, 0, 100, true);
	uint32_t write = add(&steps, 0, NULL, false);
	touches(&steps, 0, 0, 50, false);
	uint32_t low = add(&steps, 0, NULL, false);
	touches(&steps, 0, 50, 100, false);
	uint32_t high = add(&steps, 0, NULL, false);
	touches(&steps, 1, 0, 100, true);
	uint32_t elsewhere = add(&steps, 0, NULL, false);
	touches(&steps, 0, 10, 20, true);
	uint32_t inner = add(&steps, 0, NULL, false);
	touches(&steps, 0, 0, 100, false);
	touches(&steps, 1, 0, 10, true);
	uint32_t last = add(&steps, 0, NULL, false);
	struct weft_command_dag *dag = end(&steps);
	check_counts(dag);
	assert_true(comes_after(dag, low, write) && comes_after(dag, high, write));
	assert_false(comes_after(dag, high, low));
	assert_int_equal(dag->nodes[elsewhere].predecessors, 0);
	assert_true(comes_after(dag, inner, write) && comes_after(dag, inner, low));
	assert_true(comes_after(dag, last, inner) && comes_after(dag, last, elsewhere));
	assert_false(comes_after(dag, last, low) && !comes_after(dag, inner, low));
	weft_dag_put(dag);
}

/* What may touch anything, and a barrier, come after all and before all. */
static void unknown(void **state)
{
	struct steps steps;
	uint32_t ids[8];

	(void)state;
	begin(&steps, WEFT_DAG_BY_DATA);
	for (int i = 0; i < 8; i++) {
		touches(&steps, (unsigned)i % 2, 0, 10, false);
		steps.accesses.list.anything = i == 3;
		ids[i] = add(&steps, i == 5 ? 1 : 0, ids, i == 5);
	}
	struct weft_command_dag *dag = end(&steps);
	check_counts(dag);
	for (int i = 0; i < 8; i++) {
		for (int k = 0; k < i; k++) {
			bool ordered = (k <= 3 && i >= 3) || (k <= 5 && i >= 5);

			assert_int_equal(comes_after(dag, ids[i], ids[k]), ordered);
		}
	}
	weft_dag_put(dag);
}

static bool clash(const struct weft_accesses *a, const struct weft_accesses *b)
{
	for (unsigned i = 0; i < a->count * b->count; i++) {
		const struct weft_access *x = &a->items[i / b->count];
		const struct weft_access *y = &b->items[i % b->count];

		if (((x->kind | y->kind) & WEFT_ACCESS_WRITE) && x->buffer == y->buffer &&
		    weft_regions_overlap(&x->region, &y->region))
			return true;
	}
	return false;
}

static void touches_rectangle(struct steps *steps, size_t first)
{
	const size_t size[3] = {1 + (size_t)(rand() % 5), 1 + (size_t)(rand() % 3), 1};
	const struct weft_rect rect = {first, first + 10 * (size[1] - 1) + size[0], 10, 100};
	const struct weft_region region = weft_region_of_rect(&rect, size);

	weft_accesses_add_region(&steps->accesses, &buffers[rand() % 3], &region,
				 rand() % 3 ? WEFT_ACCESS_READ : WEFT_ACCESS_READ_WRITE);
}

static void touches_something(struct steps *steps)
{
	for (int ranges = 1 + rand() % 3; ranges > 0; ranges--) {
		size_t first = (size_t)(rand() % 90);

		if (rand() % 2)
			touches_rectangle(steps, first);
		else
			touches(steps, (unsigned)(rand() % 3), first,
				first + 1 + (size_t)(rand() % 30), rand() % 3 == 0);
	}
}

/* At random, against the definition. */
static void random_data(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		static struct weft_access_builder accesses[40];
		struct steps steps;

		begin(&steps, WEFT_DAG_BY_DATA);
		for (uint32_t i = 0; i < 40; i++) {
			touches_something(&steps);
			accesses[i] = steps.accesses;
			accesses[i].list.items = accesses[i].few;
			add(&steps, 0, NULL, false);
		}
		struct weft_command_dag *dag = end(&steps);
		check_counts(dag);
		for (uint32_t i = 0; i < 40 * 40; i++) {
			if (i % 40 < i / 40 &&
			    clash(&accesses[i / 40].list, &accesses[i % 40].list))
				assert_true(comes_after(dag, i / 40, i % 40));
		}
		weft_dag_put(dag);
	}
}

/* Each command of the second round comes after the one of the first that has its range, and no other. */
static void many_ranges(void **state)
{
	enum { COUNT = 4096, STEP = 1021 }; /* STEP is odd, so that each range comes once */
	struct steps steps;

	(void)state;
	begin(&steps, WEFT_DAG_BY_DATA);
	for (unsigned i = 0; i < 2 * COUNT; i++) {
		const unsigned range = i < COUNT ? i * STEP % COUNT : i - COUNT;

		touches(&steps, 0, (size_t)range * 8, (size_t)range * 8 + 8, true);
		add(&steps, 0, NULL, false);
	}
	struct weft_command_dag *dag = end(&steps);
	for (unsigned i = 0; i < COUNT; i++) {
		assert_int_equal(dag->nodes[i].predecessors, 0);
		assert_int_equal(dag->nodes[COUNT + i].predecessors, 1);
		assert_int_equal(dag->nodes[i].num_successors, 1);
		assert_int_equal(dag->nodes[i].successors[0], COUNT + i * STEP % COUNT);
	}
	weft_dag_put(dag);
}

/* Every allocation fails once. */
static void without_memory(void **state)
{
	(void)state;
	for (long n = 0;; n++) {
		struct weft_access_builder accesses;
		const struct weft_dag_step step = {.accesses = &accesses.list};
		struct weft_command_dag *dag = NULL;

		weft_access_builder_init(&accesses, &context);
		weft_accesses_add(&accesses, &buffers[0], 0, 10, WEFT_ACCESS_READ);
		weft_alloc_fail_after(n);
		struct weft_dag_builder *builder = weft_dag_builder_create(WEFT_DAG_BY_DATA);
		uint32_t done = 0;
		while (builder && done < 100) {
			accesses.few[0].kind = done % 50 ? WEFT_ACCESS_READ : WEFT_ACCESS_WRITE;
			if (!weft_dag_builder_add(builder, &step))
				break;
			done++;
		}
		if (builder && done == 100)
			dag = weft_dag_builder_finish(builder);
		weft_dag_builder_destroy(builder);
		bool failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		assert_int_equal(dag == NULL, failed);
		weft_dag_put(dag);
		if (!failed)
			return;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),
		cmocka_unit_test(serial),
		cmocka_unit_test(wait_lists),
		cmocka_unit_test(barriers),
		cmocka_unit_test(barrier_leaves_some_behind),
		cmocka_unit_test(readers_and_writers),
		cmocka_unit_test(unknown),
		cmocka_unit_test(random_data),
		cmocka_unit_test(many_ranges),
		cmocka_unit_test(without_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
