/* SPDX-License-Identifier: MIT
 *
 * As weft_internal.h, for pipes.cl alone. A pipe of the language is the address of a struct weft_pipe (pipe_layout.h), a
 * reserve_id_t is a number.
 */
#ifndef WEFT_PIPE_INTERNAL_H
#define WEFT_PIPE_INTERNAL_H

__global void *__weft_pipe_read_end(read_only pipe int p);
__global void *__weft_pipe_write_end(write_only pipe int p);
uint __weft_pipe_field(__global void *p,
		       uint offset); /* a constant, of a field that does not change */
ulong __weft_reservation_number(reserve_id_t id);
reserve_id_t __weft_reservation(ulong number);
/* A work-item did not find what it wants, and may look for it again and again: perhaps another command has to run first. */
void __weft_yield(void);
/* A work-item that holds something may have to wait before it gives that back: others of its vector, which would wait with it, must
 * not need it. So a kernel that comes here is not widened. */
void __weft_alone(void);

#endif
