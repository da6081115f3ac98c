/* SPDX-License-Identifier: MIT
 *
 * Linux futexes, private to the process.
 */
#include "futex.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void weft_futex_wait(_Atomic int32_t *word, int32_t expected)
{
	syscall(SYS_futex, (void *)word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void weft_futex_wake_all(_Atomic int32_t *word)
{
	syscall(SYS_futex, (void *)word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void weft_futex_wake_one(_Atomic int32_t *word)
{
	syscall(SYS_futex, (void *)word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
