/* SPDX-License-Identifier: MIT
 *
 * Slabs: a megabyte of blocks of one size, in address space that is never unmapped. One lock guards all of them:
 * objects that are made and ended often use a block pool (block_pool.h). Invariant: a slab with a free block is in its
 * class's list. A slab without blocks in use is among the class's idle slabs, some of which are kept, or in `unused`,
 * with its pages gone.
 */
#include "slab.h"

#include "fork_generation.h"
#include "mutex.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define ALLOCATE_EACH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ALLOCATE_EACH 1
#endif
#endif

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_SLAB);

#ifdef ALLOCATE_EACH

#include <sanitizer/asan_interface.h>

/* Unused blocks that are kept, oldest first; each has its size in its prefix. */
#define MOST_KEPT 4096
static void *kept[MOST_KEPT] WEFT_GUARDED_BY(&lock);
static size_t next_kept WEFT_GUARDED_BY(&lock);

/* Before a block, so that the head of the block stays whole. */
struct prefix {
	size_t size;
	void *start;
};

static struct prefix *prefix_of(void *block)
{
	return (struct prefix *)block - 1;
}

static void *make_block(size_t size)
{
	char *start = aligned_alloc(WEFT_SLAB_ALIGNMENT,
				    (WEFT_SLAB_ALIGNMENT + size + WEFT_SLAB_ALIGNMENT - 1) &
					    ~(size_t)(WEFT_SLAB_ALIGNMENT - 1));

	if (!start)
		return NULL;
	void *block = start + WEFT_SLAB_ALIGNMENT;
	memset(block, 0, size);
	*prefix_of(block) = (struct prefix){size, start};
	return block;
}

void weft_slab_give(void *first)
{
	while (first) {
		void *block = first;
		first = *weft_slab_link(block);

		/* so that a leak check finds nothing through unused blocks */
		memset((char *)block + WEFT_SLAB_HEAD, 0, prefix_of(block)->size - WEFT_SLAB_HEAD);
		ASAN_POISON_MEMORY_REGION((char *)block + WEFT_SLAB_HEAD,
					  prefix_of(block)->size - WEFT_SLAB_HEAD);
		weft_mutex_lock(&lock);
		void *oldest = kept[next_kept];
		kept[next_kept] = block;
		next_kept = (next_kept + 1) % MOST_KEPT;
		weft_mutex_unlock(&lock);
		if (!oldest)
			continue;
		ASAN_UNPOISON_MEMORY_REGION(oldest, prefix_of(oldest)->size);
		free(prefix_of(oldest)->start);
	}
}

void *weft_slab_take(enum weft_slab_use use, size_t size, unsigned count)
{
	void *first = NULL;

	(void)use;
	for (unsigned i = 0; i < count; i++) {
		void *block = make_block(size);

		if (!block) {
			if (first)
				weft_slab_give(first);
			return NULL;
		}
		*weft_slab_link(block) = first;
		first = block;
	}
	return first;
}

size_t weft_slab_bytes(void)
{
	return 0;
}

#else

/* A slab starts at a multiple of its size, so that a block's address leads to its slab. */
#define SLAB_BYTES ((size_t)1 << 20)
/* Slabs that are mapped at once. */
#define SLABS_MAPPED 8
/* Slabs without a block in use that a class keeps: giving pages back and getting them again costs more than a command. Of a
 * burst it keeps as many as MOST_IDLE, so that the next one finds them; when there are more, FEW_IDLE from then on, until
 * all of those are in use again. */
#define MOST_IDLE 128
#define FEW_IDLE 64
/* The first page of a slab stays when the others go. */
#define PAGE_BYTES ((size_t)4096)

static const uint32_t sizes[] = {128, 256, 384, 512, 768, 1024, 2048, 4096, WEFT_SLAB_MOST};
#define NUM_SIZES (sizeof(sizes) / sizeof(sizes[0]))
#define NUM_CLASSES (NUM_SIZES * WEFT_SLAB_USES)

