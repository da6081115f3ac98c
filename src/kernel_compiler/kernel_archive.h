/* SPDX-License-Identifier: MIT
 *
 * A program whose kernels' code is yet to be made: what a build gives back that leaves code generation for later
 * (WEFT_OUTPUT_ARCHIVE). Its first part is a kernel binary that describes every kernel, each with an entry point of NULL.
 * Kernels come in units, whose code is made apart from that of others (weft_compiler.generate).
 */
#ifndef WEFT_KERNEL_ARCHIVE_H
#define WEFT_KERNEL_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WEFT_ARCHIVE_MAGIC "WEFTARC"

enum weft_archive_flag {
	/* The kernels have not been through the compiler's passes. What the passes find is known of a kernel when its unit has been made:
	 * until then local_size, private_size, spill_per_item, vector_width, flags, scratch_size, first_dimension, second_dimension and its arguments'
	 * access are not. Each unit is a row of neighbouring kernels, and its binary, but for one of all units, describes them alone. */
	WEFT_ARCHIVE_UNPREPARED = 1,
	/* Of such an archive: code is made quickly. */
	WEFT_ARCHIVE_QUICK = 2,
	/* Of such an archive: in the module's place is the source, of which each unit reads what it needs. */
	WEFT_ARCHIVE_SOURCE = 4,
};

/* Followed by the unit of each kernel (uint32_t, in the order of weft_program_desc.kernels), the kernel binary, the frame
 * and the module. */
struct weft_archive_header {
	char magic[8];
	uint32_t num_units;
	uint32_t num_kernels;
	uint32_t flags; /* enum weft_archive_flag bits */
	uint32_t reserved;
	uint64_t binary_size; /* bytes */
	uint64_t frame_size;
	uint64_t module_size;
	/* The same for an archive with the source of a program and for the one with its module that is made of it: code of one is code of
	 * the other. */
	uint64_t identity[2];
};

/* Its parts, borrowed. */
struct weft_archive {
	uint32_t num_units;
	uint32_t num_kernels;
	uint32_t flags;             /* enum weft_archive_flag bits */
	const unsigned char *units; /* uint32_t for each kernel, perhaps not aligned */
	const unsigned char *binary;
	size_t binary_size;
	const unsigned char *frame; /* the compiler's: an object file, the binary's only one */
	size_t frame_size;
	const unsigned char *module; /* the compiler's: what code is made of */
	size_t module_size;
	uint64_t identity[2];
};

/* False: these bytes are no archive. */
static inline bool weft_archive_open(const void *data, size_t size, struct weft_archive *archive)
{
	const unsigned char *next =
		(const unsigned char *)data + sizeof(struct weft_archive_header);
	struct weft_archive_header header;

	if (size < sizeof(header))
		return false;
	memcpy(&header, data, sizeof(header));
	size -= sizeof(header);
	if (memcmp(header.magic, WEFT_ARCHIVE_MAGIC, sizeof(header.magic)) != 0 ||
	    header.num_kernels > size / sizeof(uint32_t))
		return false;
	archive->num_units = header.num_units;
	archive->num_kernels = header.num_kernels;
	archive->flags = header.flags;
	archive->units = next;
	size -= header.num_kernels * sizeof(uint32_t);
	if (header.binary_size > size || header.frame_size > size - header.binary_size ||
	    header.module_size != size - header.binary_size - header.frame_size)
		return false;
	archive->binary = next + header.num_kernels * sizeof(uint32_t);
	archive->binary_size = header.binary_size;
	archive->frame = archive->binary + header.binary_size;
	archive->frame_size = header.frame_size;
	archive->module = archive->frame + header.frame_size;
	archive->module_size = header.module_size;
	memcpy(archive->identity, header.identity, sizeof(archive->identity));
	return true;
}

/* The unit of the kernel at that place of the program's kernels. */
static inline uint32_t weft_archive_unit(const struct weft_archive *archive, uint32_t kernel)
{
	uint32_t unit;

	memcpy(&unit, archive->units + kernel * sizeof(unit), sizeof(unit));
	return unit;
}

#endif
