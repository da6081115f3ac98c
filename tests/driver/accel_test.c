/* SPDX-License-Identifier: MIT
 *
 * What only accelerators have: their memory, which the host cannot touch, copies from and to it, kernels that work in
 * it, and devices that share it.
 */
#include "accel_test.h"

#include "alloc.h"
#include "child.h"
#include "driver/stats.h"
#include "driver_optional.h"
#include "futex.h"
#include "host.h"
#include "options.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct weft_device *devices[MOST];
uint32_t num_devices;

static const struct weft_driver *const driver = &weft_accel_driver;

static const struct weft_host *told = &test_host; /* of all that happens */

void open_all(const char *text)
{
	setenv("WEFT_ACCEL", text, 1);
	weft_options_reset();
	num_devices = driver->device->count();
	assert_true(num_devices <= MOST);
	for (uint32_t i = 0; i < num_devices; i++)
		assert_int_equal(driver->device->open(i, told, &devices[i]), WEFT_OK);
}

void close_all(void)
{
	for (uint32_t i = 0; i < num_devices; i++)
		driver->device->close(devices[i]);
	num_devices = 0;
	unsetenv("WEFT_ACCEL");
	weft_options_reset();
	assert_int_equal(host_mistakes(), 0);
}

static weft_space space_of(uint32_t device)
{
	return devices[device]->properties.space;
}

static unsigned char *allocate(uint32_t device, size_t size)
{
	void *address;

	assert_int_equal(driver->memory->allocate(devices[device], size, 128, &address), WEFT_OK);
	assert_int_equal((uintptr_t)address % 128, 0);
	return address;
}

static void release(uint32_t device, void *address)
{
	driver->memory->release(devices[device], address);
}

struct side {
	void *address;
	weft_space space;
};

static enum weft_status copy(uint32_t device, struct side to, struct side from, size_t size)
{
	struct node *node = node_new(devices[device], WEFT_OP_COPY);

	node->command.copy = (struct weft_copy){
		.source = from.address,
		.destination = to.address,
		.source_space = from.space,
		.destination_space = to.space,
		.region = {size, 1, 1},
		.source_pitch = {size, size},
		.destination_pitch = {size, size},
	};
	return node_run(node);
}

static void upload(uint32_t device, void *address, void *bytes, size_t size)
{
	const struct side from = {bytes, WEFT_SPACE_HOST};

	assert_int_equal(copy(device, (struct side){address, space_of(device)}, from, size),
			 WEFT_OK);
}

static void download(uint32_t device, void *bytes, void *address, size_t size)
{
	const struct side to = {bytes, WEFT_SPACE_HOST};

	assert_int_equal(copy(device, to, (struct side){address, space_of(device)}, size), WEFT_OK);
}

/* ---- descriptions and devices ---------------------------------------------------------------- */

static void properties_follow(void **state)
{
	(void)state;
	open_all("clusters=3,elements=2,local=16K,global=256M,clock=333");
	assert_int_equal(num_devices, 1);
	const struct weft_device_properties *have = &devices[0]->properties;
	assert_int_equal(have->type, 8);
	assert_int_equal(have->compute_units, 3);
	assert_int_equal(have->local_memory, 16 << 10);
	assert_int_equal(have->global_memory, 256 << 20);
	assert_int_equal(have->max_allocation, 128 << 20);
	assert_int_equal(have->clock_mhz, 333);
	assert_non_null(strstr(have->name, "3 clusters of 2"));
	close_all();
}

static void a_mistake_is_no_device(void **state)
{
	struct weft_device *device;

	(void)state;
	open_all("clusters=none");
	assert_int_equal(num_devices, 0);
	assert_int_equal(driver->device->open(0, &test_host, &device), WEFT_INVALID_OPTIONS);
	close_all();
}

static void devices_differ(void **state)
{
	(void)state;
	open_all("clusters=1;clusters=1;memory=m;memory=m");
	assert_int_equal(num_devices, 4);
	assert_memory_not_equal(devices[0]->properties.uuid, devices[1]->properties.uuid, 16);
	assert_int_not_equal(space_of(0), space_of(1));
	assert_int_not_equal(space_of(0), space_of(2));
	assert_int_equal(space_of(2), space_of(3));
	assert_true(driver->memory->reaches(devices[0], space_of(1)));
	assert_false(driver->memory->reaches(devices[0], 1000000));
	close_all();
}

/* Whichever allocation fails. */
static void opening_fails(void **state)
{
	struct weft_device *device;

	(void)state;
	open_all("");
	for (long n = 0;; n++) {
		weft_alloc_fail_after(n);
		enum weft_status status = driver->device->open(0, &test_host, &device);
		bool failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		if (status == WEFT_OK)
			driver->device->close(device);
		else
			assert_int_equal(status, WEFT_OUT_OF_MEMORY);
		if (!failed)
			break;
	}
	close_all();
}

