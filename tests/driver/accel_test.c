/* SPDX-License-Identifier: MIT
 *
 * What only accelerators have: devices as described, kernels in device memory, and sub-devices and forks that share it.
 */
#include "accel_test.h"

#include "alloc.h"
#include "child.h"
#include "driver/stats.h"
#include "driver_optional.h"
#include "futex.h"
#include "host.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct weft_device *devices[MOST];
uint32_t num_devices;

const struct weft_driver *const driver = &weft_accel_driver;
const struct weft_host *told = &test_host;

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

weft_space space_of(uint32_t device)
{
	return devices[device]->properties.space;
}

unsigned char *allocate(uint32_t device, size_t size)
{
	void *address;

	assert_int_equal(driver->memory->allocate(devices[device], size, 128, &address), WEFT_OK);
	assert_int_equal((uintptr_t)address % 128, 0);
	return address;
}

void release(uint32_t device, void *address)
{
	driver->memory->release(devices[device], address);
}

enum weft_status copy(uint32_t device, struct side to, struct side from, size_t size)
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

void upload(uint32_t device, void *address, void *bytes, size_t size)
{
	const struct side from = {bytes, WEFT_SPACE_HOST};

	assert_int_equal(copy(device, (struct side){address, space_of(device)}, from, size),
			 WEFT_OK);
}

void download(uint32_t device, void *bytes, void *address, size_t size)
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
		cmocka_unit_test(kernels_in_device_memory),
		cmocka_unit_test(copies_beside_kernels),
		cmocka_unit_test(sub_devices_share_memory),
		cmocka_unit_test(forked_memory),
	};
	int failures = run_description_tests() + run_accel_schedule_tests() + run_follow_tests() +
		       run_accel_clock_tests() + run_accel_simulated_cache_tests() +
		       run_accel_memory_tests() + run_accel_call_ring_tests() +
		       run_accel_time_tests() + run_accel_group_timeline_tests();

	failures += cmocka_run_group_tests_name("accel", tests, NULL, NULL);
	return failures != 0;
}
