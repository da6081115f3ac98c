/* SPDX-License-Identifier: MIT
 *
 * Allocation with injected failures, arithmetic on sizes, strings that grow.
 */
#include "common.h"

#include "alloc.h"
#include "overflow.h"
#include "strbuf.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- allocation ------------------------------------------------------------------------------ */

static void zeroed(void **state)
{
	unsigned char *bytes = weft_zalloc(1000);
	unsigned char *elements = weft_calloc(10, 100);

	(void)state;
	assert_non_null(bytes);
	assert_non_null(elements);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(bytes[i] | elements[i], 0);
	weft_free(bytes);
	weft_free(elements);
	weft_free(NULL);
}

static void nothing_is_something(void **state)
{
	void *blocks[] = {weft_zalloc(0),           weft_calloc(0, 8),         weft_calloc(8, 0),
			  weft_realloc(NULL, 0, 4), weft_alloc_aligned(64, 0), weft_memdup("", 0)};

	(void)state;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		assert_non_null(blocks[i]);
		weft_free(blocks[i]);
	}
}

static void too_much(void **state)
{
	/* volatile: the compiler would warn about these sizes */
	volatile size_t most = SIZE_MAX;
	char *block = weft_strdup("kept");

	(void)state;
	assert_null(weft_calloc(most / 2, 3));
	assert_null(weft_calloc(most, most));
	assert_null(weft_zalloc(most / 2));
	assert_null(weft_alloc_aligned(128, most - 200));
	assert_null(weft_realloc(block, most / 2, 3));
	assert_null(weft_realloc(block, most / 2, 1));
	assert_string_equal(block, "kept");
	weft_free(block);
}

static void aligned(void **state)
{
	(void)state;
	for (size_t alignment = 8; alignment <= 1 << 16; alignment *= 2) {
		void *block = weft_alloc_aligned(alignment, 3);
		assert_non_null(block);
		assert_int_equal((uintptr_t)block % alignment, 0);
		weft_free(block);
	}
}

/* What the kernel notes about the memory at an address; false if it is not known. */
static bool read_flags(const void *address, char *flags, size_t room)
{
	FILE *maps = fopen("/proc/self/smaps", "r");
	bool is_inside = false, found = false;

	while (maps && !found && fgets(flags, (int)room, maps)) {
		char *rest = flags;
		uintptr_t first = strtoumax(flags, &rest, 16);
		if (rest > flags && *rest == '-') /* "first-end permissions ..." */
			is_inside = (uintptr_t)address >= first &&
				    (uintptr_t)address < strtoumax(rest + 1, NULL, 16);
		found = is_inside && strncmp(flags, "VmFlags:", 8) == 0;
	}
	if (maps)
		fclose(maps);
	return found;
}

/* Large blocks ask for huge pages, small ones do not. */
static void huge_pages(void **state)
{
	unsigned char *large = weft_alloc_aligned(64, 5 << 20);
	unsigned char *small = weft_alloc_aligned(64, 1 << 20);
	char flags[4096];

	(void)state;
	assert_non_null(large);
	assert_non_null(small);
	assert_int_equal((uintptr_t)large % (2 << 20), 0);
	if (access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0 &&
	    read_flags(large, flags, sizeof(flags)))
		assert_non_null(strstr(flags, " hg"));
	if (read_flags(small, flags, sizeof(flags)))
		assert_null(strstr(flags, " hg"));
	memset(large, 1, 5 << 20);
	weft_free(large);
	weft_free(small);
}

static void copies(void **state)
{
	char *text = weft_strdup("weft");
	char *bytes = weft_memdup("a\0b", 3);

	(void)state;
	assert_string_equal(text, "weft");
	assert_memory_equal(bytes, "a\0b", 3);
	text = weft_realloc(text, 3, 1000);
	assert_non_null(text);
	assert_string_equal(text, "weft");
	weft_free(text);
	weft_free(bytes);
}

