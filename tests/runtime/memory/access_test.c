/* SPDX-License-Identifier: MIT
 *
 * Lists of accesses: what becomes one access, with which kind; how many there may be; what is left when memory runs out.
 */
#include "alloc.h"
#include "device/context.h"
#include "memory/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct _cl_context one_memory = {.num_memories = 0};
static struct _cl_context memories = {.num_memories = 1};
static struct _cl_mem buffer = {.size = 1000};
static struct _cl_mem other = {.size = 1000};
static struct _cl_mem part = {.size = 100, .parent = &buffer, .origin = 200};

static void expect(const struct weft_access *access, cl_mem mem, size_t begin, size_t end,
		   enum weft_access_kind kind)
{
	assert_ptr_equal(access->buffer, mem);
	assert_int_equal(access->region.range.begin, begin);
	assert_int_equal(access->region.range.end, end);
	assert_int_equal(access->kind, kind);
}

static void what_overlaps_is_one_access(void **state)
{
	struct weft_access_builder builder;
	const struct weft_accesses *list = &builder.list;

	(void)state;
	weft_access_builder_init(&builder, &one_memory);
	weft_accesses_add(&builder, &buffer, 0, 10, WEFT_ACCESS_READ);
	weft_accesses_add(&builder, &buffer, 20, 30, WEFT_ACCESS_READ);
	weft_accesses_add(&builder, &other, 0, 100, WEFT_ACCESS_WRITE);
	weft_accesses_add(&builder, &buffer, 10, 20,
			  WEFT_ACCESS_WRITE); /* touches both, overlaps none */
	weft_accesses_add(&builder, &buffer, 50, 50, WEFT_ACCESS_WRITE); /* no bytes */
	assert_int_equal(list->count, 4);
	weft_accesses_add(&builder, &buffer, 9, 21, WEFT_ACCESS_READ);
	assert_int_equal(list->count, 2);
	expect(&list->items[0], &other, 0, 100, WEFT_ACCESS_WRITE);
	expect(&list->items[1], &buffer, 0, 30, WEFT_ACCESS_READ_WRITE);
	assert_false(list->anything || list->truncated);
	weft_access_builder_destroy(&builder);
}

static void sub_buffers_are_parts_of_their_parent(void **state)
{
	struct weft_access_builder builder;

	(void)state;
	weft_access_builder_init(&builder, &one_memory);
	weft_accesses_add(&builder, &part, 10, 20, WEFT_ACCESS_READ);
	expect(&builder.list.items[0], &buffer, 210, 220, WEFT_ACCESS_READ);
	weft_accesses_add(&builder, &buffer, 215, 300, WEFT_ACCESS_READ);
	assert_int_equal(builder.list.count, 1);
	expect(&builder.list.items[0], &buffer, 210, 300, WEFT_ACCESS_READ);
	weft_accesses_add_host(&builder, (const void *)(uintptr_t)210, 90, WEFT_ACCESS_WRITE);
	assert_int_equal(builder.list.count, 2);
	expect(&builder.list.items[1], NULL, 210, 300, WEFT_ACCESS_WRITE);
	weft_access_builder_destroy(&builder);
}

/* Columns of a picture of 20 bytes per row; with memories, what transfers copy counts. */
static void rectangles_are_their_rows(void **state)
{
	const size_t size[3] = {8, 3, 1};
	const struct weft_rect left = {0, 48, 20, 60}, right = {10, 58, 20, 60};
	const struct weft_region columns[] = {weft_region_of_rect(&left, size),
					      weft_region_of_rect(&right, size)};
	struct weft_access_builder builder;

	(void)state;
	weft_access_builder_init(&builder, &one_memory);
	weft_accesses_add_region(&builder, &buffer, &columns[0], WEFT_ACCESS_READ);
	weft_accesses_add_region(&builder, &part, &columns[1], WEFT_ACCESS_READ_WRITE);
	weft_accesses_add_region(&builder, &buffer, &columns[1], WEFT_ACCESS_READ_WRITE);
	assert_int_equal(builder.list.count, 3);
	expect(&builder.list.items[1], &buffer, 210, 258, WEFT_ACCESS_READ_WRITE);
	weft_accesses_add(&builder, &buffer, 12, 13, WEFT_ACCESS_READ);
	assert_int_equal(builder.list.count, 3);
	assert_int_equal(builder.list.items[2].region.row, 8);
	weft_access_builder_destroy(&builder);

	weft_access_builder_init(&builder, &memories);
	weft_accesses_add_region(&builder, &buffer, &columns[0], WEFT_ACCESS_READ);
	weft_accesses_add_region(&builder, &buffer, &columns[1], WEFT_ACCESS_READ_WRITE);
	assert_int_equal(builder.list.count, 2);
	/* between the rows, but transfers for both copy it */
	weft_accesses_add(&builder, &buffer, 8, 9, WEFT_ACCESS_WRITE);
	assert_int_equal(builder.list.count, 1);
	expect(&builder.list.items[0], &buffer, 0, 58, WEFT_ACCESS_READ_WRITE);
	weft_access_builder_destroy(&builder);

	weft_access_builder_init(&builder, &memories);
	builder.is_elsewhere = true;
	weft_accesses_add_region(&builder, &buffer, &columns[0], WEFT_ACCESS_READ);
	weft_accesses_add_region(&builder, &buffer, &columns[1], WEFT_ACCESS_READ_WRITE);
	assert_int_equal(builder.list.count, 1);
	expect(&builder.list.items[0], &buffer, 0, 58, WEFT_ACCESS_READ_WRITE);
	assert_true(weft_region_is_span(&builder.list.items[0].region));
	weft_access_builder_destroy(&builder);
}

