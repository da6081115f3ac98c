/* SPDX-License-Identifier: MIT
 *
 * The kernel cache, by itself: keys, what comes back, and all that can happen to its files.
 */
#include "compiler/cache_fixture.h"

#include "captured.h"
#include "child.h"
#include "compiler/compiler_library.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- keys ------------------------------------------------------------------------------------ */

static int same(struct weft_cache_key a, struct weft_cache_key b)
{
	return a.digest.low == b.digest.low && a.digest.high == b.digest.high;
}

/* One key for each target that differs from the test's in one thing; how many. */
static size_t keys_of_targets(struct weft_compile_desc desc, struct weft_cache_key *keys)
{
	struct weft_target targets[9];

	for (int i = 0; i < 9; i++)
		targets[i] = target;
	targets[0].cpu = NULL;
	targets[1].extensions = "cl_khr_b";
	targets[2].features = "";
	targets[3].opencl_c_version = "1.2";
	targets[4].vector_width = 8;
	targets[5].vector_width = 1;
	targets[6].slow_gathers = true;
	targets[7].quick = true;
	targets[8].isa = WEFT_ISA_RISCV64;
	for (int i = 0; i < 9; i++) {
		desc.target = &targets[i];
		keys[i] = weft_cache_key_source(WEFT_CACHE_BUILD, &desc, "cpu");
	}
	return 9;
}

/* Everything that decides a result is in the key, and nothing runs into its neighbour. */
static void test_keys(void **state)
{
	const struct weft_header headers[] = {
		{"a.h", "text", 4}, {"b.h", "text", 4}, {"a.h", "other", 5}};
	const struct weft_spec_constant constants[] = {{1, 4, 2}, {1, 4, 3}, {2, 4, 2}, {1, 8, 2}};
	const struct weft_il ils[] = {{"ab", 2, NULL, 0},          {"ac", 2, NULL, 0},
				      {"ab", 2, constants, 1},     {"ab", 2, constants, 2},
				      {"ab", 2, constants + 1, 1}, {"ab", 2, constants + 2, 1},
				      {"ab", 2, constants + 3, 1}};
	const size_t num_ils = sizeof(ils) / sizeof(ils[0]);
	struct weft_compile_desc descs[] = {
		{.source = "ab", .source_size = 2, .options = "c", .target = &target},
		{.source = "a", .source_size = 1, .options = "bc", .target = &target},
		{.source = "ab", .source_size = 1, .options = "c", .target = &target},
		{.source = "ab", .source_size = 2, .target = &target},
		{.source = "ab",
		 .source_size = 2,
		 .options = "c",
		 .target = &target,
		 .headers = headers,
		 .num_headers = 1},
		{.source = "ab",
		 .source_size = 2,
		 .options = "c",
		 .target = &target,
		 .headers = headers + 1,
		 .num_headers = 1},
		{.source = "ab",
		 .source_size = 2,
		 .options = "c",
		 .target = &target,
		 .headers = headers + 2,
		 .num_headers = 1},
		{.source = "ab",
		 .source_size = 2,
		 .options = "c",
		 .target = &target,
		 .headers = headers,
		 .num_headers = 2},
	};
	struct weft_cache_key keys[32];
	size_t count = 0;
	(void)state;

	for (size_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++)
		keys[count++] = weft_cache_key_source(WEFT_CACHE_BUILD, &descs[i], "cpu");
	for (size_t i = 0; i < num_ils; i++) {
		const struct weft_compile_desc il = {
			.il = &ils[i], .options = "c", .target = &target};
		keys[count++] = weft_cache_key_source(WEFT_CACHE_BUILD, &il, "cpu");
	}
	keys[count++] = weft_cache_key_source(WEFT_CACHE_COMPILE, &descs[0], "cpu");
	keys[count++] = weft_cache_key_source(WEFT_CACHE_BUILD, &descs[0], "cpv");
	count += keys_of_targets(descs[0], keys + count);
	const struct weft_bytes inputs[] = {{"ab", 2}, {"c", 1}, {"a", 1}, {"bc", 2}};
	for (size_t i = 0; i < 3; i++) {
		const struct weft_link_desc link = {
			.inputs = inputs + i, .num_inputs = 2, .target = &target};
		keys[count++] = weft_cache_key_link(&link, "cpu");
	}
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < i; k++)
			assert_false(same(keys[i], keys[k]));
	}
	assert_true(same(key_of("x"), key_of("x")));
	/* The folder is in the key of what depends on it, and in no other. */
	descs[0].target = &target;
	descs[0].folder = "/a";
	descs[1] = descs[0];
	descs[1].folder = "/b";
	for (size_t i = 0; i < 2; i++)
		keys[i] = weft_cache_key_source(WEFT_CACHE_BUILD, &descs[i], "cpu");
	assert_true(same(keys[0], keys[1]));
	keys[0].digest = keys[0].in_folder;
	keys[1].digest = keys[1].in_folder;
	assert_false(same(keys[0], keys[1]));
}

