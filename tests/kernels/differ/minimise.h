/* SPDX-License-Identifier: MIT
 *
 * Makes a kernel that fails smaller.
 */
#ifndef WEFT_DIFFER_MINIMISE_H
#define WEFT_DIFFER_MINIMISE_H

#include "trial.h"

/* Drops statements, expressions, arguments and NDRanges while the kernel, changed in place, still fails for
 * the target. Each try runs in its own process. False, and nothing changed, when it does not fail. */
bool minimise(struct kernel *kernel, const struct runner_target *target);

#endif
