/* SPDX-License-Identifier: MIT
 *
 * Reads files of specifications: one kernel, a graph of kernels, or a list of such files with a partition and a dataset each.
 */
#include "spec/read.h"

#include "strbuf.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRESET_DATASET 1024
#define PRESET_PARTITION 5
#define MOST_PARTITION 10

/* ---- members of a kernel ------------------------------------------------------------------------- */

static bool read_id(const struct weft_json *kernel, struct weft_spec_kernel *result)
{
	const struct weft_json id = weft_json_member(kernel, "id");
	const struct weft_json name = weft_json_member(kernel, "name");

	if (!weft_read_copy(&name, &result->name))
		return false;
	if (!result->name || !*result->name)
		return weft_json_fail(&name, "the name of a kernel function is wanted");
	if (asprintf(&result->place, "%s:%u", kernel->file->name, weft_json_line(kernel)) < 0) {
		result->place = NULL;
		return weft_fail_memory(kernel->file->error);
	}
	return !id.value || weft_read_id(&id, &result->id);
}

/* Beside the file; or, as PySchedCL has it, in the folder kernel_src beside the file's folder; or in --sources. */
static bool find_source(const struct weft_reading *reading, const struct weft_json *at,
			const char *name, char **path)
{
	const char *folders[] = {"", "../kernel_src/", reading->settings->sources};
	const bool is_absolute = *name == '/';

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders) && folders[i]; i++) {
		const char *before = is_absolute || i == 2 ? "" : reading->folder;
		const char *folder = is_absolute ? "" : folders[i];

		if (asprintf(path, "%s%s%s%s", before, folder, i == 2 ? "/" : "", name) < 0) {
			*path = NULL;
			return weft_fail_memory(at->file->error);
		}
		if (access(*path, R_OK) == 0)
			return true;
		free(*path);
		*path = NULL;
	}
	return weft_json_fail(at, "there is no file '%s'", name);
}

static bool read_source(const struct weft_reading *reading, const struct weft_json *kernel)
{
	const struct weft_json src = weft_json_member(kernel, "src");
	const char *name = NULL;

	return weft_json_text(&src, &name) &&
	       find_source(reading, &src, name, &reading->kernel->source);
}

/* symbolicVariables: names for this kernel's expressions. */
static bool read_variables(const struct weft_json *kernel, struct weft_variables *variables)
{
	const struct weft_json at = weft_json_member(kernel, "symbolicVariables");
	const struct weft_json dataset = weft_json_member(kernel, "dataset");
	const char *key = NULL;
	json_t *value = NULL;
	int64_t number = PRESET_DATASET;

	if (dataset.value && !weft_json_whole(&dataset, 1, INT64_MAX, &number))
		return false;
	/* Each kernel runs as a whole, whatever its parts are: they see its whole sizes. */
	if (!weft_variables_set(variables, "dataset", number) ||
	    !weft_variables_set(variables, "size_percent", 100) ||
	    !weft_variables_set(variables, "offset_percent", 0))
		return weft_fail_memory(kernel->file->error);
	if (!at.value)
		return true;
	if (!json_is_object(at.value))
		return weft_json_fail(&at, "an object is wanted");
	json_object_foreach(at.value, key, value)
	{
		const struct weft_json member = weft_json_member(&at, key);

		if (!weft_json_whole(&member, INT64_MIN, INT64_MAX, &number))
			return false;
		if (!weft_variables_set(variables, key, number))
			return weft_fail_memory(kernel->file->error);
	}
	return true;
}

/* Those of the command line win. */
static bool override_variables(const struct weft_variables *given, struct weft_variables *variables)
{
	for (size_t i = 0; given && i < given->count; i++) {
		if (!weft_variables_set(variables, given->items[i].name, given->items[i].value))
			return false;
	}
	return true;
}