/* ---- memory ---------------------------------------------------------------------------------- */

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

/* ---- commands -------------------------------------------------------------------------------- */

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
	node->command.fill = (struct weft_fill){.destination = bytes, .size = 4, .pattern_size = 4};
	assert_int_equal(node_run(node), WEFT_INTERNAL);
	upload(0, address + (64 << 20) - 100, bytes, 100);
	close_all();
}

/* ---- kernels --------------------------------------------------------------------------------- */

struct sum_args {
	const uint32_t *in;
	uint32_t *out;
	uint32_t *none;
	uint64_t local; /* an offset */
	uint32_t number;
};

/* out[group] = in[group] + number, by way of local memory */
static void sum(const struct weft_ndrange *range, const void *block,
		struct weft_work_context *context, uint64_t first, uint64_t end)
{
	const struct sum_args *args = block;
	uint32_t *local = (uint32_t *)((char *)context->local + args->local);

	(void)range;
	for (; first < end && !args->none; first++) {
		*local = args->in[first] + args->number;
		args->out[first] = *local;
	}
}

#define ARG(kind_, field)                                                                          \
	{.name = #field,                                                                           \
	 .type_name = "",                                                                          \
	 .kind = (kind_),                                                                          \
	 .size = sizeof(((struct sum_args *)0)->field),                                            \
	 .offset = offsetof(struct sum_args, field)}

static const struct weft_arg_desc sum_arg_descs[] = {
	ARG(WEFT_ARG_CONSTANT, in), ARG(WEFT_ARG_GLOBAL, out), ARG(WEFT_ARG_GLOBAL, none),
	ARG(WEFT_ARG_LOCAL, local), ARG(WEFT_ARG_VALUE, number)};

static const struct weft_kernel_desc sum_desc = {
	.name = "sum",
	.entry = sum,
	.args = sum_arg_descs,
	.num_args = sizeof(sum_arg_descs) / sizeof(sum_arg_descs[0]),
	.args_size = sizeof(struct sum_args),
};

static struct node *new_sum(uint32_t device, const struct sum_args *args, uint64_t groups)
{
	struct node *node = node_new(devices[device], WEFT_OP_NDRANGE);

	node->command.launch = (struct weft_launch){
		.kernel = &sum_desc,
		.args = args,
		.local_bytes = 256,
		.range = {.global_size = {groups, 1, 1},
			  .local_size = {1, 1, 1},
			  .num_groups = {groups, 1, 1},
			  .work_dim = 1},
	};
	return node;
}

static void kernels_in_device_memory(void **state)
{
	enum { COUNT = 1000 };
	uint32_t numbers[COUNT];
	uint32_t result[COUNT];

	(void)state;
	open_all("memory=m;memory=m");
	void *in = allocate(0, sizeof(numbers));
	void *out = allocate(1, sizeof(numbers));
	for (uint32_t i = 0; i < COUNT; i++)
		numbers[i] = i * i;
	upload(0, in, numbers, sizeof(numbers));
	/* a chain over the two devices, which share their memory */
	struct sum_args args[] = {{in, out, NULL, 128, 3}, {out, in, NULL, 128, 4}};
	struct node *first = new_sum(0, &args[0], COUNT);
	struct node *second = new_sum(1, &args[1], COUNT);
	node_depend(second, first);
	node_submit(second);
	node_submit(first);
	assert_int_equal(node_wait(second), WEFT_OK);
	assert_int_equal(node_wait(first), WEFT_OK);
	node_free(first);
	node_free(second);
	download(1, result, in, sizeof(result));
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(result[i], i * i + 7);
	/* the arguments themselves have not changed */
	assert_ptr_equal(args[0].in, in);
	args[0].out = result;
	assert_int_equal(node_run(new_sum(0, &args[0], COUNT)), WEFT_INTERNAL);
	args[0].out = out;
	weft_alloc_fail_after(0); /* nothing is allocated any more */
	assert_int_equal(node_run(new_sum(0, &args[0], COUNT)), WEFT_OK);
	weft_alloc_fail_after(-1);
	close_all();
}

static _Atomic int32_t flag;

static void wait_for_flag(const struct weft_ndrange *range, const void *block,
			  struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)range;
	(void)block;
	(void)context;
	(void)first;
	(void)end;
	wait_for_word(&flag, 1);
}

