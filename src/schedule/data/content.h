/* SPDX-License-Identifier: MIT
 *
 * What a buffer contains at first, and whether a result is the right one.
 */
#ifndef WEFT_SCHEDULE_CONTENT_H
#define WEFT_SCHEDULE_CONTENT_H

#include "spec/spec.h"

/* Numbers that depend on `seed` and on the place alone: whole ones from 0 to 4095, or up to 127 of one byte; floating-point ones
 * from 0 to 1. Then also zeros, or each element's index. */
void weft_content_fill(const struct weft_spec_buffer *buffer, uint64_t seed, void *data);

/* Floating-point numbers may differ by the buffer's tolerance, others not at all. A NaN is equal to a NaN. */
bool weft_content_check(const struct weft_spec_buffer *buffer, const char *what, const void *data,
			const void *right, struct weft_error *error);

#endif
