/* SPDX-License-Identifier: MIT
 *
 * Random command buffers on each driver, with kernels from the real compiler, so that what it says about their arguments
 * counts: replayed between other commands of the queue, updated now and then. They compute what serial execution does.
 */
#include "compiled_fixture.h"

#include "command_buffers.h"

#define BUFFERS 4
#define PARTS 4
#define PART 64 /* words */
#define WORDS ((size_t)PARTS * PART)
#define STEPS 60
#define REPLAYS 25

static const char *const source =
	"global uint count;\n"
	"kernel void mix(global const uint *a, global uint *b, uint n) {\n"
	"  size_t i = get_global_id(0); b[i] = b[i] * 31 + a[i] + n;\n"
	"}\n"
	"kernel void number(global uint *out) {\n" /* touches what no argument leads to */
	"  if (get_global_id(0) == 0) out[0] = ++count;\n"
	"}\n";

/* A buffer or a part of it. */
struct place {
	cl_mem mem;
	size_t start; /* words, in `expected` of the buffer */
	size_t words;
	cl_uint *expected;
};

enum kind { MIX, NUMBER, FILL, COPY, BARRIER, KINDS };

struct step {
	enum kind kind;
	size_t from; /* places; of different buffers */
	size_t to;
	cl_uint n;
	cl_mutable_command_khr handle; /* of MIX */
	cl_sync_point_khr point;
};

struct device_state {
	cl_context context;
	cl_command_queue queue; /* in order */
	cl_program program;
	cl_kernel mix;
	cl_kernel number;
	struct place places[BUFFERS * (PARTS + 1)];
	cl_uint expected[BUFFERS][WORDS];
	cl_uint expected_count;
	struct step steps[STEPS];
};

static struct device_state d;

/* ---- a device -------------------------------------------------------------------------------- */

static void make_places(size_t alignment)
{
	assert_true(PART * sizeof(cl_uint) % alignment == 0);
	for (size_t i = 0; i < BUFFERS; i++) {
		struct place *whole = &d.places[i * (PARTS + 1)];

		fixture_random_bytes((unsigned char *)d.expected[i], sizeof(d.expected[i]));
		*whole = (struct place){NULL, 0, WORDS, d.expected[i]};
		whole->mem = clCreateBuffer(d.context, CL_MEM_COPY_HOST_PTR, sizeof(d.expected[i]),
					    d.expected[i], NULL);
		assert_non_null(whole->mem);
		for (size_t part = 0; part < PARTS; part++)
			whole[1 + part] = (struct place){
				fixture_sub_buffer(whole->mem, 0, part * PART * sizeof(cl_uint),
						   PART * sizeof(cl_uint)),
				part * PART, PART, d.expected[i] + part * PART};
	}
}

static void open_device(cl_device_id device, size_t alignment)
{
	d = (struct device_state){0};
	d.context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	d.queue = clCreateCommandQueueWithProperties(d.context, device, NULL, NULL);
	d.program = clCreateProgramWithSource(d.context, 1, (const char **)(uintptr_t)&source, NULL,
					      NULL);
	assert_int_equal(clBuildProgram(d.program, 1, &device, "-cl-std=CL3.0", NULL, NULL),
			 CL_SUCCESS);
	d.mix = clCreateKernel(d.program, "mix", NULL);
	d.number = clCreateKernel(d.program, "number", NULL);
	assert_non_null(d.mix);
	assert_non_null(d.number);
	make_places(alignment);
}

static void close_device(void)
{
	for (size_t i = BUFFERS * (PARTS + 1); i-- > 0;)
		assert_int_equal(clReleaseMemObject(d.places[i].mem), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(d.mix), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(d.number), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(d.program), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(d.queue), CL_SUCCESS);
	assert_int_equal(clReleaseContext(d.context), CL_SUCCESS);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Two places of different buffers, both whole or both parts. */
static void choose_places(struct step *step)
{
	bool whole = fixture_random_below(4) == 0;
	size_t first = fixture_random_below(BUFFERS);
	size_t second = (first + 1 + fixture_random_below(BUFFERS - 1)) % BUFFERS;

	step->from = first * (PARTS + 1) + (whole ? 0 : 1 + fixture_random_below(PARTS));
	step->to = second * (PARTS + 1) + (whole ? 0 : 1 + fixture_random_below(PARTS));
}

static void choose(struct step *step)
{
	size_t number = fixture_random_below(20);

	*step = (struct step){.n = fixture_random()};
	step->kind = number < 14 ? MIX : number < 16 ? COPY : (enum kind)(number - 15);
	if (step->kind >= KINDS)
		step->kind = MIX;
	choose_places(step);
}

static void simulate(const struct step *step)
{
	const struct place *from = &d.places[step->from];
	const struct place *to = &d.places[step->to];

	for (size_t i = 0; i < to->words && step->kind != BARRIER && step->kind != NUMBER; i++) {
		if (step->kind == MIX)
			to->expected[i] = to->expected[i] * 31 + from->expected[i] + step->n;
		else
			to->expected[i] = step->kind == FILL ? step->n : from->expected[i];
	}
	if (step->kind == NUMBER)
		to->expected[0] = ++d.expected_count;
}

static cl_int record_mix(cl_command_buffer_khr buffer, struct step *step, cl_uint num_waits,
			 const cl_sync_point_khr *waits)
{
	const struct place *to = &d.places[step->to];

	clSetKernelArg(d.mix, 0, sizeof(cl_mem), &d.places[step->from].mem);
	clSetKernelArg(d.mix, 1, sizeof(cl_mem), &to->mem);
	clSetKernelArg(d.mix, 2, sizeof(step->n), &step->n);
	return ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, d.mix, 1, NULL, &to->words, NULL,
					     num_waits, waits, &step->point, &step->handle);
}

