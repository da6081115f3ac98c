/* SPDX-License-Identifier: MIT
 *
 * One specialisation of a kernel: code for the formats of its images and for its samplers, or for one local size, or for both.
 *
 * A specialisation is an object (object.h). Its kernel's table (specialisation_table.h) has a reference, and so has each
 * launch that counts for it or runs its code. One that the table has given up goes, with its code, when the last of those
 * launches has ended.
 */
#ifndef WEFT_RUNTIME_SPECIALISATION_H
#define WEFT_RUNTIME_SPECIALISATION_H

#include "device/device.h"
#include "driver.h"
#include "object/object.h"
#include "program/run_time.h"
#include "program/specialisation_code.h"
#include "program/specialisation_key.h"

/* ns that a kernel has run before its specialisation is made: for a local size, about what compiling takes. Without code for its
 * formats a kernel takes several times as long, and so does quick code. */
#define WEFT_SPECIALISATION_RIPE_SIZE UINT64_C(50000000)
#define WEFT_SPECIALISATION_RIPE_QUICK UINT64_C(10000000)
#define WEFT_SPECIALISATION_RIPE_FORMATS UINT64_C(10000000)
/* ns that a kernel with quick code has run with local sizes that have no code of their own, before code for any size is made. */
#define WEFT_SPECIALISATION_RIPE_ANY_SIZE INT64_C(20000000)

struct weft_specialisation_table;
struct weft_width_trial;

enum weft_specialisation_state {
	WEFT_SPECIALISATION_IDLE,
	WEFT_SPECIALISATION_SOUGHT,   /* a thread looks for its code in the cache */
	WEFT_SPECIALISATION_COMPILED, /* a thread looks for its code, and makes it */
	WEFT_SPECIALISATION_MADE,     /* the code is there */
	WEFT_SPECIALISATION_FAILED,   /* the code cannot be made */
};

/* The specialisations of one kernel. */
struct weft_kernel_specialisations {
	struct weft_specialisations *owner;
	const struct weft_kernel_desc *kernel; /* borrowed: its user has the program's code */
	/* Of enum weft_kernel_flag, those for which it has specialisations; 0 until a launch looks for one. */
	_Atomic uint32_t gains;
	/* There is full code for any local size. */
	_Atomic bool has_full;
	/* ns that launches ran the quick code, but for those with a local size whose code was asked for. */
	_Atomic int64_t quick_time;
	_Atomic(struct weft_specialisation_table *) table; /* owned; NULL until a launch needs it */
};

static inline uint32_t weft_gains(const struct weft_kernel_specialisations *of)
{
	return atomic_load_explicit(&((struct weft_kernel_specialisations *)(uintptr_t)of)->gains,
				    memory_order_relaxed);
}

static inline bool weft_gains_by_size(const struct weft_kernel_specialisations *of)
{
	return weft_gains(of) & WEFT_KERNEL_GAINS_BY_SIZE;
}

static inline bool weft_gains_by_images(const struct weft_kernel_specialisations *of)
{
	return weft_gains(of) & WEFT_KERNEL_GAINS_BY_IMAGES;
}

/* The kernel's own code is quick: each specialisation is better. */
static inline bool weft_replaces_quick(const struct weft_kernel_specialisations *of)
{
	return weft_gains(of) & WEFT_KERNEL_QUICK;
}

struct weft_specialisation {
	struct weft_object base;
	struct weft_kernel_specialisations *of; /* counted: of->owner */
	_Atomic uint32_t state;                 /* enum weft_specialisation_state */
	struct weft_specialisation_code code;
	struct weft_replacement replacement; /* its kernel: code.desc, once there is code */
	/* Of one that the table has given up: the one that has taken its key since then, once that is known; or NULL.
	 * Retained. Recorded commands use it from then on. */
	_Atomic(struct weft_specialisation *) successor;
	/* Work-items of its launches since `since`, a time in ns. */
	_Atomic uint64_t items;
	_Atomic uint64_t since;
	struct weft_run_time run; /* of launches without the code */
	/* Of code that is there, for other numbers of lanes; owned; NULL: none are tried. */
	struct weft_width_trial *trial;
	/* The key; constant. */
	uint64_t hash;
	uint32_t num_words;
	uint64_t words[];
};

/* The specialisations of all kernels of a program on one device. Each may live longer than the program, and so may this. */
struct weft_specialisations {
	weft_refcount refs;  /* of the program, and of each specialisation */
	cl_device_id device; /* retained */
	bool made_before;    /* the program: specialisations may be in the cache */
	uint32_t
		wanted; /* of enum weft_kernel_flag, those for which there may be specialisations */
	const struct weft_program_desc *desc; /* borrowed: its user has the program's code */
	/* Of each specialisation. */
	void (*ran)(struct weft_replacement *replacement, uint64_t time);
	void (*took)(struct weft_replacement *replacement, uint64_t time);
	uint32_t num_kernels;
	struct weft_kernel_specialisations kernels[];
};

/* The caller has the only reference. NULL: no memory. */
struct weft_specialisation *weft_specialisation_create(struct weft_kernel_specialisations *of,
						       const struct weft_specialisation_key *key,
						       uint64_t now);

/* NULL is fine. */
void weft_specialisation_put(struct weft_specialisation *specialisation);

/* Gives back a reference: weft_specialisations.refs. */
void weft_specialisations_put(struct weft_specialisations *specialisations);

/* NULL until it is made. */
const struct weft_specialisation_code *
weft_specialisation_code(const struct weft_specialisation *specialisation);

static inline uint32_t weft_specialisation_state(const struct weft_specialisation *specialisation)
{
	return atomic_load_explicit(
		&((struct weft_specialisation *)(uintptr_t)specialisation)->state,
		memory_order_relaxed);
}

/* The one that stands for its key now: itself, or the last of its successors. NULL for NULL. Borrowed from it. */
static inline struct weft_specialisation *
weft_specialisation_current(struct weft_specialisation *specialisation)
{
	struct weft_specialisation *next = specialisation;

	while (next) {
		specialisation = next;
		next = atomic_load_explicit(&specialisation->successor, memory_order_acquire);
	}
	return specialisation;
}

/* ns that launches take without its code until it is to be made. */
uint64_t weft_specialisation_ripe_time(const struct weft_specialisation *specialisation);

/* Whether launches have taken so long without its code that it is to be made. */
bool weft_specialisation_is_ripe(const struct weft_specialisation *specialisation);

/* A launch of so many work-items ran, with its code or without. Two threads may count as one. */
static inline void weft_specialisation_add_items(struct weft_specialisation *specialisation,
						 uint64_t items)
{
	const uint64_t before = atomic_load_explicit(&specialisation->items, memory_order_relaxed);

	atomic_store_explicit(&specialisation->items, before + items, memory_order_relaxed);
}

#endif
