/* SPDX-License-Identifier: MIT
 *
 * Looking up the specialisations of a launch, and choosing what it runs. Each launch of a kernel that gains by one comes here,
 * so the usual way, to code that is made, is one look-up.
 */
#include "clock.h"
#include "program/specialisation_table.h"
#include "program/specialisations.h"

/* Of the launch's kernel; NULL: it has no specialisations. */
static struct weft_kernel_specialisations *
kernel_specialisations(struct weft_specialisations *specialisations,
		       const struct weft_kernel_desc *kernel)
{
	struct weft_kernel_specialisations *of;

	if (!specialisations)
		return NULL;
	of = &specialisations->kernels[kernel - specialisations->desc->kernels];
	return of->by_size || of->by_images ? of : NULL;
}

/* Made by the first launch that needs it. NULL: no memory. */
static struct weft_specialisation_table *get_table(struct weft_kernel_specialisations *of)
{
	struct weft_specialisation_table *table =
		atomic_load_explicit(&of->table, memory_order_acquire);

	if (table)
		return table;
	struct weft_specialisation_table *made = weft_specialisation_table_create();
	if (!made || atomic_compare_exchange_strong_explicit(
			     &of->table, &table, made, memory_order_acq_rel, memory_order_acquire))
		return made;
	weft_specialisation_table_destroy(made);
	return table;
}

/* The key's, new if there was none; retained. NULL: no memory. */
static struct weft_specialisation *obtain(struct weft_specialisation_table *table,
					  struct weft_kernel_specialisations *of,
					  const struct weft_specialisation_key *key)
{
	struct weft_specialisation *found = weft_specialisation_table_find(table, key);

	return found ? found : weft_specialisation_table_get(table, of, key, weft_clock_now());
}

/* The launch's key: for its local size, if the kernel gains by it and all groups are whole; else for any. */
static void make_key(const struct weft_kernel_specialisations *of,
		     const struct weft_specialised_launch *launch,
		     struct weft_specialisation_key *key)
{
	const uint64_t size = of->by_size ? weft_specialisation_pack_size(launch->range) : 0;

	weft_specialisation_key_init(key, size, of->by_images ? launch->kernel : NULL,
				     launch->args);
}

static bool has_code(const struct weft_specialisation *specialisation)
{
	return specialisation && weft_specialisation_code(specialisation);
}

/* The launch counts for it. */
static void count_for(struct weft_specialisation *better, uint64_t items,
		      struct weft_specialisation_choice *choice)
{
	choice->better = better;
	choice->timed = weft_specialisation_count(better, items);
}

/* The one for the local size is asked for by launches that run the one for their formats. */
struct weft_specialisation_choice
weft_specialisation_pair_choose(const struct weft_specialisation_pair *pair, uint64_t items)
{
	struct weft_specialisation_choice choice = {0};

	if (has_code(pair->sized))
		choice.code = pair->sized;
	else if (has_code(pair->formats))
		choice.code = pair->formats;
	if (choice.code)
		weft_specialisation_add_items(choice.code, items);
	if (pair->formats && !choice.code) {
		count_for(pair->formats, items, &choice);
		weft_specialisation_ask_early(pair->formats, items);
	} else if (pair->sized && choice.code != pair->sized) {
		count_for(pair->sized, items, &choice);
	}
	return choice;
}

static void put_unless_chosen(struct weft_specialisation *specialisation,
			      const struct weft_specialisation_choice *choice)
{
	if (specialisation != choice->code && specialisation != choice->better)
		weft_specialisation_put(specialisation);
}

struct weft_specialisation_choice
weft_specialisations_look_up(struct weft_specialisations *specialisations,
			     const struct weft_specialised_launch *launch)
{
	struct weft_kernel_specialisations *of =
		kernel_specialisations(specialisations, launch->kernel);
	struct weft_specialisation_table *table = of ? get_table(of) : NULL;
	struct weft_specialisation_pair pair = {0};
	struct weft_specialisation_key key;

	if (!table)
		return (struct weft_specialisation_choice){0};
	make_key(of, launch, &key);
	const uint64_t size = key.words[0];
	if (size)
		pair.sized = weft_specialisation_table_find(table, &key);
	if (of->by_images && !has_code(pair.sized)) {
		weft_specialisation_key_set_size(&key, 0);
		pair.formats = obtain(table, of, &key);
		weft_specialisation_key_set_size(&key, size);
	}
	if (size && !pair.sized && (!of->by_images || has_code(pair.formats)))
		pair.sized = weft_specialisation_table_get(table, of, &key, weft_clock_now());
	const struct weft_specialisation_choice choice =
		weft_specialisation_pair_choose(&pair, weft_ndrange_items(launch->range));
	put_unless_chosen(pair.formats, &choice);
	put_unless_chosen(pair.sized, &choice);
	return choice;
}

struct weft_specialisation_pair
weft_specialisations_find(struct weft_specialisations *specialisations,
			  const struct weft_specialised_launch *launch)
{
	struct weft_kernel_specialisations *of =
		kernel_specialisations(specialisations, launch->kernel);
	struct weft_specialisation_table *table = of ? get_table(of) : NULL;
	struct weft_specialisation_pair pair = {0};
	struct weft_specialisation_key key;

	if (!table)
		return pair;
	make_key(of, launch, &key);
	if (key.words[0])
		pair.sized = obtain(table, of, &key);
	weft_specialisation_key_set_size(&key, 0);
	if (of->by_images)
		pair.formats = obtain(table, of, &key);
	return pair;
}
