/* SPDX-License-Identifier: MIT
 *
 * Starting threads.
 */
#include "thread.h"

#include "log.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

static bool start(const char *name, void *(*run)(void *data), void *data,
		  const pthread_attr_t *attributes, pthread_t *thread)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
	sigset_t blocked, before;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&blocked, faults[i]);
	pthread_sigmask(SIG_SETMASK, &blocked, &before); /* the thread begins with this mask */
	int error = pthread_create(thread, attributes, run, data);
	if (error == 0)
		pthread_setname_np(*thread, name);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error)
		weft_log(WEFT_LOG_WARN, "base", "no thread for %s: %s", name, strerror(error));
	return error == 0;
}

bool weft_thread_start(const char *name, void *(*run)(void *data), void *data)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	bool started = start(name, run, data, &attributes, &thread);
	pthread_attr_destroy(&attributes);
	return started;
}

bool weft_thread_start_joinable(const char *name, void *(*run)(void *data), void *data,
				size_t stack_bytes, pthread_t *thread)
{
	pthread_attr_t attributes;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setstacksize(&attributes, stack_bytes);
	bool started = start(name, run, data, &attributes, thread);
	pthread_attr_destroy(&attributes);
	return started;
}
