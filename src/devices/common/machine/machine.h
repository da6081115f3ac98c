/* SPDX-License-Identifier: MIT
 *
 * What the machine offers to this process, read when a device is opened: usable cores, memory, caches and the CPU's
 * identity. Nothing here is decided when Weft is built. It reads /proc, /sys and cpuid itself, in a tenth of the 2.4 ms
 * that hwloc takes at best.
 */
#ifndef WEFT_DEVICES_MACHINE_H
#define WEFT_DEVICES_MACHINE_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the processor is, from cpuid. */
struct weft_cpu {
	char name[64];      /* "AMD EPYC …", without leading or doubled spaces */
	char vendor[16];    /* cpuid's vendor string */
	uint32_t vendor_id; /* PCI vendor, 0 when unknown */
	uint32_t mhz;       /* 0 when unknown */
	uint32_t family;    /* this, model and stepping: 0 when unknown */
	uint32_t model;
	uint32_t stepping;
	uint32_t vector_bytes; /* of the widest vector register that the OS saves */
	bool slow_gathers;     /* a gather takes longer than as many loads */
	/* Everything that decides what code this CPU can run, and what is best for it: vendor, family, model, stepping and
	 * a digest of the feature leaves, of the register state that the OS saves and of slow_gathers. */
	char key[48];
	char features[512]; /* names of cpu_features.def, each behind a space */
};

/* What containers allow. */
struct weft_limits {
	uint32_t cores;  /* the CPU quota in whole cores, rounded up; UINT32_MAX: none */
	uint64_t memory; /* bytes; UINT64_MAX: none */
};

struct weft_caches {
	uint64_t size[3]; /* bytes of one data or unified cache of level 1, 2 and 3; 0: none */
	uint32_t line;    /* bytes */
};

struct weft_machine {
	struct weft_cpu cpu;
	struct weft_caches caches;
	cpu_set_t usable; /* the first CPU_SETSIZE cores that this thread may run on */
	uint32_t cores;   /* that this process may keep busy: affinity and quota, at least 1 */
	uint64_t memory;  /* bytes that this process may use */
	uint8_t id[16];   /* a machine has one value at each start */
};

/* Cannot fail: what cannot be read has a modest default. */
void weft_machine_read(struct weft_machine *machine);

void weft_cpu_read(struct weft_cpu *cpu);

/* Whether vector instructions that load from scattered addresses are slow: on AMD's CPUs, where they are microcode, and
 * on those of Intel's CPUs on which microcode mitigates Gather Data Sampling (CVE-2022-40982), or may do so unseen by a
 * virtual machine. `root` is put before each path ("" for this machine; tests give a folder). */
bool weft_gathers_are_slow(const char *root, const char *vendor);

/* The tightest limits of this process's control groups, versions 1 and 2. `root` is put before each path ("" for this
 * machine; tests give a folder). */
void weft_limits_read(const char *root, struct weft_limits *limits);

/* Reads the first line of `folder`/`file`; false, and an empty line, when there is none. */
bool weft_machine_read_line(const char *folder, const char *file, char *line, size_t size);

/* The caches of core `core`. `root` is put before each path. */
void weft_caches_read(const char *root, int core, struct weft_caches *caches);

#endif