static cl_int record(cl_command_buffer_khr buffer, struct step *step, cl_uint num_waits,
		     const cl_sync_point_khr *waits)
{
	const struct place *from = &d.places[step->from];
	const struct place *to = &d.places[step->to];
	size_t bytes = to->words * sizeof(cl_uint);

	switch (step->kind) {
	case MIX:
		return record_mix(buffer, step, num_waits, waits);
	case NUMBER:
		clSetKernelArg(d.number, 0, sizeof(cl_mem), &to->mem);
		return ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, d.number, 1, NULL,
						     &to->words, NULL, num_waits, waits,
						     &step->point, NULL);
	case FILL:
		return ext.clCommandFillBufferKHR(buffer, NULL, NULL, to->mem, &step->n,
						  sizeof(step->n), 0, bytes, num_waits, waits,
						  &step->point, NULL);
	case COPY:
		return ext.clCommandCopyBufferKHR(buffer, NULL, NULL, from->mem, to->mem, 0, 0,
						  bytes, num_waits, waits, &step->point, NULL);
	case BARRIER:
	case KINDS:
		break;
	}
	return ext.clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, num_waits, waits,
						   &step->point, NULL);
}

/* On an out-of-order queue each step waits for the one before it. */
static cl_command_buffer_khr record_steps(cl_command_queue queue, bool waits)
{
	cl_command_buffer_khr buffer = command_buffer_for(queue, CL_COMMAND_BUFFER_MUTABLE_KHR);

	for (size_t i = 0; i < STEPS; i++) {
		choose(&d.steps[i]);
		assert_int_equal(record(buffer, &d.steps[i], waits && i > 0,
					waits && i > 0 ? &d.steps[i - 1].point : NULL),
				 CL_SUCCESS);
	}
	command_buffer_finalize(buffer);
	return buffer;
}

static void update(cl_command_buffer_khr buffer, struct step *step)
{
	static const cl_command_buffer_update_type_khr type = WEFT_MUTABLE_DISPATCH_CONFIG;

	choose_places(step);
	step->n = fixture_random();
	const cl_mutable_dispatch_arg_khr args[] = {{0, sizeof(cl_mem), &d.places[step->from].mem},
						    {1, sizeof(cl_mem), &d.places[step->to].mem},
						    {2, sizeof(step->n), &step->n}};
	const struct weft_mutable_dispatch_config config = {.command = step->handle,
							    .num_args = 3,
							    .arg_list = args,
							    .global_work_size =
								    &d.places[step->to].words};
	const void *configs[] = {&config};

	assert_int_equal(ext.clUpdateMutableCommandsKHR(buffer, 1, &type, configs), CL_SUCCESS);
}

static void update_some(cl_command_buffer_khr buffer)
{
	for (size_t i = fixture_random_below(3); i < STEPS; i += 1 + fixture_random_below(40)) {
		if (d.steps[i].kind == MIX)
			update(buffer, &d.steps[i]);
	}
}

/* ---- replays --------------------------------------------------------------------------------- */

/* A command of the queue itself, between two replays. */
static void enqueue_fill(void)
{
	struct step step = {.kind = FILL, .n = fixture_random()};

	choose_places(&step);
	assert_int_equal(
		clEnqueueFillBuffer(d.queue, d.places[step.to].mem, &step.n, sizeof(step.n), 0,
				    d.places[step.to].words * sizeof(cl_uint), 0, NULL, NULL),
		CL_SUCCESS);
	simulate(&step);
}

static void compare(void)
{
	static cl_uint words[WORDS];

	for (size_t i = 0; i < BUFFERS; i++) {
		assert_int_equal(clEnqueueReadBuffer(d.queue, d.places[i * (PARTS + 1)].mem,
						     CL_TRUE, 0, sizeof(words), words, 0, NULL,
						     NULL),
				 CL_SUCCESS);
		assert_memory_equal(words, d.expected[i], sizeof(words));
	}
}

static void replay(cl_command_buffer_khr buffer)
{
	for (int turn = 0; turn < REPLAYS; turn++) {
		if (fixture_random_below(3) == 0)
			update_some(buffer);
		if (fixture_random_below(2) == 0)
			enqueue_fill();
		assert_int_equal(ext.clEnqueueCommandBufferKHR(1, &d.queue, buffer, 0, NULL, NULL),
				 CL_SUCCESS);
		for (size_t i = 0; i < STEPS; i++)
			simulate(&d.steps[i]);
		if (fixture_random_below(5) == 0)
			compare();
	}
	compare();
}

static void replays_on_each_driver(void **state)
{
	static const cl_queue_properties unordered[] = {CL_QUEUE_PROPERTIES,
							CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
	struct fixture *f = *state;
	cl_device_id devices[2];
	cl_platform_id platform;

	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < 2; i++) {
		open_device(devices[i], f->alignment);
		cl_command_queue other =
			clCreateCommandQueueWithProperties(d.context, devices[i], unordered, NULL);

		for (int round = 0; round < 6; round++) {
			cl_command_buffer_khr buffer =
				record_steps(round % 2 ? other : d.queue, round % 2);

			replay(buffer);
			command_buffer_release(buffer);
		}
		assert_int_equal(clReleaseCommandQueue(other), CL_SUCCESS);
		close_device();
	}
}

static int set_up(void **state)
{
	setenv("WEFT_DEVICES", "pthread,basic", 1); /* before the library looks at its options */
	int err = compiled_set_up(state);

	command_buffers_find();
	return err;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(replays_on_each_driver)};

	return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
