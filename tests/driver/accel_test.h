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

extern const struct weft_driver *const driver; /* weft_accel_driver */
extern const struct weft_host *told;           /* the host of the devices that are opened next */

/* Opens what the text describes. */
void open_all(const char *text);
void close_all(void);

weft_space space_of(uint32_t device);
unsigned char *allocate(uint32_t device, size_t size);
void release(uint32_t device, void *address);

/* One side of a copy. */
struct side {
	void *address;
	weft_space space;
};

/* Runs a copy of `size` bytes. */
enum weft_status copy(uint32_t device, struct side to, struct side from, size_t size);
/* Copy between the host's memory and the device's. */
void upload(uint32_t device, void *address, void *bytes, size_t size);
void download(uint32_t device, void *bytes, void *address, size_t size);

int run_description_tests(void);
int run_accel_schedule_tests(void);
int run_accel_clock_tests(void);
int run_accel_simulated_cache_tests(void);
int run_accel_group_timeline_tests(void);
int run_accel_memory_tests(void);
int run_accel_call_ring_tests(void);
int run_accel_time_tests(void);
int run_follow_tests(void);

#endif
