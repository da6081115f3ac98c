/* SPDX-License-Identifier: MIT
 *
 * The table of specialisations. A slot is changed under the lock, and read without: a reader gets a reference by the serial
 * number that stands in the slot, then compares the key. What it reads may be of two different specialisations, or may have
 * gone: then it finds none, and looks again under the lock.
 */
#include "program/specialisation_table.h"

#include "alloc.h"
#include "mutex.h"

#include <string.h>

/* ns: how long ago launches count as "lately", and the least time that they are counted for. */
#define WINDOW UINT64_C(1000000000)
#define LEAST_AGE UINT64_C(10000000)

struct slot {
	_Atomic uint64_t hash; /* 0: the slot is free */
	_Atomic uint32_t serial;
	_Atomic(struct weft_specialisation *) specialisation; /* retained */
};

struct weft_specialisation_table {
	struct weft_mutex lock; /* WEFT_RANK_SPECIALISATIONS */
	_Atomic uint32_t used;  /* slots; all others are free */
	struct slot slots[WEFT_SPECIALISATION_KEYS];
};

struct weft_specialisation_table *weft_specialisation_table_create(void)
{
	struct weft_specialisation_table *table = weft_zalloc(sizeof(*table));

	if (table)
		weft_mutex_init(&table->lock, WEFT_RANK_SPECIALISATIONS);
	return table;
}

static struct weft_specialisation *content(struct slot *slot)
{
	return atomic_load_explicit(&slot->specialisation, memory_order_relaxed);
}

void weft_specialisation_table_destroy(struct weft_specialisation_table *table)
{
	if (!table)
		return;
	for (uint32_t i = 0; i < WEFT_SPECIALISATION_KEYS; i++) {
		struct weft_specialisation *specialisation = content(&table->slots[i]);

		if (specialisation)
			weft_object_put(&specialisation->base);
	}
	weft_mutex_destroy(&table->lock);
	weft_free(table);
}

/* ---- looking up ------------------------------------------------------------------------------ */

static bool has_key(const struct weft_specialisation *specialisation,
		    const struct weft_specialisation_key *key)
{
	return specialisation->hash == key->hash &&
	       memcmp(specialisation->words, key->words, key->num_words * sizeof(key->words[0])) ==
		       0;
}

/* The slot's specialisation if it has the key; retained. */
static struct weft_specialisation *take(struct slot *slot,
					const struct weft_specialisation_key *key)
{
	struct weft_specialisation *specialisation =
		atomic_load_explicit(&slot->specialisation, memory_order_acquire);
	const uint32_t serial = atomic_load_explicit(&slot->serial, memory_order_relaxed);

	if (!specialisation || !weft_object_get_live(&specialisation->base, serial))
		return NULL;
	if (has_key(specialisation, key))
		return specialisation;
	weft_object_put(&specialisation->base);
	return NULL;
}

struct weft_specialisation *
weft_specialisation_table_find(struct weft_specialisation_table *table,
			       const struct weft_specialisation_key *key)
{
	const uint32_t used = atomic_load_explicit(&table->used, memory_order_acquire);

	for (uint32_t i = 0; i < used; i++) {
		if (atomic_load_explicit(&table->slots[i].hash, memory_order_acquire) != key->hash)
			continue;
		struct weft_specialisation *found = take(&table->slots[i], key);
		if (found)
			return found;
	}
	return NULL;
}

/* ---- how much one has run lately -------------------------------------------------------------- */

/* Work-items per ns. */
static double rate(const struct weft_specialisation *specialisation, uint64_t now)
{
	struct weft_specialisation *counted =
		(struct weft_specialisation *)(uintptr_t)specialisation;
	const uint64_t since = atomic_load_explicit(&counted->since, memory_order_relaxed);
	const uint64_t age = now > since ? now - since : 0;

	return (double)atomic_load_explicit(&counted->items, memory_order_relaxed) /
	       (double)(age > LEAST_AGE ? age : LEAST_AGE);
}

