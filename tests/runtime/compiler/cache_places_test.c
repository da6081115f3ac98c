/* SPDX-License-Identifier: MIT
 *
 * What an entry of the kernel cache remembers of the files around its source, and of the working folder.
 */
#include "compiler/cache_fixture.h"

#include <fcntl.h>

static void test_files(void **state)
{
	char path[128];
	struct weft_place places[] = {{path, WEFT_PLACE_FILE}};
	const struct weft_output output = {.kind = WEFT_OUTPUT_KERNELS,
					   .data = "x",
					   .size = 1,
					   .places = places,
					   .num_places = 1};
	(void)state;

	snprintf(path, sizeof(path), "%s/a.h", folder);
	write_file(path, "one");
	struct weft_cache_key key = key_of("files");
	/* A clock that ticks only now and then: the file is older than the key. */
	const struct timespec past[2] = {{1000, 0}, {1000, 0}};
	assert_int_equal(utimensat(AT_FDCWD, path, past, 0), 0);
	weft_cache_store(&key, NULL, &output);
	assert_true(hit(&key, "x", 1));
	write_file(path, "two");
	assert_false(hit(&key, "x", 1));
	write_file(path, "one"); /* contents count, not times */
	assert_true(hit(&key, "x", 1));
	assert_int_equal(unlink(path), 0);
	assert_false(hit(&key, "x", 1));
	write_file(path, "one");
	assert_true(hit(&key, "x", 1));
	/* A file that changed while the compiler worked: it is not known what that saw. */
	key = key_of("changing");
	write_file(path, "three");
	key.time -= 60 * INT64_C(1000000000);
	weft_cache_store(&key, NULL, &output);
	assert_false(hit(&key, "x", 1));
}

/* Its file is read again: what a build from other contents of it left in between stays. */
static void test_complete(void **state)
{
	char path[128];
	struct weft_place places[] = {{path, WEFT_PLACE_FILE}};
	struct weft_output archive = {.kind = WEFT_OUTPUT_ARCHIVE,
				      .data = "old",
				      .size = 3,
				      .places = places,
				      .num_places = 1};
	const struct weft_output whole = {.kind = WEFT_OUTPUT_KERNELS, .data = "whole", .size = 5};
	const struct weft_bytes before = {"old", 3};
	const struct weft_bytes after = {"new", 3};
	const struct timespec past[2] = {{1000, 0}, {1000, 0}};
	struct weft_output output = {0};
	(void)state;

	snprintf(path, sizeof(path), "%s/a.h", folder);
	write_file(path, "one");
	assert_int_equal(utimensat(AT_FDCWD, path, past, 0), 0);
	struct weft_cache_key key = key_of("complete");
	weft_cache_store(&key, NULL, &archive);
	write_file(path, "two");
	assert_int_equal(utimensat(AT_FDCWD, path, past, 0), 0);
	archive.data = "new";
	weft_cache_store(&key, NULL, &archive);
	weft_cache_complete(&key, &before, &whole);
	assert_true(weft_cache_load(&key, NULL, &output));
	assert_int_equal(output.kind, WEFT_OUTPUT_ARCHIVE);
	weft_cache_release(&output);
	weft_cache_complete(&key, &after, &whole);
	assert_true(hit(&key, "whole", 5));
	write_file(path, "three");
	assert_false(hit(&key, "whole", 5));
}

