/* SPDX-License-Identifier: MIT
 *
 * Source or SPIR-V to object, objects to a module, a module to a kernel binary or to an archive.
 */
#include "compile_job.h"

#include "code_generation/code_generation.h"
#include "code_generation/elf_link.h"
#include "code_generation/kernel_units.h"
#include "code_generation/machine_pool.h"
#include "front_end/clang_arguments.h"
#include "front_end/front_end.h"
#include "ir/remarks.h"
#include "kernel/quick_code.h"
#include "kernel_archive.h"
#include "link/link_objects.h"
#include "link/module_checks.h"
#include "link/relaxed_math.h"
#include "link/specialisation.h"
#include "pipeline/pipeline.h"
#include "spirv/reader.h"
#include "support/crash_guard.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

extern "C" {
#include "digest.h"
}

#include <algorithm>

namespace weft
{

/* LLVM's own messages: a link's contradictions, what code generation cannot do. */
class LogDiagnostics : public llvm::DiagnosticHandler
{
      public:
	explicit LogDiagnostics(std::string &text) : log(text)
	{
	}

	bool handleDiagnostics(const llvm::DiagnosticInfo &info) override
	{
		if (report && info.getSeverity() == llvm::DS_Remark)
			addRemark(info);
		if (info.getSeverity() != llvm::DS_Error)
			return true;
		llvm::raw_string_ostream stream(log);
		llvm::DiagnosticPrinterRawOStream printer(stream);
		stream << "error: ";
		info.print(printer);
		stream << "\n";
		failed = true;
		return true;
	}

	bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override
	{
		return isReported(pass);
	}

	bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override
	{
		return isReported(pass);
	}

	bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override
	{
		return isReported(pass);
	}

	bool isAnyRemarkEnabled() const override
	{
		return report;
	}

	bool failed = false;
	std::string *report = nullptr; /* where remarks go, if they are wanted; borrowed */

      private:
	bool isReported(llvm::StringRef pass) const
	{
		return report && (pass == remarkPass || pass == "regalloc");
	}

	void addRemark(const llvm::DiagnosticInfo &info)
	{
		if (!llvm::isa<llvm::DiagnosticInfoOptimizationBase>(info))
			return;
		const auto &remark = llvm::cast<llvm::DiagnosticInfoOptimizationBase>(info);
		std::string text = remark.getMsg();
		if (!isReported(remark.getPassName()))
			return;
		if (remark.getPassName() != remarkPass) {
			text = spillsOf(remark);
			if (remark.getRemarkName() != "SpillReloadCopies" || text.empty())
				return;
		}
		*report += (remark.getFunction().getName() + ": " + text + "\n").str();
	}

	/* Register allocation says much, of each loop, too. */
	static std::string spillsOf(const llvm::DiagnosticInfoOptimizationBase &remark)
	{
		std::string text;
		for (const auto &argument : remark.getArgs()) {
			if (argument.Key == "NumSpills")
				text += argument.Val + " spills of registers ";
			else if (argument.Key == "NumReloads")
				text += argument.Val + " reloads ";
		}
		return llvm::StringRef(text).rtrim().str();
	}

