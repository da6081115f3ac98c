/* SPDX-License-Identifier: MIT
 *
 * Devices from open to close: properties, threads that come late and go, fork, loading
 * modules, and an exit with work in flight.
 */
#include "suite.h"

#include "child.h"
#include "options.h"
#include "threads.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t count_entries(const char *path)
{
	DIR *folder = opendir(path);
	size_t count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

static void properties(void **state)
{
	const struct weft_device_properties *have = &suite.device->properties;

	(void)state;
	uint32_t count = suite.driver->device->count();
	assert_true(count >= 1);
	assert_true(strlen(have->name) > 0 && strlen(have->vendor) > 0);
	assert_true(have->compute_units >= 1);
	assert_true(have->global_memory >= have->max_allocation);
	assert_true(have->max_allocation >= 128 << 20);
	if (have->type & 2) /* CL_DEVICE_TYPE_CPU */
		assert_true(have->cache_size >= 1024 && have->cache_line >= 16 &&
			    have->native_vector_bytes >= 16);
	assert_true(have->native_vector_bytes >= 4);
	assert_int_equal(have->space != WEFT_SPACE_HOST, suite.driver->memory != NULL);
	/* The full profile's least; an accelerator has what it is described to have. */
	assert_true(have->local_memory >= (suite.driver->memory ? 1024 : 32 * 1024));
	assert_true(have->max_constant >= 64 * 1024);
	assert_true(have->max_group_size >= 1024);
	assert_int_equal(have->max_alignment_bits, 1024);
	assert_true(strlen(have->cpu_key) > 8 && strlen(have->cpu_key) < sizeof(have->cpu_key));

	struct weft_device *again;
	assert_int_equal(suite.driver->device->open(0, &test_host, &again), WEFT_OK);
	assert_memory_equal(have->uuid, again->properties.uuid, sizeof(have->uuid));
	assert_string_equal(have->cpu_key, again->properties.cpu_key);
	suite.driver->device->close(again);
	assert_int_equal(suite.driver->device->open(count, &test_host, &again), WEFT_NOT_FOUND);
}

/* Code for one CPU must not be taken for another's. */
static void key_of_a_named_cpu(void **state)
{
	struct weft_device *other;
	struct weft_device *third;

	(void)state;
	setenv("WEFT_CPU", "x86-64-v3", 1);
	weft_options_reset();
	assert_int_equal(suite.driver->device->open(0, &test_host, &other), WEFT_OK);
	setenv("WEFT_CPU", "a-name-that-is-much-longer-than-the-key-has-room-for-in-its-64-bytes",
	       1);
	weft_options_reset();
	assert_int_equal(suite.driver->device->open(0, &test_host, &third), WEFT_OK);
	unsetenv("WEFT_CPU");
	assert_string_not_equal(other->properties.cpu_key, suite.device->properties.cpu_key);
	assert_string_not_equal(other->properties.cpu_key, third->properties.cpu_key);
	assert_string_equal(other->properties.cpu, "x86-64-v3");
	assert_null(suite.device->properties.cpu);
	suite.driver->device->close(other);
	suite.driver->device->close(third);
	weft_options_reset();
}

struct thread_set {
	pid_t threads[64];
	size_t count;
};

static bool add_to_set(pid_t thread, void *data)
{
	struct thread_set *set = data;

	assert_true(set->count < sizeof(set->threads) / sizeof(set->threads[0]));
	set->threads[set->count++] = thread;
	return true;
}

static bool is_in_set(pid_t thread, void *data)
{
	const struct thread_set *set = data;

	for (size_t i = 0; i < set->count; i++) {
		if (set->threads[i] == thread)
			return true;
	}
	return false;
}

/* No new one, that is: those of earlier tests may still be listed a moment after they were joined. */
static void no_thread_before_the_first_command(void **state)
{
	struct weft_device *device;
	struct thread_set before = {.count = 0};

	(void)state;
	assert_true(for_each_thread(add_to_set, &before));
	assert_int_equal(suite.driver->device->open(0, &test_host, &device), WEFT_OK);
	assert_true(for_each_thread(is_in_set, &before));
	suite.driver->device->close(device);
}

/* Whatever the workers are doing (working last, spinning, asleep), close finds them. */
static void open_and_close(void **state)
{
	struct weft_device *device;
	_Atomic uint64_t sum = 0;
	struct slow_args args = {200, &sum};

	(void)state;
	for (int i = 0; i < 50; i++) {
		assert_int_equal(suite.driver->device->open(0, &test_host, &device), WEFT_OK);
		for (int commands = 0; commands < i % 4; commands++) {
			struct node *node = new_simple_launch(KERNEL_SLOW, &args, 200);
			node->command.device = device;
			assert_int_equal(node_run(node), WEFT_OK);
		}
		if (i % 8 == 7)
			wait_until_others_sleep();
		suite.driver->device->close(device);
	}
}

/* ---- fork and exit --------------------------------------------------------------------------- */

/* ThreadSanitizer takes a child's first thread for one of the parent's; AddressSanitizer's allocator keeps
 * the locks that other threads of the parent held. */
#if defined(__has_feature)
#define SANITIZES(what) __has_feature(what##_sanitizer)
#else
#define SANITIZES(what) 0
#endif
#if defined(__SANITIZE_THREAD__) || SANITIZES(thread)
#define CAN_FORK false
#define CAN_FORK_BUSY false
#elif defined(__SANITIZE_ADDRESS__) || SANITIZES(address)
#define CAN_FORK true
#define CAN_FORK_BUSY false
#else
#define CAN_FORK true
#define CAN_FORK_BUSY true
#endif

/* Exit code of a child that runs `body`. */
static int in_child(int (*body)(void))
{
	int status = -1;
	pid_t child = fork_limited();

	assert_true(child >= 0);
	if (child == 0)
		_exit(body());
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int count_in(struct weft_device *device)
{
	_Atomic uint64_t sum = 0;
	struct slow_args args = {5000, &sum};

	for (int i = 0; i < 10; i++) {
		struct node *node = new_simple_launch(KERNEL_SLOW, &args, 100);
		node->command.device = device;
		if (node_run(node) != WEFT_OK)
			return 1;
	}
	return atomic_load(&sum) == 1000 ? 0 : 2;
}

/* The inherited device and one of the child's own. */
static int use_devices(void)
{
	struct weft_device *device;
	int result = count_in(suite.device);

	if (result != 0)
		return result;
	if (suite.driver->device->open(0, &test_host, &device) != WEFT_OK)
		return 3;
	result = count_in(device);
	suite.driver->device->close(device);
	return result;
}

static int fork_again(void)
{
	int result = use_devices();

	return result != 0 ? result : in_child(use_devices);
}

static _Atomic bool stop_clients;

static void *busy_client(void *argument)
{
	_Atomic uint64_t sum = 0;
	struct slow_args args = {100, &sum};

	(void)argument;
	while (!atomic_load(&stop_clients)) {
		struct node *node = new_simple_launch(KERNEL_SLOW, &args, 50);
		if (node_run(node) != WEFT_OK)
			return NULL;
	}
	return NULL;
}

static void fork_of_an_idle_process(void **state)
{
	(void)state;
	if (!CAN_FORK)
		return;
	assert_int_equal(in_child(use_devices), 0);
	assert_int_equal(count_in(suite.device), 0);
	assert_int_equal(in_child(use_devices), 0);
	assert_int_equal(in_child(fork_again), 0);
	assert_int_equal(count_in(suite.device), 0);
}

/* Locks are held at any moment of the fork. */
static void fork_of_a_busy_process(void **state)
{
	pthread_t clients[3];

	(void)state;
	if (!CAN_FORK_BUSY)
		return;
	atomic_store(&stop_clients, false);
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&clients[i], NULL, busy_client, NULL), 0);
	for (int i = 0; i < 20; i++)
		assert_int_equal(in_child(use_devices), 0);
	atomic_store(&stop_clients, true);
	for (int i = 0; i < 3; i++)
		pthread_join(clients[i], NULL);
	assert_int_equal(count_in(suite.device), 0);
}