/* Lies at the start of the slab; the blocks follow. */
struct slab {
	struct slab *next; /* in a class's list, or in `unused` */
	struct slab *previous;
	void *free; /* blocks that were given back, oldest first */
	void *free_last;
	uint32_t used;  /* blocks */
	uint32_t cut;   /* blocks that have been taken at least once since the slab got its pages */
	uint32_t class; /* a use and a size */
	uint32_t generation; /* of the process that has it: a child of a fork leaves it alone */
	bool listed;
};

static_assert(sizeof(struct slab) <= WEFT_SLAB_ALIGNMENT,
	      "a slab's head has the room of a small block");

static struct {
	uint32_t generation;
	char *fresh; /* address space that has never been used, up to `fresh_end` */
	char *fresh_end;
	struct slab *unused[WEFT_SLAB_USES];
	struct slab *lists[NUM_CLASSES];
	uint32_t idle[NUM_CLASSES];
	bool keeps_few[NUM_CLASSES];
	size_t slabs; /* with pages */
} all WEFT_GUARDED_BY(&lock);

/* ---- slabs ----------------------------------------------------------------------------------- */

/* A thread of the parent may have been changing the lists: the child begins with empty ones. */
static void enter(void) WEFT_REQUIRES(&lock)
{
	if (all.generation == weft_fork_generation())
		return;
	memset(&all, 0, sizeof(all));
	all.generation = weft_fork_generation();
}

static struct slab *slab_of(const void *block)
{
	return (struct slab *)((uintptr_t)block & ~(uintptr_t)(SLAB_BYTES - 1));
}

static uint32_t class_of(enum weft_slab_use use, size_t size)
{
	uint32_t i = 0;

	while (i < NUM_SIZES - 1 && sizes[i] < size)
		i++;
	return (uint32_t)use * (uint32_t)NUM_SIZES + i;
}

static size_t size_of(uint32_t class)
{
	return sizes[class % NUM_SIZES];
}

static void list(struct slab *slab) WEFT_REQUIRES(&lock)
{
	struct slab **head = &all.lists[slab->class];

	slab->previous = NULL;
	slab->next = *head;
	if (*head)
		(*head)->previous = slab;
	*head = slab;
	slab->listed = true;
}

static void unlist(struct slab *slab) WEFT_REQUIRES(&lock)
{
	if (slab->previous)
		slab->previous->next = slab->next;
	else
		all.lists[slab->class] = slab->next;
	if (slab->next)
		slab->next->previous = slab->previous;
	slab->listed = false;
}

