/* SPDX-License-Identifier: MIT
 *
 * Accesses of images, compiled for CPUs with AVX-512 (x86-64-v4).
 */
#include "images/images.h"

#ifdef __x86_64__
#include "images/image_variant.h"

const struct weft_image_functions weft_image_functions_v4 = {sample_lanes, read_lanes, write_lanes};
#endif
