/* SPDX-License-Identifier: MIT
 *
 * The driver suite: the same tests for every driver. With an argument, only for the driver of that
 * name.
 */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct suite suite;

void *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");

	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	*size = (size_t)ftell(file);
	rewind(file);
	char *bytes = malloc(*size);
	if (bytes && fread(bytes, 1, *size, file) != *size) {
		free(bytes);
		bytes = NULL;
	}
	fclose(file);
	return bytes;
}

int suite_setup(void **state)
{
	size_t size;
	void *image = read_file(TEST_MODULE, &size);

	(void)state;
	assert_non_null(image);
	assert_int_equal(suite.driver->device->open(0, &test_host, &suite.device), WEFT_OK);
	assert_int_equal(suite.driver->program->load(suite.device, image, size, &suite.module),
			 WEFT_OK);
	free(image);
	return 0;
}

int suite_teardown(void **state)
{
	(void)state;
	suite.driver->program->unload(suite.device, suite.module);
	suite.driver->device->close(suite.device);
	assert_int_equal(host_mistakes(), 0);
	return 0;
}

struct node *new_launch(enum test_kernel kernel, const void *args, const uint64_t global[3],
			const uint64_t local[3])
{
	struct node *node = node_new(suite.device, WEFT_OP_NDRANGE);
	struct weft_launch *launch = &node->command.launch;

	launch->module = suite.module;
	launch->kernel = &suite.driver->program->describe(suite.module)->kernels[kernel];
	launch->args = args;
	launch->range.work_dim = 3;
	for (int d = 0; d < 3; d++) {
		launch->range.global_size[d] = global[d];
		launch->range.local_size[d] = local[d];
		launch->range.num_groups[d] = (global[d] + local[d] - 1) / local[d];
	}
	return node;
}

struct node *new_simple_launch(enum test_kernel kernel, const void *args, uint64_t groups)
{
	const uint64_t global[3] = {groups, 1, 1};
	const uint64_t local[3] = {1, 1, 1};

	return new_launch(kernel, args, global, local);
}

struct node *new_copy(void *destination, const void *source, size_t size)
{
	struct node *node = node_new(suite.device, WEFT_OP_COPY);

	node->command.copy = (struct weft_copy){
		.source = source,
		.destination = destination,
		.region = {size, 1, 1},
		.source_pitch = {size, size},
		.destination_pitch = {size, size},
	};
	return node;
}

struct node *new_native(void (*function)(void *), void *args)
{
	struct node *node = node_new(suite.device, WEFT_OP_NATIVE);

	node->command.native = (struct weft_native){.function = function, .args = args};
	return node;
}

int main(int argc, char **argv)
{
	static const struct weft_driver *const drivers[] = {
		&weft_basic_driver, &weft_pthread_driver, &weft_accel_driver};
	int failures = 0;

	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		suite.driver = drivers[i];
		if (argc > 1 && strcmp(argv[1], suite.driver->name) != 0 &&
		    strcmp(argv[1], "all") != 0)
			continue;
		srand(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1);
		print_message("---- %s\n", suite.driver->name);
		failures += run_transfer_tests();
		failures += run_launch_tests();
		failures += run_graph_tests();
		failures += run_print_tests();
		failures += run_life_tests();
		failures += run_partition_tests();
	}
	return failures != 0;
}
