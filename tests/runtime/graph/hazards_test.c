/* SPDX-License-Identifier: MIT
 *
 * In-order queues whose commands run in parallel: their order by what they access, the order in which they end, waits from
 * outside of the queue, and random accesses beside serial execution.
 */
#include "alloc.h"
#include "commands/mem_command.h"
#include "graph/event.h"
#include "graph_fixture.h"
#include "memory/access.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

static cl_command_queue make_queue(struct fixture *f, cl_command_queue_properties properties)
{
	return graph_queue(f->device, f->context, properties);
}

static int set_up(void **state, unsigned threads)
{
	static struct fixture fixture;

	graph_open(threads, &fixture.device, &fixture.context);
	fixture.queue = make_queue(&fixture, 0);
	assert_true(fixture.queue->parallel);
	*state = &fixture;
	return 0;
}

static int setup(void **state)
{
	return set_up(state, 0);
}

static int setup_threads(void **state)
{
	return set_up(state, 3);
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	int closes = fake_closes();

	weft_object_release_api(&f->queue->base);
	weft_object_release_api(&f->context->base);
	assert_int_equal(fake_closes(), closes);
	weft_object_put(&f->device->base);
	assert_int_equal(fake_wait_for_closes(closes + 1), closes + 1);
	return 0;
}

static void release(cl_event event)
{
	assert_true(weft_object_release_api(&event->base));
}

/* The list ends with NULL. */
static void release_all(const cl_event *events)
{
	for (; *events; events++)
		release(*events);
}

/* ---- commands -------------------------------------------------------------------------------- */

static char memory[2][64];

/* A rectangle of bytes in a picture of 8 bytes per row. */
static void add_rectangle(struct weft_access_builder *builder, const char *from,
			  const size_t size[3], enum weft_access_kind kind)
{
	const size_t start = (uintptr_t)from;
	const struct weft_rect rect = {start, start + 8 * (size[1] - 1) + size[0], 8, 64};
	const struct weft_region region = weft_region_of_rect(&rect, size);

	weft_accesses_add_region(builder, NULL, &region, kind);
}

/* "r0:0-16 w1:8-24 w0:2+4x3": reads and writes bytes of the two memories, and a rectangle. NULL: anything. */
static const struct weft_accesses *parse(const struct fixture *f, const char *text)
{
	static struct weft_access_builder builder;

	weft_access_builder_init(&builder, f->context);
	builder.list.anything = text == NULL;
	while (text && *text) {
		char *end;
		enum weft_access_kind kind =
			text[0] == 'w' ? WEFT_ACCESS_READ_WRITE : WEFT_ACCESS_READ;
		char *from = memory[text[1] - '0'];
		long first = strtol(text + 3, &end, 10);
		long last = strtol(end + 1, &end, 10);

		if (*end == 'x') {
			const size_t size[3] = {(size_t)last, strtoul(end + 1, &end, 10), 1};
			add_rectangle(&builder, from + first, size, kind);
		} else {
			weft_accesses_add_host(&builder, from + first, (size_t)(last - first),
					       kind);
		}
		text = *end ? end + 1 : end;
	}
	return &builder.list;
}

static cl_event enqueue_after(struct fixture *f, const char *text, cl_uint num_waits,
			      const cl_event *waits)
{
	const struct weft_enqueue enqueue = {f->queue, CL_COMMAND_NATIVE_KERNEL, num_waits, waits};
	cl_event event = NULL;

	assert_int_equal(weft_event_create(&enqueue, &event), CL_SUCCESS);
	assert_int_equal(weft_event_submit(event, parse(f, text), false, &event), CL_SUCCESS);
	return event;
}

static cl_event enqueue(struct fixture *f, const char *text)
{
	return enqueue_after(f, text, 0, NULL);
}

