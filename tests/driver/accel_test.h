/* SPDX-License-Identifier: MIT
 *
 * What the files of the accelerator's own tests share.
 */
#ifndef WEFT_TESTS_DRIVER_ACCEL_TEST_H
#define WEFT_TESTS_DRIVER_ACCEL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int run_description_tests(void);
int run_accel_schedule_tests(void);
int run_follow_tests(void);

#endif
