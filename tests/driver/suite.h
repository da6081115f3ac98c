/* SPDX-License-Identifier: MIT
 *
 * What the files of the driver suite share: the driver under test, its open device and the test
 * module. Each file has a group of tests, which driver_test.c runs on every driver.
 */
#ifndef WEFT_TESTS_DRIVER_SUITE_H
#define WEFT_TESTS_DRIVER_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host.h"
#include "test_kernels.h"

struct suite {
	const struct weft_driver *driver;
	struct weft_device *device;
	struct weft_module *module;
};

extern struct suite suite;

/* Opens and closes the device and the module around each test; fails for a driver's mistakes. */
int suite_setup(void **state);
int suite_teardown(void **state);

/* Whether the device runs functions of the host; a test of what they do has nothing to do otherwise. */
static inline bool runs_native(void)
{
	return suite.device->properties.runs_native;
}

/* The whole file, to be freed. */
void *read_file(const char *path, size_t *size);

/* An NDRange command of the suite's device and module. `args` is borrowed until it ends. */
struct node *new_launch(enum test_kernel kernel, const void *args, const uint64_t global[3],
			const uint64_t local[3]);
/* The same with `groups` groups of one work-item. */
struct node *new_simple_launch(enum test_kernel kernel, const void *args, uint64_t groups);
struct node *new_copy(void *destination, const void *source, size_t size);
struct node *new_native(void (*function)(void *), void *args);

#define SUITE_TEST(function) cmocka_unit_test_setup_teardown(function, suite_setup, suite_teardown)

int run_transfer_tests(void);
int run_launch_tests(void);
int run_graph_tests(void);
int run_print_tests(void);
int run_life_tests(void);
int run_partition_tests(void);

#endif
