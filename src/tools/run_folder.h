/* SPDX-License-Identifier: MIT
 *
 * A folder of .icd files in which loaders find Weft before the other drivers of the machine.
 */
#ifndef WEFT_TOOLS_RUN_FOLDER_H
#define WEFT_TOOLS_RUN_FOLDER_H

#include "vendors.h"

#include <limits.h>

/* Makes it, or finds it as an earlier run has made it. `library` is Weft's; of `vendors` those are left out that are Weft, too.
 * False: there is nowhere to put it, which has been said. */
bool weft_run_folder(const char *library, const struct weft_vendors *vendors, char path[PATH_MAX]);

#endif