/* ---- there and back -------------------------------------------------------------------------- */

static void test_store(void **state)
{
	char log[] = "input.cl:1:1: warning: x\n";
	struct weft_cache_key key = key_of("store");
	struct weft_output output = {0};
	struct stat info;
	(void)state;

	assert_false(weft_cache_load(&key, NULL, &output));
	assert_int_equal(stat(cache_folder, &info), -1); /* looking makes no folder */
	store(&key, "a\0b", 3, log);
	assert_true(weft_cache_load(&key, NULL, &output));
	assert_int_equal(output.kind, WEFT_OUTPUT_KERNELS);
	assert_int_equal(output.size, 3);
	assert_memory_equal(output.data, "a\0b", 3);
	assert_string_equal(output.log, log);
	weft_cache_release(&output);
	/* For the user alone, with nothing left over. */
	assert_int_equal(stat(cache_folder, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0700);
	struct weft_cache_key other = key_of("another");
	assert_false(hit(&other, "", 0));
	/* The later one counts. */
	store(&key, "new", 3, NULL);
	assert_true(weft_cache_load(&key, NULL, &output));
	assert_memory_equal(output.data, "new", 3);
	assert_null(output.log);
	weft_cache_release(&output);
}

static void test_off(void **state)
{
	struct weft_cache_key key = key_of("off");
	(void)state;

	store(&key, "x", 1, NULL);
	setenv("WEFT_CACHE", "0", 1);
	weft_options_reset();
	assert_false(hit(&key, "x", 1));
	unsetenv("WEFT_CACHE");
	weft_options_reset();
	assert_true(hit(&key, "x", 1));
}

/* Where it is: XDG_CACHE_HOME when absolute, else below HOME, else nowhere. */
static void test_homes(void **state)
{
	struct weft_cache_key key = key_of("places");
	char path[128];
	struct stat info;
	(void)state;

	unsetenv("WEFT_CACHE_DIR");
	weft_options_reset();
	char *home = strdup(getenv("HOME") ? getenv("HOME") : "/");
	setenv("XDG_CACHE_HOME", folder, 1);
	store(&key, "x", 1, NULL);
	snprintf(path, sizeof(path), "%s/weft", folder);
	assert_int_equal(stat(path, &info), 0);
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", folder, 1);
	assert_false(hit(&key, "x", 1));
	store(&key, "x", 1, NULL);
	snprintf(path, sizeof(path), "%s/.cache/weft", folder);
	assert_int_equal(stat(path, &info), 0);
	assert_true(hit(&key, "x", 1));
	unsetenv("HOME");
	assert_false(hit(&key, "x", 1));
	store(&key, "x", 1, NULL);
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", home, 1);
	free(home);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* The path of the one entry in the folder. */
static void entry_path(char path[256])
{
	DIR *stream = opendir(cache_folder);
	struct dirent *entry;
	int count = 0;

	assert_non_null(stream);
	while ((entry = readdir(stream)) != NULL) {
		if (!strstr(entry->d_name, ".weft"))
			continue;
		snprintf(path, 256, "%s/%.100s", cache_folder, entry->d_name);
		count++;
	}
	closedir(stream);
	assert_int_equal(count, 1);
}

static size_t read_bytes(const char *path, char *bytes, size_t capacity)
{
	FILE *file = fopen(path, "rb");

	assert_non_null(file);
	size_t size = fread(bytes, 1, capacity, file);
	fclose(file);
	return size;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* Every file that is not what was written is a miss, and makes room for a good one. */
static void test_damage(void **state)
{
	struct weft_cache_key key = key_of("damage");
	char log[] = "log";
	char bytes[1024];
	char path[256];
	(void)state;

	store(&key, "contents", 8, log);
	entry_path(path);
	size_t size = read_bytes(path, bytes, sizeof(bytes));
	for (size_t i = 0; i < size; i++) {
		write_bytes(path, bytes, i);
		assert_false(hit(&key, "contents", 8));
	}
	for (size_t bit = 0; bit < 8 * size; bit++) {
		bytes[bit / 8] ^= (char)(1 << (bit % 8));
		write_bytes(path, bytes, size);
		assert_false(hit(&key, "contents", 8));
		bytes[bit / 8] ^= (char)(1 << (bit % 8));
	}
	bytes[size] = 'x';
	write_bytes(path, bytes, size + 1);
	assert_false(hit(&key, "contents", 8));
	write_bytes(path, bytes, size);
	assert_true(hit(&key, "contents", 8));
	/* Another key's file under this name. */
	struct weft_cache_key other = key_of("other");
	use_cache(folder, NULL);
	store(&other, "foreign", 7, NULL);
	char command[600];
	snprintf(command, sizeof(command), "mv %s/*.weft %s", folder, path);
	assert_int_equal(system(command), 0);
	use_cache(cache_folder, NULL);
	assert_false(hit(&key, "foreign", 7));
	store(&key, "contents", 8, log);
	assert_true(hit(&key, "contents", 8));
}

/* Things in the way that are no files. */
static void test_not_files(void **state)
{
	struct weft_cache_key key = key_of("things");
	char path[256];
	char target_path[96];
	(void)state;

	store(&key, "x", 1, NULL);
	entry_path(path);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(hit(&key, "x", 1));
	store(&key, "x", 1, NULL);
	assert_true(hit(&key, "x", 1));
	/* A link is not followed, whatever it leads to. */
	snprintf(target_path, sizeof(target_path), "%s/moved", folder);
	assert_int_equal(rename(path, target_path), 0);
	assert_int_equal(symlink(target_path, path), 0);
	assert_false(hit(&key, "x", 1));
	store(&key, "y", 1, NULL);
	assert_true(hit(&key, "y", 1));
	/* A folder can be neither read nor replaced. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	store(&key, "x", 1, NULL);
	assert_false(hit(&key, "x", 1));
}

/* ---- folders --------------------------------------------------------------------------------- */

/* Whether a load of the key is a miss, and the log says why. */
static bool refused(const struct weft_cache_key *key, const char *why)
{
	const struct capture errors = capture_begin(STDERR_FILENO);

	setenv("WEFT_LOG", "warn", 1);
	weft_options_reset();
	bool missed = !hit(key, "x", 1);
	unsetenv("WEFT_LOG");
	weft_options_reset();
	char *text = capture_end(&errors);
	bool logged = strstr(text, why) != NULL;
	if (!logged)
		print_error("not in the log: %s\n%s", why, text);
	free(text);
	return missed && logged;
}

static void test_folders(void **state)
{
	struct weft_cache_key key = key_of("folders");
	char link_path[96];
	(void)state;

	store(&key, "x", 1, NULL);
	/* Others could write to it. */
	assert_int_equal(chmod(cache_folder, 0770), 0);
	assert_true(refused(&key, "others can write to it"));
	assert_int_equal(chmod(cache_folder, 0702), 0);
	assert_false(hit(&key, "x", 1));
	assert_int_equal(chmod(cache_folder, 0755), 0);
	assert_true(hit(&key, "x", 1));
	/* A link in its place, which is the user's as the folder is. */
	snprintf(link_path, sizeof(link_path), "%s/link", folder);
	assert_int_equal(symlink(cache_folder, link_path), 0);
	use_cache(link_path, NULL);
	assert_true(hit(&key, "x", 1));
	assert_int_equal(chmod(cache_folder, 0770), 0);
	assert_true(refused(&key, "others can write to it"));
	assert_int_equal(chmod(cache_folder, 0755), 0);
	/* The folder or the link belongs to another user. */
	if (geteuid() == 0) {
		assert_int_equal(chown(cache_folder, 12345, (gid_t)-1), 0);
		assert_true(refused(&key, "a link to a folder that is another user's"));
		use_cache(cache_folder, NULL);
		assert_true(refused(&key, ": a folder that is another user's"));
		assert_int_equal(chown(cache_folder, 0, (gid_t)-1), 0);
		assert_true(hit(&key, "x", 1));
		assert_int_equal(lchown(link_path, 12345, (gid_t)-1), 0);
		use_cache(link_path, NULL);
		assert_true(refused(&key, "a link that another user made"));
		store(&key, "y", 1, NULL);
		use_cache(cache_folder, NULL);
		assert_true(hit(&key, "x", 1));
	}
	/* A link that leads nowhere. */
	assert_int_equal(unlink(link_path), 0);
	assert_int_equal(symlink("nowhere", link_path), 0);
	use_cache(link_path, NULL);
	store(&key, "x", 1, NULL);
	assert_true(refused(&key, "a link: No such file"));
	/* A file where the folder should be; a folder that cannot be made. */
	snprintf(link_path, sizeof(link_path), "%s/file", folder);
	write_file(link_path, "");
	use_cache(link_path, NULL);
	store(&key, "x", 1, NULL);
	assert_false(hit(&key, "x", 1));
	use_cache("/proc/nowhere/weft", NULL);
	store(&key, "x", 1, NULL);
	assert_false(hit(&key, "x", 1));
}

static int count_files(void)
{
	DIR *stream = opendir(cache_folder);
	int count = 0;

	assert_non_null(stream);
	while (readdir(stream) != NULL)
		count++;
	closedir(stream);
	return count - 2;
}

/* A disk that is full in the middle of a file, by way of a limit on file sizes. */
static void test_full_disk(void **state)
{
	struct weft_cache_key key = key_of("full");
	char *large = calloc(1, 100000);
	struct rlimit before;
	(void)state;

	store(&key, "x", 1, NULL);
	int files = count_files();
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	struct rlimit limit = {4096, before.rlim_max};
	pid_t child = fork_limited();
	if (child == 0) {
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		store(&key, large, 100000, NULL);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(count_files(), files);
	assert_true(hit(&key, "x", 1));
	free(large);
}

/* ---- size ------------------------------------------------------------------------------------ */

static uint64_t folder_bytes(void)
{
	DIR *stream = opendir(cache_folder);
	struct dirent *entry;
	struct stat info;
	uint64_t bytes = 0;

	while ((entry = readdir(stream)) != NULL) {
		if (strstr(entry->d_name, ".weft") &&
		    fstatat(dirfd(stream), entry->d_name, &info, 0) == 0)
			bytes += (uint64_t)info.st_size;
	}
	closedir(stream);
	return bytes;
}

/* Makes an entry look as if it was last used so many days ago. */
static void age(const struct weft_cache_key *key, int days)
{
	char path[256];
	struct timespec then;

	snprintf(path, sizeof(path), "%s/%016llx%016llx.weft", cache_folder,
		 (unsigned long long)key->digest.high, (unsigned long long)key->digest.low);
	clock_gettime(CLOCK_REALTIME, &then);
	then.tv_sec -= days * 86400;
	const struct timespec times[2] = {then, then};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* The oldest go; what was used lately stays. */
static void test_size(void **state)
{
	enum { COUNT = 40, SIZE = 10000 };
	struct weft_cache_key keys[COUNT];
	char *data = calloc(1, SIZE);
	char name[16];
	(void)state;

	use_cache(cache_folder, "200K");
	for (int i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "size%d", i);
		keys[i] = key_of(name);
		store(&keys[i], data, SIZE, NULL);
		age(&keys[i], 1000 - i);
		if (i >= 3)
			assert_true(hit(&keys[3], data, SIZE)); /* used again and again */
		assert_true(folder_bytes() <= 200 * 1024);
	}
	assert_false(hit(&keys[0], data, SIZE));
	assert_false(hit(&keys[10], data, SIZE));
	assert_true(hit(&keys[3], data, SIZE));
	assert_true(hit(&keys[COUNT - 1], data, SIZE));
	/* One that is larger than all is not kept at all. */
	char *large = calloc(1, 300000);
	struct weft_cache_key key = key_of("large");
	store(&key, large, 300000, NULL);
	assert_false(hit(&key, large, 300000));
	assert_true(hit(&keys[COUNT - 1], data, SIZE));
	free(large);
	free(data);
}

/* What died writers left goes with the next sweep; what is not ours stays. */
static void test_sweep(void **state)
{
	const struct timespec past[2] = {{1000, 0}, {1000, 0}};
	struct weft_cache_key key = key_of("sweep");
	char path[128];
	(void)state;

	store(&key, "x", 1, NULL);
	snprintf(path, sizeof(path), "%s/tmp-1-1-1", cache_folder);
	write_file(path, "half");
	assert_int_equal(utimensat(AT_FDCWD, path, past, 0), 0);
	snprintf(path, sizeof(path), "%s/tmp-2-2-2", cache_folder);
	write_file(path, "being written");
	snprintf(path, sizeof(path), "%s/mine.txt", cache_folder);
	write_file(path, "the user's");
	/* Without a sound account, the next store sweeps. */
	snprintf(path, sizeof(path), "%s/weft-usage", cache_folder);
	write_file(path, "nonsense");
	store(&key, "x", 1, NULL);
	assert_int_equal(count_files(), 4); /* entry, usage, tmp-2, mine.txt */
	assert_true(hit(&key, "x", 1));
	/* What a process lists, another one may remove before it is read: that is no damage. */
	const int opened = open(cache_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(weft_cache_look(opened, "00000000000000000000000000000000.weft").state,
			 WEFT_CACHE_GONE);
	close(opened);
}

/* A process that was stopped in the middle of a store keeps whatever it holds. The others neither
 * wait for it nor lose count. */
static void test_stopped_writer(void **state)
{
	enum { COUNT = 20, SIZE = 10000 };
	struct weft_cache_key key = key_of("stopped");
	char *data = calloc(1, SIZE);
	char name[128];
	(void)state;

	use_cache(cache_folder, "50K");
	store(&key, data, SIZE, NULL);
	snprintf(name, sizeof(name), "%s/weft-usage", cache_folder);
	int file = open(name, O_RDWR | O_CLOEXEC);
	assert_true(file >= 0);
	assert_int_equal(flock(file, LOCK_EX), 0);
	for (int i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "stopped%d", i);
		key = key_of(name);
		store(&key, data, SIZE, NULL);
		assert_true(folder_bytes() <= 50 * 1024);
	}
	close(file);
	free(data);
}

/* ---- many processes -------------------------------------------------------------------------- */

/* Each writes and reads the same few entries, in a folder that is always too small. */
static int work(unsigned seed)
{
	enum { SIZE = 5000 };
	char data[SIZE];
	char name[32];

	for (int i = 0; i < 150; i++) {
		seed = seed * 1103515245u + 12345u;
		unsigned which = seed >> 16 & 15;
		struct weft_output output = {0};

		snprintf(name, sizeof(name), "shared%u", which);
		struct weft_cache_key key = key_of(name);
		memset(data, (int)which, SIZE);
		if (weft_cache_load(&key, NULL, &output)) {
			int wrong = output.size != SIZE || memcmp(output.data, data, SIZE) != 0;
			weft_cache_release(&output);
			if (wrong)
				return 1;
		} else {
			store(&key, data, SIZE, NULL);
		}
	}
	return 0;
}

static void test_processes(void **state)
{
	pid_t children[6];
	int status;
	(void)state;

	use_cache(cache_folder, "50K");
	for (unsigned i = 0; i < 6; i++) {
		children[i] = fork_limited();
		assert_true(children[i] >= 0);
		if (children[i] == 0)
			_exit(work(i + 1));
	}
	for (int i = 0; i < 6; i++) {
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	assert_true(folder_bytes() <= 50 * 1024);
	DIR *stream = opendir(cache_folder);
	struct dirent *entry;
	while ((entry = readdir(stream)) != NULL)
		assert_int_not_equal(strncmp(entry->d_name, "tmp-", 4), 0);
	closedir(stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_keys),    TEST(test_store),          TEST(test_off),
		TEST(test_homes),   TEST(test_damage),         TEST(test_not_files),
		TEST(test_folders), TEST(test_full_disk),      TEST(test_size),
		TEST(test_sweep),   TEST(test_stopped_writer), TEST(test_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
