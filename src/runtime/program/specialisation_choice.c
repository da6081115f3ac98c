/* SPDX-License-Identifier: MIT
 *
 * Looking up the specialisations of a launch, and choosing what it runs. Each launch of a kernel that gains by one comes here,
 * so the usual way, to code that is made, is one look-up.
 */
#include "clock.h"
#include "program/specialisation_table.h"
#include "program/specialisations.h"

/* What the kernel gains by. All that the compiler finds of a kernel is known when it is launched, and not before. */
static uint32_t note_gains(struct weft_kernel_specialisations *of)
{
	uint32_t gains = weft_gains(of);

	if (gains)
		return gains;
	gains = of->kernel->flags & of->owner->wanted;
	if (gains & WEFT_KERNEL_GAINS_BY_IMAGES &&
	    weft_specialisation_constants(of->kernel) > WEFT_SPECIALISATION_CONSTANTS)
		gains &= WEFT_KERNEL_QUICK;
	atomic_store_explicit(&of->gains, gains, memory_order_relaxed);
	return gains;
}

/* Of the launch's kernel; NULL: it has no specialisations. */
static struct weft_kernel_specialisations *
kernel_specialisations(struct weft_specialisations *specialisations,
		       const struct weft_kernel_desc *kernel)
{
	struct weft_kernel_specialisations *of;

	if (!specialisations)
		return NULL;
	of = &specialisations->kernels[kernel - specialisations->desc->kernels];
	return note_gains(of) ? of : NULL;
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

/* The specialisations of one kernel, and what a launch of it looks for. */
struct look_up {
	struct weft_kernel_specialisations *of;
	struct weft_specialisation_table *table;
	/* For the launch's local size, if the kernel gains by it and all groups are whole; else for any. */
	struct weft_specialisation_key key;
};

/* False: the kernel has no specialisations, or there is no memory for them. */
static bool begin(struct weft_specialisations *specialisations,
		  const struct weft_specialised_launch *launch, struct look_up *look_up)
{
	struct weft_kernel_specialisations *of =
		kernel_specialisations(specialisations, launch->kernel);

	look_up->of = of;
	look_up->table = of ? get_table(of) : NULL;
	if (!look_up->table)
		return false;
	const uint64_t size =
		weft_gains_by_size(of) ? weft_specialisation_pack_size(launch->range) : 0;
	weft_specialisation_key_init(&look_up->key, size,
				     weft_gains_by_images(of) ? launch->kernel : NULL,
				     launch->args);
	return true;
}

/* New; retained. NULL: no memory. */
static struct weft_specialisation *make(const struct look_up *look_up)
{
	return weft_specialisation_table_get(look_up->table, look_up->of, &look_up->key,
					     weft_clock_now());
}

/* The key's, new if there was none; retained. NULL: no memory. */
static struct weft_specialisation *obtain(const struct look_up *look_up)
{
	struct weft_specialisation *found =
		weft_specialisation_table_find(look_up->table, &look_up->key);

	return found ? found : make(look_up);
}

static bool has_code(const struct weft_specialisation *specialisation)
{
	return specialisation && weft_specialisation_code(specialisation);
}

/* The launch counts for it, unless its code cannot be made. */
static void count_for(struct weft_specialisation *better, uint64_t items,
		      struct weft_specialisation_choice *choice)
{
	if (weft_specialisation_state(better) == WEFT_SPECIALISATION_FAILED)
		return;
	choice->better = better;
	choice->timed = weft_specialisation_count(better, items);
}

/* A launch that runs the kernel's own code asks for code for its formats first. One without formats asks for full code, which is code for
 * its local size where there can be some. */
static bool asks_for_any_size(const struct weft_specialisation_pair *pair)
{
	return pair->any_size &&
	       (weft_gains_by_images(pair->any_size->of) || !pair->sized ||
		weft_specialisation_state(pair->sized) == WEFT_SPECIALISATION_FAILED);
}

/* The one for the local size is asked for by launches that run the one for their formats, or quick code. */
static struct weft_specialisation_choice choose(const struct weft_specialisation_pair *pair,
						uint64_t items)
{
	struct weft_specialisation *sized = pair->sized;
	struct weft_specialisation *any_size = pair->any_size;
	struct weft_specialisation_choice choice = {0};

	if (has_code(sized))
		choice.code = sized;
	else if (has_code(any_size))
		choice.code = any_size;
	if (choice.code)
		weft_specialisation_add_items(choice.code, items);
	if (!choice.code && asks_for_any_size(pair)) {
		count_for(any_size, items, &choice);
		weft_specialisation_ask_early(any_size, items);
	} else if (sized && choice.code != sized) {
		count_for(sized, items, &choice);
		if (!choice.code && any_size) {
			weft_specialisation_ask_any_size(any_size,
							 weft_specialisation_launches(sized) == 1);
			weft_specialisation_ask_early(sized, items);
		}
	}
	/* Code that is to be replaced soon has no trial yet. */
	if (choice.code && choice.better)
		choice.part.code = weft_specialisation_code(choice.code);
	else if (choice.code)
		choice.part = weft_width_trial_take_part(choice.code->trial,
							 weft_specialisation_code(choice.code));
	return choice;
}

struct weft_specialisation_choice
weft_specialisation_pair_choose(const struct weft_specialisation_pair *pair, uint64_t items)
{
	const struct weft_specialisation_pair current = {
		.any_size = weft_specialisation_current(pair->any_size),
		.sized = weft_specialisation_current(pair->sized),
	};

	return choose(&current, items);
}

bool weft_specialisation_choice_apply(const struct weft_specialisation_choice *choice,
				      const struct weft_kernel_desc *recorded,
				      struct weft_launch *launch)
{
	const struct weft_specialisation_code *code = choice->part.code;

	if (!code || !weft_kernel_fits(code->desc, recorded))
		return false;
	launch->module = code->module;
	launch->kernel = code->desc;
	return true;
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
	struct weft_specialisation_pair pair = {0};
	struct look_up look_up;

	if (!begin(specialisations, launch, &look_up))
		return (struct weft_specialisation_choice){0};
	const bool by_images = weft_gains_by_images(look_up.of);
	const bool has_any_size = by_images || weft_replaces_quick(look_up.of);
	const uint64_t size = look_up.key.words[0];
	if (size)
		pair.sized = weft_specialisation_table_find(look_up.table, &look_up.key);
	if (has_any_size && !has_code(pair.sized)) {
		weft_specialisation_key_set_size(&look_up.key, 0);
		pair.any_size = obtain(&look_up);
		weft_specialisation_key_set_size(&look_up.key, size);
	}
	if (size && !pair.sized && (!by_images || has_code(pair.any_size)))
		pair.sized = make(&look_up);
	const struct weft_specialisation_choice choice =
		choose(&pair, weft_ndrange_items(launch->range));
	put_unless_chosen(pair.any_size, &choice);
	put_unless_chosen(pair.sized, &choice);
	return choice;
}

struct weft_specialisation_pair
weft_specialisations_find(struct weft_specialisations *specialisations,
			  const struct weft_specialised_launch *launch)
{
	struct weft_specialisation_pair pair = {0};
	struct look_up look_up;

	if (!begin(specialisations, launch, &look_up))
		return pair;
	if (look_up.key.words[0])
		pair.sized = obtain(&look_up);
	weft_specialisation_key_set_size(&look_up.key, 0);
	if (weft_gains_by_images(look_up.of) || weft_replaces_quick(look_up.of))
		pair.any_size = obtain(&look_up);
	return pair;
}
