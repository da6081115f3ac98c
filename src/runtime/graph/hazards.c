/* SPDX-License-Identifier: MIT
 *
 * The table of hazards. Invariant: the last command that wrote a byte, and all that read it since, are in hazards whose
 * regions have the byte. Regions may overlap: an older hazard that a newer one hides only adds edges that hold anyway.
 *
 * The trees are treaps: search trees by where hazards begin, and heaps by a number that looks random. Each node knows which
 * hazard below it ends last, so a search leaves out what ends too early.
 */
#include "graph/hazards.h"

#include "alloc.h"
#include "block_pool.h"

#define FIRST_BUCKETS 64

/* ---- trees ------------------------------------------------------------------------------------ */

/* A byte of a buffer; all bytes are in one order. */
struct place {
	uintptr_t buffer;
	size_t offset;
};

static struct place begin_of(const struct weft_hazard *hazard)
{
	return (struct place){(uintptr_t)hazard->buffer, hazard->region.range.begin};
}

static struct place end_of(const struct weft_hazard *hazard)
{
	return (struct place){(uintptr_t)hazard->buffer, hazard->region.range.end};
}

static bool is_before(struct place a, struct place b)
{
	return a.buffer != b.buffer ? a.buffer < b.buffer : a.offset < b.offset;
}

/* In the order of the tree. */
static bool precedes(const struct weft_hazard *a, const struct weft_hazard *b)
{
	const struct place begin_a = begin_of(a), begin_b = begin_of(b);

	return is_before(begin_a, begin_b) ||
	       (!is_before(begin_b, begin_a) && (uintptr_t)a < (uintptr_t)b);
}

static uint64_t priority_of(const struct weft_hazard *hazard)
{
	uint64_t mixed = (uint64_t)(uintptr_t)hazard * UINT64_C(0xff51afd7ed558ccd);

	return (mixed ^ mixed >> 32) * UINT64_C(0xc4ceb9fe1a85ec53);
}

static void note_last(struct weft_hazard *hazard, const struct weft_hazard *below)
{
	if (below && is_before(end_of(hazard->last), end_of(below->last)))
		hazard->last = below->last;
}

static void find_last(struct weft_hazard *hazard)
{
	hazard->last = hazard;
	note_last(hazard, hazard->left);
	note_last(hazard, hazard->right);
}

/* Two trees of one: what precedes the hazard, and the rest. */
static void split(struct weft_hazard *tree, const struct weft_hazard *hazard,
		  struct weft_hazard **left, struct weft_hazard **right)
{
	if (!tree) {
		*left = *right = NULL;
	} else if (precedes(tree, hazard)) {
		*left = tree;
		split(tree->right, hazard, &tree->right, right);
		find_last(tree);
	} else {
		*right = tree;
		split(tree->left, hazard, left, &tree->left);
		find_last(tree);
	}
}

/* One tree of two; all of the left one precedes the right one. */
static struct weft_hazard *merge(struct weft_hazard *left, struct weft_hazard *right)
{
	if (!left || !right)
		return left ? left : right;
	struct weft_hazard *root = priority_of(left) > priority_of(right) ? left : right;
	if (root == left)
		left->right = merge(left->right, right);
	else
		right->left = merge(left, right->left);
	find_last(root);
	return root;
}

static void insert(struct weft_hazard **link, struct weft_hazard *hazard)
{
	hazard->last = hazard;
	while (*link && priority_of(*link) > priority_of(hazard)) {
		note_last(*link, hazard);
		link = precedes(*link, hazard) ? &(*link)->right : &(*link)->left;
	}
	split(*link, hazard, &hazard->left, &hazard->right);
	find_last(hazard);
	*link = hazard;
}

static void take_out(struct weft_hazard **link, const struct weft_hazard *hazard)
{
	struct weft_hazard *node = *link;

	if (node == hazard) {
		*link = merge(hazard->left, hazard->right);
		return;
	}
	take_out(precedes(node, hazard) ? &node->right : &node->left, hazard);
	find_last(node);
}

struct search {
	struct place begin, end;
	const struct weft_hazard *after;
};

static struct weft_hazard *find(struct weft_hazard *node, const struct search *search)
{
	if (!node || !is_before(search->begin, end_of(node->last)))
		return NULL;
	if (!search->after || precedes(search->after, node)) {
		struct weft_hazard *found = find(node->left, search);

		if (found)
			return found;
		if (is_before(search->begin, end_of(node)) &&
		    is_before(begin_of(node), search->end))
			return node;
	}
	return is_before(begin_of(node), search->end) ? find(node->right, search) : NULL;
}

struct weft_hazard *weft_hazards_search(struct weft_hazard *tree, cl_mem buffer,
					const struct weft_region *region,
					const struct weft_hazard *after)
{
	const struct search search = {
		{(uintptr_t)buffer, region->range.begin},
		{(uintptr_t)buffer, region->range.end},
		after,
	};

	return find(tree, &search);
}

/* ---- the table -------------------------------------------------------------------------------- */

void weft_hazards_enter(struct weft_hazards *hazards, struct weft_hazard *hazard)
{
	insert(weft_hazards_bucket(hazards, hazard->buffer), hazard);
	hazard->newer = NULL;
	hazard->older = hazards->newest;
	if (hazards->newest)
		hazards->newest->newer = hazard;
	hazards->newest = hazard;
	hazards->count++;
}

void weft_hazards_leave(struct weft_hazards *hazards, struct weft_hazard *hazard)
{
	take_out(weft_hazards_bucket(hazards, hazard->buffer), hazard);
	if (hazards->next == hazard)
		hazards->next = hazard->older;
	*(hazard->newer ? &hazard->newer->older : &hazards->newest) = hazard->older;
	if (hazard->older)
		hazard->older->newer = hazard->newer;
	hazards->count--;
}

struct weft_hazard *weft_hazards_step(struct weft_hazards *hazards)
{
	struct weft_hazard *hazard = hazards->next ? hazards->next : hazards->newest;

	hazards->next = hazard->older;
	return hazard;
}

/* Without memory, buckets only get fuller. */
bool weft_hazards_grow(struct weft_hazards *hazards)
{
	size_t more = hazards->num_buckets ? 2 * hazards->num_buckets : FIRST_BUCKETS;
	struct weft_hazard **buckets = weft_calloc(more, sizeof(struct weft_hazard *));

	if (!buckets)
		return hazards->num_buckets > 0;
	weft_free(hazards->buckets);
	hazards->buckets = buckets;
	hazards->num_buckets = more;
	for (struct weft_hazard *hazard = hazards->newest; hazard; hazard = hazard->older)
		insert(weft_hazards_bucket(hazards, hazard->buffer), hazard);
	return true;
}

void weft_hazards_clear(struct weft_hazards *hazards, void (*release)(struct weft_hazard *hazard))
{
	while (hazards->newest) { /* mostly few, in many buckets */
		struct weft_hazard *hazard = hazards->newest;

		hazards->newest = hazard->older;
		*weft_hazards_bucket(hazards, hazard->buffer) = NULL;
		release(hazard);
		weft_block_pool_return(WEFT_BLOCK_POOL_JOIN_COUNTERS, hazard);
	}
	hazards->next = NULL;
	hazards->count = 0;
}

void weft_hazards_destroy(struct weft_hazards *hazards, void (*release)(struct weft_hazard *hazard))
{
	weft_hazards_clear(hazards, release);
	weft_free(hazards->buckets);
	*hazards = (struct weft_hazards){0};
}
