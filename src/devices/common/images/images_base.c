/* SPDX-License-Identifier: MIT
 *
 * Accesses of images, compiled for any CPU of the architecture.
 */
#include "images/image_variant.h"
#include "images/images.h"

const struct weft_image_functions weft_image_functions_base = {sample_lanes, read_lanes,
							       write_lanes};
