/* SPDX-License-Identifier: MIT
 *
 * Tables of arguments, and the order in which Clang gets them.
 */
#include "front_end/clang_arguments.h"

#include "front_end/source_files.h"

#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <atomic>

namespace
{

using weft::BuildOptions;

/* What every compilation gets. */
constexpr const char *fixedArguments[] = {
	"-triple",
	"spir64-unknown-unknown",
	"-x",
	"cl",
	"-nostdsysteminc",
	"-nobuiltininc",
	"-fdeclare-opencl-builtins",
	"-include",
	weft::baseHeader,
	"-include",
	weft::declarationsHeader,
	"-cl-kernel-arg-info", /* always: asking costs nothing */
	"-fno-gnu-inline-asm",
	"-disable-pragma-debug-crash",
	"-disable-O0-optnone",
	"-discard-value-names",
	"-Qn",
	"-fbracket-depth",
	"4096", /* the stack is large: crash_guard.h */
	"-ferror-limit",
	"100",
	"-main-file-name",
	"source.cl",
};

/* Clang says that it is a SPIR target with images; to the source it is this device. */
constexpr const char *undefined[] = {
	"__SPIR",    "__SPIR64",          "__SPIR__",         "__SPIR64__",
	"__SPIRV__", "__IMAGE_SUPPORT__", "__opencl_c_int64",
};

/* Attributes on whose arguments Clang crashes, become others that it does not know. */
constexpr const char *defined[] = {
	"swift_error=swift_error_",
	"__swift_error__=swift_error_",
	"swift_async_error=swift_async_error_",
	"__swift_async_error__=swift_async_error_",
};

struct ClangFlag {
	bool BuildOptions::*field;
	const char *argument;
};

/* Clang's spelling of the options that Clang implements. -cl-strict-aliasing is not among them: Clang warns that it is
 * deprecated, which -Werror would make an error. No code generator uses what Clang's -cl-mad-enable allows, so contraction is
 * asked for, too. */
constexpr ClangFlag clangFlags[] = {
	{&BuildOptions::singlePrecisionConstant, "-cl-single-precision-constant"},
	{&BuildOptions::correctDivideSqrt, "-cl-fp32-correctly-rounded-divide-sqrt"},
	{&BuildOptions::uniformWorkGroupSize, "-cl-uniform-work-group-size"},
	{&BuildOptions::madEnable, "-cl-mad-enable"},
	{&BuildOptions::madEnable, "-ffp-contract=fast-honor-pragmas"},
	{&BuildOptions::noSignedZeros, "-cl-no-signed-zeros"},
	{&BuildOptions::unsafeMath, "-cl-unsafe-math-optimizations"},
	{&BuildOptions::finiteMathOnly, "-cl-finite-math-only"},
	{&BuildOptions::fastRelaxedMath, "-cl-fast-relaxed-math"},
	{&BuildOptions::noWarnings, "-w"},
	{&BuildOptions::warningsAreErrors, "-Werror"},
};

/* The source is as if it lay in the process's working folder: #include "..." looks there before -I folders, and #include <...>
 * after them. Headers that were given with the source come first. */
void addSearchPath(weft::Arguments &arguments, const BuildOptions &options)
{
	arguments.add("-iquote", weft::givenHeadersDir);
	arguments.add("-iquote", ".");
	arguments.add("-I", weft::givenHeadersDir);
	for (const std::string &dir : options.includeDirs)
		arguments.add("-I", dir);
	arguments.add("-I", ".");
}

/* Without a run-time library: no type information, no lock for a variable's first use, and what destroys an object bears its name
 * (cxx_objects.h). */
constexpr const char *cxxArguments[] = {
	"-fno-rtti",
	"-fno-threadsafe-statics",
	"-fno-use-cxa-atexit",
};

void addLanguage(weft::Arguments &arguments, const BuildOptions &options)
{
	static const struct {
		unsigned version;
		bool isCxx;
		const char *argument;
	} versions[] = {{100, false, "-cl-std=CL1.0"},   {110, false, "-cl-std=CL1.1"},
			{120, false, "-cl-std=CL1.2"},   {200, false, "-cl-std=CL2.0"},
			{300, false, "-cl-std=CL3.0"},   {310, false, "-cl-std=CL3.0"},
			{200, true, "-cl-std=CLC++1.0"}, {300, true, "-cl-std=CLC++2021"}};

	for (const auto &row : versions) {
		if (row.version == options.languageVersion && row.isCxx == options.isCxx)
			arguments.add(row.argument);
	}
	if (options.isCxx) {
		for (const char *argument : cxxArguments)
			arguments.add(argument);
	}
}

/* Clang knows no OpenCL C 3.1, which is 3.0 with more built-in functions: those of extensions that devices with 3.1 have. */
void addNewerVersion(weft::Arguments &arguments, const weft_target &target,
		     const BuildOptions &options)
{
	if (weft::versionOffered(target) >= 310)
		arguments.define("CL_VERSION_3_1=310");
	if (options.languageVersion == 310) {
		arguments.undefine("__OPENCL_C_VERSION__");
		arguments.define("__OPENCL_C_VERSION__=310");
	}
}

void addOptions(weft::Arguments &arguments, const BuildOptions &options)
{
	addLanguage(arguments, options);
	for (const ClangFlag &row : clangFlags) {
		if (options.*row.field)
			arguments.add(row.argument);
	}
	/* Clang 22 made errors of these; much OpenCL C was written when they were warnings. */
	if (!options.warningsAreErrors) {
		arguments.add("-Wno-error=int-conversion");
		arguments.add("-Wno-error=incompatible-pointer-types");
		arguments.add("-Wno-error=return-mismatch");
	}
	/* lower-virtual-calls needs types of accesses, which Clang does not note at -O0. */
	if (options.optDisable)
		arguments.add(options.isCxx ? "-O1" : "-O0");
	else
		arguments.add("-O2");
	if (options.debugInfo) {
		arguments.add("-debug-info-kind=constructor");
		arguments.add("-dwarf-version=5");
		arguments.add("-debugger-tuning=gdb");
	}
	addSearchPath(arguments, options);
	for (const auto &[name, definition] : options.macros)
		arguments.define(name + "=" + definition);
}

/* Whether Clang defines an extension's macro where the language version has it. It has mipmapped images from version 2.0 on,
 * the specification has them in all versions. */
bool definesMacro(llvm::StringRef name, unsigned languageVersion)
{
	static constexpr llvm::StringRef known[] = {
#define OPENCLEXTNAME(extension) #extension,
#include "clang/Basic/OpenCLExtensions.def"
	};

	return llvm::is_contained(known, name) &&
	       (languageVersion >= 200 || !name.starts_with("cl_khr_mipmap_image"));
}

constexpr const char *imageFeatures[] = {"__opencl_c_images", "__opencl_c_read_write_images",
					 "__opencl_c_3d_image_writes", "cl_khr_3d_image_writes"};

/* The extensions and features that are offered, and a macro for each (OpenCL C 6.2.1; OpenCL
 * Extensions 1.4); features come with version 3.0, and some of them are what 2.0 has by itself. */
void addTarget(weft::Arguments &arguments, const weft_target &target, const BuildOptions &options)
{
	/* Clang's own, which a source switches on by a pragma: calls through pointers, virtual functions. */
	std::string list = "-cl-ext=-all,+__cl_clang_function_pointers";
	llvm::SmallVector<llvm::StringRef, 64> names, features;

	llvm::StringRef(target.extensions ? target.extensions : "").split(names, ' ', -1, false);
	llvm::StringRef(target.features ? target.features : "").split(features, ' ', -1, false);
	if (llvm::is_contained(features, "__opencl_c_images"))
		arguments.define("__IMAGE_SUPPORT__=1");
	if (options.languageVersion >= 200)
		llvm::append_range(names, features);
	for (llvm::StringRef name : names) {
		list += (",+" + name).str();
		if (name == "cles_khr_int64") // only of devices with that profile
			arguments.define("__EMBEDDED_PROFILE__=1");
		/* A language is no extension of one: it has no macro (cl_ext_cxx_for_opencl). */
		if (name != "cl_ext_cxx_for_opencl" && !definesMacro(name, options.languageVersion))
			arguments.define((name + "=1").str());
	}
	/* A source may mention images where the device has none. Its macros say what the device has. */
	for (const char *feature : imageFeatures) {
		if (options.languageVersion < 300 || llvm::is_contained(names, feature))
			continue;
		list += std::string(",+") + feature;
		arguments.undefine(feature);
	}
	arguments.addJoined(list);
	arguments.define("__OPENCL_VERSION__=" + std::to_string(weft::versionOffered(target)));
}

} // namespace

