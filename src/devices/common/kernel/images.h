/* SPDX-License-Identifier: MIT
 *
 * Accesses of images of any format, for kernels that were not compiled for the formats of their images.
 */
#ifndef WEFT_DEVICES_IMAGES_H
#define WEFT_DEVICES_IMAGES_H

#include "kernel_abi.h"

extern const struct weft_image_functions weft_image_functions;

#endif
