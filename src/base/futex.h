/* SPDX-License-Identifier: MIT
 *
 * Sleep until a word changes. The caller publishes the change with a release store before it wakes, and
 * looks again after each return: waking without a change is allowed.
 */
#ifndef WEFT_BASE_FUTEX_H
#define WEFT_BASE_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

/* Sleeps while *word == expected. */
void weft_futex_wait(_Atomic int32_t *word, int32_t expected);
void weft_futex_wake_all(_Atomic int32_t *word);
void weft_futex_wake_one(_Atomic int32_t *word);

#endif
