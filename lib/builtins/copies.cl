/* SPDX-License-Identifier: MIT
 *
 * Copies by a work-group: specification 6.15.11. One work-item copies everything, in one contiguous
 * loop; the wait is a barrier. The event that comes back is the one that was given.
 */
HELPER bool first_work_item(void)
{
	return (__weft_local_id(0) | __weft_local_id(1) | __weft_local_id(2)) == 0;
}

WEFT_CONVERGENT void wait_group_events(int count, __generic event_t *events)
{
	__weft_barrier();
}

WEFT_CONVERGENT void wait_group_events(int count, __private event_t *events)
{
	__weft_barrier();
}
