/* SPDX-License-Identifier: MIT
 *
 * Cases as specifications of `weft schedule`: buffers are bytes, from files; arguments by value are words.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

static bool write_data(const char *folder, const char *name, unsigned index,
		       const struct argument *argument)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s.%u.raw", folder, name, index);
	FILE *file = fopen(path, "w");
	if (!file)
		return false;
	const bool done = fwrite(argument->data, 1, argument->size, file) == argument->size;
	return fclose(file) == 0 && done;
}

static void write_buffers(FILE *file, const char *name, const struct work *work,
			  enum argument_kind kind)
{
	const char *separator = "";

	fprintf(file, " \"%s\": [", kind == ARGUMENT_INPUT ? "ioBuffers" : "outputBuffers");
	for (unsigned i = 0; i < work->num_arguments; i++) {
		if (work->arguments[i].kind != kind)
			continue;
		fprintf(file, "%s\n  {\"pos\": %u, \"type\": \"uchar\", \"size\": %zu", separator,
			i, work->arguments[i].size);
		if (kind == ARGUMENT_INPUT)
			fprintf(file, ", \"file\": \"%s.%u.raw\"", name, i);
		fprintf(file, "}");
		separator = ",";
	}
	fprintf(file, "],\n");
}

static void write_value(FILE *file, unsigned index, const struct argument *argument)
{
	const size_t words = argument->size / sizeof(uint32_t);
	uint32_t word;

	fprintf(file, "{\"pos\": %u, \"type\": \"uint", index);
	if (words > 1)
		fprintf(file, "%zu", words);
	fprintf(file, "\", \"value\": %s", words > 1 ? "[" : "");
	for (size_t i = 0; i < words; i++) {
		memcpy(&word, (const char *)argument->data + i * sizeof(word), sizeof(word));
		fprintf(file, "%s%u", i ? ", " : "", word);
	}
	fprintf(file, "%s}", words > 1 ? "]" : "");
}

static void write_others(FILE *file, const struct work *work)
{
	const char *separator = "";

	fprintf(file, " \"varArguments\": [");
	for (unsigned i = 0; i < work->num_arguments; i++) {
		if (work->arguments[i].kind != ARGUMENT_SCALAR)
			continue;
		fprintf(file, "%s\n  ", separator);
		write_value(file, i, &work->arguments[i]);
		separator = ",";
	}
	fprintf(file, "],\n \"localArguments\": [");
	separator = "";
	for (unsigned i = 0; i < work->num_arguments; i++) {
		if (work->arguments[i].kind != ARGUMENT_LOCAL)
			continue;
		fprintf(file, "%s\n  {\"pos\": %u, \"type\": \"uchar\", \"size\": %zu}", separator,
			i, work->arguments[i].size);
		separator = ",";
	}
	fprintf(file, "],\n");
}

static void write_sizes(FILE *file, const char *name, const size_t *sizes, unsigned dimensions)
{
	fprintf(file, " \"%s\": [", name);
	for (unsigned d = 0; d < dimensions; d++)
		fprintf(file, "%s%zu", d ? ", " : "", sizes[d]);
	fprintf(file, "],\n");
}

static bool write_spec(const struct bench_case *bench, const struct work *work, const char *folder)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s.json", folder, bench->name);
	FILE *file = fopen(path, "w");
	if (!file)
		return false;
	fprintf(file, "{\n \"name\": \"%s\", \"src\": \"%s.cl\", \"split\": false,\n",
		bench->kernel, bench->name);
	write_sizes(file, "globalWorkSize", work->global, work->dimensions);
	if (work->local[0] > 0)
		write_sizes(file, "localWorkSize", work->local, work->dimensions);
	write_others(file, work);
	write_buffers(file, bench->name, work, ARGUMENT_INPUT);
	write_buffers(file, bench->name, work, ARGUMENT_OUTPUT);
	fprintf(file, " \"id\": \"%s\"\n}\n", bench->name);
	return fclose(file) == 0;
}

bool spec_write(const struct bench_case *bench, bool small, const char *folder)
{
	struct work work;

	work_prepare(&work, bench, small);
	bool done = bench->options[0] == 0;
	for (unsigned i = 0; done && i < work.num_arguments; i++) {
		const struct argument *argument = &work.arguments[i];

		done = argument->kind != ARGUMENT_SAMPLER && argument->picture.order == 0 &&
		       (argument->kind != ARGUMENT_SCALAR || argument->size % 4 == 0) &&
		       (argument->kind != ARGUMENT_INPUT ||
			write_data(folder, bench->name, i, argument));
	}
	done = done && write_spec(bench, &work, folder);
	work_release(&work);
	return done;
}
