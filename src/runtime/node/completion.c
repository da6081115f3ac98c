/* SPDX-License-Identifier: MIT
 *
 * The count of a thread that is ending something.
 */
#include "node/completion.h"

WEFT_THREAD_LOCAL unsigned weft_completion_depth;
