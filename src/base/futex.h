/* SPDX-License-Identifier: MIT
 *
 * Sleeping until a word changes. The caller that changes the word stores with release order before it wakes; a sleeper
 * looks again after each return, which may come without a change.
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
