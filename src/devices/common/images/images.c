/* SPDX-License-Identifier: MIT
 *
 * The choice between the functions that access images.
 */
#include "images/images.h"

const struct weft_image_functions *weft_image_functions(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("x86-64-v4"))
		return &weft_image_functions_v4;
	if (__builtin_cpu_supports("x86-64-v3"))
		return &weft_image_functions_v3;
#endif
	return &weft_image_functions_base;
}
