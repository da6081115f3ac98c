/* SPDX-License-Identifier: MIT
 *
 * Measured rates, kept in a file from run to run: a line for each kernel on each device, by a digest of all that decides how long a
 * slab takes: source, options, sizes, arguments, and the device's name. What whole runs have taken is kept there as well, by all of their
 * kernels and devices, and the strategy, if it has decided enough of them.
 */
#ifndef WEFT_SCHEDULE_RATES_H
#define WEFT_SCHEDULE_RATES_H

#include "engine/engine.h"

/* Takes the file's rates as known ones of the engine. A file that does not exist has none. */
bool weft_rates_load(struct weft_engine *engine, const char *path, struct weft_error *error);
/* Puts the engine's known rates into the file, beside those of other kernels. The file is replaced as a whole. */
bool weft_rates_save(const struct weft_engine *engine, const char *path, struct weft_error *error);

#endif
