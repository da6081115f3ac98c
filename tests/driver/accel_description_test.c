/* SPDX-License-Identifier: MIT
 *
 * Descriptions of accelerators: what they say, and what is wrong with them.
 */
#include "accel_test.h"

#include "simulation/description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct accel_machine parsed(const char *text)
{
	struct accel_machine machine;
	struct accel_mistake mistake = {""};

	if (accel_machine_parse(text, &machine, &mistake) != WEFT_OK)
		fail_msg("%s: %s", text, mistake.text);
	return machine;
}

static void defaults(void **state)
{
	static const char *const texts[] = {NULL, "", " ,, \t", ";;\n;", "# nothing\n\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct accel_machine machine = parsed(texts[i]);

		assert_int_equal(machine.num_devices, 1);
		assert_int_equal(machine.devices[0].clusters, 4);
		assert_int_equal(machine.devices[0].elements, 16);
		assert_int_equal(machine.devices[0].local_bytes, 256 << 10);
		assert_int_equal(machine.devices[0].global_bytes, 1 << 30);
		assert_int_equal(machine.devices[0].channels, 2);
		assert_int_equal(machine.devices[0].ring, 1024);
		assert_int_equal(machine.devices[0].clock_mhz, 600);
		assert_int_equal(machine.devices[0].groups, 0);
		assert_string_equal(machine.devices[0].memory, "");
	}
}

static void every_setting(void **state)
{
	(void)state;
	struct accel_machine machine = parsed("clusters=2,elements=8 local=16k,,global=128M "
					      "clock=450, memory=m channels=1 groups=8 "
					      "global_latency=7 cache=8K cache_ways=2 isa=riscv64");
	assert_int_equal(machine.num_devices, 1);
	assert_int_equal(machine.devices[0].clusters, 2);
	assert_int_equal(machine.devices[0].elements, 8);
	assert_int_equal(machine.devices[0].local_bytes, 16 << 10);
	assert_int_equal(machine.devices[0].global_bytes, 128 << 20);
	assert_int_equal(machine.devices[0].clock_mhz, 450);
	assert_int_equal(machine.devices[0].groups, 8);
	assert_int_equal(machine.devices[0].global_latency, 7);
	assert_int_equal(machine.devices[0].cache_bytes, 8 << 10);
	assert_int_equal(machine.devices[0].cache_line, 64);
	assert_int_equal(machine.devices[0].cache_ways, 2);
	assert_int_equal(machine.devices[0].channels, 1);
	assert_string_equal(machine.devices[0].memory, "m");
	assert_int_equal(machine.devices[0].isa, ACCEL_ISA_RISCV64);
	assert_int_equal(parsed("isa=riscv64,isa=host").devices[0].isa, ACCEL_ISA_HOST);
}

static void several_devices(void **state)
{
	static const char text[] = "clusters=1 # the first\n"
				   "# clusters=9\n"
				   "clusters=2;clusters=3; ;\n"
				   "memory=a,global=1G;memory=a;memory=b,global=1T\n";

	(void)state;
	struct accel_machine machine = parsed(text);
	assert_int_equal(machine.num_devices, 6);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(machine.devices[i].clusters, i + 1);
	assert_string_equal(machine.devices[4].memory, "a");
	assert_int_equal(machine.devices[5].global_bytes, UINT64_C(1) << 40);
}

static void mistakes(void **state)
{
	static const struct {
		const char *text;
		const char *part; /* of what is said about it */
	} rows[] = {
		{"clusters", "key=value"},
		{"clusters=", "number"},
		{"clusters=x", "number"},
		{"clusters=4K", "number"},
		{"clusters=-1", "number"},
		{"clusters=0x10", "number"},
		{"clusters=99999999999999999999999", "number"},
		{"local=99999999999999999999G", "number"},
		{"local=18446744073709551615G", "number"},
		{"local=K", "number"},
		{"local=1KB", "number"},
		{"clusters=0", "between 1 and 256"},
		{"clusters=257", "between 1 and 256"},
		{"elements=0", "between"},
		{"local=512", "between"},
		{"global=1M", "between"},
		{"clock=0", "between"},
		{"groups=32", "between"},
		{"groups=3", "not a power of two: 3"},
		{"channels=9", "between"},
		{"cache=48K", "a cache is"},
		{"cache=128", "a cache is"},
		{"cache=256K", "a cache is"},
		{"cache_line=24", "not a power of two"},
		{"=4", "unknown key"},
		{"cluster=4", "unknown key: cluster"},
		{"clusters=4;colour=red", "unknown key: colour"},
		{"isa=", "host or riscv64"},
		{"isa=riscv32", "host or riscv64: riscv32"},
		{"memory=", "name"},
		{"memory=a-name-that-is-longer-than-it-may-be", "name"},
		{"memory=a;memory=a,global=2G", "two sizes"},
		{"clock=1;clock=1;clock=1;clock=1;clock=1;clock=1;clock=1;clock=1;clock=1;clock=1;"
		 "clock=1;clock=1;clock=1;clock=1;clock=1;clock=1;clock=1",
		 "more than 16"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct accel_machine machine = {.num_devices = 77};
		struct accel_mistake mistake = {""};

		assert_int_equal(accel_machine_parse(rows[i].text, &machine, &mistake),
				 WEFT_INVALID_OPTIONS);
		if (!strstr(mistake.text, rows[i].part))
			fail_msg("%s: %s", rows[i].text, mistake.text);
		assert_int_equal(machine.num_devices, 77);
	}
}

static void write_file(const char *path, const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void files(void **state)
{
	char path[] = "/tmp/weft-accel-XXXXXX";
	char name[64];
	struct accel_machine machine;
	struct accel_mistake mistake = {""};
	static char large[100000];

	(void)state;
	int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	close(descriptor);
	snprintf(name, sizeof(name), "@%s", path);
	write_file(path, "clusters=7\r\nclusters=8", 22);
	machine = parsed(name);
	assert_int_equal(machine.num_devices, 2);
	assert_int_equal(machine.devices[0].clusters, 7);
	assert_int_equal(machine.devices[1].clusters, 8);
	memset(large, '\n', sizeof(large));
	write_file(path, large, sizeof(large));
	assert_int_equal(accel_machine_parse(name, &machine, &mistake), WEFT_INVALID_OPTIONS);
	assert_non_null(strstr(mistake.text, path));
	unlink(path);
	assert_int_equal(accel_machine_parse(name, &machine, &mistake), WEFT_NOT_FOUND);
	assert_non_null(strstr(mistake.text, path));
	assert_int_equal(accel_machine_parse("@/", &machine, &mistake), WEFT_INVALID_OPTIONS);
}

int run_description_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),        cmocka_unit_test(every_setting),
		cmocka_unit_test(several_devices), cmocka_unit_test(mistakes),
		cmocka_unit_test(files),
	};

	return cmocka_run_group_tests_name("description", tests, NULL, NULL);
}
