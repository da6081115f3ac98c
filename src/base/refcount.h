/* SPDX-License-Identifier: MIT
 *
 * A reference count. The caller to which weft_refcount_put returns true owns the object alone, and destroys it.
 */
#ifndef WEFT_BASE_REFCOUNT_H
#define WEFT_BASE_REFCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
	_Atomic uint32_t value;
} weft_refcount;

static inline void weft_refcount_init(weft_refcount *count, uint32_t value)
{
	atomic_init(&count->value, value);
}

static inline void weft_refcount_get(weft_refcount *count)
{
	atomic_fetch_add_explicit(&count->value, 1, memory_order_relaxed);
}

/* True for the caller that dropped the last reference. A caller that reads 1 has the only reference, and needs no
 * atomic decrement. */
static inline bool weft_refcount_put(weft_refcount *count)
{
	if (atomic_load_explicit(&count->value, memory_order_acquire) != 1)
		return atomic_fetch_sub_explicit(&count->value, 1, memory_order_acq_rel) == 1;
	atomic_store_explicit(&count->value, 0, memory_order_relaxed);
	return true;
}

static inline uint32_t weft_refcount_read(const weft_refcount *count)
{
	return atomic_load_explicit(&((weft_refcount *)(uintptr_t)count)->value,
				    memory_order_relaxed);
}

#endif
