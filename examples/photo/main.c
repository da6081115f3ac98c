/* SPDX-License-Identifier: MIT
 *
 * photo [-o RESULT.png] [PICTURE.png]: develops a picture with OpenCL on the first device of the
 * first platform: measures it, maps its tones, removes noise, sharpens. Without a picture it makes
 * one of 3000 x 2000 pixels and writes that too. Checks the result against a reference on the host.
 */
#include "photo.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TILE 16          /* the width and height of a work-group of the filters */
#define MEASURE_ITEMS 64 /* of a work-group that measures */
#define MEASURE_GROUPS 64
#define MAX_STEPS 16

struct opencl {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	/* What ran, for the times at the end. */
	const char *names[MAX_STEPS];
	cl_event events[MAX_STEPS];
	int num_steps;
};

struct options {
	const char *source; /* NULL: make a picture */
	const char *result;
};

void fail(const char *format, ...)
{
	va_list args;

	fputs("photo: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

void *allocate(size_t count, size_t size)
{
	void *block = calloc(count, size);

	if (!block)
		fail("out of memory (%zu times %zu bytes)", count, size);
	return block;
}

static void check(cl_int error, const char *what)
{
	if (error != CL_SUCCESS)
		fail("%s failed with OpenCL error %d", what, error);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- OpenCL ---------------------------------------------------------------------------------- */

static void open_device(struct opencl *cl)
{
	cl_platform_id platform;
	cl_uint count = 0;
	char names[3][256];
	cl_int error = clGetPlatformIDs(1, &platform, &count);

	if (error != CL_SUCCESS || count == 0)
		fail("no OpenCL driver found: point OCL_ICD_VENDORS at build/release/vendors "
		     "(error %d)",
		     error);
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &cl->device, NULL), "clGetDeviceIDs");
	check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(names[0]), names[0], NULL),
	      "clGetPlatformInfo");
	check(clGetDeviceInfo(cl->device, CL_DEVICE_NAME, sizeof(names[1]), names[1], NULL),
	      "clGetDeviceInfo");
	check(clGetDeviceInfo(cl->device, CL_DEVICE_VERSION, sizeof(names[2]), names[2], NULL),
	      "clGetDeviceInfo");
	cl_uint units = 0;
	check(clGetDeviceInfo(cl->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL),
	      "clGetDeviceInfo");
	printf("platform  %s\ndevice    %s, %u compute units, %s\n", names[0], names[1], units,
	       names[2]);

	cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &error);
	check(error, "clCreateContext");
	cl->queue =
		clCreateCommandQueue(cl->context, cl->device, CL_QUEUE_PROFILING_ENABLE, &error);
	check(error, "clCreateCommandQueue");
}

static char *read_text(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	long end = -1;

	if (file && fseek(file, 0, SEEK_END) == 0)
		end = ftell(file);
	if (end < 0 || fseek(file, 0, SEEK_SET) != 0)
		fail("cannot read %s", path);
	char *text = allocate((size_t)end + 1, 1);
	*size = fread(text, 1, (size_t)end, file);
	fclose(file);
	return text;
}

static void build_program(struct opencl *cl)
{
	size_t size;
	char *source = read_text(PHOTO_KERNELS, &size);
	char options[64];
	cl_int error;

	cl->program =
		clCreateProgramWithSource(cl->context, 1, (const char **)&source, &size, &error);
	check(error, "clCreateProgramWithSource");
	snprintf(options, sizeof(options), "-D RADIUS=%d -D TILE=%d", BLUR_RADIUS, TILE);
	error = clBuildProgram(cl->program, 1, &cl->device, options, NULL, NULL);
	if (error == CL_BUILD_PROGRAM_FAILURE) {
		char log[8192] = "";
		clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, sizeof(log),
				      log, NULL);
		fail("the kernels do not build:\n%s", log);
	}
	check(error, "clBuildProgram");
	free(source);
}

static cl_mem make_buffer(const struct opencl *cl, cl_mem_flags flags, size_t size,
			  const void *bytes)
{
	cl_int error;
	cl_mem buffer = clCreateBuffer(cl->context, flags, size, (void *)(uintptr_t)bytes, &error);

	check(error, "clCreateBuffer");
	return buffer;
}

struct argument {
	size_t size;
	const void *value;
};

