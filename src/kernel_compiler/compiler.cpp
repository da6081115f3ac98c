/* SPDX-License-Identifier: MIT
 *
 * The functions behind compiler.h: each runs its stages contained, on C++ objects of its own, and
 * copies what they made into the caller's structure at the end.
 */
#include "compiler.h"

#include "build_options.h"
#include "builtins_library.h"
#include "code_generation.h"
#include "contain.h"
#include "elf_link.h"
#include "front_end.h"
#include "kernel_version.h"
#include "link_objects.h"
#include "pipeline.h"
#include "relaxed_math.h"
#include "stage_clock.h"

extern "C" {
#include "alloc.h"
}

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace
{

using weft::BuildOptions;

/* What a call makes. */
struct Result {
	weft_output_kind kind = WEFT_OUTPUT_NONE;
	llvm::SmallVector<char, 0> data;
	std::string log;
	std::vector<std::string> files;
};

/* LLVM's own messages: a link's contradictions, what code generation cannot do. */
class LogDiagnostics : public llvm::DiagnosticHandler
{
      public:
	explicit LogDiagnostics(std::string &text) : log(text)
	{
	}

	bool handleDiagnostics(const llvm::DiagnosticInfo &info) override
	{
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

	bool failed = false;

      private:
	std::string &log;
};

/* The stages of one call, on what the stages before made. Each returns false or a status when it
 * failed, with the reason in the result's log. */
class Stages
{
      public:
	Stages(const weft_target &forTarget, Result &into) : target(forTarget), result(into)
	{
		auto handler = std::make_unique<LogDiagnostics>(result.log);

		diagnostics = handler.get();
		context.setDiagnosticHandler(std::move(handler));
		context.setDiscardValueNames(true);
	}

	weft_status prepare(const char *text, weft::OptionUse use)
	{
		if (!weft::parseBuildOptions(text, use, options, result.log))
			return WEFT_INVALID_OPTIONS;
		machine = weft::createTargetMachine(target, !options.optDisable, result.log);
		clock.done("target machine");
		return machine ? WEFT_OK : WEFT_BUILD_FAILED;
	}

	weft_status compile(const weft_compile_desc &desc)
	{
		if (options.languageVersion > weft::versionOffered(target)) {
			result.log += "error: this version of OpenCL C is not offered\n";
			return WEFT_BUILD_FAILED;
		}
		module = weft::compileSource(desc, options, weft::hasFastFma(*machine), context,
					     result.log, result.files);
		if (module)
			weft::relaxMath(*module, *machine, options);
		clock.done("front end");
		return module ? WEFT_OK : WEFT_BUILD_FAILED;
	}

	weft_status merge(const weft_link_desc &desc)
	{
		weft_status status = weft::mergeObjects(desc.inputs, desc.num_inputs, context,
							module, result.log);

		if (status == WEFT_OK) /* each input has had its own options */
			weft::relaxMath(*module, *machine, options);
		clock.done("merging");
		return status;
	}

	weft_status readProgram(const weft_specialise_desc &desc)
	{
		machine = weft::createTargetMachine(target, true, result.log);
		if (!machine)
			return WEFT_BUILD_FAILED;
		weft_status status =
			weft::mergeObjects(&desc.object, 1, context, module, result.log);
		clock.done("reading");
		return status;
	}

	weft_status specialise(const weft_specialise_desc &desc)
	{
		isVersion = true;
		if (weft::keepForSize(*module, desc.kernel, desc.local_size))
			return WEFT_OK;
		result.log += "error: no such kernel\n";
		return WEFT_INVALID_BINARY;
	}

	bool wantsLibrary() const
	{
		return options.createLibrary;
	}

	weft_status makeObject(weft_output_kind kind)
	{
		weft::writeObject(*module, result.data);
		result.kind = kind;
		clock.done("bitcode");
		return WEFT_OK;
	}

	/* The module, complete now, to a kernel binary. */
	weft_status makeKernels()
	{
		llvm::SmallVector<char, 0> code;

		if (!complete() || !transform())
			return WEFT_BUILD_FAILED;
		if (!weft::generateObject(*module, *machine, code, result.log) ||
		    diagnostics->failed)
			return WEFT_BUILD_FAILED;
		clock.done("code generation");
		if (!weft::linkSharedObject({code.data(), code.size()}, result.data, result.log))
			return WEFT_BUILD_FAILED;
		clock.done("lld");
		result.kind = WEFT_OUTPUT_KERNELS;
		return WEFT_OK;
	}

      private:
	bool complete()
	{
		if (!isVersion && !options.optDisable)
			weft::writeObject(*module, object);
		if (object.size() > weft::maxVersionBytes)
			object.clear();
		bool linked = weft::checkSizes(*module, result.log) &&
			      weft::linkBuiltins(*module, result.log) &&
			      weft::checkAllDefined(*module, result.log);

		clock.done("built-ins");
		return linked;
	}

	bool transform()
	{
		weft::PipelineOptions pipeline;

		pipeline.vectorWidth = target.vector_width;
		pipeline.optimise = !options.optDisable;
		pipeline.object = {object.data(), object.size()};
		bool done = weft::retargetModule(*module, *machine, result.log) &&
			    weft::runKernelPipeline(*module, *machine, pipeline, result.log);
		clock.done("passes");
		return done;
	}

	const weft_target &target;
	Result &result;
	weft::StageClock clock;
	BuildOptions options;
	bool isVersion = false;            /* of a kernel for one local size */
	llvm::SmallVector<char, 0> object; /* what versions are made from */
	llvm::LLVMContext context;
	LogDiagnostics *diagnostics; /* owned by the context */
	std::unique_ptr<llvm::TargetMachine> machine;
	std::unique_ptr<llvm::Module> module;
};

weft_status compileJob(const weft_compile_desc &desc, bool toKernels, Result &result)
{
	Stages stages(*desc.target, result);

	weft_status status = stages.prepare(desc.options, weft::ForCompile);
	if (status == WEFT_OK)
		status = stages.compile(desc);
	if (status == WEFT_OK)
		status = toKernels ? stages.makeKernels() : stages.makeObject(WEFT_OUTPUT_OBJECT);
	return status;
}

weft_status linkJob(const weft_link_desc &desc, Result &result)
{
	Stages stages(*desc.target, result);

	weft_status status = stages.prepare(desc.options, weft::ForLink);
	if (status == WEFT_OK)
		status = stages.merge(desc);
	if (status == WEFT_OK)
		status = stages.wantsLibrary() ? stages.makeObject(WEFT_OUTPUT_LIBRARY)
					       : stages.makeKernels();
	return status;
}

weft_status specialiseJob(const weft_specialise_desc &desc, Result &result)
{
	Stages stages(*desc.target, result);

	weft_status status = stages.readProgram(desc);
	if (status == WEFT_OK)
		status = stages.specialise(desc);
	if (status == WEFT_OK)
		status = stages.makeKernels();
	return status;
}

/* False when memory runs out; what was copied until then is the caller's to release. */
bool copyFiles(const std::vector<std::string> &files, weft_output &output)
{
	if (files.empty())
		return true;
	output.files = static_cast<char **>(weft_calloc(files.size(), sizeof(char *)));
	if (!output.files)
		return false;
	for (const std::string &file : files) {
		char *copy = weft_strdup(file.c_str());

		if (!copy)
			return false;
		output.files[output.num_files++] = copy;
	}
	return true;
}

weft_status publish(const Result &result, weft_status status, weft_output &output)
{
	if (!result.log.empty()) {
		output.log = weft_strdup(result.log.c_str());
		if (!output.log)
			return WEFT_OUT_OF_MEMORY;
	}
	if (!copyFiles(result.files, output))
		return WEFT_OUT_OF_MEMORY;
	if (status != WEFT_OK)
		return status;
	output.data = weft_memdup(result.data.data(), result.data.size());
	if (!output.data)
		return WEFT_OUT_OF_MEMORY;
	output.size = result.data.size();
	output.kind = result.kind;
	return WEFT_OK;
}

weft_status runJob(const char *name, weft_output &output,
		   llvm::function_ref<weft_status(Result &)> job)
{
	weft::StageClock clock;
	Result result;

	weft_status status = weft::runContained([&] { return job(result); }, result.log);
	if (status != WEFT_OK)
		weft_log(WEFT_LOG_INFO, "compiler", "%s failed (%d): %s", name, status,
			 result.log.c_str());
	status = publish(result, status, output);
	clock.done(name);
	return status;
}

weft_status compileEntry(const weft_compile_desc *desc, weft_output *output)
{
	return runJob("compile", *output,
		      [&](Result &result) { return compileJob(*desc, false, result); });
}

weft_status buildEntry(const weft_compile_desc *desc, weft_output *output)
{
	return runJob("build", *output,
		      [&](Result &result) { return compileJob(*desc, true, result); });
}

weft_status linkEntry(const weft_link_desc *desc, weft_output *output)
{
	return runJob("link", *output, [&](Result &result) { return linkJob(*desc, result); });
}

weft_status specialiseEntry(const weft_specialise_desc *desc, weft_output *output)
{
	return runJob("specialise", *output,
		      [&](Result &result) { return specialiseJob(*desc, result); });
}

weft_status checkOptionsEntry(const char *options, bool link, weft_output *output)
{
	return runJob("check options", *output, [&](Result &result) {
		BuildOptions parsed;

		return weft::parseBuildOptions(options, link ? weft::ForLink : weft::ForCompile,
					       parsed, result.log)
			       ? WEFT_OK
			       : WEFT_INVALID_OPTIONS;
	});
}

void releaseEntry(weft_output *output)
{
	for (size_t i = 0; i < output->num_files; i++)
		weft_free(output->files[i]);
	weft_free(output->files);
	weft_free(output->log);
	weft_free(output->data);
	*output = {};
}

} // namespace

const struct weft_compiler weft_compiler = {
	WEFT_COMPILER_VERSION, compileEntry, linkEntry,        buildEntry,
	specialiseEntry,       releaseEntry, checkOptionsEntry};
