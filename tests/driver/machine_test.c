/* SPDX-License-Identifier: MIT
 *
 * The machine's description: this one's must make sense, and control groups of all kinds are read
 * right from made-up trees.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/machine.h"
#include "made_up_root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_limits(uint32_t cores, uint64_t memory)
{
	struct weft_limits limits;

	weft_limits_read(root, &limits);
	assert_int_equal(limits.cores, cores);
	assert_int_equal(limits.memory, memory);
}

static void no_groups(void **state)
{
	(void)state;
	expect_limits(UINT32_MAX, UINT64_MAX);
	put("/proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda rw\n");
	put("/proc/self/cgroup", "0::/\n");
	expect_limits(UINT32_MAX, UINT64_MAX);
}

#define V2_MOUNT "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"

static void version_2(void **state)
{
	(void)state;
	put("/proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda rw\n" V2_MOUNT);
	put("/proc/self/cgroup", "0::/a/b\n");
	put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	put("/sys/fs/cgroup/a/b/memory.max", "max\n");
	expect_limits(UINT32_MAX, UINT64_MAX);
	put("/sys/fs/cgroup/a/b/cpu.max", "250000 100000\n");
	put("/sys/fs/cgroup/a/b/memory.max", "1073741824\n");
	expect_limits(3, 1073741824);
	/* a group above is tighter */
	put("/sys/fs/cgroup/a/cpu.max", "100000 100000\n");
	put("/sys/fs/cgroup/a/memory.max", "536870912\n");
	expect_limits(1, 536870912);
	put("/sys/fs/cgroup/a/cpu.max", "10000 100000\n"); /* a tenth of a core is one */
	expect_limits(1, 536870912);
}

/* In a container: the mount shows the container's group as its root. */
static void version_2_in_a_container(void **state)
{
	(void)state;
	put("/proc/self/mountinfo",
	    "30 22 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup ro\n");
	put("/proc/self/cgroup", "0::/docker/abc\n");
	put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
	put("/sys/fs/cgroup/memory.max", "2147483648\n");
	expect_limits(4, 2147483648);
	/* a name space of its own: the path is "/" */
	put("/proc/self/mountinfo", V2_MOUNT);
	put("/proc/self/cgroup", "0::/\n");
	expect_limits(4, 2147483648);
	/* outside of what is mounted */
	put("/proc/self/cgroup", "0::/../elsewhere\n");
	expect_limits(4, 2147483648);
}

static void version_1(void **state)
{
	(void)state;
	put("/proc/self/mountinfo",
	    "31 22 0:27 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
	    "32 22 0:28 / /sys/fs/cgroup/memory rw shared:10 - cgroup cgroup rw,memory\n"
	    "33 22 0:29 / /sys/fs/cgroup/cpuset rw shared:11 - cgroup cgroup rw,cpuset\n");
	put("/proc/self/cgroup",
	    "4:cpuset:/\n3:memory:/job\n2:cpu,cpuacct:/job\n1:name=systemd:/\n0::/\n");
	put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
	put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
	put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
	expect_limits(UINT32_MAX, UINT64_MAX);
	put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
	put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "4294967296\n");
	expect_limits(2, 4294967296);
}

static void damaged_files(void **state)
{
	(void)state;
	put("/proc/self/mountinfo", "- cgroup2\n - cgroup2\n30\n\n" V2_MOUNT);
	put("/proc/self/cgroup", "::\n0\n0:\n0::/x\n");
	put("/sys/fs/cgroup/x/cpu.max", "\n");
	put("/sys/fs/cgroup/x/memory.max", "");
	put("/sys/fs/cgroup/cpu.max", "1e30 0\n");
	put("/sys/fs/cgroup/memory.max", "-\n");
	expect_limits(UINT32_MAX, UINT64_MAX);
}

static void caches(void **state)
{
	struct weft_caches caches;

	(void)state;
	weft_caches_read(root, 0, &caches);
	assert_int_equal(caches.size[0] + caches.size[1] + caches.size[2], 0);
#define CACHE "/sys/devices/system/cpu/cpu3/cache/index"
	put(CACHE "0/level", "1\n");
	put(CACHE "0/type", "Data\n");
	put(CACHE "0/size", "48K\n");
	put(CACHE "0/coherency_line_size", "64\n");
	put(CACHE "1/level", "1\n");
	put(CACHE "1/type", "Instruction\n");
	put(CACHE "1/size", "32K\n");
	put(CACHE "2/level", "2\n");
	put(CACHE "2/type", "Unified\n");
	put(CACHE "2/size", "2M\n");
	put(CACHE "2/coherency_line_size", "128\n");
	weft_caches_read(root, 3, &caches);
	assert_int_equal(caches.size[0], 48 * 1024);
	assert_int_equal(caches.size[1], 2 * 1024 * 1024);
	assert_int_equal(caches.size[2], 0);
	assert_int_equal(caches.line, 128);
}

static void slow_gathers(void **state)
{
#define SAMPLING "/sys/devices/system/cpu/vulnerabilities/gather_data_sampling"
	(void)state;
	assert_true(weft_gathers_are_slow(root, "AuthenticAMD"));
	assert_false(weft_gathers_are_slow(root, "GenuineIntel"));
	put(SAMPLING, "Mitigation: Microcode\n");
	assert_true(weft_gathers_are_slow(root, "GenuineIntel"));
	put(SAMPLING, "Unknown: Dependent on hypervisor status\n");
	assert_true(weft_gathers_are_slow(root, "GenuineIntel"));
	put(SAMPLING, "Vulnerable: No microcode\n");
	assert_false(weft_gathers_are_slow(root, "GenuineIntel"));
	put(SAMPLING, "Not affected\n");
	assert_false(weft_gathers_are_slow(root, "GenuineIntel"));
}

static void this_machine(void **state)
{
	struct weft_machine first;
	struct weft_machine second;

	(void)state;
	weft_machine_read(&first);
	weft_machine_read(&second);
	assert_true(first.cores >= 1 && first.memory > 1 << 20);
	assert_true(first.cpu.vector_bytes >= 16);
	assert_true(strlen(first.cpu.name) > 0 && first.cpu.name[0] != ' ');
	assert_string_equal(first.cpu.key, second.cpu.key);
	assert_memory_equal(first.id, second.id, sizeof(first.id));
}

/* Affinity counts: the cores are never those of the build machine. */
static void affinity(void **state)
{
	struct weft_machine machine;
	cpu_set_t old;
	cpu_set_t one;
	size_t core = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(old), &old), 0);
	while (!CPU_ISSET(core, &old))
		core++;
	CPU_ZERO(&one);
	CPU_SET(core, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	weft_machine_read(&machine);
	assert_int_equal(sched_setaffinity(0, sizeof(old), &old), 0);
	assert_int_equal(machine.cores, 1);
	assert_int_equal(CPU_COUNT(&machine.usable), 1);
}

#define TREE_TEST(function) cmocka_unit_test_setup_teardown(function, make_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(no_groups),
		TREE_TEST(version_2),
		TREE_TEST(version_2_in_a_container),
		TREE_TEST(version_1),
		TREE_TEST(damaged_files),
		TREE_TEST(caches),
		TREE_TEST(slow_gathers),
		cmocka_unit_test(this_machine),
		cmocka_unit_test(affinity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
