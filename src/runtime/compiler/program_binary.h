/* SPDX-License-Identifier: MIT
 *
 * A program's binary for a kind of device: LLVM bitcode of an object or library, or an ELF shared
 * object. It is immutable and shared by the devices and programs that use it. What the application
 * gets (CL_PROGRAM_BINARIES) is a container: a header with a digest, the options, the binary.
 */
#ifndef WEFT_RUNTIME_PROGRAM_BINARY_H
#define WEFT_RUNTIME_PROGRAM_BINARY_H

#include "compiler.h"
#include "device/device.h"
#include "digest.h"
#include "kernel_abi.h"
#include "object/object.h"

struct weft_program_binary {
	weft_refcount refs;
	cl_program_binary_type type; /* not CL_PROGRAM_BINARY_TYPE_NONE */
	char *options;               /* owned: what it was made with */
	bool is_archive;             /* an executable without code (kernel_archive.h) */
	size_t size;                 /* bytes */
	unsigned char bytes[];
};

struct weft_program_binary_desc {
	cl_program_binary_type type;
	const char *options; /* copied */
	const void *bytes;   /* copied */
	size_t size;
	bool is_archive;
};

/* NULL: out of memory. The caller owns the one reference. */
struct weft_program_binary *
weft_program_binary_create(const struct weft_program_binary_desc *desc) WEFT_MUST_CHECK;
struct weft_program_binary *weft_program_binary_get(struct weft_program_binary *binary);
void weft_program_binary_put(struct weft_program_binary *binary); /* NULL is fine */

/* The container's size in bytes; 0 for NULL. */
size_t weft_program_binary_export_size(const struct weft_program_binary *binary);
/* Writes that many bytes. The same binary always gives the same bytes. */
void weft_program_binary_export(const struct weft_program_binary *binary, cl_device_id device,
				void *bytes);

/* The same for each machine whose CPU has these features, separated by spaces, as LLVM's CPU of that name does. */
struct weft_program_cpu {
	const char *name;
	const char *features;
};
size_t weft_program_binary_export_size_for(const struct weft_program_binary *binary,
					   const struct weft_program_cpu *cpu);
void weft_program_binary_export_for(const struct weft_program_binary *binary,
				    const struct weft_program_cpu *cpu, void *bytes);

/* Differs where a binary of one device would be refused by another, or would have been made by another compiler. The same
 * in every process. Nothing is opened. */
struct weft_digest weft_program_binary_key(cl_device_id device);

/* Takes a container apart. WEFT_INVALID_BINARY: not one of this Weft's, damaged, or code for
 * another CPU than the device's. Reads nothing outside of `bytes`. */
enum weft_status weft_program_binary_import(const void *bytes, size_t size, cl_device_id device,
					    struct weft_program_binary **binary) WEFT_MUST_CHECK;

/* The kernel of that name in a kernel binary's description, or NULL. */
const struct weft_kernel_desc *weft_program_desc_find(const struct weft_program_desc *desc,
						      const char *name);

#endif
