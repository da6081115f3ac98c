/* SPDX-License-Identifier: MIT
 *
 * The processor's identity. The key covers every leaf that LLVM looks at when it generates code for
 * "this machine", and nothing that differs between the cores of one (APIC numbers).
 */
#include "machine/machine.h"

#include "digest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Removes leading, trailing and doubled spaces. */
static void tidy(char *text)
{
	char *out = text;

	for (const char *in = text; *in; in++) {
		bool space = isspace((unsigned char)*in);
		if (space && (out == text || out[-1] == ' '))
			continue;
		*out++ = space ? ' ' : *in;
	}
	while (out > text && out[-1] == ' ')
		out--;
	*out = '\0';
}

/* The first line "key : value" of /proc/cpuinfo, from its first 4 KiB. */
static bool read_cpuinfo(const char *key, char *value, size_t size)
{
	char line[512];
	bool found = false;
	FILE *file = fopen("/proc/cpuinfo", "re");

	if (!file)
		return false;
	for (int lines = 0; !found && lines < 40 && fgets(line, sizeof(line), file); lines++) {
		char *colon = strchr(line, ':');
		if (!colon || strncmp(line, key, strlen(key)) != 0)
			continue;
		snprintf(value, size, "%s", colon + 1);
		tidy(value);
		found = true;
	}
	fclose(file);
	return found;
}

static uint32_t read_mhz(void)
{
	char text[64];
	FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "re");
	uint32_t mhz = 0;

	if (file) {
		if (fgets(text, sizeof(text), file))
			mhz = (uint32_t)(strtoul(text, NULL, 10) / 1000); /* kHz */
		fclose(file);
	}
	if (mhz == 0 && read_cpuinfo("cpu MHz", text, sizeof(text)))
		mhz = (uint32_t)(strtod(text, NULL) + 0.5);
	return mhz;
}

bool weft_gathers_are_slow(const char *root, const char *vendor)
{
	char folder[128];
	char line[64];

	if (strcmp(vendor, "AuthenticAMD") == 0 || strcmp(vendor, "HygonGenuine") == 0)
		return true;
	snprintf(folder, sizeof(folder), "%s/sys/devices/system/cpu/vulnerabilities", root);
	return weft_machine_read_line(folder, "gather_data_sampling", line, sizeof(line)) &&
	       (strncmp(line, "Mitigation", 10) == 0 || strncmp(line, "Unknown", 7) == 0);
}

#if defined(__x86_64__)

struct leaf {
	unsigned eax, ebx, ecx, edx;
};

static struct leaf read_leaf(unsigned number, unsigned sub)
{
	struct leaf leaf = {0};

	__get_cpuid_count(number, sub, &leaf.eax, &leaf.ebx, &leaf.ecx, &leaf.edx);
	return leaf;
}

