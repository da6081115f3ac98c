/* SPDX-License-Identifier: MIT
 *
 * Accesses of images of any format, for kernels that were not compiled for the formats of their images.
 */
#ifndef WEFT_DEVICES_IMAGES_H
#define WEFT_DEVICES_IMAGES_H

#include "kernel_abi.h"

/* The fastest ones that this machine can run. */
const struct weft_image_functions *weft_image_functions(void);

/* All have the same results. */
extern const struct weft_image_functions weft_image_functions_base;
#ifdef __x86_64__
extern const struct weft_image_functions weft_image_functions_v3;
extern const struct weft_image_functions weft_image_functions_v4;
#endif

#endif
