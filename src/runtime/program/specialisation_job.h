/* SPDX-License-Identifier: MIT
 *
 * Making the code of a specialisation in the background.
 */
#ifndef WEFT_RUNTIME_SPECIALISATION_JOB_H
#define WEFT_RUNTIME_SPECIALISATION_JOB_H

#include "program/specialisation.h"

/* Has a thread make the code of one that is COMPILED, or look for the code of one that is SOUGHT in the cache. Without memory or a
 * thread it is IDLE again, and a later launch asks. */
void weft_specialisation_make(struct weft_specialisation *specialisation);

#endif
