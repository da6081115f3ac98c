/* SPDX-License-Identifier: MIT
 *
 * The platform, ready for a loader.
 */
#ifndef WEFT_API_DISPATCH_H
#define WEFT_API_DISPATCH_H

#include "platform/platform.h"

/* The platform, with the dispatch table in it and in every object made later. */
cl_platform_id weft_api_platform(void);

#endif
