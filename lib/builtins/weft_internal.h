/* SPDX-License-Identifier: MIT
 *
 * What the built-ins stand on: functions that no library defines and that the compiler's passes lower
 * to the running work-item's place in the NDRange, to the work-group barrier and to memory of the
 * work-group. Only lib/builtins calls them. The dimension is 0 to 2, constant or not; whoever calls
 * has dealt with larger ones.
 */
#ifndef WEFT_INTERNAL_H
#define WEFT_INTERNAL_H

ulong __weft_local_id(uint d);
ulong __weft_global_id(uint d);
ulong __weft_group_id(uint d);
ulong __weft_num_groups(uint d);
ulong __weft_global_size(uint d);
ulong __weft_global_offset(uint d);
ulong __weft_local_size(uint d); /* of this group: the last one of a dimension may be smaller */
ulong __weft_enqueued_local_size(uint d);
uint __weft_work_dim(void);

/* The work-group barrier; it orders no memory by itself. */
__attribute__((convergent)) void __weft_barrier(void);

/* `size` bytes of local memory, aligned to `align`, both constant: one block per work-group and call
 * site, contents undefined at first. */
__local void *__weft_group_memory(uint size, uint align);

#endif
