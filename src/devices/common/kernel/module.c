/* SPDX-License-Identifier: MIT
 *
 * Loads a kernel binary from memory: an anonymous file (memfd) that the dynamic linker opens
 * through /proc, so that neither a noexec cache folder nor a full disk matters; a private temporary
 * file where that is not to be had.
 *
 * The linker takes a path that it has seen for the library that it loaded then, and descriptor
 * numbers are used again: a path is never given to it twice while the first library is loaded. So
 * the descriptor stays open as long as the module (gdb then finds the symbols too, at
 * /proc/PID/fd/N); when the process has many open already, it is closed and a serial number makes
 * the path unlike any other.
 *
 * The linker's own lock is not free in the child of a fork when another thread had it. So a fork waits for loads in
 * progress, which are short, and which others begin in the background. Not for ever: a library that the application is
 * loading may fork, and a load waits for that.
 */
#include "kernel/module.h"

#include "alloc.h"
#include "file.h"
#include "kernel/work.h"
#include "log.h"
#include "options.h"
#include "thread_local.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Descriptors below this are kept; select() users need theirs below 1024. */
#define KEPT_DESCRIPTORS 256

struct weft_module {
	void *handle;
	const struct weft_program_desc *program;
	int descriptor;   /* kept open; -1: none */
	bool constructed; /* its variables */
};

#define LONGEST_LOAD 1 /* s */

/* Several loads may run at once: one may wait for a library with a constructor that makes another load. */
static pthread_rwlock_t loading = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static WEFT_THREAD_LOCAL bool forking; /* and has the lock */

static void before_fork(void)
{
	struct timespec deadline;

	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += LONGEST_LOAD;
	forking = pthread_rwlock_timedwrlock(&loading, &deadline) == 0;
}

static void after_fork(void)
{
	if (forking)
		pthread_rwlock_unlock(&loading);
	forking = false;
}

static void after_fork_in_child(void)
{
	pthread_rwlock_init(&loading, NULL);
	forking = false;
}

static void register_fork(void)
{
	(void)pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static void begin_load(void)
{
	pthread_once(&fork_once, register_fork);
	pthread_rwlock_rdlock(&loading);
}

static void end_load(void)
{
	pthread_rwlock_unlock(&loading);
}

/* Whether the file is sound enough for the dynamic linker. */
static bool is_shared_object(const void *image, size_t size)
{
	Elf64_Ehdr header;

	if (size < sizeof(header))
		return false;
	memcpy(&header, image, sizeof(header));
#if defined(__x86_64__)
	if (header.e_machine != EM_X86_64)
		return false;
#elif defined(__aarch64__)
	if (header.e_machine != EM_AARCH64)
		return false;
#endif
	return memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
	       header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_type == ET_DYN &&
	       header.e_phentsize == sizeof(Elf64_Phdr) && header.e_phoff <= size &&
	       header.e_phnum <= (size - header.e_phoff) / sizeof(Elf64_Phdr);
}

/* A path to `descriptor` that differs from all others by `serial`: each bit is "/" or "/.". */
static void unique_path(char *path, size_t size, int descriptor, unsigned serial)
{
	size_t length = (size_t)snprintf(path, size, "/proc/self/fd");

	for (int bit = 0; bit < 32; bit++)
		length += (size_t)snprintf(path + length, size - length, "/%s",
					   serial >> bit & 1 ? "." : "");
	snprintf(path + length, size - length, "/%d", descriptor);
}

/* Fills a new file and loads it. Takes the descriptor. */
static bool load_descriptor(struct weft_module *module, int descriptor, const void *image,
			    size_t size)
{
	static _Atomic unsigned serial;
	char path[160];

	if (weft_file_write(descriptor, image, size)) {
		if (descriptor < KEPT_DESCRIPTORS) {
			snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(), descriptor);
			module->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		}
		if (module->handle) {
			module->descriptor = descriptor;
			return true;
		}
		unique_path(path, sizeof(path), descriptor,
			    atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed));
		module->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	close(descriptor);
	return module->handle != NULL;
}

static bool load_from_memory(struct weft_module *module, const void *image, size_t size)
{
	static _Atomic unsigned serial;
	char name[32];

	snprintf(name, sizeof(name), "weft-kernels-%u",
		 atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed));
	int descriptor = memfd_create(name, MFD_CLOEXEC);
	return descriptor >= 0 && load_descriptor(module, descriptor, image, size);
}

static bool load_from_file(struct weft_module *module, const char *folder, const void *image,
			   size_t size)
{
	char path[PATH_MAX];

	if (!folder || snprintf(path, sizeof(path), "%s/weft-XXXXXX", folder) >= (int)sizeof(path))
		return false;
	int descriptor = mkostemp(path, O_CLOEXEC);
	if (descriptor < 0)
		return false;
	bool written = weft_file_write(descriptor, image, size);
	close(descriptor);
	if (written)
		module->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	unlink(path);
	return module->handle != NULL;
}

/* For perf, which knows no anonymous files: one with a name that stays (WEFT_KERNEL_FILES). The name is not used to load
 * it: in a folder where others may write, it could stand for another file by then. */
