/* SPDX-License-Identifier: MIT
 *
 * Finds and opens libweft-compiler.so. Invariant: once `compiler` is set, the library stays open
 * until the process ends. Threads may use it until then: none of its destructors runs (library/exit_handlers.cpp).
 */
#include "compiler/compiler_library.h"

#include "clock.h"
#include "compiler/build_id.h"
#include "log.h"
#include "mutex.h"
#include "options.h"
#include "threads/background.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY_NAME "libweft-compiler.so"
#define PATIENCE UINT64_C(2000000000) /* ns that an exit waits for uses that have not begun */

static struct weft_mutex lock = WEFT_MUTEX_INITIALIZER(WEFT_RANK_COMPILER);
static void *handle WEFT_GUARDED_BY(&lock);
static const struct weft_compiler *compiler WEFT_GUARDED_BY(&lock);
static bool exit_registered WEFT_GUARDED_BY(&lock);
static unsigned users WEFT_GUARDED_BY(&lock);    /* that an exit waits for */
static unsigned expected WEFT_GUARDED_BY(&lock); /* uses to come */
static pid_t
	users_process WEFT_GUARDED_BY(&lock); /* a forked child has none of its parent's threads */
static bool ending WEFT_GUARDED_BY(&lock);
static struct weft_condition idle = WEFT_CONDITION_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

/* No thread waits in the child. */
static void forget_in_child(void)
{
	weft_condition_init(&idle);
}

static void register_fork(void)
{
	pthread_atfork(NULL, NULL, forget_in_child);
}

/* Opening what is no file may take for ever: a FIFO, for one. */
static bool is_file(const char *path, struct stat *info)
{
	return stat(path, info) == 0 && S_ISREG(info->st_mode);
}

/* Where the library is, with what stat says about it. The last folder is for the copy of the driver that lies beside
 * PyOpenCL's loader (packaging/wheel). */
static bool find_library(char path[PATH_MAX], struct stat *info)
{
	static const char *const folders[] = {"", "../lib/", "../../weft/lib/"};
	const char *given = weft_options()->compiler;
	Dl_info self;

	if (given)
		return snprintf(path, PATH_MAX, "%s", given) < PATH_MAX && is_file(path, info);
	if (!dladdr((void *)find_library, &self) || !self.dli_fname)
		return false;
	const char *slash = strrchr(self.dli_fname, '/');
	int folder = slash ? (int)(slash - self.dli_fname) + 1 : 0;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		int length = snprintf(path, PATH_MAX, "%s%.*s%s" LIBRARY_NAME, folder ? "" : "./",
				      folder, self.dli_fname, folders[i]);
		if (length < PATH_MAX && is_file(path, info))
			return true;
	}
	return false;
}

bool weft_compiler_library_present(void)
{
	char path[PATH_MAX];
	struct stat info;

	return find_library(path, &info);
}

struct weft_digest weft_compiler_library_identity(void)
{
	struct weft_digest identity = {0, 0};
	char path[PATH_MAX];
	struct stat info;

	if (!find_library(path, &info) || weft_build_id_read(path, &identity))
		return identity;
	const uint64_t facts[] = {(uint64_t)info.st_size, (uint64_t)info.st_mtim.tv_sec,
				  (uint64_t)info.st_mtim.tv_nsec};
	return weft_digest_bytes(facts, sizeof(facts));
}

/* At the exit of the process. What begins later, in another thread or in what the application does at its exit, is not
 * waited for: else the exit of a process whose threads go on building would never end. */
static void wait_for_users(void)
{
	uint64_t start = weft_clock_now();

	weft_background_wait(true);
	weft_mutex_lock(&lock);
	while (expected > 0 && users_process == getpid() && weft_clock_now() - start < PATIENCE)
		weft_condition_wait(&idle, &lock);
	ending = true;
	while (users > 0 && users_process == getpid())
		weft_condition_wait(&idle, &lock);
	weft_mutex_unlock(&lock);
}

static void enter_process(void) WEFT_REQUIRES(&lock)
{
	if (users_process == getpid())
		return;
	users = 0;
	expected = 0;
	users_process = getpid();
}

void weft_compiler_library_expect(bool more)
{
	pthread_once(&fork_once, register_fork);
	weft_mutex_lock(&lock);
	enter_process();
	if (more)
		expected++;
	else if (--expected == 0)
		weft_condition_broadcast(&idle);
	weft_mutex_unlock(&lock);
}

bool weft_compiler_library_begin(void)
{
	pthread_once(&fork_once, register_fork);
	weft_mutex_lock(&lock);
	bool counted = !ending;
	enter_process();
	if (counted)
		users++;
	weft_mutex_unlock(&lock);
	return counted;
}

void weft_compiler_library_end(void)
{
	weft_mutex_lock(&lock);
	users--;
	weft_condition_broadcast(&idle); /* an exit looks at the clock */
	weft_mutex_unlock(&lock);
}

/* True when `table`, the library's symbol, can be used. */
static bool accept(const struct weft_compiler *table, const char *path)
{
	if (!table) {
		weft_log(WEFT_LOG_ERROR, "compiler", "%s is no kernel compiler", path);
		return false;
	}
	if (table->version != WEFT_COMPILER_VERSION) {
		weft_log(WEFT_LOG_ERROR, "compiler", "%s is of version %u, not %u", path,
			 table->version, WEFT_COMPILER_VERSION);
		return false;
	}
	return true;
}

static void open_library(void) WEFT_REQUIRES(&lock)
{
	char path[PATH_MAX];
	struct stat info;

	if (!find_library(path, &info)) {
		weft_log(WEFT_LOG_ERROR, "compiler", "there is no " LIBRARY_NAME " at %s", path);
		return;
	}
	void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!opened) {
		weft_log(WEFT_LOG_ERROR, "compiler", "cannot open the kernel compiler: %s",
			 dlerror());
		return;
	}
	const struct weft_compiler *table = dlsym(opened, WEFT_COMPILER_SYMBOL);
	if (!accept(table, path)) {
		dlclose(opened);
		return;
	}
	handle = opened;
	compiler = table;
	if (!exit_registered)
		exit_registered = atexit(wait_for_users) == 0;
	weft_log(WEFT_LOG_INFO, "compiler", "opened %s", path);
}

const struct weft_compiler *weft_compiler_library(void)
{
	weft_mutex_lock(&lock);
	if (!compiler)
		open_library();
	const struct weft_compiler *table = compiler;
	weft_mutex_unlock(&lock);
	return table;
}

void weft_compiler_library_reset(void)
{
	weft_mutex_lock(&lock);
	if (handle)
		dlclose(handle);
	handle = NULL;
	compiler = NULL;
	weft_mutex_unlock(&lock);
}
