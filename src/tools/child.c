/* SPDX-License-Identifier: MIT
 *
 * One pipe for each child.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Signals that the caller of this program ignores or blocks do not keep a child alive; nor does the end of this program. */
static void be_mortal(unsigned seconds)
{
	sigset_t alarms;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarms, NULL);
	signal(SIGALRM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(seconds);
}

bool weft_child_start(struct weft_child *child, int (*run)(const void *data), const void *data,
		      unsigned seconds)
{
	int ends[2];

	fflush(NULL);
	signal(SIGCHLD, SIG_DFL); /* where it is ignored, how a child ends is lost */
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	child->pid = fork();
	if (child->pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		be_mortal(seconds);
		const int status = run(data);
		fflush(NULL);
		_exit(status);
	}
	const int error = errno;
	close(ends[1]);
	child->output = ends[0];
	if (child->pid < 0)
		close(ends[0]);
	errno = error;
	return child->pid > 0;
}

int weft_child_end(struct weft_child *child)
{
	int status = 0;

	close(child->output);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int weft_child_run(int (*run)(const void *data), const void *data, unsigned seconds,
		   struct weft_strbuf *said)
{
	struct weft_child child;
	char block[1024];
	ssize_t size;

	if (!weft_child_start(&child, run, data, seconds))
		return -1;
	while ((size = read(child.output, block, sizeof(block))) > 0 ||
	       (size < 0 && errno == EINTR)) {
		if (size > 0)
			weft_strbuf_add(said, block, (size_t)size);
	}
	return weft_child_end(&child);
}

FILE *weft_child_words(void)
{
	const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	FILE *words = output >= 0 && nowhere >= 0 ? fdopen(output, "w") : NULL;

	if (words) {
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
	}
	return words;
}