	std::string &log;
};

namespace
{

llvm::StringRef textOf(const llvm::SmallVectorImpl<char> &bytes)
{
	return {bytes.data(), bytes.size()};
}

} // namespace

static void identify(const ArchiveParts &parts, weft_archive_header &header)
{
	const weft_digest digest =
		weft_digest_field(weft_digest_bytes(parts.binary.data(), parts.binary.size()),
				  parts.module.data(), parts.module.size());

	header.identity[0] = digest.low;
	header.identity[1] = digest.high;
}

void writeArchive(const CodegenUnits &units, uint32_t flags, const ArchiveParts &parts,
		  Result &result)
{
	weft_archive_header header = {WEFT_ARCHIVE_MAGIC,
				      units.count,
				      static_cast<uint32_t>(units.ofKernel.size()),
				      flags,
				      0,
				      parts.binary.size(),
				      parts.frame.size(),
				      parts.module.size(),
				      {}};
	if (parts.identity)
		std::copy_n(parts.identity, 2, header.identity);
	else
		identify(parts, header);
	const auto append = [&](const void *data, size_t size) {
		const char *bytes = static_cast<const char *>(data);
		result.data.append(bytes, bytes + size);
	};
	append(&header, sizeof(header));
	append(units.ofKernel.data(), units.ofKernel.size() * sizeof(uint32_t));
	for (llvm::StringRef part : {parts.binary, parts.frame, parts.module})
		append(part.data(), part.size());
	result.kind = WEFT_OUTPUT_ARCHIVE;
}

CompileJob::CompileJob(const weft_target &forTarget, Result &into)
    : target(forTarget), result(into), quick(forTarget.quick)
{
	auto handler = std::make_unique<LogDiagnostics>(result.log);

	diagnostics = handler.get();
	context.setDiagnosticHandler(std::move(handler));
	context.setDiscardValueNames(true);
}

weft_status CompileJob::prepare(const char *text, OptionUse use)
{
	if (!parseBuildOptions(text, use, options, result.log))
		return WEFT_INVALID_OPTIONS;
	bool taken = useMachine(!options.optDisable && !quick);
	clock.done("target machine");
	return taken ? WEFT_OK : WEFT_BUILD_FAILED;
}

bool CompileJob::useMachine(bool optimise)
{
	keepForNext();
	machine = takeTargetMachine(target, optimise, result.log);
	return machine != nullptr;
}

/* What counted cycles are must not depend on the CPU. */
Precompiled CompileJob::callsPrecompiled() const
{
	if (target.costs || precompiledBits(*machine) == 0)
		return Precompiled::None;
	return quick ? Precompiled::All : Precompiled::Parts;
}

bool CompileJob::estimates() const
{
	return !target.costs && hasFineEstimates(*machine);
}

bool CompileJob::readSource(const weft_compile_desc &desc, SourcePart &part)
{
	if (options.languageVersion > versionOffered(target)) {
		result.log += "error: this version of OpenCL C is not offered: '-cl-std=CL" +
			      std::to_string(options.languageVersion / 100) + "." +
			      std::to_string(options.languageVersion / 10 % 10) + "'\n";
		return false;
	}
	/* False for a processing element: counted cycles must not depend on the CPU. */
	bool fastFma = !target.costs && hasFastFma(*machine);
	module = compileSource(desc, options,
			       {context, result.log, result.surroundings, fastFma, part});
	return module != nullptr;
}

bool CompileJob::readIl(const weft_compile_desc &desc)
{
	const weft_il &il = *desc.il;
	JobOwned<std::vector<SpirvSpecialisation>> values;

	for (const weft_spec_constant &constant : llvm::ArrayRef(il.constants, il.num_constants))
		values->push_back(
			{constant.id,
			 {reinterpret_cast<const uint8_t *>(&constant.bits), constant.size}});
	const SpirvInput input = {il.bytes, il.size, *values, desc.zero_private, desc.zero_local};
	module = readSpirv(input, options, target, context, result.log);
	return module != nullptr;
}

void CompileJob::keepForNext()
{
	/* A machine never forgets what this names. */
	bool names = module && module->getNamedGlobal("llvm.used");

	if (machine && !names)
		keepMachine(std::move(machine));
}

weft_status CompileJob::compile(const weft_compile_desc &desc, bool late)
{
	JobOwned<SourcePart> part(partOf(desc, late));
	diagnostics->report = desc.report ? &result.report : nullptr;
	bool isRead = desc.il ? readIl(desc) : readSource(desc, *part);

	if (isRead)
		relaxMath(*module, options);
	if (isRead && !part->division.kernels.empty())
		keptUnits = keepSource(desc, part->division);
	clock.done("front end");
	return isRead ? WEFT_OK : WEFT_BUILD_FAILED;
}

weft_status CompileJob::merge(const weft_link_desc &desc)
{
	weft_status status =
		mergeObjects(desc.inputs, desc.num_inputs, context, module, result.log);

	if (status == WEFT_OK) /* each input has had its own options */
		relaxMath(*module, options);
	clock.done("merging");
	return status;
}

weft_status CompileJob::readProgram(const weft_specialise_desc &desc)
{
	if (!useMachine(true))
		return WEFT_BUILD_FAILED;
	const llvm::StringRef kept(static_cast<const char *>(desc.object.data), desc.object.size);
	weft_status status = WEFT_INVALID_BINARY;
	if (!isKeptSource(kept))
		status = mergeObjects(&desc.object, 1, context, module, result.log);
	else if (readKeptKernel(desc))
		status = WEFT_OK;
	clock.done("reading");
	return status;
}

weft_status CompileJob::specialise(const weft_specialise_desc &desc)
{
	isSpecialisation = true;
	hasImageConstants = desc.num_image_constants > 0;
	if (keepSpecialised(*module, desc))
		return WEFT_OK;
	result.log += "error: no such kernel\n";
	return WEFT_INVALID_BINARY;
}

weft_status CompileJob::makeObject(weft_output_kind kind)
{
	writeObject(*module, result.data);
	result.kind = kind;
	clock.done("bitcode");
	return WEFT_OK;
}

bool CompileJob::beginProgram()
{
	runProgramPasses(*module);
	renameOwnBuiltins(*module);
	if (!checkSizes(*module, result.log))
		return false;
	boundAlignments(*module, result.log);
	/* Kernels that count cycles have no specialisations: the cycles would show when one is used. */
	if (!isSpecialisation && !isPart && !options.optDisable && !target.costs) {
		writeForSpecialisation(*module, bitcode);
		object = {bitcode.data(), bitcode.size()};
	}
	clock.done("whole program");
	return true;
}

bool CompileJob::linkLibrary()
{
	if (estimates())
		useInstructions(*module);
	const Precompiled precompiled = callsPrecompiled();
	bool linked = linkBuiltins(*module, precompiled, result.log) &&
		      (!hasImageConstants || linkImageCode(*module, precompiled, result.log)) &&
		      checkAllDefined(*module, result.log);

	if (linked && quick) {
		if (!object.empty() && mayBeQuick(*module))
			markQuick(*module);
		else
			linked = useMachine(!options.optDisable);
	}
	clock.done("built-ins");
	return linked;
}

bool CompileJob::transform()
{
	PipelineOptions pipeline;

	pipeline.vectorWidth = target.vector_width;
	pipeline.optimise = !options.optDisable;
	pipeline.quick = isQuick(*module);
	pipeline.footprints = options.accessRanges;
	pipeline.object = object;
	pipeline.isPart = isPart;
	pipeline.costs = target.costs;
	pipeline.slowGathers = target.slow_gathers;
	pipeline.precompiledBits = precompiledBits(*machine);
	bool done = retargetModule(*module, *machine, result.log) &&
		    runKernelPasses(*module, *machine, pipeline, result.log);
	clock.done("our passes");
	return done;
}

bool CompileJob::makeObjectFile(llvm::Module &from, llvm::SmallVectorImpl<char> &code)
{
	bool made = generateObject(from, *machine, code, result.log) && !diagnostics->failed;

	clock.done("code generation");
	return made;
}

bool CompileJob::makeBinary()
{
	llvm::SmallVector<char, 0> code;

	if (!optimiseKernels(*module, *machine, !options.optDisable, result.log))
		return false;
	clock.done("optimisation");
	if (!makeObjectFile(*module, code) ||
	    !linkSharedObject({{code.data(), code.size()}}, result.data, result.log))
		return false;
	clock.done("lld");
	result.kind = WEFT_OUTPUT_KERNELS;
	return true;
}

bool CompileJob::linkDescriptors(llvm::SmallVectorImpl<char> &descriptors,
				 llvm::SmallVectorImpl<char> &binary)
{
	keepDescriptors(*module);
	bool linked =
		makeObjectFile(*module, descriptors) &&
		linkSharedObject({{descriptors.data(), descriptors.size()}}, binary, result.log);
	clock.done("lld");
	return linked;
}

bool CompileJob::makeArchive(const CodegenUnits &units)
{
	llvm::SmallVector<char, 0> code, frame, binary;

	writeObject(*module, code);
	clock.done("bitcode");
	if (!linkDescriptors(frame, binary))
		return false;
	writeArchive(units, 0, {textOf(binary), textOf(frame), textOf(code)}, result);
	return true;
}

bool CompileJob::makeUnpreparedArchive(const CodegenUnits &units)
{
	llvm::SmallVector<char, 0> signatures, frame, binary;
	PipelineOptions pipeline;

	pipeline.object = object;
	pipeline.isPart = true;
	keepSignatures(*module);
	if (quick)
		markQuick(*module);
	if (!retargetModule(*module, *machine, result.log))
		return false;
	describeSignatures(*module, pipeline);
	clock.done("descriptors");
	const auto numKernels = static_cast<uint32_t>(units.ofKernel.size());
	std::unique_ptr<llvm::Module> frameModule = makeFrame(*module, numKernels, object);
	if (!linkDescriptors(signatures, binary) ||
	    (!keptUnits.count && !makeObjectFile(*frameModule, frame)))
		return false;
	const uint32_t flags = WEFT_ARCHIVE_UNPREPARED | (quick ? WEFT_ARCHIVE_QUICK : 0U) |
			       (keptUnits.count ? WEFT_ARCHIVE_SOURCE : 0U);
	writeArchive(units, flags, {textOf(binary), textOf(frame), object}, result);
	return true;
}

weft_status CompileJob::makeKernels(bool late)
{
	CodegenUnits units;

	if (keptUnits.count)
		return makeUnpreparedArchive(keptUnits) ? WEFT_OK : WEFT_BUILD_FAILED;
	if (!beginProgram())
		return WEFT_BUILD_FAILED;
	/* Footprints are in the descriptors. */
	if (late && !object.empty() && !options.accessRanges && hasAllDefinitions(*module))
		units = divideSource(*module, quick);
	if (units.count)
		return makeUnpreparedArchive(units) ? WEFT_OK : WEFT_BUILD_FAILED;
	if (!linkLibrary() || !transform())
		return WEFT_BUILD_FAILED;
	if (late && !options.optDisable)
		units = divideKernels(*module);
	return (units.count ? makeArchive(units) : makeBinary()) ? WEFT_OK : WEFT_BUILD_FAILED;
}

weft_status CompileJob::makeText(weft_emit what)
{
	llvm::raw_svector_ostream stream(result.data);

	result.kind = WEFT_OUTPUT_TEXT;
	if (what != WEFT_EMIT_SOURCE_IR &&
	    (!beginProgram() || !linkLibrary() || !transform() ||
	     !optimiseKernels(*module, *machine, !options.optDisable, result.log)))
		return WEFT_BUILD_FAILED;
	if (what != WEFT_EMIT_ASSEMBLY) {
		module->print(stream, nullptr);
		return WEFT_OK;
	}
	return generateAssembly(*module, *machine, result.data, result.log) && !diagnostics->failed
		       ? WEFT_OK
		       : WEFT_BUILD_FAILED;
}

} // namespace weft