static bool read_sizes(const struct weft_reading *reading, const struct weft_json *at,
		       size_t sizes[WEFT_MOST_DIMENSIONS], unsigned *dimensions)
{
	struct weft_number numbers[WEFT_EXPRESSION_LIST];
	int64_t product = 1;
	size_t count = 0;

	if (!weft_read_numbers(reading, at, numbers, &count))
		return false;
	if (count > WEFT_MOST_DIMENSIONS)
		return weft_json_fail(at, "a list of 1 to 3 numbers is wanted");
	for (size_t i = 0; i < WEFT_MOST_DIMENSIONS; i++) {
		const int64_t size = i < count ? numbers[i].whole : 1;

		if (i < count && (numbers[i].is_real || size < 1))
			return weft_json_fail(at, "a size is no whole number from 1 on");
		if (__builtin_mul_overflow(product, size, &product) ||
		    product > WEFT_MOST_WORK_ITEMS)
			return weft_json_fail(at, "there are too many work-items");
		sizes[i] = (size_t)size;
	}
	*dimensions = (unsigned)count;
	return true;
}

/* A list may be shorter than workDimension says, as some of PySchedCL's are: it counts. */
static bool read_range(const struct weft_reading *reading, const struct weft_json *kernel)
{
	const struct weft_json dimensions = weft_json_member(kernel, "workDimension");
	const struct weft_json global = weft_json_member(kernel, "globalWorkSize");
	const struct weft_json local = weft_json_member(kernel, "localWorkSize");
	struct weft_spec_kernel *result = reading->kernel;
	int64_t number = WEFT_MOST_DIMENSIONS;
	unsigned local_dimensions = 0;

	if (dimensions.value && !weft_json_whole(&dimensions, 1, WEFT_MOST_DIMENSIONS, &number))
		return false;
	if (!read_sizes(reading, &global, result->global, &result->dimensions))
		return false;
	if (result->dimensions > (unsigned)number)
		return weft_json_fail(&global, "the list has more sizes than workDimension says");
	if (!local.value || (json_is_array(local.value) && weft_json_count(&local) == 0))
		return true;
	result->has_local = true;
	if (!read_sizes(reading, &local, result->local, &local_dimensions))
		return false;
	if (local_dimensions > result->dimensions)
		return weft_json_fail(&local, "the list is longer than globalWorkSize");
	for (unsigned i = 0; i < result->dimensions; i++) {
		if (result->global[i] % result->local[i] != 0)
			return weft_json_fail(&local, "%zu is not divisible by %zu",
					      result->global[i], result->local[i]);
	}
	return true;
}

static bool read_depends(const struct weft_json *kernel, struct weft_spec_kernel *result)
{
	const struct weft_json list = weft_json_member(kernel, "depends");

	if (!list.value)
		return true;
	if (!weft_json_check_array(&list))
		return false;
	result->depends_ids = (char **)calloc(weft_json_count(&list) + 1, sizeof(char *));
	if (!result->depends_ids)
		return weft_fail_memory(kernel->file->error);
	for (size_t i = 0; i < weft_json_count(&list); i++) {
		const struct weft_json at = weft_json_element(&list, i);

		if (!weft_read_id(&at, &result->depends_ids[result->num_depends_ids++]))
			return false;
	}
	return true;
}

/* A real number stays one: 1.0 is not 1. */
static void add_macro(struct weft_strbuf *options, const char *key,
		      const struct weft_number *number)
{
	if (!number->is_real)
		weft_strbuf_printf(options, "-D %s=%lld ", key, (long long)number->whole);
	else
		weft_strbuf_printf(options, "-D %s=%.16e ", key, number->real);
}

/* macros_values: names that the program's source is built with. A text that is a variable's name stands for its value. */
static bool read_macros(const struct weft_reading *reading, const struct weft_json *kernel)
{
	const struct weft_json at = weft_json_member(kernel, "macros_values");
	struct weft_strbuf options = {0};
	const char *key = NULL;
	json_t *value = NULL;
	bool done = true;

	if (at.value && !json_is_object(at.value))
		return weft_json_fail(&at, "an object is wanted");
	json_object_foreach(at.value, key, value)
	{
		const struct weft_json member = weft_json_member(&at, key);
		struct weft_number numbers[WEFT_EXPRESSION_LIST];
		size_t count = 0;

		done = weft_read_numbers(reading, &member, numbers, &count);
		if (done && (count != 1 || !weft_is_name(key)))
			done = weft_json_fail(&member, "a name and one number are wanted");
		if (!done)
			break;
		add_macro(&options, key, &numbers[0]);
	}
	weft_strbuf_puts(&options, "");
	if (done && options.failed)
		done = weft_fail_memory(kernel->file->error);
	if (done)
		reading->kernel->options = options.data ? options.data : strdup("");
	else
		weft_strbuf_destroy(&options);
	return done && (reading->kernel->options || weft_fail_memory(kernel->file->error));
}

