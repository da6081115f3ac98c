/* SPDX-License-Identifier: MIT
 *
 * LLVM names an Intel CPU by its model's number. A virtual machine may have the number of an older family beside the features of its own:
 * then features say the family, by which our costs are looked up. LLVM's own tuning and schedules go by its name: those of
 * "sapphirerapids" make slower code for a Sapphire Rapids (docs/kernel_compiler.md).
 */
#include "code_generation/host_cpu.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/X86TargetParser.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace
{

/* The first server CPUs with a feature, the newest first. */
struct Family {
	StringLiteral feature, name;
};

constexpr Family families[] = {
	{"amx-fp16", "graniterapids"},
	{"avx512fp16", "sapphirerapids"},
};

bool has(StringRef features, StringRef feature)
{
	return is_contained(split(features, ','), ("+" + feature).str());
}

bool isIntel()
{
#if defined(__x86_64__)
	return sys::detail::x86::getVendorSignature() ==
	       sys::detail::x86::VendorSignatures::GENUINE_INTEL;
#else
	return false;
#endif
}

std::string hostFeatures()
{
	SmallVector<std::string, 128> features;

	for (const auto &feature : sys::getHostCPUFeatures())
		features.push_back(((feature.second ? "+" : "-") + feature.first()).str());
	return join(features, ",");
}

weft::HostCpu askHost()
{
	weft::HostCpu host = {sys::getHostCPUName().str(), "", hostFeatures()};

	host.family = isIntel() ? weft::intelFamily(host.name, host.features).str() : host.name;
	weft_log(WEFT_LOG_DEBUG, "compiler", "code is for %s, with the costs of %s",
		 host.name.c_str(), host.family.c_str());
	return host;
}

} // namespace

namespace weft
{

const HostCpu &hostCpu()
{
	static const HostCpu asked = askHost();
	return asked;
}

StringRef intelFamily(StringRef name, StringRef features)
{
	SmallVector<StringRef, 128> named;

	if (X86::parseArchX86(name, true) == X86::CK_None)
		return name;
	X86::getFeaturesForCPU(name, named);
	for (const Family &family : families) {
		if (has(features, family.feature) && !is_contained(named, family.feature))
			return family.name;
	}
	return name;
}

} // namespace weft
