/* SPDX-License-Identifier: MIT
 *
 * What the tests of the kernel cache share: a cache in a fresh folder for each, keys, entries.
 */
#ifndef WEFT_TESTS_RUNTIME_CACHE_FIXTURE_H
#define WEFT_TESTS_RUNTIME_CACHE_FIXTURE_H

#include "compiler/cache.h"
#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[40]; /* a fresh one for each test */
static char cache_folder[96];

static inline void use_cache(const char *path, const char *size)
{
	setenv("WEFT_CACHE_DIR", path, 1);
	if (size)
		setenv("WEFT_CACHE_SIZE", size, 1);
	else
		unsetenv("WEFT_CACHE_SIZE");
	weft_options_reset();
}

static inline int set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/weft-cache-test-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(cache_folder, sizeof(cache_folder), "%s/a/b", folder);
	unsetenv("WEFT_CACHE");
	use_cache(cache_folder, NULL);
	return 0;
}

static inline int tear_down(void **state)
{
	char command[160];
	(void)state;

	snprintf(command, sizeof(command), "chmod -R u+rwx %s && rm -rf %s", folder, folder);
	return system(command);
}

static const struct weft_target target = {.cpu = "x",
					  .extensions = "cl_khr_a",
					  .features = "__opencl_c_b",
					  .opencl_c_version = "3.0"};

static inline struct weft_cache_key key_of(const char *source)
{
	const struct weft_compile_desc desc = {
		.source = source, .source_size = strlen(source), .target = &target};

	return weft_cache_key_source(WEFT_CACHE_BUILD, &desc, "cpu");
}

static inline void store(const struct weft_cache_key *key, const char *data, size_t size, char *log)
{
	const struct weft_output output = {.kind = WEFT_OUTPUT_KERNELS,
					   .data = (void *)(uintptr_t)data,
					   .size = size,
					   .log = log};

	weft_cache_store(key, NULL, &output);
}

static inline bool hit(const struct weft_cache_key *key, const char *data, size_t size)
{
	struct weft_output output = {0};

	if (!weft_cache_load(key, NULL, &output))
		return false;
	assert_int_equal(output.kind, WEFT_OUTPUT_KERNELS);
	assert_int_equal(output.size, size);
	assert_memory_equal(output.data, data, size);
	weft_cache_release(&output);
	return true;
}

static inline void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