/* What looked from the working folder on is that folder's, an archive and the whole program too. */
static void test_working_folder(void **state)
{
	struct weft_compile_desc desc = {
		.source = "x", .source_size = 1, .target = &target, .folder = "/a"};
	const struct weft_output any = {.kind = WEFT_OUTPUT_KERNELS, .data = "any", .size = 3};
	struct weft_output output = {
		.kind = WEFT_OUTPUT_ARCHIVE, .data = "old", .size = 3, .uses_folder = true};
	const struct weft_output whole = {.kind = WEFT_OUTPUT_KERNELS, .data = "whole", .size = 5};
	const struct weft_bytes archive = {"old", 3};
	const struct weft_cache_key here = weft_cache_key_source(WEFT_CACHE_BUILD, &desc, "cpu");
	(void)state;

	desc.folder = "/b";
	const struct weft_cache_key there = weft_cache_key_source(WEFT_CACHE_BUILD, &desc, "cpu");
	desc.folder = NULL;
	const struct weft_cache_key nowhere = weft_cache_key_source(WEFT_CACHE_BUILD, &desc, "cpu");
	weft_cache_store(&here, NULL, &output);
	assert_false(hit(&there, "old", 3));
	assert_false(hit(&nowhere, "old", 3));
	weft_cache_complete(&here, &archive, &whole);
	assert_true(hit(&here, "whole", 5));
	output.kind = WEFT_OUTPUT_KERNELS;
	weft_cache_store(&there, NULL, &output);
	assert_true(hit(&there, "old", 3));
	assert_true(hit(&here, "whole", 5));
	weft_cache_store(&nowhere, NULL, &output); /* the folder has no name: nothing is kept */
	assert_false(hit(&nowhere, "old", 3));
	weft_cache_store(&nowhere, NULL, &any);
	assert_true(hit(&nowhere, "any", 3));
	/* What the time decides is not kept. */
	const struct weft_cache_key timed = key_of("timed");
	output = any;
	output.uses_time = true;
	weft_cache_store(&timed, NULL, &output);
	assert_false(hit(&timed, "any", 3));
}

/* What was nothing or a folder must still be so. */
static void test_places(void **state)
{
	char nothing[64], inside[64];
	struct weft_place places[] = {{nothing, WEFT_PLACE_NOTHING}, {inside, WEFT_PLACE_FOLDER}};
	const struct weft_output output = {.kind = WEFT_OUTPUT_KERNELS,
					   .data = "x",
					   .size = 1,
					   .places = places,
					   .num_places = 2};
	struct weft_cache_key key = key_of("places");
	struct weft_output loaded = {0};
	(void)state;

	snprintf(nothing, sizeof(nothing), "%s/nothing", folder);
	snprintf(inside, sizeof(inside), "%s/inside", folder);
	weft_cache_store(&key, NULL, &output);
	assert_false(hit(&key, "x", 1)); /* it is not there: what was seen has gone */
	assert_int_equal(mkdir(inside, 0700), 0);
	weft_cache_store(&key, NULL, &output);
	assert_true(hit(&key, "x", 1));
	assert_int_equal(mkfifo(nothing, 0600), 0); /* of no use to a source */
	assert_true(hit(&key, "x", 1));
	assert_int_equal(unlink(nothing), 0);
	assert_int_equal(symlink(nothing, nothing), 0);
	assert_true(hit(&key, "x", 1));
	assert_int_equal(unlink(nothing), 0);
	assert_int_equal(mkdir(nothing, 0700), 0);
	assert_false(hit(&key, "x", 1));
	assert_int_equal(rmdir(nothing), 0);
	write_file(nothing, "");
	assert_false(hit(&key, "x", 1));
	assert_int_equal(unlink(nothing), 0);
	assert_true(hit(&key, "x", 1));
	/* A relative one counts from the folder that is given, and without one nothing is known. */
	key = key_of("relative");
	strcpy(nothing, "nothing");
	weft_cache_store(&key, NULL, &output);
	assert_false(weft_cache_load(&key, folder, &loaded));
	weft_cache_store(&key, folder, &output);
	assert_false(weft_cache_load(&key, NULL, &loaded));
	assert_true(weft_cache_load(&key, folder, &loaded));
	weft_cache_release(&loaded);
	assert_true(weft_cache_load(&key, "/usr", &loaded));
	weft_cache_release(&loaded);
	snprintf(nothing, sizeof(nothing), "%s/nothing", folder);
	write_file(nothing, "");
	assert_false(weft_cache_load(&key, folder, &loaded));
	assert_true(weft_cache_load(&key, "/usr", &loaded));
	weft_cache_release(&loaded);
	assert_int_equal(unlink(nothing), 0);
	key = key_of("places");
	assert_int_equal(rmdir(inside), 0);
	assert_false(hit(&key, "x", 1));
	write_file(inside, "");
	assert_false(hit(&key, "x", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_files),
		TEST(test_complete),
		TEST(test_working_folder),
		TEST(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
