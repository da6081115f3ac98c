/* SPDX-License-Identifier: MIT
 *
 * What the files of the accelerator's own tests share.
 */
#ifndef WEFT_TESTS_DRIVER_ACCEL_TEST_H
#define WEFT_TESTS_DRIVER_ACCEL_TEST_H

#include "driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 4 };

/* The accelerators that are open. */
extern struct weft_device *devices[MOST];
extern uint32_t num_devices;

/* Opens what the text describes. */
void open_all(const char *text);
void close_all(void);

int run_description_tests(void);
int run_accel_schedule_tests(void);
int run_accel_clock_tests(void);
int run_accel_cache_tests(void);
int run_follow_tests(void);

#endif
