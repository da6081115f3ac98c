/* SPDX-License-Identifier: MIT
 *
 * See file.h.
 */
#include "file.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
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

/* The signal goes to the thread that writes. One that the application has blocked is left to it. */
ssize_t weft_file_write_once(int file, const void *bytes, size_t size)
{
	const struct timespec none = {0};
	sigset_t limit, before;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	const ssize_t count = write(file, bytes, size);
	const int error = errno;
	if (count < 0 && error == EFBIG && !sigismember(&before, SIGXFSZ))
		sigtimedwait(&limit, NULL, &none);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return count;
}

bool weft_file_write(int file, const void *bytes, size_t size)
{
	const char *next = bytes;

	while (size > 0) {
		ssize_t count = weft_file_write_once(file, next, size);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		next += count;
		size -= (size_t)count;
	}
	return true;
}
