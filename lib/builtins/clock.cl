/* SPDX-License-Identifier: MIT
 *
 * cl_khr_kernel_clock: the processor's time-stamp counter, which the cores share.
 */
#define CLOCK(scope)                                                                               \
	WEFT ulong clock_read_##scope(void)                                                        \
	{                                                                                          \
		return __builtin_readcyclecounter();                                               \
	}                                                                                          \
	WEFT uint2 clock_read_hilo_##scope(void)                                                   \
	{                                                                                          \
		return as_uint2((ulong)__builtin_readcyclecounter());                              \
	}

CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
