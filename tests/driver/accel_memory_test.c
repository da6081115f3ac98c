/* SPDX-License-Identifier: MIT
 *
 * Device memory: allocation, the fault of a host that accesses it, and copies within it, between memories, and to wrong addresses.
 */
#include "accel_test.h"

#include "alloc.h"
#include "child.h"
#include "driver_optional.h"
#include "host.h"

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The bytes of allocations are their own, whatever has come and gone. */
static void random_allocations(void **state)
{
	enum { COUNT = 40, ROUNDS = 2000 };
	struct {
		unsigned char *address;
		size_t size;
		unsigned char value;
	} held[COUNT] = {{0}};
	static unsigned char bytes[2 << 20];

	(void)state;
	open_all("global=64M");
	for (int i = 0; i < ROUNDS; i++) {
		size_t place = (size_t)rand() % COUNT;
		size_t most = i % 10 ? 10000 : sizeof(bytes);

		if (held[place].address) {
			download(0, bytes, held[place].address, held[place].size);
			for (size_t at = 0; at < held[place].size; at += 97)
				assert_int_equal(bytes[at], held[place].value);
			release(0, held[place].address);
		}
		held[place].size = (size_t)rand() % most + 1;
		held[place].value = (unsigned char)i;
		held[place].address = allocate(0, held[place].size);
		memset(bytes, i, held[place].size);
		upload(0, held[place].address, bytes, held[place].size);
	}
	close_all();
}

static void full_memory(void **state)
{
	enum { PIECES = 64 };
	void *pieces[PIECES];
	void *more;
	const struct weft_driver_memory_ops *memory = driver->memory;

	(void)state;
	open_all("global=64M");
	for (int i = 0; i < PIECES; i++)
		pieces[i] = allocate(0, 1 << 20);
	assert_int_equal(memory->allocate(devices[0], 1, 128, &more), WEFT_OUT_OF_RESOURCES);
	for (int i = 0; i < PIECES; i += 2)
		release(0, pieces[i]);
	/* half of it is free, and no two pieces side by side */
	assert_int_equal(memory->allocate(devices[0], 2 << 20, 128, &more), WEFT_OUT_OF_RESOURCES);
	for (int i = 1; i < PIECES; i += 2)
		release(0, pieces[i]);
	more = allocate(0, 64 << 20);
	release(0, more);
	assert_int_equal(memory->allocate(devices[0], SIZE_MAX, 128, &more), WEFT_OUT_OF_RESOURCES);
	assert_int_equal(memory->allocate(devices[0], (64 << 20) + 1, 128, &more),
			 WEFT_OUT_OF_RESOURCES);
	weft_alloc_fail_after(0);
	assert_int_equal(memory->allocate(devices[0], 1, 128, &more), WEFT_OUT_OF_RESOURCES);
	weft_alloc_fail_after(-1);
	close_all();
}

/* Ranges of the host's memory take as much of the device's, and are found by the host's addresses while they are shared. */
static void shared_ranges(void **state)
{
	enum { COUNT = 30, MEGABYTE = 1 << 20 };
	const struct weft_driver_memory_ops *memory = driver->memory;
	static unsigned char bytes[COUNT][MEGABYTE];
	void *more;

	(void)state;
	open_all("global=64M");
	for (int i = 0; i < 2; i++) { /* the device's memory, then the list */
		weft_alloc_fail_after(i);
		assert_int_equal(memory->share(devices[0], bytes[0], 1),
				 i == 0 ? WEFT_OUT_OF_RESOURCES : WEFT_OUT_OF_MEMORY);
	}
	weft_alloc_fail_after(-1);
	for (int i = 0; i < COUNT; i++) /* in no order of addresses */
		assert_int_equal(memory->share(devices[0], bytes[i * 7 % COUNT], MEGABYTE),
				 WEFT_OK);
	for (int i = 0; i < COUNT; i++) {
		memset(bytes[i], i, MEGABYTE);
		download(0, bytes[(i + 1) % COUNT], bytes[i], MEGABYTE);
		assert_int_equal(bytes[(i + 1) % COUNT][MEGABYTE - 1], i);
		upload(0, bytes[i], bytes[i], MEGABYTE); /* nothing moves */
	}
	assert_int_equal(memory->allocate(devices[0], 35 << 20, 128, &more), WEFT_OUT_OF_RESOURCES);
	for (int i = 0; i < COUNT; i += 2)
		release(0, bytes[i]);
	for (int i = 1; i < COUNT; i += 2)
		upload(0, bytes[i] + 5, bytes[0], MEGABYTE - 5);
	assert_int_equal(memory->share(devices[0], bytes[0], MEGABYTE), WEFT_OK);
	release(0, bytes[0]);
	for (int i = 1; i < COUNT; i += 2)
		release(0, bytes[i]);
	assert_int_equal(memory->share(devices[0], bytes[0], (64 << 20) + 1),
			 WEFT_OUT_OF_RESOURCES);
	release(0, allocate(0, 64 << 20)); /* all of it is free */
	close_all();
}

/* So many that the newest of them are put into order several times. Two devices may share one range: it is there until both have
 * released it. */
