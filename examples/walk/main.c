/* SPDX-License-Identifier: MIT
 *
 * walk: an index of a text's words, a tree like any other of a C program, made with malloc and pointers. A kernel walks it, for
 * every word of the text at once, without a copy of anything: it gets the root as an argument, and follows the pointers.
 *
 * usage: walk [TEXT]; without a file, it indexes its own source.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the kernel sees it (walk.cl). */
struct word {
	struct word *before, *after;
	char *text;
	cl_uint lines; /* that have the word */
	cl_uint last;  /* of these */
};

static void must(int right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "walk: %s\n", what);
	exit(1);
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");

	must(file != NULL, path);
	must(fseek(file, 0, SEEK_END) == 0, path);
	const long size = ftell(file);
	must(size >= 0, path);
	must(fseek(file, 0, SEEK_SET) == 0, path);
	char *text = malloc((size_t)size + 1);
	must(text != NULL, "out of memory");
	must(fread(text, 1, (size_t)size, file) == (size_t)size, path);
	text[size] = 0;
	fclose(file);
	return text;
}

/* ---- the index: nothing here knows of OpenCL ------------------------------------------------- */

struct index {
	struct word *root;
	char **words; /* of the text, in its order */
	size_t count;
	size_t room;
};

static struct word *new_word(char *text)
{
	struct word *word = calloc(1, sizeof(*word));

	must(word != NULL, "out of memory");
	word->text = text;
	return word;
}

static void add(struct index *index, char *text, cl_uint line)
{
	struct word **place = &index->root;

	if (index->count == index->room) {
		index->room = index->room ? 2 * index->room : 1024;
		char **words = realloc(index->words, index->room * sizeof(char *));
		must(words != NULL, "out of memory");
		index->words = words;
	}
	index->words[index->count++] = text;
	while (*place && strcmp(text, (*place)->text) != 0)
		place = strcmp(text, (*place)->text) < 0 ? &(*place)->before : &(*place)->after;
	if (!*place)
		*place = new_word(text);
	(*place)->lines += (*place)->last != line;
	(*place)->last = line;
}

/* Cuts the text into words. */
static void index_text(struct index *index, char *text)
{
	cl_uint line = 1;

	while (*text) {
		char *start = text;

		while (isalnum((unsigned char)*text) || *text == '_')
			text++;
		const char end = *text;
		if (end)
			*text++ = 0;
		if (*start)
			add(index, start, line);
		line += end == '\n';
	}
}

static const struct word *find(const struct word *at, const char *text)
{
	while (at && strcmp(text, at->text) != 0)
		at = strcmp(text, at->text) < 0 ? at->before : at->after;
	return at;
}

static void release(struct word *word)
{
	if (!word)
		return;
	release(word->before);
	release(word->after);
	free(word);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static cl_device_id find_device(void)
{
	cl_device_svm_capabilities capabilities = 0;
	cl_platform_id platform;
	cl_device_id device;

	must(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "no OpenCL");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS,
	     "no CPU device");
	must(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(capabilities),
			     &capabilities, NULL) == CL_SUCCESS &&
		     (capabilities & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM),
	     "the device does not reach the program's memory");
	return device;
}

static cl_program build(cl_context context)
{
	char *source = read_file(WALK_KERNELS);
	const char *lines = source;
	cl_program program = clCreateProgramWithSource(context, 1, &lines, NULL, NULL);

	must(program && clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS,
	     "the kernel does not build");
	free(source);
	return program;
}

/* For each word of the text: the number of lines that have it. */
static void look_up(const struct index *index, cl_uint *lines)
{
	cl_device_id device = find_device();
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
	cl_program program = build(context);
	cl_kernel kernel = clCreateKernel(program, "look_up", NULL);

	must(kernel && queue, "no kernel");
	must(clSetKernelArgSVMPointer(kernel, 0, index->root) == CL_SUCCESS &&
		     clSetKernelArgSVMPointer(kernel, 1, index->words) == CL_SUCCESS &&
		     clSetKernelArgSVMPointer(kernel, 2, lines) == CL_SUCCESS,
	     "clSetKernelArgSVMPointer");
	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &index->count, NULL, 0, NULL, NULL) ==
			     CL_SUCCESS &&
		     clFinish(queue) == CL_SUCCESS,
	     "the kernel does not run");
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
}

int main(int argc, char **argv)
{
	char *text = read_file(argc > 1 ? argv[1] : WALK_TEXT);
	struct index index = {0};
	size_t most = 0;

	index_text(&index, text);
	must(index.count > 0, "no words");
	cl_uint *lines = calloc(index.count, sizeof(*lines));
	must(lines != NULL, "out of memory");
	look_up(&index, lines);
	for (size_t i = 0; i < index.count; i++) {
		must(lines[i] == find(index.root, index.words[i])->lines,
		     "a wrong number of lines");
		if (lines[i] > lines[most])
			most = i;
	}
	printf("%zu words; \"%s\" is in %u lines, more than any other\n", index.count,
	       index.words[most], lines[most]);
	release(index.root);
	free(index.words);
	free(lines);
	free(text);
	return 0;
}
