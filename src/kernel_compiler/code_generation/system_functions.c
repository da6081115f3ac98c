/* SPDX-License-Identifier: MIT
 *
 * A stand-in for one of the system's libraries: its functions' names and nothing else. lld links kernels against
 * it, so that a kernel binary names the library that it needs, and a function that no library has is an error of
 * the build and not of the load.
 */
#define WEFT_FUNCTION(name)                                                                        \
	void name(void);                                                                           \
	void name(void)                                                                            \
	{                                                                                          \
	}
#include "code_generation/system_functions.def"
