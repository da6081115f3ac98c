/* SPDX-License-Identifier: MIT
 *
 * The accelerators that WEFT_ACCEL describes. The defaults are those of STM's P2012 (STHORM): four
 * clusters of 16 processing elements that share 256 KiB and run at 600 MHz (Benini and others, "P2012: Building an
 * ecosystem for a scalable, modular and high-efficiency embedded computing accelerator", DATE 2012; Melpignano and
 * others, "Platform 2012, a many-core computing accelerator for embedded SoCs", DAC 2012).
 *
 *     text    device { ; device }             a device may be empty: nothing; an end of line is a ; too
 *     device  setting { , setting }           a blank is a , too
 *     setting key=value                       keys: see description.c
 *
 * From # to the end of the line is a comment. A text that begins with @ names a file that has the text.
 */
#ifndef WEFT_ACCEL_DESCRIPTION_H
#define WEFT_ACCEL_DESCRIPTION_H

#include "status.h"

#include <stddef.h>
#include <stdint.h>

#define ACCEL_MOST_DEVICES 16
#define ACCEL_MOST_CLUSTERS 256
#define ACCEL_MOST_CHANNELS 8
#define ACCEL_MOST_GROUPS 16 /* of one cluster at a time */
#define ACCEL_NAME_BYTES 32

/* What the elements execute. */
enum accel_isa {
	ACCEL_ISA_HOST,    /* what this machine's CPU does */
	ACCEL_ISA_RISCV64, /* 64-bit RISC-V, in a simulator */
};

struct accel_description {
	uint64_t clusters;
	uint64_t elements;     /* processing elements of a cluster */
	uint64_t local_bytes;  /* of a cluster's own memory, which its elements share */
	uint64_t global_bytes; /* of the memory that the clusters share */
	uint64_t channels;     /* of the DMA engine: copies that run at the same time */
	uint64_t ring;         /* commands that the device has taken and that have not ended */
	uint64_t clock_mhz;
	/* Work-groups that share a cluster's elements, a power of two; 0: the driver chooses for each launch. */
	uint64_t groups;
	/* Bytes of a cluster's memory that are a cache of global memory, a power of two; 0: no cache. */
	uint64_t cache_bytes;
	uint64_t cache_line; /* bytes, a power of two */
	uint64_t cache_ways; /* a power of two */
	/* Cycles of the clock. */
	uint64_t local_latency;  /* of an element's access to its cluster's memory */
	uint64_t global_latency; /* of an element's access to global memory */
	uint64_t dma_latency;    /* of a copy, before its first bytes move */
	uint64_t dma_bytes;      /* bytes of a copy that move in a cycle */
	uint64_t cache_latency;  /* of an access that finds its line in the cluster's cache */
	uint64_t transfers;      /* 1: kernels' accesses become DMA requests where that is proven */
	uint64_t enqueue;        /* 1: kernels may enqueue kernels */
	uint64_t svm;            /* 1: global memory may have ranges at the host's addresses */
	uint64_t launch;         /* of a kernel, before its first groups begin */
	uint64_t dispatch;       /* of each group, before its work-items begin */
	uint64_t barrier;        /* after the last element has come to it */
	enum accel_isa isa;
	/* Devices whose global memories have equal names share one; "": no other device shares it. */
	char memory[ACCEL_NAME_BYTES];
};

struct accel_machine {
	uint32_t num_devices;
	struct accel_description devices[ACCEL_MOST_DEVICES];
};

/* Where the text is wrong, and how: for the log. */
struct accel_mistake {
	char text[160];
};

/* What a text says; NULL or nothing but blanks: one device, all defaults. WEFT_INVALID_OPTIONS, WEFT_NOT_FOUND (the
 * file) or WEFT_OUT_OF_MEMORY: *mistake says what is wrong. */
enum weft_status accel_machine_parse(const char *text, struct accel_machine *machine,
				     struct accel_mistake *mistake) WEFT_MUST_CHECK;

#endif
