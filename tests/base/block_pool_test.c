/* SPDX-License-Identifier: MIT
 *
 * Pools and slabs: a block belongs to one user at a time, whichever threads take and give it; a failed allocation is a
 * NULL; the memory of a burst goes back to the system, and the heads of blocks outlive them.
 */
#include "common.h"

#include "alloc.h"
#include "block_pool.h"
#include "slab.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#define BLOCKS 1000

#if defined(__has_feature)
#define WEFT_TEST_ASAN __has_feature(address_sanitizer)
#else
#define WEFT_TEST_ASAN 0
#endif

static void blocks_are_aligned_and_apart(void **state)
{
	unsigned char *blocks[BLOCKS];

	(void)state;
	for (int i = 0; i < BLOCKS; i++) {
		blocks[i] = weft_block_pool_take(WEFT_BLOCK_POOL_EVENTS);
		assert_non_null(blocks[i]);
		assert_int_equal((uintptr_t)blocks[i] % WEFT_BLOCK_POOL_ALIGNMENT, 0);
		memset(blocks[i], i, WEFT_BLOCK_POOL_EVENT_BYTES);
	}
	for (int i = 0; i < BLOCKS; i++) {
		for (int j = 0; j < WEFT_BLOCK_POOL_EVENT_BYTES; j++)
			assert_int_equal(blocks[i][j], i & 255);
		weft_block_pool_return(WEFT_BLOCK_POOL_EVENTS, blocks[i]);
	}
	weft_block_pool_return(WEFT_BLOCK_POOL_EVENTS, NULL);
}

static void failed_allocation_gives_nothing(void **state)
{
	(void)state;
	for (long n = 0; n < 3; n++) {
		weft_alloc_fail_after(n);
		void *blocks[100] = {NULL};
		int nothing = 0;
		for (int i = 0; i < 100; i++) {
			blocks[i] = weft_block_pool_take(WEFT_BLOCK_POOL_JOIN_COUNTERS);
			nothing += blocks[i] == NULL;
		}
		weft_alloc_fail_after(-1);
		assert_int_equal(nothing, 1);
		for (int i = 0; i < 100; i++)
			weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, blocks[i]);
	}
}

/* ---- what has ended -------------------------------------------------------------------------- */

#define BURST 300000
#define BURST_BYTES ((size_t)BURST * WEFT_BLOCK_POOL_EVENT_BYTES)

/* In the order in which they were taken, in the opposite one, and in no order. */
static size_t place(int order, size_t i)
{
	static const size_t step = 7919; /* a prime, none of BURST's */

	return order == 0 ? i : order == 1 ? BURST - 1 - i : i * step % BURST;
}

static void a_burst_gives_its_memory_back(void **state)
{
	static void *blocks[BURST];

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || WEFT_TEST_ASAN
	skip(); /* every block is the allocator's */
#endif
	for (int order = 0; order < 3; order++) {
		for (size_t i = 0; i < BURST; i++) {
			blocks[i] = weft_block_pool_take(WEFT_BLOCK_POOL_EVENTS);
			assert_non_null(blocks[i]);
		}
		assert_true(weft_slab_bytes() >= BURST_BYTES);
		for (size_t i = 0; i < BURST; i++)
			weft_block_pool_return(WEFT_BLOCK_POOL_EVENTS, blocks[place(order, i)]);
		/* a few blocks of each slab may be at hand, where the order is none */
		if (order < 2)
			assert_true(weft_slab_bytes() <= BURST_BYTES / 2);
	}
}

/* A handle's head is read after its end, whatever the memory is used for. */
static void heads_outlive_their_blocks(void **state)
{
	static const size_t sizes[] = {WEFT_SLAB_HEAD + 16, 128, 200, 1000, WEFT_SLAB_MOST};
	char head[WEFT_SLAB_HEAD];

	(void)state;
	memset(head, 0x5a, sizeof(head));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *block = weft_slab_take(WEFT_SLAB_HANDLES, sizes[i], 1);
		static const char zeros[WEFT_SLAB_HEAD];

		assert_non_null(block);
		assert_memory_equal(block, zeros, sizeof(zeros));
		memset(block, 0x5a, sizes[i]);
		*weft_slab_link(block) = NULL;
		weft_slab_give(block);
		assert_memory_equal(block, head, sizeof(head));
	}
	char *event = weft_block_pool_take(WEFT_BLOCK_POOL_EVENTS);
	memset(event, 0x5a, WEFT_BLOCK_POOL_EVENT_BYTES);
	weft_block_pool_return(WEFT_BLOCK_POOL_EVENTS, event);
	assert_memory_equal(event, head, sizeof(head));
}