static int exit_at_once(void)
{
	static _Atomic uint64_t sum;
	static struct slow_args args = {100000, &sum};

	for (int i = 0; i < 10; i++)
		node_submit(new_simple_launch(KERNEL_SLOW, &args, i == 0 ? 20 : 100));
	return 0;
}

static void exit_with_work_in_flight(void **state)
{
	int status = -1;

	(void)state;
	fflush(NULL); /* the child's exit would write it again */
	pid_t child = fork_limited();
	assert_true(child >= 0);
	if (child == 0) {
		exit_at_once();
#if defined(__SANITIZE_ADDRESS__) || SANITIZES(address)
		quick_exit(0); /* what is in flight would count as leaked */
#else
		exit(0);
#endif
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- no threads to be had -------------------------------------------------------------------- */

static void *sleep_forever(void *argument)
{
	for (;;)
		pause();
	return argument;
}

/* Takes all address space that a thread's stack would fit into. */
static bool exhaust_threads(void)
{
	pthread_t thread;
	char line[64] = "";
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file)
		return false;
	char *read = fgets(line, sizeof(line), file);
	fclose(file);
	if (!read)
		return false;
	const rlim_t pages = strtoul(line, NULL, 10);
	const rlim_t limit = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (64 << 20);
	const struct rlimit space = {limit, limit};
	if (setrlimit(RLIMIT_AS, &space) != 0)
		return false;
	for (int i = 0; i < 1000; i++) {
		if (pthread_create(&thread, NULL, sleep_forever, NULL) != 0)
			return true;
	}
	return false;
}

/* A fan of fans, which ends though no thread waits for it. */
static int run_unattended(struct weft_device *device)
{
	_Atomic uint64_t sum = 0;
	struct slow_args args = {100, &sum};
	struct node *nodes[100];

	for (int i = 0; i < 100; i++) {
		nodes[i] = new_simple_launch(KERNEL_SLOW, &args, 10);
		nodes[i]->command.device = device;
	}
	for (int i = 1; i < 100; i++) {
		node_depend(nodes[i], nodes[i / 10]);
		node_submit(nodes[i]);
	}
	node_submit(nodes[0]);
	for (int i = 0; i < 100; i++) {
		if (!atomic_load(&nodes[i]->ended) || node_wait(nodes[i]) != WEFT_OK)
			return 5;
	}
	return atomic_load(&sum) == 1000 ? 0 : 6;
}

static int run_without_threads(void)
{
	struct weft_device *device;

	if (!exhaust_threads())
		return 3;
	if (suite.driver->device->open(0, &test_host, &device) != WEFT_OK)
		return 4;
	int result = run_unattended(device);
	if (result == 0)
		result = count_in(device);
	suite.driver->device->close(device);
	return result;
}

static void no_threads(void **state)
{
	(void)state;
	if (CAN_FORK_BUSY) /* the sanitizers want more address space */
		assert_int_equal(in_child(run_without_threads), 0);
}

/* ---- modules --------------------------------------------------------------------------------- */

static enum weft_status try_load(const char *path, size_t cut)
{
	struct weft_module *module = NULL;
	size_t size;
	void *image = read_file(path, &size);

	assert_non_null(image);
	enum weft_status status =
		suite.driver->program->load(suite.device, image, size - cut, &module);
	if (status == WEFT_OK)
		suite.driver->program->unload(suite.device, module);
	else
		assert_null(module);
	free(image);
	return status;
}

static void bad_modules(void **state)
{
	struct weft_module *module = NULL;
	size_t size;
	void *image = read_file(TEST_MODULE, &size);

	(void)state;
	assert_non_null(image);
	assert_int_equal(try_load(TEST_MODULE, 0), WEFT_OK);
	assert_int_equal(try_load(TEST_MODULE_WRONG_ABI, 0), WEFT_INVALID_BINARY);
	assert_int_equal(try_load(TEST_MODULE_NO_SYMBOL, 0), WEFT_INVALID_BINARY);
	assert_int_equal(suite.driver->program->load(suite.device, image, 0, &module),
			 WEFT_INVALID_BINARY);
	assert_int_equal(suite.driver->program->load(suite.device, image, 63, &module),
			 WEFT_INVALID_BINARY);
	memset(image, 0, 4);
	assert_int_equal(suite.driver->program->load(suite.device, image, size, &module),
			 WEFT_INVALID_BINARY);
	free(image);
}

/* Far more modules than kept descriptors: each is a separate library, and nothing is left open.
 */
static void many_modules(void **state)
{
	enum { COUNT = 400 };
	struct weft_module *modules[COUNT];
	size_t size;
	void *image = read_file(TEST_MODULE, &size);
	size_t open_before = count_entries("/proc/self/fd");

	(void)state;
	assert_non_null(image);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(
			suite.driver->program->load(suite.device, image, size, &modules[i]),
			WEFT_OK);
		/* unloading some makes their descriptors' numbers free for others */
		if (i % 3 == 2) {
			suite.driver->program->unload(suite.device, modules[i - 2]);
			assert_int_equal(suite.driver->program->load(suite.device, image, size,
								     &modules[i - 2]),
					 WEFT_OK);
		}
	}
	for (int i = 0; i < COUNT; i++)
		for (int j = 0; j < i; j++)
			assert_ptr_not_equal(suite.driver->program->describe(modules[i]),
					     suite.driver->program->describe(modules[j]));
	for (int i = 0; i < COUNT; i++)
		suite.driver->program->unload(suite.device, modules[i]);
	assert_int_equal(count_entries("/proc/self/fd"), open_before);
	free(image);
}

