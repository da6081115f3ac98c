/* SPDX-License-Identifier: MIT
 *
 * Block pools. A thread has two stacks of blocks per pool, so that taking and returning blocks at the edge of a bundle
 * does not move bundles to and fro. A third full stack is pushed to `returned`. Invariant: a block is in one thread's
 * stack, in one bundle, or in use. `returned` is only pushed to and taken whole, so the ABA problem cannot arise.
 */
#include "block_pool.h"

#include "alloc.h"
#include "slab.h"
#include "thread_local.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define BUNDLE 32
/* Bundles that a pool keeps; the memory of more returned blocks goes back to the system. */
#define MOST_KEPT 128

/* An unused block, after the part that stays of a handle. */
struct weft_pool_block {
	char head[WEFT_SLAB_HEAD];
	struct weft_pool_block *next;   /* in a stack; the place of weft_slab_link */
	struct weft_pool_block *bundle; /* in the first block of a bundle: the next bundle */
};

static_assert(offsetof(struct weft_pool_block, next) == WEFT_SLAB_HEAD, "one link for both");

struct pool {
	size_t size; /* bytes of a block */
	enum weft_slab_use use;
	_Atomic(struct weft_pool_block *) returned;
	_Atomic unsigned kept;  /* bundles in `returned` and `bundles`; may lag behind */
	struct weft_mutex lock; /* WEFT_RANK_POOL */
	struct weft_pool_block *bundles WEFT_GUARDED_BY(&lock);
};

#if defined(__SANITIZE_ADDRESS__)
#define TAKE_EACH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TAKE_EACH 1
#endif
#endif

static struct pool pools[WEFT_BLOCK_POOL_COUNT] = {
	[WEFT_BLOCK_POOL_EVENTS] = {.size = WEFT_BLOCK_POOL_EVENT_BYTES,
				    .use = WEFT_SLAB_HANDLES,
				    .lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_POOL)},
	[WEFT_BLOCK_POOL_TRANSFERS] = {.size = WEFT_BLOCK_POOL_EVENT_BYTES,
				       .use = WEFT_SLAB_OTHERS,
				       .lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_POOL)},
	[WEFT_BLOCK_POOL_JOIN_COUNTERS] = {.size = WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES,
					   .use = WEFT_SLAB_OTHERS,
					   .lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_POOL)},
	[WEFT_BLOCK_POOL_CHILDREN] = {.size = WEFT_BLOCK_POOL_CHILD_BYTES,
				      .use = WEFT_SLAB_OTHERS,
				      .lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_POOL)},
	[WEFT_BLOCK_POOL_DEVICE_EVENTS] = {.size = WEFT_BLOCK_POOL_DEVICE_EVENT_BYTES,
					   .use = WEFT_SLAB_HANDLES,
					   .lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_POOL)},
};

#ifdef TAKE_EACH

void *weft_block_pool_take(enum weft_block_pool pool)
{
	return weft_alloc_must_fail() ? NULL : weft_slab_take(pools[pool].use, pools[pool].size, 1);
}

void weft_block_pool_return(enum weft_block_pool pool, void *block)
{
	(void)pool;
	if (!block)
		return;
	*weft_slab_link(block) = NULL;
	weft_slab_give(block);
}

#else

struct stack {
	struct weft_pool_block *first;
	unsigned count;
};

/* The blocks of this thread. */
static WEFT_THREAD_LOCAL struct {
	struct stack current[WEFT_BLOCK_POOL_COUNT];
	struct stack spare[WEFT_BLOCK_POOL_COUNT]; /* empty, or a whole bundle */
	bool registered;                           /* they are returned when the thread ends */
} own;

static pthread_key_t key;
static bool has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- bundles --------------------------------------------------------------------------------- */