/* ---- from thread to thread ------------------------------------------------------------------- */

#define PASSED 100

static void *give_one(void *block)
{
	weft_block_pool_return(WEFT_BLOCK_POOL_EVENTS, block);
	return NULL;
}

static int find(void *const *blocks, const void *block)
{
	int at = 0;

	while (at < PASSED && blocks[at] != block)
		at++;
	return at;
}

/* A thread that only gives, and ends, leaves its blocks to the others. */
static void ended_threads_leave_their_blocks(void **state)
{
	void *blocks[PASSED];
	void *again[4 * PASSED];
	int found = 0;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || WEFT_TEST_ASAN
	skip(); /* every block is the allocator's */
#endif
	for (int i = 0; i < PASSED; i++)
		blocks[i] = weft_block_pool_take(WEFT_BLOCK_POOL_EVENTS);
	for (int i = 0; i < PASSED; i++) {
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL, give_one, blocks[i]), 0);
		pthread_join(thread, NULL);
	}
	for (int i = 0; i < 4 * PASSED; i++) {
		again[i] = weft_block_pool_take(WEFT_BLOCK_POOL_EVENTS);
		found += find(blocks, again[i]) < PASSED;
	}
	assert_int_equal(found, PASSED);
	for (int i = 0; i < 4 * PASSED; i++)
		weft_block_pool_return(WEFT_BLOCK_POOL_EVENTS, again[i]);
}

#define ROUNDS 20000
#define SLOTS 64

/* Blocks on their way from threads that take to threads that give. */
static _Atomic(uint64_t *) slots[SLOTS];
static _Atomic int shared_blocks; /* found in use by two */
static _Atomic int refused;
static _Atomic int givers;

static void *take_and_pass(void *argument)
{
	for (uint64_t i = 0; i < ROUNDS; i++) {
		uint64_t *block = weft_block_pool_take(WEFT_BLOCK_POOL_JOIN_COUNTERS);
		uint64_t *expected = NULL;

		if (!block) {
			atomic_fetch_add(&refused, 1);
			continue;
		}
		block[2] = (uintptr_t)block ^ i;
		block[3] = i;
		uint64_t slot = (i * 7 + (uintptr_t)argument) % SLOTS;
		if (!atomic_compare_exchange_strong(&slots[slot], &expected, block))
			weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, block);
	}
	atomic_fetch_sub(&givers, 1);
	return NULL;
}

static void give(uint64_t *block)
{
	if (!block)
		return;
	if (block[2] != ((uintptr_t)block ^ block[3]))
		atomic_fetch_add(&shared_blocks, 1);
	weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, block);
}

static void *give_back(void *unused)
{
	(void)unused;
	while (atomic_load(&givers) > 0) {
		for (int i = 0; i < SLOTS; i++)
			give(atomic_exchange(&slots[i], NULL));
	}
	return NULL;
}

static void pass_between_threads(void)
{
	pthread_t threads[4];

	atomic_store(&givers, 2);
	for (uintptr_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL,
						i < 2 ? take_and_pass : give_back,
						(void *)(i * 13)),
				 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < SLOTS; i++)
		give(atomic_exchange(&slots[i], NULL));
}

static void threads_pass_blocks_on(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++)
		pass_between_threads();
	assert_int_equal(atomic_load(&shared_blocks), 0);
	assert_int_equal(atomic_load(&refused), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ended_threads_leave_their_blocks),
		cmocka_unit_test(blocks_are_aligned_and_apart),
		cmocka_unit_test(failed_allocation_gives_nothing),
		cmocka_unit_test(a_burst_gives_its_memory_back),
		cmocka_unit_test(heads_outlive_their_blocks),
		cmocka_unit_test(threads_pass_blocks_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