static bool load_from_kept_file(struct weft_module *module, const void *image, size_t size)
{
	static _Atomic unsigned serial;
	const char *folder = weft_options()->kernel_files;
	char path[PATH_MAX];

	if (!folder || snprintf(path, sizeof(path), "%s/weft-%ld-%u.so", folder, (long)getpid(),
				atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed)) >=
			       (int)sizeof(path))
		return false;
	int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (descriptor < 0) {
		weft_log(WEFT_LOG_WARN, "device", "%s: %s", path, strerror(errno));
		return false;
	}
	return load_descriptor(module, descriptor, image, size);
}

static enum weft_status open_image(struct weft_module *module, const void *image, size_t size)
{
	const char *const folders[] = {secure_getenv("XDG_RUNTIME_DIR"), secure_getenv("TMPDIR"),
				       "/dev/shm", "/tmp"};

	if (load_from_kept_file(module, image, size) || load_from_memory(module, image, size))
		return WEFT_OK;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (load_from_file(module, folders[i], image, size))
			return WEFT_OK;
	}
	const char *reason = dlerror();
	weft_log(WEFT_LOG_ERROR, "device", "cannot load a kernel binary: %s",
		 reason ? reason : strerror(errno));
	/* the linker's own complaint means a binary that is not sound; else descriptors or space
	 * ran out */
	return reason ? WEFT_INVALID_BINARY : WEFT_OUT_OF_RESOURCES;
}

static enum weft_status find_program(struct weft_module *module)
{
	const struct weft_program_desc *program = dlsym(module->handle, WEFT_PROGRAM_SYMBOL);

	if (!program) {
		weft_log(WEFT_LOG_ERROR, "device", "a kernel binary without " WEFT_PROGRAM_SYMBOL);
		return WEFT_INVALID_BINARY;
	}
	if (program->abi != WEFT_KERNEL_ABI) {
		weft_log(WEFT_LOG_ERROR, "device", "a kernel binary of ABI %u, this is %u",
			 program->abi, WEFT_KERNEL_ABI);
		return WEFT_INVALID_BINARY;
	}
	module->program = program;
	return WEFT_OK;
}

bool weft_module_hook(const struct weft_program_desc *program, enum weft_program_hook hook,
		      const void *args, struct weft_launch *launch)
{
	const struct weft_kernel_desc *kernel =
		program->kernels + program->num_kernels + program->num_blocks;

	if (!(program->hooks & hook))
		return false;
	if (hook == WEFT_PROGRAM_DESTROYS && program->hooks & WEFT_PROGRAM_CONSTRUCTS)
		kernel++;
	*launch = (struct weft_launch){
		.kernel = kernel,
		.range = {.global_size = {1, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {1, 1, 1},
			  .work_dim = 1},
		.args = args,
		.local_bytes = kernel->local_size,
	};
	return true;
}

/* Runs a hook, in this thread, unless the program has none. */
static enum weft_status run_hook(struct weft_module *module, enum weft_program_hook hook)
{
	static const _Alignas(
		WEFT_KERNEL_ALIGNMENT) unsigned char no_arguments[WEFT_KERNEL_ALIGNMENT];
	struct weft_launch launch;
	struct weft_arena arena = {0};

	if (!weft_module_hook(module->program, hook, no_arguments, &launch))
		return WEFT_OK;
	launch.module = module;
	enum weft_status status = weft_work_run_alone(&launch, &arena, NULL, 0, NULL);
	weft_arena_destroy(&arena);
	return status;
}

static void unload(struct weft_device *device, struct weft_module *module)
{
	(void)device;
	if (module->constructed && run_hook(module, WEFT_PROGRAM_DESTROYS) != WEFT_OK)
		weft_log(WEFT_LOG_WARN, "device", "no memory to destroy a program's objects");
	if (module->handle) {
		begin_load();
		dlclose(module->handle);
		end_load();
	}
	if (module->descriptor >= 0)
		close(module->descriptor);
	weft_free(module);
}

static enum weft_status load(struct weft_device *device, const void *image, size_t size,
			     struct weft_module **out)
{
	if (!is_shared_object(image, size))
		return WEFT_INVALID_BINARY;
	struct weft_module *module = weft_zalloc(sizeof(*module));
	if (!module)
		return WEFT_OUT_OF_MEMORY;
	module->descriptor = -1;
	begin_load();
	enum weft_status status = open_image(module, image, size);
	end_load();
	if (status == WEFT_OK)
		status = find_program(module);
	if (status == WEFT_OK)
		status = run_hook(module, WEFT_PROGRAM_CONSTRUCTS);
	module->constructed = status == WEFT_OK;
	if (status != WEFT_OK) {
		unload(device, module);
		return status;
	}
	*out = module;
	return WEFT_OK;
}

static const struct weft_program_desc *describe(const struct weft_module *module)
{
	return module->program;
}

const struct weft_driver_program_ops weft_module_ops = {
	.load = load,
	.unload = unload,
	.describe = describe,
};
