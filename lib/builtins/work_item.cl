/* SPDX-License-Identifier: MIT
 *
 * Work-item functions: specification 6.15.1. A dimension past the last gives the value that the
 * specification names.
 */
WEFT uint get_work_dim(void)
{
	return __weft_work_dim();
}

WEFT size_t get_global_size(uint d)
{
	return d > 2 ? 1 : __weft_global_size(d);
}

WEFT size_t get_global_id(uint d)
{
	return d > 2 ? 0 : __weft_global_id(d);
}

WEFT size_t get_local_size(uint d)
{
	return d > 2 ? 1 : __weft_local_size(d);
}

WEFT size_t get_enqueued_local_size(uint d)
{
	return d > 2 ? 1 : __weft_enqueued_local_size(d);
}

WEFT size_t get_local_id(uint d)
{
	return d > 2 ? 0 : __weft_local_id(d);
}

WEFT size_t get_num_groups(uint d)
{
	return d > 2 ? 1 : __weft_num_groups(d);
}

WEFT size_t get_group_id(uint d)
{
	return d > 2 ? 0 : __weft_group_id(d);
}

WEFT size_t get_global_offset(uint d)
{
	return d > 2 ? 0 : __weft_global_offset(d);
}

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
