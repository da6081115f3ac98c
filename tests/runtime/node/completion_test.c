/* SPDX-License-Identifier: MIT
 *
 * Nodes and the completion queue of a thread: who is told when, and how often.
 */
#include "node/completion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MOST 8
#define CHAIN 200000

/* What happened, in letters: r, e and d for ready, ended and resumed, each followed by the node's name. */
static char happened[4 * MOST + 1];
static size_t length;

struct step {
	struct weft_node node;
	struct weft_edge edge;
	char name;
};

static struct step *step_of(struct weft_node *node)
{
	return WEFT_CONTAINER_OF(node, struct step, node);
}

static void note(char what, struct weft_node *node)
{
	assert_true(length + 2 < sizeof(happened));
	happened[length++] = what;
	happened[length++] = step_of(node)->name;
	happened[length] = 0;
}

static void ready(struct weft_node *node)
{
	note('r', node);
	weft_completion_push(node);
}

static void ended(struct weft_node *node)
{
	note('e', node);
	weft_node_tell_waiters(node, false);
}

static void resume(struct weft_node *node)
{
	note('d', node);
}

static const struct weft_node_ops ops = {ready, ended, resume};

static struct step make(char name, int32_t unmet)
{
	struct step step = {.name = name};

	weft_node_init(&step.node, &ops, unmet);
	return step;
}

static void wait_for(struct step *waiter, struct step *other)
{
	waiter->edge = weft_edge_to(&waiter->node);
	assert_true(weft_edges_add(&other->node.waiters, &waiter->edge));
}

static int begin(void **state)
{
	(void)state;
	length = 0;
	happened[0] = 0;
	return 0;
}

/* a ends; b and c wait for it, and d for b: told in the order in which they ended, not from within one another. */
static void ends_are_told_one_after_the_other(void **state)
{
	struct step a = make('a', 0), b = make('b', 1), c = make('c', 1), d = make('d', 1);

	(void)state;
	wait_for(&b, &a);
	wait_for(&c, &a);
	wait_for(&d, &b);
	bool first = weft_completion_begin(NULL);
	assert_true(weft_completion_is_under_way());
	weft_completion_push(&a.node);
	bool second = weft_completion_begin(NULL);
	weft_completion_end(second);
	assert_string_equal(happened, "");
	weft_completion_end(first);
	assert_string_equal(happened, "earbrcebrdeced");
	assert_false(weft_completion_is_under_way());
	assert_true(weft_edges_closed(&d.node.waiters));
}

static void a_node_waits_for_all_edges(void **state)
{
	struct step a = make('a', 1), b = make('b', 1), c = make('c', 2);
	struct weft_edge other = weft_edge_to(&c.node);

	(void)state;
	wait_for(&c, &a);
	assert_true(weft_edges_add(&b.node.waiters, &other));
	weft_node_end(&a.node);
	assert_string_equal(happened, "");
	weft_node_end(&b.node);
	assert_string_equal(happened, "rcec");
}

static void errors_pass_along_checked_edges(void **state)
{
	struct step a = make('a', 1), b = make('b', 1), c = make('c', 1);

	(void)state;
	b.edge = weft_edge_checked_to(&b.node);
	assert_ptr_equal(weft_edge_waiter(&b.edge), &b.node);
	assert_true(weft_edges_add(&a.node.waiters, &b.edge));
	wait_for(&c, &a);
	bool first = weft_completion_begin(NULL);
	weft_node_tell_waiters(&a.node, true);
	weft_completion_end(first);
	assert_int_equal(atomic_load(&b.node.outcome), WEFT_DEPENDENCY_FAILED);
	assert_int_equal(atomic_load(&c.node.outcome), WEFT_OK);
}

static void deferred_nodes_come_last(void **state)
{
	struct step a = make('a', 0), b = make('b', 1), c = make('c', 0);

	(void)state;
	wait_for(&b, &a);
	bool first = weft_completion_begin(NULL);
	weft_completion_defer(&c.node);
	weft_completion_push(&a.node);
	weft_completion_end(first);
	assert_string_equal(happened, "earbebdc");
}

static void later_edges_are_met_before_the_next_node(void **state)
{
	struct step a = make('a', 0), b = make('b', 0), c = make('c', 1);

	(void)state;
	c.edge = weft_edge_to(&c.node);
	bool first = weft_completion_begin(NULL);
	weft_completion_push(&a.node);
	weft_completion_push(&b.node);
	weft_completion_meet_later(&c.edge);
	weft_completion_end(first);
	assert_string_equal(happened, "rceaebec");
}

/* What has ended is told before the pause; what ends during it, at once. */
static void a_pause_leaves_nothing_in_the_queue(void **state)
{
	struct step a = make('a', 0), b = make('b', 0);
	struct weft_completion_pause pause;

	(void)state;
	bool first = weft_completion_begin(NULL);
	weft_completion_push(&a.node);
	weft_completion_pause(&pause);
	assert_string_equal(happened, "ea");
	assert_true(weft_completion_is_under_way());
	bool inner = weft_completion_begin(NULL);
	weft_completion_push(&b.node);
	weft_completion_end(inner);
	assert_string_equal(happened, "eaeb");
	weft_completion_resume(&pause);
	weft_completion_end(first);
	assert_string_equal(happened, "eaeb");
}

static void push(struct weft_node *node)
{
	weft_completion_push(node);
}

static void tell(struct weft_node *node)
{
	weft_node_tell_waiters(node, false);
}

/* It would need a stack of many megabytes if each end were told from within the one before. */
static void a_chain_of_any_length_needs_no_stack(void **state)
{
	static const struct weft_node_ops quiet = {.ready = push, .ended = tell};
	static struct weft_node nodes[CHAIN];
	static struct weft_edge edges[CHAIN];

	(void)state;
	for (size_t i = 0; i < CHAIN; i++) {
		weft_node_init(&nodes[i], &quiet, 1);
		edges[i] = weft_edge_to(&nodes[i]);
		if (i)
			assert_true(weft_edges_add(&nodes[i - 1].waiters, &edges[i]));
	}
	weft_node_end(&nodes[0]);
	assert_true(weft_edges_closed(&nodes[CHAIN - 1].waiters));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(ends_are_told_one_after_the_other, begin),
		cmocka_unit_test_setup(a_node_waits_for_all_edges, begin),
		cmocka_unit_test_setup(errors_pass_along_checked_edges, begin),
		cmocka_unit_test_setup(deferred_nodes_come_last, begin),
		cmocka_unit_test_setup(later_edges_are_met_before_the_next_node, begin),
		cmocka_unit_test_setup(a_pause_leaves_nothing_in_the_queue, begin),
		cmocka_unit_test_setup(a_chain_of_any_length_needs_no_stack, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