/* The launches of a long time count from now on as if they had been made in half a window. */
static void forget(struct weft_specialisation *specialisation, uint64_t now)
{
	const double now_rate = rate(specialisation, now);
	const uint64_t since = atomic_load_explicit(&specialisation->since, memory_order_relaxed);

	if (now < since || now - since < WINDOW)
		return;
	atomic_store_explicit(&specialisation->items, (uint64_t)(now_rate * (WINDOW / 2)),
			      memory_order_relaxed);
	atomic_store_explicit(&specialisation->since, now - WINDOW / 2, memory_order_relaxed);
}

/* ---- changing it ------------------------------------------------------------------------------ */

/* Whether it has code, or will have. */
static bool counts_as_code(const struct weft_specialisation *specialisation)
{
	const uint32_t state = weft_specialisation_state(specialisation);

	return state != WEFT_SPECIALISATION_IDLE && state != WEFT_SPECIALISATION_FAILED;
}

static struct slot *slot_of(struct weft_specialisation_table *table, uint64_t hash,
			    const uint64_t *words, uint32_t num_words) WEFT_REQUIRES(&table->lock)
{
	const uint32_t used = atomic_load_explicit(&table->used, memory_order_relaxed);

	for (uint32_t i = 0; i < used; i++) {
		const struct weft_specialisation *found = content(&table->slots[i]);

		if (found && found->hash == hash &&
		    memcmp(found->words, words, num_words * sizeof(words[0])) == 0)
			return &table->slots[i];
	}
	return NULL;
}

/* A free slot, or the one without code that has run least lately. There always is one: WEFT_SPECIALISATION_CODES. */
static struct slot *choose_slot(struct weft_specialisation_table *table, uint64_t now)
	WEFT_REQUIRES(&table->lock)
{
	const uint32_t used = atomic_load_explicit(&table->used, memory_order_relaxed);
	struct slot *coldest = NULL;
	double least = 0;

	for (uint32_t i = 0; i < used; i++) {
		const struct weft_specialisation *found = content(&table->slots[i]);

		if (!found)
			return &table->slots[i];
		if (counts_as_code(found))
			continue;
		const double its_rate = rate(found, now);
		if (!coldest || its_rate < least) {
			coldest = &table->slots[i];
			least = its_rate;
		}
	}
	if (used == WEFT_SPECIALISATION_KEYS)
		return coldest;
	atomic_store_explicit(&table->used, used + 1, memory_order_release);
	return &table->slots[used];
}

/* What was in the slot, with the slot's reference; or NULL. */
static struct weft_specialisation *empty(struct slot *slot)
{
	struct weft_specialisation *before = content(slot);

	atomic_store_explicit(&slot->hash, 0, memory_order_relaxed);
	atomic_store_explicit(&slot->specialisation, NULL, memory_order_relaxed);
	return before;
}

/* With a reference of the slot's. Returns what the slot had before, as `empty`. */
static struct weft_specialisation *put_into(struct slot *slot,
					    struct weft_specialisation *specialisation)
{
	struct weft_specialisation *before = empty(slot);

	weft_object_get(&specialisation->base);
	atomic_store_explicit(
		&slot->serial,
		atomic_load_explicit(&specialisation->base.serial, memory_order_relaxed),
		memory_order_relaxed);
	atomic_store_explicit(&slot->specialisation, specialisation, memory_order_release);
	atomic_store_explicit(&slot->hash, specialisation->hash, memory_order_release);
	return before;
}

static void put(struct weft_specialisation *specialisation)
{
	if (specialisation)
		weft_object_put(&specialisation->base);
}