/* "ecos" by the dataset's size, or "eco" for all. */
static bool read_weights(const struct weft_reading *reading, const struct weft_json *kernel)
{
	const struct weft_json ecos = weft_json_member(kernel, "ecos");
	const struct weft_json partition = weft_json_member(kernel, "partition");
	const struct weft_json split = weft_json_member(kernel, "split");
	const int64_t *given = weft_variables_get(reading->settings->variables, "partition");
	char dataset[32];

	snprintf(dataset, sizeof(dataset), "%lld",
		 (long long)*weft_variables_get(reading->variables, "dataset"));
	if (split.value && !json_is_boolean(split.value))
		return weft_json_fail(&split, "true or false is wanted");
	reading->kernel->is_whole = json_is_false(split.value);
	if (ecos.value && !json_is_object(ecos.value))
		return weft_json_fail(&ecos, "an object is wanted");
	struct weft_json eco = weft_json_member(&ecos, dataset);
	if (!eco.value)
		eco = weft_json_member(kernel, "eco");
	reading->kernel->eco = 1;
	if (eco.value && !json_is_number(eco.value))
		return weft_json_fail(&eco, "a number is wanted");
	if (eco.value)
		reading->kernel->eco = json_number_value(eco.value);
	reading->kernel->partition = PRESET_PARTITION;
	if (partition.value &&
	    !weft_json_whole(&partition, 0, MOST_PARTITION, &reading->kernel->partition))
		return false;
	if (given)
		reading->kernel->partition = *given;
	reading->kernel->has_partition = partition.value || given;
	return true;
}

static bool read_kernel(struct weft_reading *reading, const struct weft_json *kernel,
			struct weft_variables *variables)
{
	/* What follows "dataset" is PySchedCL's own and says nothing here. */
	static const char *const known[] = {"name",
					    "id",
					    "src",
					    "workDimension",
					    "globalWorkSize",
					    "localWorkSize",
					    "inputBuffers",
					    "outputBuffers",
					    "ioBuffers",
					    "varArguments",
					    "localArguments",
					    "depends",
					    "partition",
					    "eco",
					    "ecos",
					    "macros_values",
					    "symbolicVariables",
					    "dataset",
					    "split",
					    "task",
					    "cpuArguments",
					    "gpuArguments",
					    "localChunkFactor",
					    "globalChunkFactor",
					    NULL};

	if (!weft_json_check_members(kernel, known) || !read_id(kernel, reading->kernel) ||
	    !read_variables(kernel, variables))
		return false;
	if (!override_variables(reading->settings->variables, variables))
		return weft_fail_memory(kernel->file->error);
	reading->variables = variables;
	return read_source(reading, kernel) && read_range(reading, kernel) &&
	       read_macros(reading, kernel) && read_weights(reading, kernel) &&
	       read_depends(kernel, reading->kernel) && weft_read_buffers(reading, kernel) &&
	       weft_read_arguments(reading, kernel);
}

/* ---- files --------------------------------------------------------------------------------------- */

static bool add_kernel(struct weft_spec *spec, struct weft_reading *reading,
		       const struct weft_json *at)
{
	struct weft_variables variables = {0};

	struct weft_spec_kernel *kernels = (struct weft_spec_kernel *)realloc(
		spec->kernels, (spec->count + 1) * sizeof(*kernels));
	if (!kernels)
		return weft_fail_memory(at->file->error);
	spec->kernels = kernels;
	reading->kernel = &kernels[spec->count++];
	*reading->kernel = (struct weft_spec_kernel){.graph = spec->num_graphs};
	const bool done = read_kernel(reading, at, &variables);
	weft_variables_destroy(&variables);
	return done;
}

