/* SPDX-License-Identifier: MIT
 *
 * Lists, reference counts and digests.
 */
#include "common.h"

#include "digest.h"
#include "list.h"
#include "refcount.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
	int number;
	struct weft_list link;
};

static int number_of(struct weft_list *link)
{
	return WEFT_CONTAINER_OF(link, struct item, link)->number;
}

static void lists(void **state)
{
	struct item items[5];
	struct weft_list head;

	(void)state;
	weft_list_init(&head);
	assert_true(weft_list_empty(&head));
	assert_null(weft_list_pop(&head));
	for (int i = 0; i < 5; i++) {
		items[i].number = i;
		weft_list_append(&head, &items[i].link);
	}
	assert_false(weft_list_empty(&head));
	weft_list_remove(&items[2].link);
	weft_list_remove(&items[2].link); /* harmless */
	weft_list_remove(&items[4].link);
	assert_int_equal(number_of(weft_list_pop(&head)), 0);
	weft_list_append(&head, &items[2].link);
	assert_int_equal(number_of(weft_list_pop(&head)), 1);
	assert_int_equal(number_of(weft_list_pop(&head)), 3);
	assert_int_equal(number_of(weft_list_pop(&head)), 2);
	assert_null(weft_list_pop(&head));
	assert_true(weft_list_empty(&head));
}

/* Against an array: append, remove anywhere, pop. */
static void random_lists(void **state)
{
	enum { COUNT = 50 };
	struct item items[COUNT];
	int order[COUNT];
	int length = 0;
	struct weft_list head;

	(void)state;
	weft_list_init(&head);
	for (int i = 0; i < COUNT; i++) {
		items[i].number = i;
		weft_list_init(&items[i].link);
	}
	for (int step = 0; step < 20000; step++) {
		int number = rand() % COUNT;
		int at = 0;
		while (at < length && order[at] != number)
			at++;
		if (at < length && rand() % 2) {
			weft_list_remove(&items[number].link);
			memmove(order + at, order + at + 1, (size_t)(--length - at) * sizeof(int));
		} else if (at < length) {
			assert_int_equal(number_of(weft_list_pop(&head)), order[0]);
			memmove(order, order + 1, (size_t)--length * sizeof(int));
		} else {
			weft_list_append(&head, &items[number].link);
			order[length++] = number;
		}
		struct weft_list *link = head.next;
		for (int i = 0; i < length; i++, link = link->next)
			assert_int_equal(number_of(link), order[i]);
		assert_ptr_equal(link, &head);
	}
}

#define ROUNDS 100000

static _Atomic int destroyed;

static void *share(void *argument)
{
	weft_refcount *count = argument;

	for (int i = 0; i < ROUNDS; i++) {
		weft_refcount_get(count);
		if (weft_refcount_put(count))
			atomic_fetch_add(&destroyed, 1);
	}
	if (weft_refcount_put(count))
		atomic_fetch_add(&destroyed, 1);
	return NULL;
}

/* Exactly one of all threads that drop theirs is the last. */
static void refcounts(void **state)
{
	pthread_t threads[4];
	weft_refcount count;

	(void)state;
	weft_refcount_init(&count, 4);
	assert_int_equal(weft_refcount_read(&count), 4);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, share, &count), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(atomic_load(&destroyed), 1);
	assert_int_equal(weft_refcount_read(&count), 0);
}

static int same(struct weft_digest a, struct weft_digest b)
{
	return a.low == b.low && a.high == b.high;
}

static void digests(void **state)
{
	const struct weft_digest none = {0, 0};
	const struct weft_digest empty = weft_digest_bytes("", 0);

	(void)state;
	/* XXH3's published value for no bytes: keys on disk must not change with the library */
	assert_true(empty.low == 0x6001c324468d497f && empty.high == 0x99aa06d3014798d8);
	assert_true(same(weft_digest_bytes("weft", 4), weft_digest_bytes("weft", 4)));
	assert_false(same(weft_digest_bytes("weft", 4), weft_digest_bytes("weff", 4)));

	struct weft_digest first = weft_digest_field(weft_digest_field(none, "ab", 2), "c", 1);
	struct weft_digest second = weft_digest_field(weft_digest_field(none, "a", 1), "bc", 2);
	struct weft_digest third = weft_digest_field(weft_digest_field(none, "c", 1), "ab", 2);
	struct weft_digest fourth = weft_digest_field(first, "", 0);
	assert_false(same(first, second));
	assert_false(same(first, third));
	assert_false(same(first, fourth));
	assert_false(same(weft_digest_field(none, "\0", 1), weft_digest_field(none, "\0\0", 2)));
}

/* Every flipped bit of a block changes both halves. */
static void every_bit_counts(void **state)
{
	unsigned char bytes[300] = {0};
	const struct weft_digest base = weft_digest_bytes(bytes, sizeof(bytes));

	(void)state;
	for (size_t bit = 0; bit < 8 * sizeof(bytes); bit++) {
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		struct weft_digest changed = weft_digest_bytes(bytes, sizeof(bytes));
		assert_true(changed.low != base.low && changed.high != base.high);
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(random_lists),
		cmocka_unit_test(refcounts),
		cmocka_unit_test(digests),
		cmocka_unit_test(every_bit_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
