/* SPDX-License-Identifier: MIT
 *
 * The topology: made-up machines must fall apart as they are made, and this one's cores are all there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alloc.h"
#include "machine/topology.h"
#include "made_up_root.h"

#define MOST 64

/* Two nodes, of which the second's cores are in two third-level caches; two threads per core, numbered as Linux does:
 * the first threads of all cores, then the second ones. */
static void put_machine(void)
{
	static const char *const third[] = {"0-1,4-5", "0-1,4-5", "2,6", "3,7"};
	static const char *const second[] = {"0,4", "1,5", "2,6", "3,7"};

	put("/sys/devices/system/node/online", "0-1\n");
	put("/sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
	put("/sys/devices/system/node/node1/cpulist", "2-3,6-7\n");
	for (int core = 0; core < 8; core++) {
		put_cache(core, 0, 1, "Data\n", second[core % 4]);
		put_cache(core, 1, 1, "Instruction\n", "0-7\n");
		put_cache(core, 2, 2, "Unified\n", second[core % 4]);
		put_cache(core, 3, 3, "Unified\n", third[core % 4]);
	}
}

static struct weft_topology *read_for(const char *folder, uint32_t cores)
{
	cpu_set_t usable;

	CPU_ZERO(&usable);
	for (uint32_t core = 0; core < 32; core++) {
		if (cores & UINT32_C(1) << core)
			CPU_SET(core, &usable);
	}
	struct weft_topology *topology = weft_topology_read(folder, &usable);
	assert_non_null(topology);
	assert_int_equal(topology->count, __builtin_popcount(cores));
	return topology;
}

static void expect_split(const struct weft_topology *topology, enum weft_domain domain,
			 uint32_t first, uint32_t count, const uint32_t *expected, uint32_t num)
{
	uint32_t counts[MOST];

	assert_int_equal(weft_topology_split(topology, domain, first, count, counts), num);
	assert_memory_equal(counts, expected, num * sizeof(counts[0]));
}

static void nested_domains(void **state)
{
	static const uint16_t order[] = {0, 4, 1, 5, 2, 6, 3, 7};
	cpu_set_t cores;

	(void)state;
	put_machine();
	struct weft_topology *topology = read_for(root, 0xff);
	for (int i = 0; i < 8; i++)
		assert_int_equal(topology->places[i].core, order[i]);
	expect_split(topology, WEFT_DOMAIN_NUMA, 0, 8, (const uint32_t[]){4, 4}, 2);
	expect_split(topology, WEFT_DOMAIN_L4, 0, 8, (const uint32_t[]){8}, 1);
	expect_split(topology, WEFT_DOMAIN_L3, 0, 8, (const uint32_t[]){4, 2, 2}, 3);
	expect_split(topology, WEFT_DOMAIN_L2, 0, 8, (const uint32_t[]){2, 2, 2, 2}, 4);
	expect_split(topology, WEFT_DOMAIN_L1, 4, 4, (const uint32_t[]){2, 2}, 2);
	expect_split(topology, WEFT_DOMAIN_NUMA, 4, 4, (const uint32_t[]){4}, 1);
	weft_topology_cores(topology, 3, 3, &cores);
	assert_int_equal(CPU_COUNT(&cores), 3);
	assert_true(CPU_ISSET(5, &cores) && CPU_ISSET(2, &cores) && CPU_ISSET(6, &cores));
	weft_free(topology);
}

/* Affinity may leave out any cores. */
static void some_cores(void **state)
{
	(void)state;
	put_machine();
	struct weft_topology *topology = read_for(root, 0xb2); /* 1, 4, 5, 7 */
	expect_split(topology, WEFT_DOMAIN_NUMA, 0, 4, (const uint32_t[]){3, 1}, 2);
	expect_split(topology, WEFT_DOMAIN_L2, 0, 4, (const uint32_t[]){2, 1, 1}, 3);
	weft_free(topology);
}

static void fewer_workers(void **state)
{
	(void)state;
	put_machine();
	struct weft_topology *topology = read_for(root, 0xff);
	weft_topology_thin(topology, 4, true);
	expect_split(topology, WEFT_DOMAIN_NUMA, 0, 4, (const uint32_t[]){2, 2}, 2);
	expect_split(topology, WEFT_DOMAIN_L2, 0, 4, (const uint32_t[]){1, 1, 1, 1}, 4);
	weft_free(topology);
	topology = read_for(root, 0xff);
	weft_topology_thin(topology, 3, false);
	expect_split(topology, WEFT_DOMAIN_L3, 0, 3, (const uint32_t[]){3}, 1);
	weft_free(topology);
}

static void nothing_known(void **state)
{
	(void)state;
	struct weft_topology *topology = read_for(root, 0x0f);
	for (int domain = 0; domain < WEFT_NUM_DOMAINS; domain++)
		expect_split(topology, (enum weft_domain)domain, 0, 4, (const uint32_t[]){4}, 1);
	weft_free(topology);
	put("/sys/devices/system/node/online", "what?\n");
	put("/sys/devices/system/cpu/cpu0/cache/index0/level", "9\n");
	put("/sys/devices/system/cpu/cpu1/cache/index0/level", "2\n");
	put("/sys/devices/system/cpu/cpu1/cache/index0/shared_cpu_list", "7-3,99999999\n");
	topology = read_for(root, 0x0f);
	expect_split(topology, WEFT_DOMAIN_L2, 0, 4, (const uint32_t[]){4}, 1);
	weft_free(topology);
}

static void this_machine(void **state)
{
	cpu_set_t usable;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(usable), &usable), 0);
	struct weft_topology *topology = weft_topology_read("", &usable);
	assert_non_null(topology);
	assert_int_equal(topology->count, CPU_COUNT(&usable));
	weft_free(topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nested_domains, make_root, remove_root),
		cmocka_unit_test_setup_teardown(some_cores, make_root, remove_root),
		cmocka_unit_test_setup_teardown(fewer_workers, make_root, remove_root),
		cmocka_unit_test_setup_teardown(nothing_known, make_root, remove_root),
		cmocka_unit_test(this_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