static void many_shared_ranges(void **state)
{
	enum { COUNT = 2000, SIZE = 64, STEP = 769 /* no divisor of COUNT */ };
	const struct weft_driver_memory_ops *memory = driver->memory;
	static unsigned char bytes[COUNT][SIZE];
	unsigned char copy[SIZE];

	(void)state;
	open_all("global=64M");
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(memory->share(devices[0], bytes[i * STEP % COUNT], SIZE), WEFT_OK);
	for (int i = 0; i < COUNT; i += 2)
		assert_int_equal(memory->share(devices[0], bytes[i], SIZE), WEFT_OK);
	for (int i = 0; i < COUNT; i++)
		release(0, bytes[(COUNT - 1 - i) * STEP % COUNT]);
	for (int i = 0; i < COUNT; i += 2) {
		memset(bytes[i], i % 251, SIZE);
		download(0, copy, bytes[i], SIZE);
		assert_int_equal(copy[SIZE - 1], i % 251);
	}
	for (int i = 0; i < COUNT; i += 2)
		release(0, bytes[i]);
	release(0, allocate(0, 64 << 20)); /* all of it is free */
	close_all();
}

static void read_byte(volatile unsigned char *address)
{
	(void)*address;
}

static void write_byte(volatile unsigned char *address)
{
	*address = 1;
}

/* The signal that a child ends by which does this to the memory. */
static int signal_of(void (*touch)(volatile unsigned char *), unsigned char *address)
{
	int status = 0;
	pid_t child = fork_limited();

	assert_true(child >= 0);
	if (child == 0) {
		signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own */
		touch(address);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void the_host_is_trapped(void **state)
{
	unsigned char bytes[5000];

	(void)state;
	open_all("");
	unsigned char *address = allocate(0, sizeof(bytes));
	memset(bytes, 5, sizeof(bytes));
	upload(0, address, bytes, sizeof(bytes));
	assert_int_equal(signal_of(read_byte, address), SIGSEGV);
	assert_int_equal(signal_of(write_byte, address + 4999), SIGSEGV);
	assert_int_equal(signal_of(read_byte, bytes), 0);
	close_all();
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void boxes_of_device_memory(void **state)
{
	unsigned char bytes[10][10];
	unsigned char result[10][10];

	(void)state;
	open_all("");
	unsigned char *address = allocate(0, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i / 10][i % 10] = (unsigned char)i;
	upload(0, address, bytes, sizeof(bytes));
	struct node *node = node_new(devices[0], WEFT_OP_COPY);
	node->command.copy = (struct weft_copy){
		.source = address + 11,
		.source_space = space_of(0),
		.destination = result,
		.region = {3, 4, 1},
		.source_pitch = {10, 100},
		.destination_pitch = {10, 100},
	};
	memset(result, 0, sizeof(result));
	assert_int_equal(node_run(node), WEFT_OK);
	for (size_t y = 0; y < 10; y++)
		for (size_t x = 0; x < 10; x++)
			assert_int_equal(result[y][x], y < 4 && x < 3 ? bytes[y + 1][x + 1] : 0);
	close_all();
}

static void copies_between_memories(void **state)
{
	enum { SIZE = 300000 };
	static unsigned char bytes[SIZE];
	static unsigned char result[SIZE];

	(void)state;
	open_all("clusters=1;clusters=1;memory=m;memory=m");
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char)(i * 7 >> 3);
	unsigned char *here = allocate(0, SIZE);
	unsigned char *there = allocate(1, SIZE);
	unsigned char *shared = allocate(2, SIZE);
	upload(0, here, bytes, SIZE);
	assert_int_equal(
		copy(1, (struct side){there, space_of(1)}, (struct side){here, space_of(0)}, SIZE),
		WEFT_OK);
	assert_int_equal(copy(1, (struct side){shared, space_of(2)},
			      (struct side){there, space_of(1)}, SIZE),
			 WEFT_OK);
	download(3, result, shared, SIZE);
	assert_memory_equal(bytes, result, SIZE);
	release(3, shared);
	close_all();
}

/* The runtime's mistakes: they fail the command, and nothing else. */
static void wrong_addresses(void **state)
{
	unsigned char bytes[100] = {0};

	(void)state;
	open_all("global=64M");
	unsigned char *address = allocate(0, 64 << 20);
	const struct side host = {bytes, WEFT_SPACE_HOST};
	const struct side wrong[] = {
		{bytes, space_of(0)},
		{address - 1, space_of(0)},
		{address + (64 << 20) - 99, space_of(0)},
		{address, 1000000},
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(copy(0, wrong[i], host, 100), WEFT_INTERNAL);
		assert_int_equal(copy(0, host, wrong[i], 100), WEFT_INTERNAL);
	}
	struct node *node = node_new(devices[0], WEFT_OP_FILL);
	node->command.fill = (struct weft_fill){.destination = bytes,
						.region = {4, 1, 1},
						.pitch = {4, 4},
						.pattern = bytes,
						.pattern_size = 4};
	assert_int_equal(node_run(node), WEFT_INTERNAL);
	node = node_new(devices[0], WEFT_OP_FILL);
	node->command.fill = (struct weft_fill){.destination = address + (64 << 20) - 100,
						.region = {4, 2, 1},
						.pitch = {97, 194},
						.pattern = bytes,
						.pattern_size = 4};
	assert_int_equal(node_run(node), WEFT_INTERNAL);
	upload(0, address + (64 << 20) - 100, bytes, 100);
	close_all();
}

int run_accel_memory_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_allocations),      cmocka_unit_test(full_memory),
		cmocka_unit_test(many_shared_ranges),      cmocka_unit_test(shared_ranges),
		cmocka_unit_test(the_host_is_trapped),     cmocka_unit_test(boxes_of_device_memory),
		cmocka_unit_test(copies_between_memories), cmocka_unit_test(wrong_addresses),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
