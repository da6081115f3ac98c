/* SPDX-License-Identifier: MIT
 *
 * Giving up work-groups that run (weft_launch_context.stop). A thread that runs them is sent a signal. Its handler leaves the groups only
 * while the thread is in code of the kernel, which holds nothing: no lock, no memory of the host. In all other code the thread goes
 * on, and is sent the signal again.
 */
#ifndef WEFT_DEVICES_INTERRUPT_H
#define WEFT_DEVICES_INTERRUPT_H

#include "driver.h"

#if defined(__x86_64__) || defined(__aarch64__)
#define WEFT_CAN_INTERRUPT 1
#else
#define WEFT_CAN_INTERRUPT 0
#endif

/* Calls run(data), which runs groups of a kernel whose code has the address `code`. Returns when they have run, or when they are given
 * up; at once if *stop is true. */
void weft_run_interruptible(const _Atomic bool *stop, const void *code, void (*run)(void *data),
			    void *data);
/* From a function that code of the kernel has called, and that holds nothing: does not return if *stop is true. */
void weft_leave_if_stopped(const _Atomic bool *stop);

/* weft_driver.interrupt */
void weft_interrupt(struct weft_device *device, const _Atomic bool *stop);

#endif