/* The arguments' values, for run(): each is a variable. */
#define ARGUMENT(variable) {sizeof(variable), &(variable)}
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void run(struct opencl *cl, const char *name, const struct argument *arguments, size_t count,
		const size_t global[2], const size_t local[2])
{
	cl_int error;
	cl_kernel kernel = clCreateKernel(cl->program, name, &error);
	cl_event event;

	check(error, name);
	for (size_t i = 0; i < count; i++)
		check(clSetKernelArg(kernel, (cl_uint)i, arguments[i].size, arguments[i].value),
		      name);
	check(clEnqueueNDRangeKernel(cl->queue, kernel, 2, NULL, global, local, 0, NULL, &event),
	      name);
	check(clReleaseKernel(kernel), "clReleaseKernel");
	cl->names[cl->num_steps] = name;
	cl->events[cl->num_steps++] = event;
}

static void print_times(const struct opencl *cl)
{
	for (int i = 0; i < cl->num_steps; i++) {
		cl_ulong start, end;
		check(clGetEventProfilingInfo(cl->events[i], CL_PROFILING_COMMAND_START,
					      sizeof(start), &start, NULL),
		      "clGetEventProfilingInfo");
		check(clGetEventProfilingInfo(cl->events[i], CL_PROFILING_COMMAND_END, sizeof(end),
					      &end, NULL),
		      "clGetEventProfilingInfo");
		printf("          %-13s %8.2f ms\n", cl->names[i], 1e-6 * (double)(end - start));
	}
}

static void close_device(struct opencl *cl)
{
	for (int i = 0; i < cl->num_steps; i++)
		check(clReleaseEvent(cl->events[i]), "clReleaseEvent");
	check(clReleaseProgram(cl->program), "clReleaseProgram");
	check(clReleaseCommandQueue(cl->queue), "clReleaseCommandQueue");
	check(clReleaseContext(cl->context), "clReleaseContext");
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* The exposure that brings the picture's mean (of the logarithm) to a middle grey. */
static float measure_exposure(struct opencl *cl, cl_mem pixels, cl_uint count)
{
	const size_t global[] = {MEASURE_ITEMS * MEASURE_GROUPS, 1}, local[] = {MEASURE_ITEMS, 1};
	float partial[MEASURE_GROUPS];
	double sum = 0.0;
	cl_mem sums = make_buffer(cl, CL_MEM_WRITE_ONLY, sizeof(partial), NULL);
	const struct argument arguments[] = {ARGUMENT(pixels),
					     ARGUMENT(count),
					     ARGUMENT(sums),
					     {MEASURE_ITEMS * sizeof(float), NULL}};

	run(cl, "measure", arguments, COUNT(arguments), global, local);
	check(clEnqueueReadBuffer(cl->queue, sums, CL_TRUE, 0, sizeof(partial), partial, 0, NULL,
				  NULL),
	      "clEnqueueReadBuffer");
	check(clReleaseMemObject(sums), "clReleaseMemObject");
	for (int i = 0; i < MEASURE_GROUPS; i++)
		sum += (double)partial[i];
	return (float)(0.16 / exp2(sum / (double)count));
}

static void make_settings(struct settings *settings, float exposure)
{
	const double sigma = 2.4;
	double sum = 0.0, weights[COUNT(settings->weights)];

	for (int i = -BLUR_RADIUS; i <= BLUR_RADIUS; i++)
		sum += weights[i + BLUR_RADIUS] = exp(-i * i / (2.0 * sigma * sigma));
	for (size_t i = 0; i < COUNT(weights); i++)
		settings->weights[i] = (float)(weights[i] / sum);
	settings->exposure = exposure;
	settings->denoise = 55.0f;
	settings->sharpen = 0.9f;
}

static size_t round_up(size_t value, size_t multiple)
{
	return (value + multiple - 1) / multiple * multiple;
}

/* Runs the kernels; `result` gets the 8-bit pixels. */
static void develop(struct opencl *cl, const struct picture *picture, struct settings *settings,
		    uint8_t (*result)[4])
{
	const cl_uint count = (cl_uint)picture->width * (cl_uint)picture->height;
	const cl_int2 size = {{picture->width, picture->height}};
	const size_t flat[] = {round_up(count, 64), 1}, flat_local[] = {64, 1},
		     tile[] = {TILE, TILE};
	const size_t area[] = {round_up((size_t)picture->width, TILE),
			       round_up((size_t)picture->height, TILE)};
	const size_t bytes = count * sizeof(cl_float4);
	cl_mem source = make_buffer(cl, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR,
				    count * sizeof(*picture->pixels), picture->pixels);

	make_settings(settings, measure_exposure(cl, source, count));
	cl_mem weights = make_buffer(cl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
				     sizeof(settings->weights), settings->weights);
	cl_mem mapped = make_buffer(cl, CL_MEM_READ_WRITE, bytes, NULL);
	cl_mem clean = make_buffer(cl, CL_MEM_READ_WRITE, bytes, NULL);
	cl_mem rows = make_buffer(cl, CL_MEM_READ_WRITE, bytes, NULL);
	cl_mem output = make_buffer(cl, CL_MEM_WRITE_ONLY, count * sizeof(*result), NULL);

	const struct argument mapping[] = {ARGUMENT(source), ARGUMENT(count),
					   ARGUMENT(settings->exposure), ARGUMENT(mapped)};
	run(cl, "tone_map", mapping, COUNT(mapping), flat, flat_local);
	const struct argument cleaning[] = {ARGUMENT(mapped), ARGUMENT(size),
					    ARGUMENT(settings->denoise), ARGUMENT(clean)};
	run(cl, "denoise", cleaning, COUNT(cleaning), area, tile);
	const struct argument across[] = {ARGUMENT(clean), ARGUMENT(size), ARGUMENT(weights),
					  ARGUMENT(rows)};
	run(cl, "blur_rows", across, COUNT(across), area, tile);
	const struct argument down[] = {ARGUMENT(rows), ARGUMENT(size), ARGUMENT(weights),
					ARGUMENT(mapped)};
	run(cl, "blur_columns", down, COUNT(down), area, tile);
	const struct argument finishing[] = {ARGUMENT(clean), ARGUMENT(mapped), ARGUMENT(size),
					     ARGUMENT(settings->sharpen), ARGUMENT(output)};
	run(cl, "sharpen", finishing, COUNT(finishing), area, tile);
	check(clEnqueueReadBuffer(cl->queue, output, CL_TRUE, 0, count * sizeof(*result), result, 0,
				  NULL, NULL),
	      "clEnqueueReadBuffer");

	const cl_mem buffers[] = {source, weights, mapped, clean, rows, output};
	for (size_t i = 0; i < COUNT(buffers); i++)
		check(clReleaseMemObject(buffers[i]), "clReleaseMemObject");
}

/* The picture as it came, for comparison: beside the result, "-before" added to its name. */
static void write_before(const struct picture *picture, const char *result)
{
	size_t count = (size_t)picture->width * (size_t)picture->height;
	uint8_t (*pixels)[4] = allocate(count, sizeof(*pixels));
	size_t stem = strlen(result);
	char path[4096];

	for (size_t i = 0; i < count; i++) {
		for (int c = 0; c < 4; c++) {
			float light = (float)picture->pixels[i][c] / WHITE;
			pixels[i][c] = (uint8_t)(255.0f * powf(light, 1.0f / 2.2f) + 0.5f);
		}
	}
	if (stem > 4 && strcmp(result + stem - 4, ".png") == 0)
		stem -= 4;
	if (snprintf(path, sizeof(path), "%.*s-before.png", (int)stem, result) >= (int)sizeof(path))
		fail("the path is too long: %s", result);
	write_png(path, picture->width, picture->height, (const uint8_t (*)[4])pixels);
	printf("before    %s\n", path);
	free(pixels);
}

static struct options parse(int argc, char **argv)
{
	struct options options = {NULL, "photo.png"};

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
			options.result = argv[++i];
		else if (argv[i][0] == '-' || options.source)
			fail("usage: photo [-o RESULT.png] [PICTURE.png]");
		else
			options.source = argv[i];
	}
	return options;
}