/* The DMA engine goes on while the clusters have a kernel that takes its time; another kernel waits. */
/* Each work-item counts its local id, and once more behind a barrier. */
static void count_ids(const struct weft_ndrange *range, const void *block,
		      struct weft_work_context *context, uint64_t first, uint64_t end)
{
	(void)block;
	for (; first < end; first++) {
		for (uint32_t region = 0; region < 2; region++) {
			for (uint64_t i = 0; i < range->local_size[0]; i++)
				context->cycles[i] = i;
			context->measure(context, range->local_size[0], region);
		}
	}
}

static const struct weft_kernel_desc count_ids_desc = {
	.name = "count_ids", .entry = count_ids, .flags = WEFT_KERNEL_COUNTS_CYCLES};

static uint64_t time_of_count_ids(const char *machine, uint64_t items, uint64_t groups)
{
	open_all(machine);
	struct node *node = node_new(devices[0], WEFT_OP_NDRANGE);
	node->command.launch = (struct weft_launch){
		.kernel = &count_ids_desc,
		.range = {.global_size = {groups * items, 1, 1},
			  .local_size = {items, 1, 1},
			  .num_groups = {groups, 1, 1},
			  .work_dim = 1},
	};
	assert_int_equal(node_run(node), WEFT_OK);
	uint64_t time = accel_stats_read(devices[0]).kernel_cycles;
	close_all();
	return time;
}

/* The last of 4 elements has 9, 10 and 11 of 12 work-items; the last of the 6 out of 8 that have any, 10 and 11; and one
 * element, all. Two clusters run 5 groups in three rounds, or, when each has 4 at a time, in one. */
static void simulated_time(void **state)
{
	(void)state;
	assert_int_equal(time_of_count_ids("clusters=2,elements=4,groups=1", 12, 5),
			 1000 + 3 * (50 + 30 + 20 + 30));
	assert_int_equal(time_of_count_ids("clusters=2,elements=8,groups=1,barrier=0", 12, 5),
			 1000 + 3 * (50 + 21 + 21));
	assert_int_equal(
		time_of_count_ids("clusters=2,elements=16,groups=4,launch=0,dispatch=7", 12, 5),
		7 + 30 + 20 + 30);
	assert_int_equal(time_of_count_ids("clusters=2,elements=1", 12, 5), 1000 + 3 * (50 + 132));
	assert_int_equal(time_of_count_ids("clusters=1,elements=16,groups=1", 4096, 1),
			 1000 + 50 + 20 + 2 * (256 * (4096 + 3840 - 1) / 2));
	assert_int_equal(time_of_count_ids("clusters=1,elements=16,groups=1", 1, 1),
			 1000 + 50 + 20);
}

/* ---- traces ---------------------------------------------------------------------------------- */

enum { ROWS = 16 };

static char row_names[ROWS][32];
static uint64_t row_times[ROWS]; /* ns */

static void name_row(uint32_t device, uint32_t part, const char *name)
{
	(void)device;
	if (part < ROWS)
		snprintf(row_names[part], sizeof(row_names[part]), "%s", name);
}

static void add_to_row(struct weft_command *command, const struct weft_span *span)
{
	(void)command;
	if (span->part < ROWS)
		row_times[span->part] += span->end - span->start;
}

static void ignore_arrow(struct weft_command *command, const struct weft_arrow *arrow)
{
	(void)command;
	(void)arrow;
}

/* A launch of three groups of 3 work-items, which count 0, 1 and 2 cycles, twice: on 2 elements the first one has two of
 * them, the second one the last. The first cluster has two groups. */
static void elements_have_rows(void **state)
{
	struct weft_host looking = test_host;

	(void)state;
	looking.simulation = &(struct weft_host_simulation){name_row, add_to_row, ignore_arrow};
	told = &looking;
	memset(row_times, 0, sizeof(row_times));
	(void)time_of_count_ids("clusters=2,elements=2,groups=1,clock=1000,channels=1", 3, 3);
	assert_int_equal(row_times[4], 2 * 2 * 1);
	assert_int_equal(row_times[5], 2 * 2 * 2);
	assert_int_equal(row_times[6], 2 * 1);
	assert_int_equal(row_times[7], 2 * 2);
	assert_string_equal(row_names[3], "channel 0");
	assert_string_equal(row_names[4], "cluster 0 element 0");
	assert_string_equal(row_names[7], "cluster 1 element 1");
	memset(row_times, 0, sizeof(row_times));
	(void)time_of_count_ids("clusters=1,elements=257,groups=1,clock=1000,channels=1", 3, 1);
	assert_int_equal(row_times[1], 1000 + 50 + 2 * 2 + 20);
	assert_int_equal(row_times[3], 0);
	told = &test_host;
}