struct weft_specialisation *weft_specialisation_table_get(struct weft_specialisation_table *table,
							  struct weft_kernel_specialisations *of,
							  const struct weft_specialisation_key *key,
							  uint64_t now)
{
	struct weft_specialisation *found = weft_specialisation_table_find(table, key);

	if (found)
		return found;
	struct weft_specialisation *made = weft_specialisation_create(of, key, now);
	struct weft_specialisation *before = NULL;
	if (!made)
		return NULL;
	weft_mutex_lock(&table->lock);
	struct slot *slot = slot_of(table, key->hash, key->words, key->num_words);
	if (slot) {
		found = content(slot);
		weft_object_get(&found->base);
	} else {
		before = put_into(choose_slot(table, now), made);
	}
	weft_mutex_unlock(&table->lock);
	put(before);
	if (!found)
		return made;
	put(made);
	return found;
}

/* Where the code is that is given up for one that has run with this rate: of those whose code is made, the one that has run
 * least. NULL: it has run too much for that. */
static struct slot *choose_code_to_give_up(struct weft_specialisation_table *table,
					   double asking_rate, uint64_t now)
	WEFT_REQUIRES(&table->lock)
{
	struct slot *coldest = NULL;
	double least = asking_rate / 2;

	for (uint32_t i = 0; i < WEFT_SPECIALISATION_KEYS; i++) {
		struct weft_specialisation *found = content(&table->slots[i]);

		if (!found || weft_specialisation_state(found) != WEFT_SPECIALISATION_MADE)
			continue;
		forget(found, now);
		const double its_rate = rate(found, now);
		if (its_rate < least) {
			coldest = &table->slots[i];
			least = its_rate;
		}
	}
	return coldest;
}

static uint32_t count_codes(struct weft_specialisation_table *table) WEFT_REQUIRES(&table->lock)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < WEFT_SPECIALISATION_KEYS; i++) {
		const struct weft_specialisation *found = content(&table->slots[i]);

		count += found && counts_as_code(found);
	}
	return count;
}

/* One that the table has given up comes back, also in the place of one that has its key now but nothing else. If that one has
 * code, or will have, it becomes the successor. */
static bool is_in_table(struct weft_specialisation_table *table,
			struct weft_specialisation *specialisation, uint64_t now,
			struct weft_specialisation **before) WEFT_REQUIRES(&table->lock)
{
	if (atomic_load_explicit(&specialisation->successor, memory_order_relaxed))
		return false;
	struct slot *slot = slot_of(table, specialisation->hash, specialisation->words,
				    specialisation->num_words);
	struct weft_specialisation *found = slot ? content(slot) : NULL;
	if (found == specialisation)
		return true;
	if (!found || weft_specialisation_state(found) == WEFT_SPECIALISATION_IDLE) {
		*before = put_into(slot ? slot : choose_slot(table, now), specialisation);
		return true;
	}
	weft_object_get(&found->base);
	atomic_store_explicit(&specialisation->successor, found, memory_order_release);
	return false;
}

/* Whether there is room for its code; perhaps by giving up *code. */
static bool has_room(struct weft_specialisation_table *table,
		     const struct weft_specialisation_request *request,
		     struct weft_specialisation **code) WEFT_REQUIRES(&table->lock)
{
	if (count_codes(table) < WEFT_SPECIALISATION_CODES)
		return true;
	if (!request->replaces)
		return false;
	struct slot *slot = choose_code_to_give_up(
		table, rate(request->specialisation, request->now), request->now);
	if (slot)
		*code = empty(slot);
	return slot;
}

bool weft_specialisation_table_admit(struct weft_specialisation_table *table,
				     const struct weft_specialisation_request *request)
{
	struct weft_specialisation *specialisation = request->specialisation;
	struct weft_specialisation *before = NULL;
	struct weft_specialisation *code = NULL;

	weft_mutex_lock(&table->lock);
	const bool admitted =
		weft_specialisation_state(specialisation) == WEFT_SPECIALISATION_IDLE &&
		is_in_table(table, specialisation, request->now, &before) &&
		has_room(table, request, &code);
	if (admitted)
		atomic_store_explicit(&specialisation->state, request->state, memory_order_relaxed);
	weft_mutex_unlock(&table->lock);
	put(before);
	put(code);
	return admitted;
}
