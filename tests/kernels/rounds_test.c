/* SPDX-License-Identifier: MIT
 *
 * Searches as password crackers write them: a loop whose round computes one long chain of vectors of the kernel's own, and
 * seldom does something with the result. Two rounds may be computed at once (interleave-iterations), whatever the second would have
 * found: what is written, in which order, and where the loop ends is as if they came one by one.
 */
#include "guarded.h"
#include "kernel_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ITEMS 3
#define LANES 16
#define MOST_WORDS 70 /* more than a page of them */
#define FOUND 64      /* of an item: how many, then round and lane of each */
#define STEPS 96

/* WORDS is the address space of what is searched. An item's search ends behind what its limit says, which it reads in each
 * round; with STOP, what is found first ends it. */
static const char source[] =
	"#define STEP(k) t = rotate(a + (b ^ c) + (k) * 0x85ebca6bu, (uint16)((k) % 7 + 3)) + b; "
	"\\\n"
	"                a = b; b = c; c = t;\n"
	"#define STEPS(k) STEP(k) STEP(k + 1) STEP(k + 2) STEP(k + 3) STEP(k + 4) STEP(k + 5)\n"
	"#define MORE(k) STEPS(k) STEPS(k + 6) STEPS(k + 12) STEPS(k + 18)\n"
	"#define ASK(l) if ((c.s##l & MASK) == goal) { \\\n"
	"    if (mine[0] < 31) { mine[1 + 2 * mine[0]] = i; mine[2 + 2 * mine[0]] = 0x##l; } \\\n"
	"    mine[0]++; \\\n"
	"    if (STOP) limits[g] = i + 1; \\\n"
	"  }\n"
	"kernel void search(WORDS const uint16 *words, global uint *limits, global const uint "
	"*goals,\n"
	"                   global uint *found) {\n"
	"  uint g = get_global_id(0), goal = goals[g];\n"
	"  global uint *mine = found + g * 64;\n"
	"  for (uint i = 0; i < limits[g]; i++) {\n"
	"    uint16 a = words[i] ^ g, b = 0x9e3779b9u - g, c = 7, t;\n"
	"    MORE(0) MORE(24) MORE(48) MORE(72)\n"
	"    if (!any((c & MASK) == goal)) continue;\n"
	"    ASK(0) ASK(1) ASK(2) ASK(3) ASK(4) ASK(5) ASK(6) ASK(7)\n"
	"    ASK(8) ASK(9) ASK(a) ASK(b) ASK(c) ASK(d) ASK(e) ASK(f)\n"
	"  }\n"
	"}\n";

static uint32_t chain(uint32_t word, uint32_t g)
{
	uint32_t a = word ^ g;
	uint32_t b = 0x9e3779b9u - g;
	uint32_t c = 7;

	for (uint32_t k = 0; k < STEPS; k++) {
		uint32_t sum = a + (b ^ c) + k * 0x85ebca6bu;
		uint32_t by = k % 7 + 3;
		uint32_t t = (sum << by | sum >> (32 - by)) + b;

		a = b;
		b = c;
		c = t;
	}
	return c;
}

struct search {
	const uint32_t *words; /* LANES each */
	uint32_t mask;
	bool stops;
	uint32_t limits[ITEMS], goals[ITEMS], found[ITEMS * FOUND];
};

static void run_plain(struct search *search, uint32_t g)
{
	uint32_t *mine = search->found + (size_t)g * FOUND;

	for (uint32_t i = 0; i < search->limits[g]; i++) {
		for (uint32_t lane = 0; lane < LANES; lane++) {
			uint32_t c = chain(search->words[i * LANES + lane], g);

			if ((c & search->mask) != search->goals[g])
				continue;
			if (mine[0] < 31) {
				mine[1 + 2 * mine[0]] = i;
				mine[2 + 2 * mine[0]] = lane;
			}
			mine[0]++;
			if (search->stops)
				search->limits[g] = i + 1;
		}
	}
}

static void compare(const struct runner *runner, struct search *search)
{
	const struct runner_range range = {.global = {ITEMS, 1, 1}, .local = {1, 1, 1}};
	struct search plain = *search;
	const struct runner_arg args[] = {
		RUNNER_MEMORY(search->words), RUNNER_MEMORY(search->limits),
		RUNNER_MEMORY(search->goals), RUNNER_MEMORY(search->found)};

	for (uint32_t g = 0; g < ITEMS; g++)
		run_plain(&plain, g);
	runner_launch(runner, "search", &range, args, 4, RUNNER_DIRECT);
	assert_memory_equal(search->found, plain.found, sizeof(plain.found));
	assert_memory_equal(search->limits, plain.limits, sizeof(plain.limits));
}

/* `count` words up to the end of what may be read. */
static struct guarded words_of(uint32_t count)
{
	struct guarded memory = guarded_new((size_t)count * LANES * sizeof(uint32_t), true);
	uint32_t *words = (uint32_t *)(void *)memory.bytes;

	for (uint32_t i = 0; i < count * LANES; i++)
		words[i] = i * 2654435761u + count;
	return memory;
}

/* All rounds, with finds in some, for even and odd numbers of them and none. */
static void check_counts(const char *options)
{
	struct runner *runner = runner_build(source, options);

	for (uint32_t count = 1; count <= MOST_WORDS; count += count < 6 ? 1 : 31) {
		struct guarded memory = words_of(count);
		struct search search = {.words = (const uint32_t *)(const void *)memory.bytes,
					.mask = 63,
					.limits = {count, count - 1, 0},
					.goals = {5, 6, 7}};

		compare(runner, &search);
		guarded_free(&memory);
	}
	runner_destroy(runner);
}

/* What is found in the last round that memory has keeps the loop from a further one, which the limit would allow. */
static void check_stops(const char *options)
{
	struct runner *runner = runner_build(source, options);

	for (uint32_t count = 1; count <= MOST_WORDS; count += count < 6 ? 1 : 31) {
		struct guarded memory = words_of(count);
		struct search search = {.words = (const uint32_t *)(const void *)memory.bytes,
					.mask = UINT32_MAX,
					.stops = true,
					.limits = {1000, 1000, 1000}};

		for (uint32_t g = 0; g < ITEMS; g++)
			search.goals[g] = chain(search.words[count * LANES - 1 - g], g);
		compare(runner, &search);
		guarded_free(&memory);
	}
	runner_destroy(runner);
}

static void constant_words(void **state)
{
	(void)state;
	check_counts("-DWORDS=constant -DMASK=63u -DSTOP=0");
	check_stops("-DWORDS=constant -DMASK=~0u -DSTOP=1");
}

/* Which the finds might change, as far as the compiler knows. */
static void global_words(void **state)
{
	(void)state;
	check_counts("-DWORDS=global -DMASK=63u -DSTOP=0");
	check_stops("-DWORDS=global -DMASK=~0u -DSTOP=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constant_words),
		cmocka_unit_test(global_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
