/* SPDX-License-Identifier: MIT
 *
 * The table of a kernel's specialisations: the keys that launches came with lately, and which of them may have code. It is
 * bounded. A new key takes the place of the one without code that has run least lately. A key that asks for code when as
 * many as may have code takes the code of the one that has run least lately, if its own launches were twice as many.
 * "How much" is work-items, which cost about the same in all launches of a kernel.
 *
 * Looking a key up takes no lock.
 */
#ifndef WEFT_RUNTIME_SPECIALISATION_TABLE_H
#define WEFT_RUNTIME_SPECIALISATION_TABLE_H

#include "program/specialisation.h"

#define WEFT_SPECIALISATION_KEYS 96  /* of a kernel, at most */
#define WEFT_SPECIALISATION_CODES 64 /* of those, with code or with code in the making */

/* NULL: no memory. */
struct weft_specialisation_table *weft_specialisation_table_create(void);
/* Gives its specialisations back. No launch looks for one any more. NULL is fine. */
void weft_specialisation_table_destroy(struct weft_specialisation_table *table);

/* The key's; retained; or NULL. */
struct weft_specialisation *
weft_specialisation_table_find(struct weft_specialisation_table *table,
			       const struct weft_specialisation_key *key);

/* The key's, new if there was none; retained. NULL: no memory. `now` is in ns, here and below. */
struct weft_specialisation *weft_specialisation_table_get(struct weft_specialisation_table *table,
							  struct weft_kernel_specialisations *of,
							  const struct weft_specialisation_key *key,
							  uint64_t now);

struct weft_specialisation_request {
	struct weft_specialisation *specialisation; /* perhaps given up by the table */
	enum weft_specialisation_state state;       /* SOUGHT or COMPILED */
	bool replaces;                              /* another one may be given up for it */
	uint64_t now;                               /* ns */
};

/* Whether it may have code; then it is in the state that was asked for. Only one that is IDLE may. */
bool weft_specialisation_table_admit(struct weft_specialisation_table *table,
				     const struct weft_specialisation_request *request);

#endif