/* Maps more address space than is wanted: only so it is sure to contain an aligned start. */
static bool map_more(void) WEFT_REQUIRES(&lock)
{
	const size_t bytes = SLABS_MAPPED * SLAB_BYTES;

	char *start = mmap(NULL, bytes + SLAB_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (start == MAP_FAILED)
		return false;
	size_t before = -(uintptr_t)start & (SLAB_BYTES - 1);
	if (before)
		munmap(start, before);
	munmap(start + before + bytes, SLAB_BYTES - before);
	all.fresh = start + before;
	all.fresh_end = all.fresh + bytes;
	return true;
}

static struct slab *add_slab(uint32_t class) WEFT_REQUIRES(&lock)
{
	struct slab **unused = &all.unused[class / NUM_SIZES];
	struct slab *slab = *unused;

	if (slab) {
		*unused = slab->next;
	} else {
		if (all.fresh == all.fresh_end && !map_more())
			return NULL;
		slab = (struct slab *)(void *)all.fresh;
		all.fresh += SLAB_BYTES;
	}
	*slab = (struct slab){.class = class, .generation = all.generation};
	all.slabs++;
	all.idle[class]++;
	list(slab);
	return slab;
}

/* ---- taking and giving ----------------------------------------------------------------------- */

/* Blocks that were never used come first: so a released handle leads to a new object as late as possible. */
static void *take_one(uint32_t class) WEFT_REQUIRES(&lock)
{
	struct slab *slab = all.lists[class] ? all.lists[class] : add_slab(class);
	const size_t size = size_of(class);

	if (!slab)
		return NULL;
	const uint32_t capacity = (uint32_t)((SLAB_BYTES - WEFT_SLAB_ALIGNMENT) / size);
	void *block = slab->free;
	if (slab->cut < capacity)
		block = (char *)slab + WEFT_SLAB_ALIGNMENT + (size_t)slab->cut++ * size;
	else
		slab->free = *weft_slab_link(block);
	if (slab->used++ == 0 && --all.idle[class] == 0)
		all.keeps_few[class] = false;
	if (slab->used == capacity)
		unlist(slab);
	return block;
}

static bool has_surplus(uint32_t class) WEFT_REQUIRES(&lock)
{
	all.keeps_few[class] |= all.idle[class] > MOST_IDLE;
	return all.idle[class] > (all.keeps_few[class] ? FEW_IDLE : MOST_IDLE);
}

/* Takes an idle slab out of its class's list, to be retired with those in *gone. */
static void remove_idle(struct slab *slab, struct slab **gone) WEFT_REQUIRES(&lock)
{
	unlist(slab);
	all.idle[slab->class]--;
	slab->next = *gone;
	*gone = slab;
}

static struct slab *find_idle(uint32_t class) WEFT_REQUIRES(&lock)
{
	struct slab *slab = all.lists[class];

	while (slab->used)
		slab = slab->next;
	return slab;
}

/* Slabs whose pages are to go come into *gone: no more than two, so that no thread does the work of a whole burst. */
static void give_one(void *block, struct slab **gone) WEFT_REQUIRES(&lock)
{
	struct slab *slab = slab_of(block);

	if (slab->generation != all.generation)
		return;
	*weft_slab_link(block) = NULL;
	if (slab->free)
		*weft_slab_link(slab->free_last) = block;
	else
		slab->free = block;
	slab->free_last = block;
	if (!slab->listed)
		list(slab);
	if (--slab->used)
		return;
	const uint32_t class = slab->class;
	all.idle[class]++;
	if (has_surplus(class))
		remove_idle(slab, gone);
	if (has_surplus(class))
		remove_idle(find_idle(class), gone);
}

/* The slab is in no list any more, so no other thread knows of it. */
static void retire(struct slab *slab)
{
	(void)madvise((char *)slab + PAGE_BYTES, SLAB_BYTES - PAGE_BYTES, MADV_DONTNEED);
	weft_mutex_lock(&lock);
	enter();
	if (slab->generation == all.generation) {
		all.slabs--;
		slab->next = all.unused[slab->class / NUM_SIZES];
		all.unused[slab->class / NUM_SIZES] = slab;
	}
	weft_mutex_unlock(&lock);
}

void weft_slab_give(void *first)
{
	struct slab *gone = NULL;

	weft_mutex_lock(&lock);
	enter();
	while (first) {
		void *next = *weft_slab_link(first);

		give_one(first, &gone);
		first = next;
	}
	weft_mutex_unlock(&lock);
	while (gone) {
		struct slab *next = gone->next;

		retire(gone);
		gone = next;
	}
}

void *weft_slab_take(enum weft_slab_use use, size_t size, unsigned count)
{
	uint32_t class = class_of(use, size);
	void *first = NULL;
	unsigned taken = 0;

	weft_mutex_lock(&lock);
	enter();
	for (; taken < count; taken++) {
		void *block = take_one(class);
		if (!block)
			break;
		*weft_slab_link(block) = first;
		first = block;
	}
	weft_mutex_unlock(&lock);
	if (taken == count)
		return first;
	if (first)
		weft_slab_give(first);
	return NULL;
}

size_t weft_slab_bytes(void)
{
	weft_mutex_lock(&lock);
	size_t bytes = all.slabs * SLAB_BYTES;
	weft_mutex_unlock(&lock);
	return bytes;
}

#endif
