/* SPDX-License-Identifier: MIT
 *
 * The ring of calls of the application, by hand: order, batches, a ring that is full, and one without memory.
 */
#include "accel_test.h"

#include "alloc.h"
#include "device_memory/call_ring.h"
#include "kernel_abi.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 5000, MOST_BYTES = 300 * 1024 };

static struct accel_memory memory;
static struct accel_call_ring ring;
static uint64_t keys[MOST_CALLS]; /* of the calls that were made */
static size_t num_made;
static unsigned char expected; /* each byte of the arguments, plus the key */

static void make(struct weft_work_context *context, uint64_t key, const void *args, void *result)
{
	(void)context;
	for (size_t i = 0; i < key; i += 61)
		assert_int_equal(((const unsigned char *)args)[i], (unsigned char)(expected + key));
	assert_int_equal((uintptr_t)args % (key <= 4096 ? 128 : 1), 0);
	keys[num_made++] = key;
	*(uint64_t *)result = key + 1;
}

static struct weft_work_context context = {.call_host = make};
static uint64_t results[MOST_CALLS];

/* The key is the number of bytes. What is posted is copied. */
static uint64_t post(uint64_t size, size_t call)
{
	static _Alignas(128) unsigned char bytes[MOST_BYTES];

	memset(bytes, (int)(unsigned char)(expected + size), size);
	const uint64_t number = accel_call_ring_post(
		&ring, &context,
		&(struct weft_posted_call){size, bytes, size, &results[call], sizeof(results[0])});
	memset(bytes, 0, size);
	return number;
}

static int begin(void **state)
{
	(void)state;
	memset(&memory, 0, sizeof(memory));
	accel_memory_init(&memory, 64 << 20);
	ring = (struct accel_call_ring){.memory = &memory};
	accel_call_ring_begin(&ring);
	num_made = 0;
	memset(results, 0, sizeof(results));
	return 0;
}

static int end(void **state)
{
	(void)state;
	accel_call_ring_destroy(&ring);
	accel_memory_destroy(&memory);
	return 0;
}

static void calls_are_made_in_their_order(void **state)
{
	uint64_t numbers[100];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		numbers[i] = post(i, i);
	assert_int_equal(num_made, 0);
	accel_call_ring_await(&ring, &context, numbers[40]);
	assert_int_equal(num_made, 100);
	for (size_t i = 0; i < 100; i++) {
		assert_int_equal(keys[i], i);
		assert_int_equal(results[i], i + 1);
	}
	const uint64_t later = post(3, 0);
	accel_call_ring_await(&ring, &context, numbers[99]); /* it has been made */
	assert_int_equal(num_made, 100);
	accel_call_ring_await(&ring, &context, later);
	assert_int_equal(num_made, 101);
	assert_int_equal(ring.num_batches, 2);
	assert_int_equal(ring.num_calls, 101);
}

/* Sizes of all kinds, some too large for the ring, awaited at random. */
static void nothing_is_lost_when_it_is_full(void **state)
{
	static uint64_t sizes[MOST_CALLS];

	(void)state;
	for (size_t i = 0; i < MOST_CALLS; i++) {
		const size_t most = rand() % 50 == 0 ? MOST_BYTES : 5000;

		sizes[i] = (uint64_t)rand() % most;
		const uint64_t number = post(sizes[i], i);
		assert_int_equal(number, i + 1);
		if (rand() % 100 == 0)
			accel_call_ring_await(&ring, &context, number - (uint64_t)rand() % 30);
	}
	accel_call_ring_await(&ring, &context, MOST_CALLS);
	assert_int_equal(num_made, MOST_CALLS);
	assert_memory_equal(keys, sizes, sizeof(sizes));
	for (size_t i = 0; i < MOST_CALLS; i++)
		assert_int_equal(results[i], sizes[i] + 1);
	assert_true(ring.num_batches < MOST_CALLS / 8);
}

static void without_memory_calls_are_made_at_once(void **state)
{
	(void)state;
	weft_alloc_fail_after(0);
	const uint64_t number = post(4, 0);
	weft_alloc_fail_after(-1);
	assert_int_equal(num_made, 1);
	accel_call_ring_await(&ring, &context, number);
	(void)post(5, 1);
	assert_int_equal(num_made, 1);
	accel_call_ring_await(&ring, &context, 2);
	assert_int_equal(num_made, 2);
	assert_int_equal(ring.num_batches, 2);
}

/* What an earlier launch has left is not called. */
static void a_launch_begins_anew(void **state)
{
	(void)state;
	(void)post(4, 0);
	accel_call_ring_begin(&ring);
	assert_int_equal(post(5, 1), 1);
	accel_call_ring_await(&ring, &context, 1);
	assert_int_equal(num_made, 1);
	assert_int_equal(keys[0], 5);
}

int run_accel_call_ring_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(calls_are_made_in_their_order, begin, end),
		cmocka_unit_test_setup_teardown(nothing_is_lost_when_it_is_full, begin, end),
		cmocka_unit_test_setup_teardown(without_memory_calls_are_made_at_once, begin, end),
		cmocka_unit_test_setup_teardown(a_launch_begins_anew, begin, end),
	};

	return cmocka_run_group_tests_name("call ring", tests, NULL, NULL);
}