/* Whether the second of two commands may run before the first. */
static bool independent(struct fixture *f, const char *first_text, const char *second_text)
{
	cl_event first = enqueue(f, first_text);
	cl_event second = enqueue(f, second_text);
	bool ready = fake_is_ready(f->device, second);

	fake_run(f->device, first, WEFT_OK);
	assert_true(fake_is_ready(f->device, second));
	fake_run(f->device, second, WEFT_OK);
	assert_int_equal(weft_event_status(second), CL_COMPLETE);
	release(first);
	release(second);
	return ready;
}

static void what_is_shared_decides(void **state)
{
	struct fixture *f = *state;

	assert_true(independent(f, "w0:0-8", "w1:0-8"));
	assert_true(independent(f, "w0:0-8", "w0:8-16"));
	assert_true(independent(f, "r0:0-8", "r0:0-8"));
	assert_true(independent(f, "", "w0:0-8"));
	assert_true(independent(f, "w0:0-8", ""));
	assert_false(independent(f, "w0:0-8", "r0:0-8"));
	assert_false(independent(f, "r0:0-8", "w0:0-8"));
	assert_false(independent(f, "w0:0-8", "w0:0-8"));
	assert_false(independent(f, "w0:0-8", "r0:7-16"));
	assert_false(independent(f, "r0:0-64", "w0:63-64"));
	assert_false(independent(f, "r0:0-8 w1:0-8", "r1:0-1"));
	assert_true(independent(f, "w0:0+4x8", "w0:4+4x8"));
	assert_true(independent(f, "w0:0+4x8", "r0:12-16"));
	assert_false(independent(f, "w0:0+4x8", "r0:3+4x8"));
	assert_false(independent(f, "w0:0+4x8", "w0:7-9"));
	assert_false(independent(f, NULL, "r0:0-8"));
	assert_false(independent(f, "r0:0-8", NULL));
	assert_false(independent(f, NULL, NULL));
}

/* Writers that overlap grow to the range of both. */
static void rectangles_that_overlap(void **state)
{
	struct fixture *f = *state;
	cl_event left = enqueue(f, "w0:0+5x8");
	cl_event right = enqueue(f, "w0:3+5x8");
	cl_event corner = enqueue(f, "r0:0-1");
	cl_event all = enqueue(f, "w0:0-64");
	const cl_event events[] = {left, right, corner, all, NULL};

	assert_true(fake_is_ready(f->device, left));
	assert_false(fake_is_ready(f->device, right) || fake_is_ready(f->device, corner));
	fake_run(f->device, left, WEFT_OK);
	assert_true(fake_is_ready(f->device, right));
	assert_false(fake_is_ready(f->device, corner)); /* it reads none of what `right` writes */
	fake_run(f->device, right, WEFT_OK);
	assert_false(fake_is_ready(f->device, all));
	fake_run(f->device, corner, WEFT_OK);
	fake_run(f->device, all, WEFT_OK);
	release_all(events);
}

static void writer_waits_for_every_reader(void **state)
{
	struct fixture *f = *state;
	cl_event write = enqueue(f, "w0:0-16");
	cl_event one = enqueue(f, "r0:0-16");
	cl_event part = enqueue(f, "r0:4-8");
	cl_event more = enqueue(f, "r0:8-32");
	cl_event next = enqueue(f, "w0:0-8");
	cl_event far = enqueue(f, "w0:32-40");
	cl_event after = enqueue(f, "r0:12-16");

	assert_int_equal(fake_num_ready(f->device), 2);
	assert_true(fake_is_ready(f->device, far));
	fake_run(f->device, write, WEFT_OK);
	assert_int_equal(fake_num_ready(f->device), 4);
	fake_run(f->device, more, WEFT_OK);
	fake_run(f->device, one, WEFT_OK);
	assert_false(fake_is_ready(f->device, next));
	fake_run(f->device, part, WEFT_OK);
	assert_true(fake_is_ready(f->device, next));
	fake_run(f->device, next, WEFT_OK);
	fake_run_all(f->device);
	assert_int_equal(weft_event_status(after), CL_COMPLETE);
	release_all((const cl_event[]){write, one, part, more, next, far, after, NULL});
}