static bool read_kernels(struct weft_spec *spec, struct weft_reading *reading,
			 const struct weft_json_file *file)
{
	const struct weft_json root = weft_json_root(file);

	if (!json_is_array(root.value))
		return add_kernel(spec, reading, &root);
	for (size_t i = 0; i < weft_json_count(&root); i++) {
		const struct weft_json at = weft_json_element(&root, i);

		if (!add_kernel(spec, reading, &at))
			return false;
	}
	return true;
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("");
}

static bool read_json(struct weft_spec *spec, const char *path,
		      const struct weft_spec_settings *settings, struct weft_error *error)
{
	struct weft_reading reading = {.settings = settings, .folder = folder_of(path)};
	struct weft_json_file file;

	if (!reading.folder)
		return weft_fail_memory(error);
	bool done = weft_json_open(&file, path, error);
	if (done) {
		done = read_kernels(spec, &reading, &file);
		spec->num_graphs++;
		weft_json_close(&file);
	}
	free(reading.folder);
	return done;
}

/* The next word of a line, as a number from `least` to `most`. */
static bool take_number(char **rest, long long least, long long most, long long *number)
{
	const char *word = strtok_r(NULL, " \t\r\n", rest);
	char *end = NULL;

	errno = 0;
	*number = word ? strtoll(word, &end, 10) : 0;
	return word && *end == 0 && errno == 0 && *number >= least && *number <= most;
}

static bool read_task_file(struct weft_spec *spec, const char *list, const char *name,
			   const struct weft_spec_settings *settings, struct weft_error *error)
{
	char *folder = *name == '/' ? strdup("") : folder_of(list);
	char *path = NULL;

	if (!folder || asprintf(&path, "%s%s", folder, name) < 0) {
		free(folder);
		return weft_fail_memory(error);
	}
	const bool done = read_json(spec, path, settings, error);
	free(folder);
	free(path);
	return done;
}

/* "NAME.json PARTITION DATASET". What `given` sets wins. */
static bool read_task(struct weft_spec *spec, const char *list, char *line,
		      const struct weft_spec_settings *given, struct weft_error *error)
{
	struct weft_variables variables = {0};
	const struct weft_spec_settings settings = {.variables = &variables,
						    .sources = given->sources};
	char *rest = NULL;
	const char *name = strtok_r(line, " \t\r\n", &rest);
	long long partition = 0;
	long long dataset = 0;

	if (!take_number(&rest, 0, MOST_PARTITION, &partition) ||
	    !take_number(&rest, 1, LLONG_MAX, &dataset) || strtok_r(NULL, " \t\r\n", &rest))
		return weft_fail(error,
				 "a file, a partition from 0 to 10 and a dataset are wanted");
	const bool done = weft_variables_set(&variables, "partition", partition) &&
					  weft_variables_set(&variables, "dataset", dataset) &&
					  override_variables(given->variables, &variables)
				  ? read_task_file(spec, list, name, &settings, error)
				  : weft_fail_memory(error);
	weft_variables_destroy(&variables);
	return done;
}

static bool read_tasks(struct weft_spec *spec, const char *path,
		       const struct weft_spec_settings *settings, struct weft_error *error)
{
	struct weft_error problem = {0};
	unsigned number = 0;
	char *line = NULL;
	size_t room = 0;
	bool done = true;

	FILE *file = fopen(path, "re");
	if (!file)
		return weft_fail(error, "%s: %s", path, strerror(errno));
	while (done && getline(&line, &room, file) >= 0) {
		number++;
		if (line[strspn(line, " \t\r\n")] == 0)
			continue;
		done = read_task(spec, path, line, settings, &problem);
		if (!done)
			weft_fail(error, "%s:%u: %s", path, number, problem.text);
	}
	if (done && !feof(file))
		done = weft_fail(error, "%s: %s", path, strerror(errno));
	free(line);
	fclose(file);
	return done;
}

bool weft_spec_read(struct weft_spec *spec, const char *path,
		    const struct weft_spec_settings *settings, struct weft_error *error)
{
	const char *dot = strrchr(path, '.');

	return dot && strcmp(dot, ".task") == 0 ? read_tasks(spec, path, settings, error)
						: read_json(spec, path, settings, error);
}