namespace weft
{

unsigned versionOffered(const weft_target &target)
{
	auto [major, minor] = llvm::StringRef(target.opencl_c_version).split('.');
	unsigned numbers[2] = {0, 0};

	if (major.getAsInteger(10, numbers[0]) || minor.getAsInteger(10, numbers[1]))
		return 120;
	return numbers[0] * 100 + numbers[1] * 10;
}

namespace
{

/* What Clang made of arguments: to read them takes a twentieth of a build of one line. As in machine_pool.cpp, a slot is empty while
 * a thread uses what was in it, so that a call may be left anywhere and a process may fork. */
struct Kept {
	std::string arguments;
	clang::CompilerInvocation invocation;
};

std::atomic<Kept *> slots[8];

void keep(std::unique_ptr<Kept> kept)
{
	Kept *own = kept.release();

	for (std::atomic<Kept *> &slot : slots) {
		Kept *none = nullptr;
		if (slot.compare_exchange_strong(none, own, std::memory_order_release,
						 std::memory_order_relaxed))
			return;
	}
	/* the slots may be full of others */
	kept.reset(slots[0].exchange(own, std::memory_order_acq_rel));
}

std::unique_ptr<Kept> takeKept(const std::string &arguments)
{
	for (std::atomic<Kept *> &slot : slots) {
		std::unique_ptr<Kept> kept(slot.exchange(nullptr, std::memory_order_acquire));
		if (kept && kept->arguments == arguments)
			return kept;
		if (kept)
			keep(std::move(kept));
	}
	return nullptr;
}

} // namespace

std::shared_ptr<clang::CompilerInvocation>
Arguments::makeInvocation(clang::DiagnosticsEngine &diagnostics, const std::string &log) const
{
	auto made = std::make_shared<clang::CompilerInvocation>();
	const size_t logged = log.size();
	std::string key;

	for (const char *argument : list)
		key.append(argument).push_back('\0');
	std::unique_ptr<Kept> kept = takeKept(key);
	if (kept) {
		*made = kept->invocation;
	} else {
		if (!clang::CompilerInvocation::CreateFromArgs(*made, list, diagnostics))
			return nullptr;
		kept = std::make_unique<Kept>(Kept{std::move(key), *made});
	}
	if (log.size() == logged)
		keep(std::move(kept));
	for (const auto &[macro, isUndefined] : macros) {
		if (isUndefined)
			made->getPreprocessorOpts().addMacroUndef(macro);
		else
			made->getPreprocessorOpts().addMacroDef(macro);
	}
	return made;
}

void addArguments(Arguments &arguments, const weft_compile_desc &desc, const BuildOptions &options,
		  bool fastFma)
{
	for (const char *argument : fixedArguments)
		arguments.add(argument);
	for (const char *name : undefined)
		arguments.undefine(name);
	for (const char *macro : defined)
		arguments.define(macro);
	addOptions(arguments, options);
	addTarget(arguments, *desc.target, options);
	addNewerVersion(arguments, *desc.target, options);
	if (desc.zero_private)
		arguments.add("-ftrivial-auto-var-init=zero");
	if (fastFma) { /* OpenCL C 6.13.2.1 */
		arguments.define("FP_FAST_FMAF=1");
		arguments.define("FP_FAST_FMA=1");
	}
}

} // namespace weft