/* A write takes the place of notes that it only touches, and of its own. */
static void ranges_that_grow_together(void **state)
{
	struct fixture *f = *state;
	cl_event gate = enqueue(f, "w1:0-1");
	cl_event a = enqueue(f, "r1:0-1 w0:5-25");
	cl_event b = enqueue(f, "r1:0-1 r0:0-10 w0:20-30");
	cl_event c = enqueue(f, "r1:0-1 w0:0-6 w0:24-40 r0:10-12");
	cl_event d = enqueue(f, "r0:39-40");

	fake_run(f->device, gate, WEFT_OK);
	assert_int_equal(fake_num_ready(f->device), 1);
	fake_run(f->device, a, WEFT_OK);
	assert_int_equal(fake_num_ready(f->device), 1);
	fake_run(f->device, b, WEFT_OK);
	assert_int_equal(fake_num_ready(f->device), 1);
	fake_run(f->device, c, WEFT_OK);
	fake_run(f->device, d, WEFT_OK);
	assert_int_equal(weft_event_status(d), CL_COMPLETE);
	release_all((const cl_event[]){gate, a, b, c, d, NULL});
}

/* ---- mapped memory --------------------------------------------------------------------------- */

#define MAPPED 64 /* bytes */

static cl_mem make_buffer(struct fixture *f)
{
	const struct weft_buffer_desc desc = {
		.context = f->context, .flags = CL_MEM_READ_WRITE, .size = MAPPED};
	cl_mem mem = NULL;

	assert_int_equal(weft_buffer_create(&desc, &mem), CL_SUCCESS);
	return mem;
}

static cl_event write_to(struct fixture *f, cl_mem mem)
{
	const struct weft_enqueue enqueue = {f->queue, CL_COMMAND_NDRANGE_KERNEL, 0, NULL};
	struct weft_access_builder accesses;
	cl_event event = NULL;

	weft_access_builder_init(&accesses, f->context);
	weft_accesses_add(&accesses, mem, 0, MAPPED, WEFT_ACCESS_WRITE);
	assert_int_equal(weft_event_create(&enqueue, &event), CL_SUCCESS);
	assert_int_equal(weft_event_submit(event, &accesses.list, false, &event), CL_SUCCESS);
	return event;
}

/* What a command takes from the pointer of a map that has not run is there only when the map has. */
static void mapped_memory_comes_after_its_map(void **state)
{
	struct fixture *f = *state;
	const struct weft_enqueue enqueue = {f->queue, CL_COMMAND_MAP_BUFFER, 0, NULL};
	const struct weft_rect rect = {0, MAPPED, MAPPED, MAPPED};
	cl_mem from = make_buffer(f);
	cl_mem to = make_buffer(f);
	const struct weft_mem_map map = {
		from, CL_MAP_READ, {0, MAPPED, MAPPED, MAPPED}, {MAPPED, 1, 1}};
	struct weft_region region;
	struct weft_mem_copy copy = {{NULL, NULL, rect}, {to, NULL, rect}, {MAPPED, 1, 1}};
	cl_event mapped = NULL;
	cl_event copied = NULL;

	cl_event written = write_to(f, from);
	assert_int_equal(weft_mem_enqueue_map(&enqueue, &map, false, &mapped, &copy.source.host),
			 CL_SUCCESS);
	assert_int_equal(weft_mem_enqueue_copy(&enqueue, &copy, false, &copied), CL_SUCCESS);
	assert_int_equal(fake_num_ready(f->device), 1);
	fake_run(f->device, written, WEFT_OK);
	assert_false(fake_is_ready(f->device, copied));
	fake_run(f->device, mapped, WEFT_OK);
	assert_true(fake_is_ready(f->device, copied));
	fake_run(f->device, copied, WEFT_OK);
	assert_true(weft_mem_unmap(from, copy.source.host, &region));
	release_all((const cl_event[]){written, mapped, copied, NULL});
	weft_object_release_api(&from->base);
	weft_object_release_api(&to->base);
}