static void return_bundle(struct pool *pool, struct weft_pool_block *first)
{
	struct weft_pool_block *head;

	if (atomic_fetch_add_explicit(&pool->kept, 1, memory_order_relaxed) >= MOST_KEPT) {
		atomic_fetch_sub_explicit(&pool->kept, 1, memory_order_relaxed);
		weft_slab_give(first);
		return;
	}
	head = atomic_load_explicit(&pool->returned, memory_order_relaxed);
	do
		first->bundle = head;
	while (!atomic_compare_exchange_weak_explicit(&pool->returned, &head, first,
						      memory_order_release, memory_order_relaxed));
}

static struct weft_pool_block *take_bundle(struct pool *pool)
{
	if (atomic_load_explicit(&pool->kept, memory_order_relaxed) == 0)
		return NULL;
	weft_mutex_lock(&pool->lock);
	if (!pool->bundles)
		pool->bundles =
			atomic_exchange_explicit(&pool->returned, NULL, memory_order_acquire);
	struct weft_pool_block *first = pool->bundles;
	if (first)
		pool->bundles = first->bundle;
	weft_mutex_unlock(&pool->lock);
	if (first)
		atomic_fetch_sub_explicit(&pool->kept, 1, memory_order_relaxed);
	return first;
}

/* ---- threads --------------------------------------------------------------------------------- */

static void return_own(void *unused)
{
	(void)unused;
	for (int i = 0; i < WEFT_BLOCK_POOL_COUNT; i++) {
		if (own.current[i].first)
			return_bundle(&pools[i], own.current[i].first);
		if (own.spare[i].first)
			return_bundle(&pools[i], own.spare[i].first);
		own.current[i] = own.spare[i] = (struct stack){NULL, 0};
	}
	own.registered = false;
}

/* The child loses the blocks of other threads, and the bundles, which a thread of the parent may have been changing. */
static void forget_in_child(void) WEFT_TSA(no_thread_safety_analysis)
{
	for (int i = 0; i < WEFT_BLOCK_POOL_COUNT; i++)
		pools[i].bundles = NULL;
}

static void prepare_threads(void)
{
	has_key = pthread_key_create(&key, return_own) == 0;
	(void)pthread_atfork(NULL, NULL, forget_in_child);
}

/* Without a key, the blocks of a thread that ends are lost. */
static void register_thread(void)
{
	pthread_once(&once, prepare_threads);
	own.registered = true;
	if (has_key)
		(void)pthread_setspecific(key, &own);
}

/* ---- taking and returning ----------------------------------------------------------------------- */

static struct stack refill(enum weft_block_pool name)
{
	struct stack stack = own.spare[name];

	own.spare[name] = (struct stack){NULL, 0};
	if (stack.first)
		return stack;
	if (!own.registered)
		register_thread();
	stack.first = take_bundle(&pools[name]);
	if (!stack.first)
		stack.first = weft_slab_take(pools[name].use, pools[name].size, BUNDLE);
	/* a thread that ended may have left a smaller bundle: counting it as whole only makes the next one smaller */
	stack.count = stack.first ? BUNDLE : 0;
	return stack;
}

void *weft_block_pool_take(enum weft_block_pool name)
{
	struct stack *stack = &own.current[name];

	if (weft_alloc_must_fail())
		return NULL;
	if (!stack->first) {
		*stack = refill(name);
		if (!stack->first)
			return NULL;
	}
	struct weft_pool_block *block = stack->first;
	stack->first = block->next;
	stack->count -= stack->count > 0;
	return block;
}

void weft_block_pool_return(enum weft_block_pool name, void *returned)
{
	struct stack *stack = &own.current[name];
	struct weft_pool_block *block = returned;

	if (!block)
		return;
	if (!own.registered)
		register_thread();
	if (stack->count >= BUNDLE) {
		if (own.spare[name].first)
			return_bundle(&pools[name], own.spare[name].first);
		own.spare[name] = *stack;
		*stack = (struct stack){NULL, 0};
	}
	block->next = stack->first;
	stack->first = block;
	stack->count++;
}

#endif
