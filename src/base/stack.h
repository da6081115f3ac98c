/* SPDX-License-Identifier: MIT
 *
 * Stacks. An application's thread may have a small one, or have used most of it, or run on one of its own making; kernels
 * and native functions need more than that.
 */
#ifndef WEFT_BASE_STACK_H
#define WEFT_BASE_STACK_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a stack on which kernels run. */
#define WEFT_STACK_BYTES ((size_t)8 << 20)

/* Whether this thread has the room for kernels where it is now; false, too, where that cannot be found out. */
bool weft_stack_has_room(void);

/* Calls run(data) in this thread: on its stack if that has room, else on another one meanwhile. False, and no call, when
 * there is no memory for that. */
bool weft_stack_call(void (*run)(void *data), void *data) __attribute__((warn_unused_result));

#endif
