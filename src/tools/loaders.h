/* SPDX-License-Identifier: MIT
 *
 * What OpenCL loaders of this process, and of programs that it becomes or starts, find.
 */
#ifndef WEFT_TOOLS_LOADERS_H
#define WEFT_TOOLS_LOADERS_H

#include <stdbool.h>

/* Sets the variables of OpenCL loaders so that this installation's driver is their first one; the others that they would find
 * follow, unless it is to be the only one. False: it is said why. */
bool weft_set_loaders(bool only);

#endif
