/* SPDX-License-Identifier: MIT
 *
 * One pipe and one process group for each child. A process that the child has started may hold the pipe open for ever, and a child
 * may close it and live on: so the end of the child counts, not that of the pipe, and both are looked at in short intervals.
 */
#include "child.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define INTERVAL 20 /* ms */
#define SECOND UINT64_C(1000000000)

/* In the child: its streams and its process group are its own, and it does not outlive this program. */
static void settle(int output)
{
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static bool has_ended(const struct weft_child *child)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == child->pid;
}

static bool is_late(const struct weft_child *child)
{
	return weft_clock_now() >= child->end;
}

/* Reads for the stream: 0 bytes at the end. */
static ssize_t read_output(void *cookie, char *bytes, size_t size)
{
	const struct weft_child *child = cookie;
	struct pollfd wait = {.fd = child->pipe, .events = POLLIN};

	for (;;) {
		const bool ended = has_ended(child); /* before its last words are looked for */

		if (is_late(child))
			return 0;
		if (poll(&wait, 1, ended ? 0 : INTERVAL) > 0)
			return read(child->pipe, bytes, size);
		if (ended)
			return 0;
	}
}

/* The child's process; 0 in the child itself, -1 where there is none. */
static pid_t start_process(struct weft_child *child)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	child->pipe = ends[0];
	child->pid = fork();
	const int error = errno;
	if (child->pid == 0)
		settle(ends[1]);
	if (child->pid <= 0)
		close(ends[0]);
	close(ends[1]);
	errno = error;
	return child->pid;
}

bool weft_child_start(struct weft_child *child, int (*run)(const void *data), const void *data,
		      unsigned seconds)
{
	const cookie_io_functions_t functions = {.read = read_output};

	fflush(NULL);
	signal(SIGCHLD, SIG_DFL); /* where it is ignored, how a child ends is lost */
	child->end = weft_clock_now() + seconds * SECOND;
	child->output = fopencookie(child, "r", functions);
	if (!child->output)
		return false;
	const pid_t pid = start_process(child);
	if (pid == 0) {
		const int status = run(data);
		fflush(NULL);
		_exit(status);
	}
	if (pid < 0) {
		const int error = errno;
		fclose(child->output);
		errno = error;
		return false;
	}
	setpgid(pid, pid); /* the child may not have come to it yet */
	return true;
}

int weft_child_end(struct weft_child *child)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	int status = 0;

	fclose(child->output);
	close(child->pipe);
	while (!has_ended(child) && !is_late(child))
		nanosleep(&pause, NULL);
	const bool ended = has_ended(child);
	kill(-child->pid, SIGKILL);
	kill(child->pid, SIGKILL); /* it may have left its group */
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!ended)
		return WEFT_CHILD_LATE;
	return WIFSIGNALED(status) ? WEFT_CHILD_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int weft_child_run(int (*run)(const void *data), const void *data, unsigned seconds,
		   struct weft_strbuf *said)
{
	struct weft_child child;
	char block[1024];
	size_t size;

	if (!weft_child_start(&child, run, data, seconds))
		return WEFT_CHILD_NOT_STARTED;
	while ((size = fread(block, 1, sizeof(block), child.output)) > 0)
		weft_strbuf_add(said, block, size);
	return weft_child_end(&child);
}

void weft_child_ending(int status, char text[WEFT_CHILD_ENDING])
{
	const bool is_signal = status > WEFT_CHILD_SIGNAL;
	const char *format = status == WEFT_CHILD_NOT_STARTED ? "no process can be started"
			     : status == WEFT_CHILD_LATE      ? "the process does not end"
			     : is_signal                      ? "the process ends by signal %d"
							      : "the process ends with status %d";

	snprintf(text, WEFT_CHILD_ENDING, format, is_signal ? status - WEFT_CHILD_SIGNAL : status);
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
