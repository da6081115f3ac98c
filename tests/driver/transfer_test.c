/* SPDX-License-Identifier: MIT
 *
 * Copies, rectangles and fills against byte-by-byte references.
 */
#include "suite.h"

#include "driver_optional.h"

#include <stdlib.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Here as in what is expected below, a byte at a time would take the thread sanitizer a minute, and rand() for each word seconds:
 * xorshift (Marsaglia, 2003). */
static unsigned char *random_bytes(size_t size)
{
	unsigned char *bytes = malloc(size ? size : 1);
	uint64_t word = (uint64_t)rand() + 1;

	assert_non_null(bytes);
	for (size_t i = 0; i < size; i += sizeof(word)) {
		word ^= word << 13;
		word ^= word >> 7;
		word ^= word << 17;
		memcpy(bytes + i, &word, least(sizeof(word), size - i));
	}
	return bytes;
}

static void copy_of_every_size(void **state)
{
	static const size_t sizes[] = {1,      7,      4096,    16384,           16385,
				       262144, 262145, 1000003, 5 * 1024 * 1024, 33554433};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned char *source = random_bytes(sizes[i]);
		unsigned char *destination = calloc(1, sizes[i] + 1);
		assert_non_null(destination);
		assert_int_equal(node_run(new_copy(destination, source, sizes[i])), WEFT_OK);
		assert_memory_equal(destination, source, sizes[i]);
		assert_int_equal(destination[sizes[i]], 0);
		free(source);
		free(destination);
	}
}

/* A device with hardly any cache, and places that no line begins at. */
static void copy_past_caches(void **state)
{
	enum { MOST = 1000000 };
	static const size_t sizes[] = {4096, 4160, 5001, 262144, 300001, 999900};
	unsigned char *source = random_bytes(MOST);
	unsigned char *destination = malloc(MOST);

	(void)state;
	assert_non_null(destination);
	suite.device->properties.cache_size = 1024;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (size_t offset = 1; offset < 70; offset += 17) {
			memset(destination, 1, MOST);
			assert_int_equal(node_run(new_copy(destination + offset,
							   source + offset / 3, sizes[i])),
					 WEFT_OK);
			assert_memory_equal(destination + offset, source + offset / 3, sizes[i]);
			assert_int_equal(destination[offset - 1], 1);
			assert_int_equal(destination[offset + sizes[i]], 1);
		}
	}
	free(source);
	free(destination);
}

struct box {
	size_t region[3];
	size_t source_pitch[2];
	size_t destination_pitch[2];
};

static void check_box(const struct box *box)
{
	size_t source_size = box->source_pitch[1] * box->region[2];
	size_t size = box->destination_pitch[1] * box->region[2];
	unsigned char *source = random_bytes(source_size);
	unsigned char *destination = random_bytes(size);
	unsigned char *expected = malloc(size);
	struct node *node = node_new(suite.device, WEFT_OP_COPY);

	assert_non_null(expected);
	memcpy(expected, destination, size);
	for (size_t z = 0; z < box->region[2]; z++)
		for (size_t y = 0; y < box->region[1]; y++)
			memcpy(expected + z * box->destination_pitch[1] +
				       y * box->destination_pitch[0],
			       source + z * box->source_pitch[1] + y * box->source_pitch[0],
			       box->region[0]);
	node->command.copy = (struct weft_copy){.source = source, .destination = destination};
	memcpy(node->command.copy.region, box->region, sizeof(box->region));
	memcpy(node->command.copy.source_pitch, box->source_pitch, sizeof(box->source_pitch));
	memcpy(node->command.copy.destination_pitch, box->destination_pitch,
	       sizeof(box->destination_pitch));
	assert_int_equal(node_run(node), WEFT_OK);
	assert_memory_equal(destination, expected, size);
	free(source);
	free(destination);
	free(expected);
}

