/* SPDX-License-Identifier: MIT
 *
 * Stacks. A thread of the application may have a small stack, may have used most of it, or may run on one that the
 * application made; kernels and native functions need more room.
 */
#ifndef WEFT_BASE_STACK_H
#define WEFT_BASE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a stack on which kernels run. */
#define WEFT_STACK_BYTES ((size_t)8 << 20)

/* Whether the rest of this thread's stack has room for kernels; false if that cannot be found out. */
bool weft_stack_has_room(void);

/* The lowest address of the stack on which this thread runs; SIZE_MAX / 2 if that cannot be found out: then no address of a stack is above it. */
uintptr_t weft_stack_low(void);

/* Calls run(data) in this thread: on its stack if that has room, otherwise on another stack. False, without a call,
 * when there is no memory for one. */
bool weft_stack_call(void (*run)(void *data), void *data) __attribute__((warn_unused_result));

#endif
