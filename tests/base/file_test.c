/* SPDX-License-Identifier: MIT
 *
 * Writing at a limit of the size of files. It goes before anything is printed, as it holds for that, too.
 */
#include "common.h"

#include "file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define LIMIT 100 /* bytes */

/* Twice as much is not written, and errno says why. The file's place then. */
static ssize_t write_beyond(int file)
{
	static const char bytes[2 * LIMIT];
	struct rlimit before;

	getrlimit(RLIMIT_FSIZE, &before);
	const struct rlimit low = {LIMIT, before.rlim_max};
	setrlimit(RLIMIT_FSIZE, &low);
	const bool written = weft_file_write(file, bytes, sizeof(bytes));
	const int error = errno;
	setrlimit(RLIMIT_FSIZE, &before);
	assert_false(written);
	assert_int_equal(error, EFBIG);
	return lseek(file, 0, SEEK_CUR);
}

static bool is_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGXFSZ);
}

static void limit_ends_no_process(void **state)
{
	sigset_t mask;

	(void)state;
	const int file = memfd_create("file_test", MFD_CLOEXEC);
	assert_true(file >= 0);
	assert_int_equal(write_beyond(file), LIMIT);
	assert_false(is_pending());
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	assert_false(sigismember(&mask, SIGXFSZ));
	close(file);
}

static void blocked_signal_is_left_to_its_owner(void **state)
{
	sigset_t limit, before;
	int number;

	(void)state;
	const int file = memfd_create("file_test", MFD_CLOEXEC);
	assert_true(file >= 0);
	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	write_beyond(file);
	assert_true(is_pending());
	sigwait(&limit, &number);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limit_ends_no_process),
		cmocka_unit_test(blocked_signal_is_left_to_its_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