/* ---- what can be observed -------------------------------------------------------------------- */

static void ends_keep_the_order(void **state)
{
	struct fixture *f = *state;
	cl_event first = enqueue(f, "w0:0-8");
	cl_event second = enqueue(f, "w0:8-16");
	cl_event third = enqueue(f, "r0:8-16");
	cl_command_queue other = make_queue(f, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	const struct weft_enqueue desc = {other, CL_COMMAND_NATIVE_KERNEL, 1, &third};
	cl_event outside = NULL;

	assert_int_equal(weft_event_create(&desc, &outside), CL_SUCCESS);
	assert_int_equal(weft_event_submit(outside, NULL, false, &outside), CL_SUCCESS);
	fake_run(f->device, second, WEFT_OK);
	fake_run(f->device, third, WEFT_OUT_OF_RESOURCES);
	assert_int_equal(weft_event_status(second), CL_SUBMITTED);
	assert_int_equal(weft_event_status(third), CL_SUBMITTED);
	assert_false(fake_is_ready(f->device, outside));
	fake_run(f->device, first, WEFT_OK);
	assert_int_equal(weft_event_status(second), CL_COMPLETE);
	assert_int_equal(weft_event_status(third), CL_OUT_OF_RESOURCES);
	assert_int_equal(weft_event_status(outside), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	release_all((const cl_event[]){first, second, third, outside, NULL});
	weft_object_release_api(&other->base);
}

static void what_waits_for_elsewhere_holds_back_the_rest(void **state)
{
	struct fixture *f = *state;
	cl_event gate = NULL;

	assert_int_equal(weft_event_create_user(f->context, &gate), CL_SUCCESS);
	cl_event before = enqueue(f, "w0:0-8");
	cl_event behind = enqueue_after(f, "w0:8-16", 1, &gate);
	cl_event later = enqueue(f, "w1:0-8");

	assert_int_equal(fake_num_ready(f->device), 1);
	fake_run(f->device, before, WEFT_OK);
	assert_int_equal(fake_num_ready(f->device), 0);
	assert_int_equal(weft_event_set_user_status(gate, CL_COMPLETE), CL_SUCCESS);
	assert_true(fake_is_ready(f->device, behind));
	assert_false(fake_is_ready(f->device, later));
	fake_run_all(f->device);
	/* An ended event holds nothing back. */
	cl_event free = enqueue_after(f, "w0:8-16", 1, &gate);
	cl_event beside = enqueue(f, "w1:0-8");
	assert_int_equal(fake_num_ready(f->device), 2);
	fake_run_all(f->device);
	release_all((const cl_event[]){gate, before, behind, later, free, beside, NULL});
}

static void queue_with_profiling_is_serial(void **state)
{
	struct fixture *f = *state;
	cl_command_queue parallel = f->queue;

	f->queue = make_queue(f, CL_QUEUE_PROFILING_ENABLE);
	assert_false(independent(f, "w0:0-8", "w1:0-8"));
	weft_object_release_api(&f->queue->base);
	f->queue = parallel;
}

static void queue_is_released_with_commands_in_flight(void **state)
{
	struct fixture *f = *state;
	cl_command_queue kept = f->queue;

	f->queue = make_queue(f, 0);
	cl_event first = enqueue(f, "w0:0-8");
	cl_event second = enqueue(f, "r0:0-8 w1:0-8");
	cl_event third = enqueue(f, "w0:8-16");
	weft_object_release_api(&f->queue->base);
	f->queue = kept;
	release(third);
	release(second);
	fake_run(f->device, third, WEFT_OK);
	fake_run(f->device, first, WEFT_OK);
	release(first);
	fake_run_all(f->device);
}

/* Whatever allocation fails: the order is at least as strict. */
static void without_memory_everything_is_ordered(void **state)
{
	struct fixture *f = *state;

	for (long n = 0; n < 12; n++) {
		cl_event first = enqueue(f, "w0:0-8 r1:0-8");
		cl_event events[3];
		const char *const texts[3] = {"r0:0-8 w1:0-4", "w0:4-12", "r1:0-8 w0:0-1"};

		for (int i = 0; i < 3; i++) {
			const struct weft_enqueue desc = {f->queue, CL_COMMAND_NATIVE_KERNEL, 0,
							  NULL};
			assert_int_equal(weft_event_create(&desc, &events[i]), CL_SUCCESS);
			const struct weft_accesses *accesses = parse(f, texts[i]);
			weft_alloc_fail_after(n);
			(void)weft_event_submit(events[i], accesses, false, &events[i]);
			weft_alloc_fail_after(-1);
		}
		assert_int_equal(fake_num_ready(f->device), 1);
		fake_run(f->device, first, WEFT_OK);
		for (int i = 0; i < 3; i++) {
			assert_int_equal(fake_num_ready(f->device), 1);
			fake_run(f->device, events[i], WEFT_OK);
			assert_int_equal(weft_event_status(events[i]), CL_COMPLETE);
			release(events[i]);
		}
		release(first);
	}
}

/* ---- beside serial execution ----------------------------------------------------------------- */

#define CELLS 24
#define ROW 6 /* cells in a row of rectangles */
#define COMMANDS 6000

struct access {
	int begin;
	int end;
	int width; /* of a row from `begin` on; ROW: whole rows, a range */
	bool writes;
};

struct work {
	struct access accesses[3];
	int count;
	unsigned seen; /* a digest of what it read */
};

static unsigned cells[CELLS];
static struct work works[COMMANDS];

static bool has(const struct access *access, int at)
{
	return (at - access->begin) % ROW < access->width;
}

static void touch(struct work *work, unsigned *in)
{
	unsigned digest = 17;

	for (int i = 0; i < work->count; i++) {
		for (int at = work->accesses[i].begin; at < work->accesses[i].end; at++) {
			if (has(&work->accesses[i], at))
				digest = digest * 31 + in[at];
		}
	}
	for (int i = 0; i < work->count; i++) {
		for (int at = work->accesses[i].begin; at < work->accesses[i].end; at++) {
			if (work->accesses[i].writes && has(&work->accesses[i], at))
				in[at] = digest + (unsigned)at;
		}
	}
	work->seen = digest;
}

static void run_work(void *argument)
{
	touch(argument, cells);
}

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

static void set_random(struct access *access, unsigned *seed)
{
	access->begin = (int)(next_random(seed) % CELLS);
	access->end = access->begin + 1 + (int)(next_random(seed) % 6);
	access->width = ROW;
	if (next_random(seed) % 2) {
		access->width = 1 + (int)(next_random(seed) % ROW);
		access->end = access->begin + access->width + ROW * (int)(next_random(seed) % 3);
	}
	if (access->end > CELLS)
		*access = (struct access){.begin = CELLS - 3, .end = CELLS, .width = ROW};
	access->writes = next_random(seed) % 3 == 0;
}

static void add_access(struct weft_access_builder *accesses, const struct access *access)
{
	const size_t cell = sizeof(cells[0]), row = ROW * cell;
	const size_t bytes = (size_t)(access->end - access->begin) * cell;
	const size_t start = (uintptr_t)&cells[access->begin];
	const struct weft_rect rect = {start, start + bytes, row, 2 * CELLS * cell};
	const size_t size[3] = {(size_t)access->width * cell, (bytes - 1) / row + 1, 1};
	const struct weft_region region = access->width == ROW
						  ? weft_region_of_range(start, start + bytes)
						  : weft_region_of_rect(&rect, size);

	weft_accesses_add_region(accesses, NULL, &region,
				 access->writes ? WEFT_ACCESS_READ_WRITE : WEFT_ACCESS_READ);
}

static void enqueue_work(struct fixture *f, struct work *work, unsigned *seed)
{
	const struct weft_enqueue desc = {f->queue, CL_COMMAND_NATIVE_KERNEL, 0, NULL};
	struct weft_access_builder accesses;
	cl_event event = NULL;

	weft_access_builder_init(&accesses, f->context);
	work->count = (int)(next_random(seed) % 4);
	for (int i = 0; i < work->count; i++) {
		struct access *access = &work->accesses[i];

		set_random(access, seed);
		add_access(&accesses, access);
	}
	accesses.list.anything = next_random(seed) % 64 == 0;
	assert_int_equal(weft_event_create(&desc, &event), CL_SUCCESS);
	event->command.op = WEFT_OP_NATIVE;
	event->command.native.function = run_work;
	event->command.native.args = work;
	bool blocking = next_random(seed) % 64 == 0;
	assert_int_equal(weft_event_submit(event, &accesses.list, blocking, NULL), CL_SUCCESS);
}

static void random_accesses_compute_what_serial_execution_does(void **state)
{
	struct fixture *f = *state;
	unsigned expected[CELLS];

	for (unsigned seed = 1; seed <= 5; seed++) {
		unsigned random = seed;

		memset(cells, 0, sizeof(cells));
		memset(expected, 0, sizeof(expected));
		for (int i = 0; i < COMMANDS; i++)
			enqueue_work(f, &works[i], &random);
		assert_int_equal(weft_queue_finish(f->queue), CL_SUCCESS);
		for (int i = 0; i < COMMANDS; i++) {
			unsigned seen = works[i].seen;

			touch(&works[i], expected);
			assert_int_equal(works[i].seen, seen);
		}
		assert_memory_equal(cells, expected, sizeof(cells));
	}
}

/* ---- what a command keeps alive -------------------------------------------------------------- */

static bool kept_destroyed;

static void destroy_kept(struct weft_object *object)
{
	(void)object;
	kept_destroyed = true;
}

/* The application can see that an object goes, by its destructor callback: not before it can see the end of what came
 * before the command that used it. */
static void objects_stay_until_the_end(void **state)
{
	struct fixture *f = *state;
	const struct weft_enqueue enqueue_desc = {f->queue, CL_COMMAND_NATIVE_KERNEL, 0, NULL};
	struct weft_object kept;
	cl_event first = enqueue(f, "w0:0-8");
	cl_event second = NULL;

	weft_object_init(&kept, WEFT_OBJECT_MEM, destroy_kept);
	kept_destroyed = false;
	assert_int_equal(weft_event_create(&enqueue_desc, &second), CL_SUCCESS);
	assert_int_equal(weft_event_hold(second, &kept), CL_SUCCESS);
	assert_int_equal(weft_event_submit(second, parse(f, "w1:0-8"), false, &second), CL_SUCCESS);
	weft_object_release_api(&kept);
	fake_run(f->device, second, WEFT_OK);
	assert_false(kept_destroyed);
	assert_true(weft_event_status(second) > CL_COMPLETE);
	fake_run(f->device, first, WEFT_OK);
	assert_true(kept_destroyed);
	assert_int_equal(weft_event_status(second), CL_COMPLETE);
	release(first);
	release(second);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(what_is_shared_decides),
		TEST(rectangles_that_overlap),
		TEST(writer_waits_for_every_reader),
		TEST(ranges_that_grow_together),
		TEST(mapped_memory_comes_after_its_map),
		TEST(ends_keep_the_order),
		TEST(what_waits_for_elsewhere_holds_back_the_rest),
		TEST(queue_with_profiling_is_serial),
		TEST(queue_is_released_with_commands_in_flight),
		TEST(without_memory_everything_is_ordered),
		TEST(objects_stay_until_the_end),
		cmocka_unit_test_setup_teardown(random_accesses_compute_what_serial_execution_does,
						setup_threads, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
