/* SPDX-License-Identifier: MIT
 *
 * Work-item functions: specification 6.15.1. A dimension past the last gives the value that the
 * specification names.
 */
WEFT uint get_work_dim(void)
{
	return __weft_work_dim();
}

#define OF_DIMENSION(name, lowered, past_last)                                                     \
	WEFT size_t name(uint d)                                                                   \
	{                                                                                          \
		return d > 2 ? past_last : lowered(d);                                             \
	}

OF_DIMENSION(get_global_size, __weft_global_size, 1)
OF_DIMENSION(get_global_id, __weft_global_id, 0)
OF_DIMENSION(get_local_size, __weft_local_size, 1)
OF_DIMENSION(get_enqueued_local_size, __weft_enqueued_local_size, 1)
OF_DIMENSION(get_local_id, __weft_local_id, 0)
OF_DIMENSION(get_num_groups, __weft_num_groups, 1)
OF_DIMENSION(get_group_id, __weft_group_id, 0)
OF_DIMENSION(get_global_offset, __weft_global_offset, 0)

/* Unused dimensions have size 1 and id 0, so one formula serves all. */
WEFT size_t get_global_linear_id(void)
{
	size_t id[3];
	for (uint d = 0; d < 3; d++)
		id[d] = __weft_global_id(d) - __weft_global_offset(d);
	return (id[2] * __weft_global_size(1) + id[1]) * __weft_global_size(0) + id[0];
}

WEFT size_t get_local_linear_id(void)
{
	return (__weft_local_id(2) * __weft_local_size(1) + __weft_local_id(1)) *
		       __weft_local_size(0) +
	       __weft_local_id(0);
}
