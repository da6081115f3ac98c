/* SPDX-License-Identifier: MIT
 *
 * What the system allows this process: limits that children inherit, control groups, and a place for the kernel cache.
 */
#include "child.h"
#include "compiler/cache_folder.h"
#include "doctor.h"
#include "machine/machine.h"
#include "options.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PATIENCE 30                         /* seconds */
#define ADDRESS_SPACE (UINT64_C(2) << 30)   /* bytes that the compiler and stacks of workers need */
#define LITTLE_MEMORY (UINT64_C(512) << 20) /* bytes: the compiler takes a part of that */
#define FEW_FILES 64                        /* descriptors */
#define SPACE (UINT64_C(16) << 20)          /* bytes for the cache */

/* ---- the cache -------------------------------------------------------------------------------- */

static void check_space(struct weft_doctor *doctor, const char *path, int folder)
{
	struct statvfs info;

	if (faccessat(folder, ".", W_OK, AT_EACCESS) != 0)
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE,
				"chmod u+w the folder, or let WEFT_CACHE_DIR name another one",
				"%s cannot be written to: %s; each start compiles anew", path,
				strerror(errno));
	else if (fstatvfs(folder, &info) == 0 && (uint64_t)info.f_bavail * info.f_frsize < SPACE)
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE,
				"make room, or let WEFT_CACHE_DIR name a folder elsewhere",
				"%s: the file system is full; each start compiles anew", path);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s can be used", path);
}

/* A folder that is not there yet: whether it can be made. */
static void check_future(struct weft_doctor *doctor, const char *path)
{
	char above[PATH_MAX];
	char *slash;

	snprintf(above, sizeof(above), "%s", path);
	do {
		slash = strrchr(above, '/');
		if (slash)
			*slash = '\0';
	} while (slash && slash > above && access(above, F_OK) != 0);
	if (faccessat(AT_FDCWD, !slash ? "." : *above ? above : "/", W_OK, AT_EACCESS) != 0)
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE,
				"set HOME, or let WEFT_CACHE_DIR name a folder that can be made",
				"%s cannot be made: %s; each start compiles anew", path,
				strerror(errno));
	else
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s is not there yet", path);
}

void weft_doctor_check_cache(struct weft_doctor *doctor)
{
	char path[PATH_MAX];
	char reason[WEFT_CACHE_REASON_SIZE];

	if (!weft_options()->cache) {
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, "unset WEFT_CACHE",
				"it is off: WEFT_CACHE=0; each start compiles anew");
		return;
	}
	if (!weft_cache_folder_path(path)) {
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, "set HOME or WEFT_CACHE_DIR",
				"there is nowhere to put it; each start compiles anew");
		return;
	}
	const int folder = weft_cache_folder_try(path, false, reason);
	if (*reason)
		weft_doctor_say(
			doctor, WEFT_VERDICT_NOTE,
			"let the folder be the user's own and writable by the user alone, or let "
			"WEFT_CACHE_DIR name another one",
			"%s cannot be used: %s; each start compiles anew", path, reason);
	else if (folder < 0)
		check_future(doctor, path);
	else
		check_space(doctor, path, folder);
	if (folder >= 0)
		close(folder);
}

/* ---- limits ----------------------------------------------------------------------------------- */

/* One limit, as the shell's `ulimit -LETTER` shows it. */
static void check_limit(struct weft_doctor *doctor, __rlimit_resource_t resource, uint64_t least,
			const char *what, const char *mend)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    limit.rlim_cur < least)
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, mend, "%s: limited to %llu", what,
				(unsigned long long)limit.rlim_cur);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s: enough", what);
}

static void *wait_for_end(void *barrier)
{
	pthread_barrier_wait(barrier);
	return NULL;
}

/* As many threads at once as there are workers. */
static int start_threads(const void *data)
{
	const uint32_t *count = data;
	pthread_barrier_t barrier;
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, *count + 1);
	for (uint32_t i = 0; i < *count; i++) {
		const int error = pthread_create(&thread, NULL, wait_for_end, &barrier);

		if (error) {
			printf("%u of %u start: %s", i, *count, strerror(error));
			return 1;
		}
	}
	pthread_barrier_wait(&barrier);
	return 0;
}

static void check_threads(struct weft_doctor *doctor, uint32_t cores)
{
	const int64_t given = weft_options()->threads;
	const uint32_t count = given > 0 && given < 65536 ? (uint32_t)given : cores;
	struct weft_strbuf said = {0};

	const int status = weft_child_run(start_threads, &count, PATIENCE, &said);
	if (status == 0)
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%u worker threads start", count);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT,
				"raise ulimit -u or the container's limit of processes, or lower "
				"WEFT_THREADS",
				"worker threads: %s", weft_doctor_reason(status, &said));
	weft_strbuf_destroy(&said);
}

static void check_quotas(struct weft_doctor *doctor, const struct weft_machine *machine)
{
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	const uint32_t usable = (uint32_t)CPU_COUNT(&machine->usable);
	struct weft_limits limits;
	char size[WEFT_SIZE_TEXT];

	weft_limits_read("", &limits);
	if (limits.cores < usable)
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE, "raise the container's CPU quota",
				"a quota allows %u of %u cores", limits.cores, usable);
	else if (online > 0 && usable < (uint32_t)online)
		weft_doctor_say(doctor, WEFT_VERDICT_NOTE,
				"taskset, or the container's set of CPUs",
				"this process may run on %u of %ld cores", usable, online);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "all %u cores may be used", usable);
	weft_size_text(machine->memory, size);
	if (machine->memory < LITTLE_MEMORY)
		weft_doctor_say(doctor, WEFT_VERDICT_FAULT, "raise the container's memory limit",
				"%s of memory may be used", size);
	else
		weft_doctor_say(doctor, WEFT_VERDICT_OK, NULL, "%s of memory may be used", size);
}

void weft_doctor_check_limits(struct weft_doctor *doctor)
{
	struct weft_machine machine;

	weft_machine_read(&machine);
	check_limit(doctor, RLIMIT_AS, ADDRESS_SPACE, "bytes of address space",
		    "raise ulimit -v: the compiler maps large files, and each thread has a stack");
	check_limit(doctor, RLIMIT_NOFILE, FEW_FILES, "open files", "raise ulimit -n");
	check_threads(doctor, machine.cores);
	check_quotas(doctor, &machine);
}