/* Parts in no order: what one of them overwrites, another one may have read before. */
static void parts_of_a_command(void **state)
{
	struct weft_access_builder first;
	struct weft_access_builder whole;

	(void)state;
	weft_access_builder_init(&first, &one_memory);
	weft_access_builder_init(&whole, &one_memory);
	weft_accesses_add(&first, &buffer, 0, 10, WEFT_ACCESS_WRITE);
	weft_accesses_add(&first, &other, 0, 10, WEFT_ACCESS_READ);
	weft_accesses_add_all(&whole, &first.list);
	assert_int_equal(whole.list.count, 2);
	expect(&whole.list.items[0], &buffer, 0, 10, WEFT_ACCESS_READ_WRITE);
	expect(&whole.list.items[1], &other, 0, 10, WEFT_ACCESS_READ);
	assert_false(weft_accesses_equal(&first.list, &whole.list));
	assert_true(weft_accesses_equal(&whole.list, &whole.list));
	first.list.anything = true;
	weft_accesses_add_all(&whole, &first.list);
	assert_true(whole.list.anything);
	weft_access_builder_destroy(&first);
	weft_access_builder_destroy(&whole);
}

static void add_many(struct weft_access_builder *builder, size_t count)
{
	for (size_t i = 0; i < count; i++)
		weft_accesses_add(builder, &buffer, 2 * i, 2 * i + 1, WEFT_ACCESS_READ);
}

/* Then the command is ordered with everything; transfers need the whole list all the same. */
static void too_many(void **state)
{
	struct weft_access_builder builder;

	(void)state;
	weft_access_builder_init(&builder, &one_memory);
	add_many(&builder, WEFT_ACCESSES_MOST);
	assert_false(builder.list.anything);
	add_many(&builder, WEFT_ACCESSES_MOST + 1);
	assert_true(builder.list.anything);
	assert_int_equal(builder.list.count, WEFT_ACCESSES_MOST);
	weft_access_builder_destroy(&builder);

	weft_access_builder_init(&builder, &memories);
	add_many(&builder, 5 * WEFT_ACCESSES_MOST);
	assert_true(builder.list.anything);
	assert_false(builder.list.truncated);
	assert_int_equal(builder.list.count, 5 * WEFT_ACCESSES_MOST);
	for (size_t i = 0; i < 5 * WEFT_ACCESSES_MOST; i++)
		assert_int_equal(builder.list.items[i].region.range.begin, 2 * i);
	weft_access_builder_destroy(&builder);
}

/* Each part accesses two buffers, in no order of their addresses. What touches becomes one access, and what is apart stays apart. */
static void many_parts(void **state)
{
	enum { PARTS = 1000, STEP = 77 /* no divisor of PARTS */ };
	struct weft_access_builder part_builder;
	struct weft_access_builder whole;

	(void)state;
	weft_access_builder_init(&whole, &memories);
	for (size_t i = 0; i < PARTS; i++) {
		const size_t at = 10 * (i * STEP % PARTS);

		weft_access_builder_init(&part_builder, &memories);
		weft_accesses_add(&part_builder, &buffer, at, at + 10, WEFT_ACCESS_READ_WRITE);
		weft_accesses_add(&part_builder, &other, at, at + 5, WEFT_ACCESS_READ);
		weft_accesses_add_all(&whole, &part_builder.list);
		weft_access_builder_destroy(&part_builder);
	}
	weft_accesses_settle(&whole);
	assert_true(whole.list.anything);
	assert_int_equal(whole.list.count, PARTS + 1);
	const struct weft_access *of_other = &whole.list.items[&other < &buffer ? 0 : 1];
	const struct weft_access *of_buffer = &whole.list.items[&other < &buffer ? PARTS : 0];
	expect(of_buffer, &buffer, 0, 10 * PARTS, WEFT_ACCESS_READ_WRITE);
	for (size_t i = 0; i < PARTS; i++)
		expect(&of_other[i], &other, 10 * i, 10 * i + 5, WEFT_ACCESS_READ);
	weft_access_builder_destroy(&whole);
}

static void without_memory(void **state)
{
	struct weft_access_builder builder;

	(void)state;
	for (long n = 0; n < 2; n++) {
		weft_access_builder_init(&builder, &memories);
		weft_alloc_fail_after(n);
		add_many(&builder, 3 * WEFT_ACCESSES_MOST);
		weft_alloc_fail_after(-1);
		assert_true(builder.list.anything && builder.list.truncated);
		assert_in_range(builder.list.count, WEFT_ACCESSES_MOST, 3 * WEFT_ACCESSES_MOST - 1);
		weft_access_builder_destroy(&builder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_overlaps_is_one_access),
		cmocka_unit_test(sub_buffers_are_parts_of_their_parent),
		cmocka_unit_test(rectangles_are_their_rows),
		cmocka_unit_test(parts_of_a_command),
		cmocka_unit_test(too_many),
		cmocka_unit_test(many_parts),
		cmocka_unit_test(without_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
