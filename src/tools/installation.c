/* SPDX-License-Identifier: MIT
 *
 * Libraries lie in a folder beside that of the program.
 */
#include "installation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool weft_installed_library(const char *name, char path[PATH_MAX])
{
	static const char *const folders[] = {"../lib", "../" WEFT_LIBRARY_FOLDER};
	char self[PATH_MAX];
	char joined[PATH_MAX];

	const ssize_t length = readlink("/proc/self/exe", self, sizeof(self));
	const char *slash = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;
	for (size_t i = 0; slash && i < sizeof(folders) / sizeof(*folders); i++) {
		const int size = snprintf(joined, sizeof(joined), "%.*s/%s/%s", (int)(slash - self),
					  self, folders[i], name);
		if (size < (int)sizeof(joined) && access(joined, R_OK) == 0 &&
		    realpath(joined, path))
			return true;
	}
	return false;
}

void weft_use_own_compiler(void)
{
	char path[PATH_MAX];

	if (weft_installed_library(WEFT_COMPILER_NAME, path))
		setenv("WEFT_COMPILER", path, 0);
}
