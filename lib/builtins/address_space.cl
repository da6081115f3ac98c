/* SPDX-License-Identifier: MIT
 *
 * Functions of the generic address space: specification 6.15.9. All address spaces share the host's
 * addresses, so a generic pointer converts to each of them as it is.
 */
__global void *__to_global(__generic void *p)
{
	return (__global void *)p;
}

__local void *__to_local(__generic void *p)
{
	return (__local void *)p;
}

__private void *__to_private(__generic void *p)
{
	return (__private void *)p;
}

WEFT cl_mem_fence_flags get_fence(const __generic void *p)
{
	return CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE;
}

WEFT cl_mem_fence_flags get_fence(__generic void *p)
{
	return CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE;
}