/* Each of the allocators fails when it is its turn, once. */
static void injected_failures(void **state)
{
	void *blocks[6];

	(void)state;
	for (long failing = 0; failing < 6; failing++) {
		weft_alloc_fail_after(failing);
		assert_false(weft_alloc_has_failed());
		blocks[0] = weft_zalloc(8);
		blocks[1] = weft_calloc(2, 8);
		blocks[2] = weft_realloc(NULL, 2, 8);
		blocks[3] = weft_alloc_aligned(16, 8);
		blocks[4] = weft_memdup("x", 1);
		blocks[5] = weft_strdup("x");
		for (long i = 0; i < 6; i++) {
			assert_int_equal(blocks[i] == NULL, i == failing);
			weft_free(blocks[i]);
		}
		assert_true(weft_alloc_has_failed());
	}
	weft_alloc_fail_after(-1);
	assert_false(weft_alloc_has_failed());
	blocks[0] = weft_zalloc(8);
	assert_non_null(blocks[0]);
	weft_free(blocks[0]);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static void sums(void **state)
{
	size_t result = 0;

	(void)state;
	assert_false(weft_add_overflows(SIZE_MAX - 1, 1, &result));
	assert_int_equal(result, SIZE_MAX);
	assert_true(weft_add_overflows(SIZE_MAX, 1, &result));
	assert_true(weft_add_overflows(SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1, &result));
}

static void products(void **state)
{
	size_t result = 0;

	(void)state;
	assert_false(weft_mul_overflows(SIZE_MAX / 3, 3, &result));
	assert_int_equal(result, SIZE_MAX);
	assert_true(weft_mul_overflows(SIZE_MAX / 2 + 1, 2, &result));
	assert_false(weft_mul_overflows(SIZE_MAX, 0, &result));
	assert_int_equal(result, 0);
}

static void roundings(void **state)
{
	size_t result = 0;

	(void)state;
	assert_false(weft_align_overflows(0, 128, &result));
	assert_int_equal(result, 0);
	assert_false(weft_align_overflows(1, 128, &result));
	assert_int_equal(result, 128);
	assert_false(weft_align_overflows(128, 128, &result));
	assert_int_equal(result, 128);
	assert_false(weft_align_overflows(SIZE_MAX - 127, 128, &result));
	assert_int_equal(result, SIZE_MAX - 127);
	assert_true(weft_align_overflows(SIZE_MAX - 126, 128, &result));
}

/* ---- strings --------------------------------------------------------------------------------- */

static void strings_grow(void **state)
{
	struct weft_strbuf buffer = {0};

	(void)state;
	weft_strbuf_puts(&buffer, "");
	assert_string_equal(buffer.data, "");
	for (int i = 0; i < 1000; i++) {
		weft_strbuf_add(&buffer, "ab", 1);
		weft_strbuf_puts(&buffer, "cd");
		weft_strbuf_printf(&buffer, "%03d", i);
		assert_int_equal(buffer.size, 6 * (i + 1));
		assert_int_equal(buffer.data[buffer.size], '\0');
	}
	assert_false(buffer.failed);
	assert_string_equal(buffer.data + 6 * 998, "acd998acd999");
	weft_strbuf_clear(&buffer);
	assert_string_equal(buffer.data, "");
	assert_int_equal(buffer.size, 0);
	weft_strbuf_add(&buffer, "a\0b", 3);
	assert_int_equal(buffer.size, 3);
	weft_strbuf_destroy(&buffer);
	assert_null(buffer.data);
	weft_strbuf_puts(&buffer, "again");
	assert_string_equal(buffer.data, "again");
	weft_strbuf_destroy(&buffer);
}

static void long_text(void **state)
{
	struct weft_strbuf buffer = {0};

	(void)state;
	weft_strbuf_printf(&buffer, "%*d", 100000, 7);
	assert_int_equal(buffer.size, 100000);
	assert_int_equal(buffer.data[99999], '7');
	weft_strbuf_destroy(&buffer);
}

/* A failure sticks, what was there stays, and the end of it is one check. */
static void strings_fail(void **state)
{
	struct weft_strbuf buffer = {0};
	volatile size_t most = SIZE_MAX;

	(void)state;
	weft_strbuf_puts(&buffer, "before");
	weft_alloc_fail_after(0);
	weft_strbuf_printf(&buffer, "%500s", "");
	assert_true(buffer.failed);
	weft_strbuf_puts(&buffer, "x");
	assert_string_equal(buffer.data, "before");
	weft_strbuf_clear(&buffer);
	assert_false(buffer.failed);
	weft_strbuf_puts(&buffer, "after");
	assert_string_equal(buffer.data, "after");
	weft_strbuf_add(&buffer, "", most);
	assert_true(buffer.failed);
	assert_string_equal(buffer.data, "after");
	weft_alloc_fail_after(-1);
	weft_strbuf_destroy(&buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeroed),
		cmocka_unit_test(nothing_is_something),
		cmocka_unit_test(too_much),
		cmocka_unit_test(aligned),
		cmocka_unit_test(huge_pages),
		cmocka_unit_test(copies),
		cmocka_unit_test(injected_failures),
		cmocka_unit_test(sums),
		cmocka_unit_test(products),
		cmocka_unit_test(roundings),
		cmocka_unit_test(strings_grow),
		cmocka_unit_test(long_text),
		cmocka_unit_test(strings_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