int main(int argc, char **argv)
{
	const struct options options = parse(argc, argv);
	struct opencl cl = {0};
	struct settings settings;
	size_t checked;

	open_device(&cl);
	double start = seconds();
	build_program(&cl);
	printf("kernels   %-13s %8.2f ms\n", "built in", 1e3 * (seconds() - start));

	struct picture picture = options.source ? read_png(options.source) : make_scene(3000, 2000);
	printf("picture   %s, %d x %d pixels\n",
	       options.source ? options.source : "made by the example", picture.width,
	       picture.height);
	if (!options.source)
		write_before(&picture, options.result);
	uint8_t (*result)[4] =
		allocate((size_t)picture.width * (size_t)picture.height, sizeof(*result));
	start = seconds();
	develop(&cl, &picture, &settings, result);
	printf("developed %-13s %8.2f ms\n", "in", 1e3 * (seconds() - start));
	print_times(&cl);

	size_t wrong =
		count_differences(&picture, &settings, (const uint8_t (*)[4])result, &checked);
	if (wrong)
		fail("%zu of %zu checked pixels differ from the host's reference", wrong, checked);
	write_png(options.result, picture.width, picture.height, (const uint8_t (*)[4])result);
	printf("checked   %zu pixels against the host's reference: right\nresult    %s\n", checked,
	       options.result);
	close_device(&cl);
	free(result);
	free(picture.pixels);
	return EXIT_SUCCESS;
}
