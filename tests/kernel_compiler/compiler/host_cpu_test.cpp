// SPDX-License-Identifier: MIT
// The family of an Intel CPU whose number is an older one's, as virtual machines have them.
#include "code_generation/host_cpu.h"

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
}

#include <llvm/TargetParser/Host.h>

#include <string>

static std::string family(const char *name, const char *features)
{
	return weft::intelFamily(name, features).str();
}

static void a_newer_feature_says_the_family(void **)
{
	const char *features = "-sse4a,+avx512vl,+avx512fp16,+amx-int8,-amx-fp16";

	assert_string_equal(family("rocketlake", features).c_str(), "sapphirerapids");
	assert_string_equal(family("rocketlake", "+amx-fp16,+avx512fp16").c_str(), "graniterapids");
	assert_string_equal(family("sapphirerapids", "+avx512fp16,+amx-fp16").c_str(),
			    "graniterapids");
}

static void a_name_with_the_features_stays(void **)
{
	assert_string_equal(family("rocketlake", "+avx512vl,-avx512fp16").c_str(), "rocketlake");
	assert_string_equal(family("emeraldrapids", "+avx512fp16").c_str(), "emeraldrapids");
	assert_string_equal(family("diamondrapids", "+amx-fp16").c_str(), "diamondrapids");
	assert_string_equal(family("rocketlake", "").c_str(), "rocketlake");
	assert_string_equal(family("unknown", "+avx512fp16").c_str(), "unknown");
}

/* LLVM's schedules are for its own name of a CPU. */
static void code_is_for_the_name_that_llvm_gives(void **)
{
	const weft::HostCpu &host = weft::hostCpu();

	assert_string_equal(host.name.c_str(), llvm::sys::getHostCPUName().str().c_str());
	assert_false(host.family.empty());
}

int main()
{
	const CMUnitTest tests[] = {
		cmocka_unit_test(code_is_for_the_name_that_llvm_gives),
		cmocka_unit_test(a_newer_feature_says_the_family),
		cmocka_unit_test(a_name_with_the_features_stays),
	};

	return cmocka_run_group_tests(tests, nullptr, nullptr);
}