static void copy_of_boxes(void **state)
{
	static const struct box boxes[] = {
		{{1, 1, 1}, {1, 1}, {1, 1}},
		{{5, 3, 2}, {5, 15}, {5, 15}}, /* all of one piece */
		{{5, 3, 2}, {5, 20}, {5, 15}}, /* slices apart on one side */
		{{5, 3, 2}, {8, 24}, {5, 15}}, /* rows apart on one side */
		{{64, 16, 4}, {100, 2000}, {64, 1024}},
		{{64, 16, 4}, {64, 1024}, {100, 2000}},
		{{300000, 3, 2}, {300001, 1000003}, {300000, 900000}}, /* rows of two blocks */
		{{16, 60000, 2}, {48, 48 * 60000}, {32, 32 * 60000}},  /* many short rows */
		{{1000, 1, 500}, {1000, 3000}, {1000, 2000}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++)
		check_box(&boxes[i]);
}

static void *device_memory(size_t size)
{
	void *memory;

	assert_int_equal(suite.driver->memory->allocate(suite.device, size, 128, &memory), WEFT_OK);
	return memory;
}

static void copy_between(void *destination, weft_space destination_space, const void *source,
			 weft_space source_space, size_t size)
{
	struct node *node = new_copy(destination, source, size);

	node->command.copy.source_space = source_space;
	node->command.copy.destination_space = destination_space;
	assert_int_equal(node_run(node), WEFT_OK);
}

/* Fills where the device's fills can: the first of so many bytes, or a copy of them in its own memory. */
static void fill(unsigned char *bytes, size_t all, const struct weft_fill *filling)
{
	const weft_space space = suite.device->properties.space;
	struct node *node = node_new(suite.device, WEFT_OP_FILL);
	unsigned char *place = bytes;

	if (space != WEFT_SPACE_HOST) {
		place = device_memory(all);
		copy_between(place, space, bytes, WEFT_SPACE_HOST, all);
	}
	node->command.fill = *filling;
	node->command.fill.destination = place;
	assert_int_equal(node_run(node), WEFT_OK);
	if (space != WEFT_SPACE_HOST) {
		copy_between(bytes, WEFT_SPACE_HOST, place, space, all);
		suite.driver->memory->release(suite.device, place);
	}
}

static void set_random_pattern(struct weft_fill *filling, size_t size)
{
	static unsigned char pattern[WEFT_FILL_PATTERN_MAX];

	for (size_t i = 0; i < size; i++)
		pattern[i] = (unsigned char)(rand() >> 5);
	filling->pattern = pattern;
	filling->pattern_size = size;
}

/* The pattern again and again, the last time in part. */
static void expect_row(unsigned char *row, size_t size, const struct weft_fill *filling)
{
	size_t done = least(filling->pattern_size, size);

	memcpy(row, filling->pattern, done);
	for (size_t more; done < size; done += more) {
		more = least(done, size - done);
		memcpy(row + done, row, more);
	}
}

static void fill_of_every_pattern(void **state)
{
	static const size_t repeats[] = {1, 2, 3, 31, 32, 33, 1000, 40001};

	(void)state;
	for (size_t pattern_size = 1; pattern_size <= WEFT_FILL_PATTERN_MAX; pattern_size++) {
		struct weft_fill filling = {.region = {0, 1, 1}};
		size_t i = pattern_size % 8;

		set_random_pattern(&filling, pattern_size);
		for (; i < sizeof(repeats) / sizeof(repeats[0]); i += 2) {
			size_t size = repeats[i] * pattern_size;
			unsigned char *bytes = calloc(1, size + 1);
			unsigned char *expected = calloc(1, size + 1);
			assert_non_null(bytes);
			assert_non_null(expected);
			filling.region[0] = filling.pitch[0] = filling.pitch[1] = size;
			fill(bytes, size + 1, &filling);
			expect_row(expected, size, &filling);
			assert_memory_equal(bytes, expected, size + 1);
			free(expected);
			free(bytes);
		}
	}
}

static void check_fill_of_box(const struct weft_fill *filling)
{
	const size_t *region = filling->region, *pitch = filling->pitch;
	size_t size = pitch[1] * region[2];
	unsigned char *bytes = random_bytes(size);
	unsigned char *expected = malloc(size);

	assert_non_null(expected);
	memcpy(expected, bytes, size);
	for (size_t z = 0; z < region[2]; z++)
		for (size_t y = 0; y < region[1]; y++)
			expect_row(expected + z * pitch[1] + y * pitch[0], region[0], filling);
	fill(bytes, size, filling);
	assert_memory_equal(bytes, expected, size);
	free(bytes);
	free(expected);
}

static void fill_of_boxes(void **state)
{
	static const struct weft_fill boxes[] = {
		{.region = {12, 1, 1}, .pitch = {12, 12}},
		{.region = {12, 3, 2}, .pitch = {12, 36}}, /* all of one piece */
		{.region = {12, 3, 2}, .pitch = {12, 50}}, /* slices apart */
		{.region = {12, 3, 2}, .pitch = {17, 51}}, /* rows apart */
		{.region = {12, 1, 7}, .pitch = {99, 12}}, /* a row per slice */
		{.region = {5004, 16, 4}, .pitch = {6000, 100000}},
		{.region = {300000, 3, 2}, .pitch = {300001, 1000003}}, /* rows of two blocks */
		{.region = {12, 60000, 2}, .pitch = {48, 48 * 60000}},  /* many short rows */
	};
	static const size_t patterns[] = {1, 2, 3, 4, 6, 12};

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		for (size_t j = i % 2; j < sizeof(patterns) / sizeof(patterns[0]); j += 2) {
			struct weft_fill filling = boxes[i];

			set_random_pattern(&filling, patterns[j]);
			check_fill_of_box(&filling);
		}
	}
}

int run_transfer_tests(void)
{
	const struct CMUnitTest tests[] = {
		SUITE_TEST(copy_of_every_size), SUITE_TEST(copy_past_caches),
		SUITE_TEST(copy_of_boxes),      SUITE_TEST(fill_of_every_pattern),
		SUITE_TEST(fill_of_boxes),
	};

	return cmocka_run_group_tests_name("transfer", tests, NULL, NULL);
}
