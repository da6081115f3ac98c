/* SPDX-License-Identifier: MIT
 *
 * Accesses of images, compiled for CPUs with AVX2 (x86-64-v3).
 */
#include "images/images.h"

#ifdef __x86_64__
#include "images/image_variant.h"

const struct weft_image_functions weft_image_functions_v3 = {sample_lanes, read_lanes, write_lanes};
#endif
