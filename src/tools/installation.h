/* SPDX-License-Identifier: MIT
 *
 * The installation that this program belongs to.
 */
#ifndef WEFT_TOOLS_INSTALLATION_H
#define WEFT_TOOLS_INSTALLATION_H

#include <limits.h>
#include <stdbool.h>

#define WEFT_DRIVER_NAME "libweft.so.1"
#define WEFT_COMPILER_NAME "libweft-compiler.so"

/* The absolute path of this installation's library of that name. False: it is not there. */
bool weft_installed_library(const char *name, char path[PATH_MAX]);

/* Has the driver that is linked into this program open its installation's compiler, unless WEFT_COMPILER says which; to be called
 * before the options are read. */
void weft_use_own_compiler(void);

#endif
