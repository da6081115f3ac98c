/* SPDX-License-Identifier: MIT
 *
 * Archives to code: of their modules; or of their sources, where a build has parsed one and made LLVM IR of nothing but signatures. Then
 * what follows reads those of its functions again that it needs.
 */
#include "compile_job.h"

#include "code_generation/code_generation.h"
#include "code_generation/elf_link.h"
#include "code_generation/kernel_units.h"
#include "front_end/front_end.h"
#include "front_end/kept_source.h"
#include "kernel/quick_code.h"
#include "kernel_archive.h"
#include "link/builtins_library.h"
#include "link/link_objects.h"
#include "link/relaxed_math.h"
#include "pipeline/pipeline.h"
#include "support/crash_guard.h"

#include "llvm/Support/Error.h"

#include <algorithm>

namespace weft
{

namespace
{

/* To read a source again takes one or two milliseconds for each unit. So much of what a build leaves out is gained once, and most
 * programs run a few of their kernels. */
constexpr size_t leastKernels = 8;
constexpr double leastSize = 6000; /* in instructions, about, without the largest one */

bool isWorthKeeping(const SourceDivision &division)
{
	double size = 0, largest = 0;

	for (const KernelSource &kernel : division.kernels) {
		size += kernel.size;
		largest = std::max(largest, kernel.size);
	}
	return division.kernels.size() >= leastKernels && size - largest >= leastSize;
}

llvm::StringRef moduleOf(const weft_archive &archive)
{
	return {reinterpret_cast<const char *>(archive.module), archive.module_size};
}

} // namespace

SourcePart CompileJob::partOf(const weft_compile_desc &desc, bool late) const
{
	SourcePart part;

	if (late && !desc.leaves && !options.isCxx && !options.debugInfo && !options.optDisable &&
	    !options.accessRanges && !target.costs && !desc.report && desc.num_headers == 0) {
		part.mayDivide = isWorthKeeping;
		part.isBuiltin = isBuiltin;
	}
	return part;
}

CodegenUnits CompileJob::keepSource(const weft_compile_desc &desc, const SourceDivision &division)
{
	llvm::SmallVector<double, 64> sizes;

	for (const KernelSource &kernel : division.kernels)
		sizes.push_back(kernel.size);
	writeKeptSource(desc, division, bitcode);
	object = {bitcode.data(), bitcode.size()};
	return divideBySizes(sizes, quick);
}

/* Of some of its functions, or all. */
bool CompileJob::readKept(KeptSource &source, const FunctionPlaces *functions)
{
	weft_compile_desc desc = {};
	SourcePart part;

	if (!parseBuildOptions(source.options.c_str(), ForCompile, options, result.log) ||
	    !useMachine(!quick))
		return false;
	if (functions)
		keepBodies(source, *functions);
	desc.source = source.text.data();
	desc.source_size = source.text.size();
	desc.options = source.options.c_str();
	desc.target = &target;
	desc.zero_private = source.zeroPrivate;
	desc.zero_local = source.zeroLocal;
	part.functions = functions;
	if (!readSource(desc, part))
		return false;
	relaxMath(*module, options);
	return true;
}

bool CompileJob::readKeptUnit(const weft_archive &archive, uint32_t unit)
{
	JobOwned<KeptSource> source;
	JobOwned<FunctionPlaces> functions;

	if (!readKeptSource(moduleOf(archive), *source) ||
	    source->division.kernels.size() != archive.num_kernels || unit >= archive.num_units)
		return false;
	for (uint32_t i = 0; i < archive.num_kernels; i++) {
		if (weft_archive_unit(&archive, i) == unit)
			functions->insert_range(source->division.kernels[i].needs);
	}
	quick = archive.flags & WEFT_ARCHIVE_QUICK;
	isPart = true;
	object = moduleOf(archive);
	if (!readKept(*source, &*functions))
		return false;
	keepAllKernels(*module);
	return beginProgram();
}

bool CompileJob::readKeptKernel(const weft_specialise_desc &desc)
{
	JobOwned<KeptSource> source;
	JobOwned<FunctionPlaces> functions;

	if (!readKeptSource({static_cast<const char *>(desc.object.data), desc.object.size},
			    *source))
		return false;
	for (const KernelSource &kernel : source->division.kernels) {
		if (kernel.name == desc.kernel)
			functions->insert_range(kernel.needs);
	}
	return readKept(*source, &*functions);
}

/* The same archive with the module in the place of the source. */
weft_status CompileJob::expand(const weft_archive &archive)
{
	JobOwned<KeptSource> source;
	llvm::SmallVector<char, 0> frame;
	CodegenUnits units;

	if (!(archive.flags & WEFT_ARCHIVE_SOURCE) || !readKeptSource(moduleOf(archive), *source) ||
	    source->division.kernels.size() != archive.num_kernels)
		return WEFT_INVALID_BINARY;
	quick = archive.flags & WEFT_ARCHIVE_QUICK;
	if (!readKept(*source, nullptr))
		return WEFT_BUILD_FAILED;
	clock.done("reading");
	units.count = archive.num_units;
	for (uint32_t i = 0; i < archive.num_kernels; i++)
		units.ofKernel.push_back(weft_archive_unit(&archive, i));
	if (!beginProgram() || !retargetModule(*module, *machine, result.log))
		return WEFT_BUILD_FAILED;
	module = makeFrame(*module, archive.num_kernels, object);
	if (!makeObjectFile(*module, frame))
		return WEFT_BUILD_FAILED;
	writeArchive(units, archive.flags & ~uint32_t{WEFT_ARCHIVE_SOURCE},
		     {{reinterpret_cast<const char *>(archive.binary), archive.binary_size},
		      {frame.data(), frame.size()},
		      object,
		      archive.identity},
		     result);
	return WEFT_OK;
}

bool CompileJob::readUnit(const weft_archive &archive, uint32_t unit)
{
	const bool isPrepared = !(archive.flags & WEFT_ARCHIVE_UNPREPARED);

	module = readObjectLazily({archive.module, archive.module_size}, context, result.log);
	if (!module || unit >= archive.num_units)
		return false;
	llvm::SmallVector<uint32_t, 16> units;
	for (uint32_t i = 0; i < archive.num_kernels; i++)
		units.push_back(weft_archive_unit(&archive, i));
	llvm::Error error =
		isPrepared ? keepUnit(*module, units, unit) : keepKernels(*module, units, unit);
	if (error) {
		result.log += "error: " + llvm::toString(std::move(error)) + "\n";
		return false;
	}
	quick = isPrepared ? isQuick(*module) : archive.flags & WEFT_ARCHIVE_QUICK;
	return true;
}

weft_status CompileJob::generate(const weft_generate_desc &desc)
{
	weft_archive archive;

	if (!weft_archive_open(desc.archive.data, desc.archive.size, &archive))
		return WEFT_INVALID_BINARY;
	if (desc.unit == WEFT_UNIT_ALL)
		return expand(archive);
	const bool isKept = archive.flags & WEFT_ARCHIVE_SOURCE;
	if (isKept ? !readKeptUnit(archive, desc.unit) : !readUnit(archive, desc.unit))
		return WEFT_INVALID_BINARY;
	if (!isKept && !useMachine(!quick))
		return WEFT_BUILD_FAILED;
	clock.done("reading");
	if (archive.flags & WEFT_ARCHIVE_UNPREPARED) {
		isPart = true;
		object = moduleOf(archive);
		if (!linkLibrary() || !transform())
			return WEFT_BUILD_FAILED;
	}
	if (!optimiseKernels(*module, *machine, true, result.log))
		return WEFT_BUILD_FAILED;
	clock.done("optimisation");
	result.kind = WEFT_OUTPUT_UNIT;
	return makeObjectFile(*module, result.data) ? WEFT_OK : WEFT_BUILD_FAILED;
}

weft_status joinUnits(const weft_join_desc &desc, Result &result)
{
	weft_archive archive;

	if (!weft_archive_open(desc.archive.data, desc.archive.size, &archive))
		return WEFT_INVALID_BINARY;
	const bool isPrepared = !(archive.flags & WEFT_ARCHIVE_UNPREPARED);
	const bool isWhole = desc.num_units == archive.num_units;
	if (!isPrepared && desc.num_units != 1 && (!isWhole || archive.flags & WEFT_ARCHIVE_SOURCE))
		return WEFT_INVALID_BINARY;
	std::vector<llvm::StringRef> objects;
	if (isPrepared || isWhole)
		objects.push_back(
			{reinterpret_cast<const char *>(archive.frame), archive.frame_size});
	for (size_t i = 0; i < desc.num_units; i++)
		objects.push_back(
			{static_cast<const char *>(desc.units[i].data), desc.units[i].size});
	result.kind = WEFT_OUTPUT_KERNELS;
	return linkSharedObject(objects, result.data, result.log) ? WEFT_OK : WEFT_BUILD_FAILED;
}

} // namespace weft
