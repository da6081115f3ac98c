/* SPDX-License-Identifier: MIT
 *
 * See file.h.
 */
#include "file.h"

#include <errno.h>
#include <unistd.h>

bool weft_file_read(int file, void *bytes, size_t size)
{
	char *next = bytes;

	while (size > 0) {
		ssize_t count = read(file, next, size);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		next += count;
		size -= (size_t)count;
	}
	return true;
}

bool weft_file_write(int file, const void *bytes, size_t size)
{
	const char *next = bytes;

	while (size > 0) {
		ssize_t count = write(file, next, size);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		next += count;
		size -= (size_t)count;
	}
	return true;
}
