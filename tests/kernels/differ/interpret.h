/* SPDX-License-Identifier: MIT
 *
 * The plain evaluation of a tree: one work-item after the other, from barrier to barrier.
 */
#ifndef WEFT_DIFFER_INTERPRET_H
#define WEFT_DIFFER_INTERPRET_H

#include "tree.h"

/* buffers[j]: the memory of object j if it is a buffer. Stops the program for an access outside of it, which
 * is the generator's mistake. */
void interpret(const struct kernel *kernel, const struct geometry *geometry,
	       unsigned char *const buffers[MAX_OBJECTS]);

#endif
