/* SPDX-License-Identifier: MIT
 *
 * More of what the compiler tells the runtime about the memory that a kernel reaches: further bits of
 * weft_kernel_desc.flags, from the highest one down. They only weaken what enum weft_kernel_flag (kernel_abi.h) says: without
 * them, a kernel binary is right as well.
 */
#ifndef WEFT_KERNEL_REACH_H
#define WEFT_KERNEL_REACH_H

enum weft_kernel_reach {
	/* Of a kernel with WEFT_KERNEL_TOUCHES_OTHER_MEMORY: by pointers alone that it finds in memory, or makes from
	 * integers. It names no program-scope variable. */
	WEFT_KERNEL_ONLY_FOLLOWS_POINTERS = 1 << 30,
};

#endif
