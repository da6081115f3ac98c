/* SPDX-License-Identifier: MIT
 *
 * The option strings of clBuildProgram, clCompileProgram and clLinkProgram, parsed
 * (specification 5.8.6, 5.8.7). An option that is not in the specification, or not allowed where it
 * stands, is an error; so are missing values and open quotes.
 */
#ifndef WEFT_BUILD_OPTIONS_H
#define WEFT_BUILD_OPTIONS_H

#include <string>
#include <utility>
#include <vector>

namespace weft
{

struct BuildOptions {
	/* In order; a name alone has the definition "1". */
	std::vector<std::pair<std::string, std::string>> macros;
	std::vector<std::string> includeDirs;
	/* Of OpenCL C: 100, 110, 120, 200, 300, 310. C++ for OpenCL 1.0 is compatible with 200, 2021 with 300. */
	unsigned languageVersion = 120;
	bool isCxx = false; /* C++ for OpenCL */
	bool singlePrecisionConstant = false;
	bool denormsAreZero = false;
	bool correctDivideSqrt = false;
	bool optDisable = false;
	bool strictAliasing = false;
	bool uniformWorkGroupSize = false;
	bool noSubgroupIfp = false;
	bool madEnable = false;
	bool noSignedZeros = false;
	bool unsafeMath = false;
	bool finiteMathOnly = false;
	bool fastRelaxedMath = false;
	bool kernelArgInfo = false;
	bool accessRanges = false; /* kernels have footprints */
	bool noWarnings = false;
	bool warningsAreErrors = false;
	bool debugInfo = false;
	bool createLibrary = false;
	bool enableLinkOptions = false;
};

/* What an option string is for; each option says where it may stand. */
enum OptionUse : unsigned { ForCompile = 1, ForLink = 2 };

/* Parses `text` (NULL is empty). On an error returns false and adds a line that names the option to
 * `log`. */
bool parseBuildOptions(const char *text, OptionUse use, BuildOptions &options, std::string &log);

} // namespace weft

#endif
