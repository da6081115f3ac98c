/* SPDX-License-Identifier: MIT
 *
 * The life of a specialisation, and of what those of a program share: that goes with the last of them.
 */
#include "program/specialisation.h"

#include "alloc.h"
#include "program/width_trial.h"

#include <string.h>

void weft_specialisations_put(struct weft_specialisations *specialisations)
{
	if (!weft_refcount_put(&specialisations->refs))
		return;
	weft_object_put(&specialisations->device->base);
	weft_free(specialisations);
}

static void destroy(struct weft_object *object)
{
	struct weft_specialisation *specialisation =
		WEFT_CONTAINER_OF(object, struct weft_specialisation, base);
	struct weft_specialisations *owner = specialisation->of->owner;

	weft_width_trial_destroy(specialisation->trial);
	weft_specialisation_unload(owner->device, &specialisation->code);
	weft_specialisation_put(
		atomic_load_explicit(&specialisation->successor, memory_order_relaxed));
	weft_object_free(&specialisation->base);
	weft_specialisations_put(owner);
}

struct weft_specialisation *weft_specialisation_create(struct weft_kernel_specialisations *of,
						       const struct weft_specialisation_key *key,
						       uint64_t now)
{
	const size_t key_size = key->num_words * sizeof(key->words[0]);
	struct weft_specialisation *specialisation =
		weft_object_alloc(sizeof(*specialisation) + key_size);

	if (!specialisation)
		return NULL;
	weft_refcount_get(&of->owner->refs);
	specialisation->of = of;
	specialisation->replacement.ran = of->owner->ran;
	specialisation->replacement.took = of->owner->took;
	atomic_init(&specialisation->since, now);
	specialisation->hash = key->hash;
	specialisation->num_words = key->num_words;
	memcpy(specialisation->words, key->words, key_size);
	/* Last: a thread that gets a reference sees the key (specialisation_table.c). */
	weft_object_init(&specialisation->base, WEFT_OBJECT_SPECIALISATION, destroy);
	return specialisation;
}

void weft_specialisation_put(struct weft_specialisation *specialisation)
{
	if (specialisation)
		weft_object_put(&specialisation->base);
}

const struct weft_specialisation_code *
weft_specialisation_code(const struct weft_specialisation *specialisation)
{
	return atomic_load_explicit(&((struct weft_specialisation *)(uintptr_t)specialisation)
					     ->replacement.kernel,
				    memory_order_acquire)
		       ? &specialisation->code
		       : NULL;
}

uint64_t weft_specialisation_ripe_time(const struct weft_specialisation *specialisation)
{
	struct weft_kernel_specialisations *of = specialisation->of;

	if (weft_gains_by_images(of) && !specialisation->words[0])
		return WEFT_SPECIALISATION_RIPE_FORMATS;
	return weft_replaces_quick(of) && !weft_gains_by_images(of) &&
			       !atomic_load_explicit(&of->has_full, memory_order_relaxed)
		       ? WEFT_SPECIALISATION_RIPE_QUICK
		       : WEFT_SPECIALISATION_RIPE_SIZE;
}

bool weft_specialisation_is_ripe(const struct weft_specialisation *specialisation)
{
	return weft_run_time_total(&specialisation->run) >=
	       weft_specialisation_ripe_time(specialisation);
}