static void simulated_time_of_copies(void **state)
{
	unsigned char bytes[100] = {0};

	(void)state;
	open_all("dma_latency=30,dma_bytes=16");
	unsigned char *address = allocate(0, sizeof(bytes));
	upload(0, address, bytes, sizeof(bytes));
	assert_int_equal(accel_stats_read(devices[0]).dma_cycles, 30 + 7);
	download(0, bytes, address, 32);
	assert_int_equal(accel_stats_read(devices[0]).dma_cycles, 37 + 30 + 2);
	release(0, address);
	close_all();
}

static void copies_beside_kernels(void **state)
{
	const struct weft_kernel_desc waiting = {.name = "waiting", .entry = wait_for_flag};
	uint32_t number = 5;

	(void)state;
	open_all("channels=1");
	void *address = allocate(0, sizeof(number));
	struct sum_args args = {address, address, NULL, 0, 1};
	struct node *kernel = new_sum(0, &args, 1);
	struct node *next = new_sum(0, &args, 1);
	kernel->command.launch.kernel = &waiting;
	atomic_store(&flag, 0);
	node_submit(kernel);
	upload(0, address, &number, sizeof(number));
	download(0, &number, address, sizeof(number));
	assert_int_equal(number, 5);
	assert_int_equal(node_run(node_new(devices[0], WEFT_OP_NOTHING)), WEFT_OK);
	node_submit(next);
	assert_false(atomic_load(&kernel->ended) || atomic_load(&next->ended));
	atomic_store(&flag, 1);
	weft_futex_wake_all(&flag);
	assert_int_equal(node_wait(kernel), WEFT_OK);
	assert_int_equal(node_wait(next), WEFT_OK);
	assert_true(kernel->order < next->order);
	node_free(kernel);
	node_free(next);
	download(0, &number, address, sizeof(number));
	assert_int_equal(number, 6);
	close_all();
}

/* A sub-device works in its parent's memory, also when it is opened and closed between. */
static void sub_devices_share_memory(void **state)
{
	uint32_t number = 5;

	(void)state;
	open_all("clusters=4");
	void *address = allocate(0, sizeof(number));
	upload(0, address, &number, sizeof(number));
	assert_int_equal(driver->device->partition(devices[0], 1, 2, &devices[1]), WEFT_OK);
	num_devices = 2;
	assert_int_equal(devices[1]->properties.compute_units, 2);
	assert_int_equal(space_of(1), space_of(0));
	struct sum_args args = {address, address, NULL, 0, 7};
	assert_int_equal(node_run(new_sum(1, &args, 1)), WEFT_OK);
	void *more = allocate(1, sizeof(number));
	driver->device->close(devices[1]);
	num_devices = 1;
	download(0, &number, address, sizeof(number));
	assert_int_equal(number, 12);
	release(0, more);
	close_all();
}

/* The child of a fork has a copy of device memory, and a device that works. */
static void forked_memory(void **state)
{
	uint32_t number = 5;
	int status = 1;

	(void)state;
#if defined(__SANITIZE_THREAD__)
	skip();
#endif
	open_all("");
	void *address = allocate(0, sizeof(number));
	upload(0, address, &number, sizeof(number));
	pid_t child = fork_limited();
	assert_true(child >= 0);
	if (child == 0) {
		download(0, &number, address, sizeof(number));
		bool same = number == 5;
		number = 6;
		upload(0, address, &number, sizeof(number));
		_exit(same ? 0 : 2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	download(0, &number, address, sizeof(number));
	assert_int_equal(number, 5);
	close_all();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(properties_follow),
		cmocka_unit_test(a_mistake_is_no_device),
		cmocka_unit_test(devices_differ),
		cmocka_unit_test(opening_fails),
		cmocka_unit_test(random_allocations),
		cmocka_unit_test(full_memory),
		cmocka_unit_test(the_host_is_trapped),
		cmocka_unit_test(boxes_of_device_memory),
		cmocka_unit_test(copies_between_memories),
		cmocka_unit_test(wrong_addresses),
		cmocka_unit_test(kernels_in_device_memory),
		cmocka_unit_test(simulated_time),
		cmocka_unit_test(elements_have_rows),
		cmocka_unit_test(simulated_time_of_copies),
		cmocka_unit_test(copies_beside_kernels),
		cmocka_unit_test(sub_devices_share_memory),
		cmocka_unit_test(forked_memory),
	};
	int failures = run_description_tests() + run_accel_schedule_tests() + run_follow_tests() +
		       run_accel_clock_tests() + run_accel_cache_tests();

	failures += cmocka_run_group_tests_name("accel", tests, NULL, NULL);
	return failures != 0;
}
