/* SPDX-License-Identifier: MIT
 *
 * Copies by a work-group: specification 6.15.11. One work-item copies everything, in one contiguous loop; the wait is a
 * barrier. The returned event is the one that was given.
 */
HELPER bool first_work_item(void)
{
	return (__weft_local_id(0) | __weft_local_id(1) | __weft_local_id(2)) == 0;
}

/* An accelerator's DMA engine does not know which copies these events are for: it waits for all. */
HELPER __attribute__((convergent)) void wait_for_copies(void)
{
	__weft_barrier();
	if (first_work_item())
		__weft_request(0, 0);
}

WEFT_CONVERGENT void wait_group_events(int count, __generic event_t *events)
{
	wait_for_copies();
}

WEFT_CONVERGENT void wait_group_events(int count, __private event_t *events)
{
	wait_for_copies();
}

/* cl_khr_extended_async_copies: boxes of lines, each contiguous. Offsets, lengths and areas count elements. */
HELPER void copy_lines(__generic char *to, const __generic char *from, size_t bytes, size_t lines,
		       size_t to_step, size_t from_step)
{
	__weft_request(bytes, lines);
	for (size_t i = 0; i < lines; i++)
		__builtin_memcpy(to + i * to_step, from + i * from_step, bytes);
	__weft_request_end();
}

#define COPIES(to, from)                                                                           \
	WEFT_CONVERGENT event_t async_work_group_copy_2D2D(                                        \
		to void *dst, size_t dst_offset, const from void *src, size_t src_offset,          \
		size_t element, size_t columns, size_t lines, size_t src_line, size_t dst_line,    \
		event_t event)                                                                     \
	{                                                                                          \
		if (first_work_item())                                                             \
			copy_lines((to char *)dst + dst_offset * element,                          \
				   (const from char *)src + src_offset * element,                  \
				   columns * element, lines, dst_line * element,                   \
				   src_line * element);                                            \
		return event;                                                                      \
	}                                                                                          \
	WEFT_CONVERGENT event_t async_work_group_copy_3D3D(                                        \
		to void *dst, size_t dst_offset, const from void *src, size_t src_offset,          \
		size_t element, size_t columns, size_t lines, size_t planes, size_t src_line,      \
		size_t src_plane, size_t dst_line, size_t dst_plane, event_t event)                \
	{                                                                                          \
		if (first_work_item())                                                             \
			for (size_t i = 0; i < planes; i++)                                        \
				copy_lines((to char *)dst +                                        \
						   (dst_offset + i * dst_plane) * element,         \
					   (const from char *)src +                                \
						   (src_offset + i * src_plane) * element,         \
					   columns * element, lines, dst_line * element,           \
					   src_line * element);                                    \
		return event;                                                                      \
	}

COPIES(__local, __global)
COPIES(__global, __local)
