/* SPDX-License-Identifier: MIT
 *
 * The plain evaluation of what a work-group computes together.
 */
#ifndef WEFT_DIFFER_COLLECTIVE_H
#define WEFT_DIFFER_COLLECTIVE_H

#include "tree.h"

/* `count` work-items' values become their results; those of any and all are of an int. */
void collect(enum collective collective, enum scalar scalar, union lane *lanes, size_t count,
	     size_t speaker);

#endif