static void no_descriptors_left(void **state)
{
	struct weft_module *module = NULL;
	struct rlimit old;
	size_t size;
	void *image = read_file(TEST_MODULE, &size);

	(void)state;
	assert_non_null(image);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	struct rlimit none = {3, old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	enum weft_status status = suite.driver->program->load(suite.device, image, size, &module);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(status, WEFT_OUT_OF_RESOURCES);
	free(image);
}

/* WEFT_KERNEL_FILES: the module is loaded from a file that outlives it. */
static void kept_kernel_file(void **state)
{
	char folder[] = "/tmp/weft-kernels-XXXXXX";
	struct weft_module *module;
	char path[PATH_MAX];
	size_t size, kept_size = 0;
	void *image = read_file(TEST_MODULE, &size);

	(void)state;
	assert_non_null(mkdtemp(folder));
	setenv("WEFT_KERNEL_FILES", folder, 1);
	weft_options_reset();
	assert_int_equal(suite.driver->program->load(suite.device, image, size, &module), WEFT_OK);
	unsetenv("WEFT_KERNEL_FILES");
	weft_options_reset();
	suite.driver->program->unload(suite.device, module);

	DIR *entries = opendir(folder);
	for (struct dirent *entry; (entry = readdir(entries));) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		void *kept = read_file(path, &kept_size);
		assert_int_equal(kept_size, size);
		assert_memory_equal(kept, image, size);
		free(kept);
		assert_int_equal(unlink(path), 0);
	}
	closedir(entries);
	assert_int_equal(kept_size, size);
	assert_int_equal(rmdir(folder), 0);
	free(image);
}

int run_life_tests(void)
{
	const struct CMUnitTest tests[] = {
		SUITE_TEST(properties),
		SUITE_TEST(key_of_a_named_cpu),
		SUITE_TEST(no_thread_before_the_first_command),
		SUITE_TEST(open_and_close),
		SUITE_TEST(fork_of_an_idle_process),
		SUITE_TEST(fork_of_a_busy_process),
		SUITE_TEST(exit_with_work_in_flight),
		SUITE_TEST(no_threads),
		SUITE_TEST(bad_modules),
		SUITE_TEST(many_modules),
		SUITE_TEST(no_descriptors_left),
		SUITE_TEST(kept_kernel_file),
	};

	return cmocka_run_group_tests_name("life", tests, NULL, NULL);
}