/* XCR0: the register state that the OS saves; 0 without OSXSAVE. */
static uint64_t read_xcr0(struct leaf features)
{
	unsigned low;
	unsigned high;

	if (!(features.ecx & bit_OSXSAVE))
		return 0;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

/* What a feature's registers are, by the bits of XCR0 that stand for them. */
enum register_state { BASIC_STATE = 0, AVX_STATE = 0x6, AVX512_STATE = 0xe6 };

static void add_feature(struct weft_cpu *cpu, const char *name)
{
	const size_t length = strlen(cpu->features);

	snprintf(cpu->features + length, sizeof(cpu->features) - length, " %s", name);
}

static void read_features(struct weft_cpu *cpu)
{
	const uint64_t saved = read_xcr0(read_leaf(1, 0));

#define WEFT_CPU_FEATURE(name, number, sub, word, bit, state)                                      \
	if ((read_leaf(number, sub).word >> (bit) & 1) && (saved & (state)) == (state))            \
		add_feature(cpu, name);
#include "machine/cpu_features.def"
#undef WEFT_CPU_FEATURE
}

static void read_names(struct weft_cpu *cpu)
{
	struct leaf leaf = read_leaf(0, 0);

	memcpy(cpu->vendor, &leaf.ebx, 4);
	memcpy(cpu->vendor + 4, &leaf.edx, 4);
	memcpy(cpu->vendor + 8, &leaf.ecx, 4);
	for (unsigned i = 0; i < 3; i++) {
		leaf = read_leaf(0x80000002 + i, 0);
		memcpy(cpu->name + 16 * (size_t)i, &leaf, sizeof(leaf));
	}
	tidy(cpu->name);
	if (strcmp(cpu->vendor, "GenuineIntel") == 0)
		cpu->vendor_id = 0x8086;
	else if (strcmp(cpu->vendor, "AuthenticAMD") == 0)
		cpu->vendor_id = 0x1022;
}

static void read_identity(struct weft_cpu *cpu)
{
	struct leaf one = read_leaf(1, 0);
	struct leaf seven = read_leaf(7, 0);
	uint64_t saved = read_xcr0(one);

	cpu->vector_bytes = 16;
	if ((saved & 0x6) == 0x6 && (one.ecx & bit_AVX))
		cpu->vector_bytes = 32;
	if ((saved & 0xe6) == 0xe6 && (seven.ebx & bit_AVX512F))
		cpu->vector_bytes = 64;

	struct leaf seven_one = read_leaf(7, 1);
	struct leaf extended = read_leaf(0x80000001, 0);
	const unsigned words[] = {
		one.eax,
		one.ecx,
		one.edx,
		seven.ebx,
		seven.ecx,
		seven.edx,
		seven_one.eax,
		seven_one.edx,
		extended.ecx,
		extended.edx,
		read_leaf(0x80000008, 0).ebx,
		read_leaf(0xd, 1).eax,
		read_leaf(0x14, 0).ebx,
		read_leaf(0x19, 0).ebx,
		read_leaf(0x24, 0).ebx,
		(unsigned)saved,
		(unsigned)(saved >> 32),
		cpu->slow_gathers,
	};
	struct weft_digest digest = weft_digest_bytes(words, sizeof(words));
	cpu->family = (one.eax >> 8 & 0xf) + (one.eax >> 20 & 0xff);
	cpu->model = (one.eax >> 4 & 0xf) | (one.eax >> 12 & 0xf0);
	cpu->stepping = one.eax & 0xf;
	snprintf(cpu->key, sizeof(cpu->key), "%.12s-%x.%x.%x-%016llx", cpu->vendor, cpu->family,
		 cpu->model, cpu->stepping, (unsigned long long)digest.low);
}

#else

static void read_names(struct weft_cpu *cpu)
{
	snprintf(cpu->vendor, sizeof(cpu->vendor), "unknown");
	if (!read_cpuinfo("model name", cpu->name, sizeof(cpu->name)))
		snprintf(cpu->name, sizeof(cpu->name), "CPU");
}

/* No code is made for named CPUs of other machines. */
static void read_features(struct weft_cpu *cpu)
{
	cpu->features[0] = '\0';
}

/* Elsewhere the kernel's list of features stands for cpuid. */
static void read_identity(struct weft_cpu *cpu)
{
	char features[512] = "";

	cpu->vector_bytes = 16;
	read_cpuinfo("Features", features, sizeof(features));
	struct weft_digest digest = weft_digest_bytes(features, strlen(features));
	digest = weft_digest_field(digest, cpu->name, strlen(cpu->name));
	snprintf(cpu->key, sizeof(cpu->key), "cpu-%016llx", (unsigned long long)digest.low);
}

#endif

void weft_cpu_read(struct weft_cpu *cpu)
{
	*cpu = (struct weft_cpu){0};
	read_names(cpu);
	cpu->slow_gathers = weft_gathers_are_slow("", cpu->vendor);
	read_identity(cpu);
	read_features(cpu);
	cpu->mhz = read_mhz();
}
