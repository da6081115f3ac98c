/* SPDX-License-Identifier: MIT
 *
 * Which process this is, of those that fork from one another: what was made in an earlier generation may wait for
 * threads that only the parent has.
 */
#ifndef WEFT_BASE_GENERATION_H
#define WEFT_BASE_GENERATION_H

#include <stdint.h>

/* From now on forks are counted; harmless when repeated. Without memory for it, they are not. */
void weft_generation_watch(void);

/* One more in a child than in its parent; constant otherwise. */
uint32_t weft_generation(void);

#endif
