/* SPDX-License-Identifier: MIT
 *
 * The kernels in a device's memory: a table, in which a command names its kernel by a place. New kernels are added and the
 * table is uploaded before commands that need them are handed over; when all are there, nothing is uploaded. A module that
 * is unloaded takes its kernels out of the table. The caller holds the memory domain's lock.
 */
#ifndef WEFT_ACCEL_KERNEL_TABLE_H
#define WEFT_ACCEL_KERNEL_TABLE_H

#include "driver.h"

#define ACCEL_KERNEL_TABLE_GUESSES 64u

struct accel_memory;

struct accel_kernel_table_entry {
	const struct weft_kernel_desc *kernel; /* NULL: the place is free */
	const struct weft_module *module;
};

struct accel_kernel_table {
	struct accel_kernel_table_entry *entries; /* in device memory, `capacity`; or NULL */
	uint32_t capacity;
	uint32_t used; /* places that have ever been taken */
	bool changed;  /* since the last upload */
	/* Where kernels were found, by a hash of their descriptors' addresses. */
	uint32_t guesses[ACCEL_KERNEL_TABLE_GUESSES];
};

/* The place of the launch's kernel, from 1 on; adds a new one. 0: no device memory is left for it. */
uint32_t accel_kernel_table_add(struct accel_kernel_table *kernels, struct accel_memory *memory,
				const struct weft_launch *launch);
/* Whether there was something to upload. */
bool accel_kernel_table_upload(struct accel_kernel_table *kernels);
/* The module is unloaded. */
void accel_kernel_table_remove_module(struct accel_kernel_table *kernels,
				      const struct weft_module *module);
/* Removes all kernels. */
void accel_kernel_table_reset(struct accel_kernel_table *kernels);

#endif
