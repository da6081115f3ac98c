/* SPDX-License-Identifier: MIT
 *
 * Sets Clang up for one source, and runs it. Invariant: what a source can see of the outside is
 * source_files.h and the target description; Clang's own defaults (extensions, features, macros of
 * the SPIR target, the host's header folders) are all switched off first.
 */
#include "front_end/front_end.h"

#include "front_end/cxx_objects.h"
#include "front_end/declarations.h"
#include "front_end/source_files.h"
#include "front_end/source_limits.h"
#include "support/bounded_log.h"
#include "support/crash_guard.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/raw_ostream.h"

namespace
{

using weft::BuildOptions;

/* Clang's arguments; owns the strings that are not literals. */
class Arguments
{
      public:
	void add(const char *argument)
	{
		list.push_back(argument);
	}

	void add(const char *option, const std::string &value)
	{
		owned.push_back(std::make_unique<std::string>(value));
		list.push_back(option);
		list.push_back(owned.back()->c_str());
	}

	void addJoined(const std::string &argument)
	{
		owned.push_back(std::make_unique<std::string>(argument));
		list.push_back(owned.back()->c_str());
	}

	llvm::ArrayRef<const char *> get() const
	{
		return list;
	}

      private:
	std::vector<const char *> list;
	std::vector<std::unique_ptr<std::string>> owned;
};

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
	/* Clang says that it is a SPIR target with images; to the source it is this device. */
	"-U",
	"__SPIR",
	"-U",
	"__SPIR64",
	"-U",
	"__SPIR__",
	"-U",
	"__SPIR64__",
	"-U",
	"__SPIRV__",
	"-U",
	"__IMAGE_SUPPORT__",
	"-U",
	"__opencl_c_int64",
	/* Attributes on whose arguments Clang crashes, become others that it does not know. */
	"-D",
	"swift_error=swift_error_",
	"-D",
	"__swift_error__=swift_error_",
	"-D",
	"swift_async_error=swift_async_error_",
	"-D",
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
void addSearchPath(Arguments &arguments, const BuildOptions &options)
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

void addLanguage(Arguments &arguments, const BuildOptions &options)
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
void addNewerVersion(Arguments &arguments, const weft_target &target, const BuildOptions &options)
{
	if (weft::versionOffered(target) >= 310)
		arguments.add("-D", "CL_VERSION_3_1=310");
	if (options.languageVersion == 310) {
		arguments.add("-U", "__OPENCL_C_VERSION__");
		arguments.add("-D", "__OPENCL_C_VERSION__=310");
	}
}

void addOptions(Arguments &arguments, const BuildOptions &options)
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
		arguments.add("-D", name + "=" + definition);
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
void addTarget(Arguments &arguments, const weft_target &target, const BuildOptions &options)
{
	/* Clang's own, which a source switches on by a pragma: calls through pointers, virtual functions. */
	std::string list = "-cl-ext=-all,+__cl_clang_function_pointers";
	llvm::SmallVector<llvm::StringRef, 64> names, features;

	llvm::StringRef(target.extensions ? target.extensions : "").split(names, ' ', -1, false);
	llvm::StringRef(target.features ? target.features : "").split(features, ' ', -1, false);
	if (llvm::is_contained(features, "__opencl_c_images"))
		arguments.add("-D", "__IMAGE_SUPPORT__=1");
	if (options.languageVersion >= 200)
		llvm::append_range(names, features);
	for (llvm::StringRef name : names) {
		list += (",+" + name).str();
		if (name == "cles_khr_int64") // only of devices with that profile
			arguments.add("-D", "__EMBEDDED_PROFILE__=1");
		/* A language is no extension of one: it has no macro (cl_ext_cxx_for_opencl). */
		if (name != "cl_ext_cxx_for_opencl" && !definesMacro(name, options.languageVersion))
			arguments.add("-D", (name + "=1").str());
	}
	/* A source may mention images where the device has none. Its macros say what the device has. */
	for (const char *feature : imageFeatures) {
		if (options.languageVersion < 300 || llvm::is_contained(names, feature))
			continue;
		list += std::string(",+") + feature;
		arguments.add("-U", feature);
	}
	arguments.addJoined(list);
	arguments.add("-D", "__OPENCL_VERSION__=" + std::to_string(weft::versionOffered(target)));
}

/* Whether a line goes on in the next one: behind a backslash Clang passes over white space. */
bool splicesLines(llvm::StringRef text)
{
	for (size_t at; (at = text.find('\\')) != llvm::StringRef::npos;) {
		text = text.drop_front(at + 1);
		if (!text.empty() && llvm::isSpace(text.front()))
			return true;
	}
	return false;
}

/* Whether a function of Intel's sub-groups may be named: as a word, by pasting, over the end of a line, in a file that is
 * included, or by trigraphs. */
bool mayNameIntelSubgroups(const weft_compile_desc &desc, const BuildOptions &options)
{
	auto may = [](llvm::StringRef text) {
		return text.contains("intel_sub") || text.contains("##") || text.contains("%:%:") ||
		       text.contains("include") || text.contains("import") || text.contains("??") ||
		       splicesLines(text);
	};

	return may({desc.source, desc.source_size}) ||
	       llvm::any_of(options.macros, [&](const auto &macro) {
		       return may(macro.first) || may(macro.second);
	       });
}

/* Writes diagnostics into a string, errors and warnings as Clang prints them. */
clang::DiagnosticOptions diagnosticOptions()
{
	clang::DiagnosticOptions options;

	options.ShowCarets = true;
	options.ShowColumn = true;
	options.ShowLocation = true;
	options.ShowPresumedLoc = true; /* what #line says */
	options.ShowColors = false;
	options.ShowOptionNames = true;
	return options;
}

/* Notices macros that stand for the time of the compilation, or of a file's last change. */
class NoteTime : public clang::PPCallbacks
{
      public:
	explicit NoteTime(bool &seen) : usesTime(seen)
	{
	}

	void MacroExpands(const clang::Token &name, const clang::MacroDefinition &,
			  clang::SourceRange, const clang::MacroArgs *) override
	{
		static constexpr llvm::StringRef macros[] = {"__DATE__", "__TIME__",
							     "__TIMESTAMP__"};

		usesTime |= llvm::is_contained(macros, name.getIdentifierInfo()->getName());
	}

      private:
	bool &usesTime;
};

/* Parses the source and makes its module. */
class MakeModule : public clang::ASTFrontendAction
{
      public:
	/* Both are borrowed. */
	MakeModule(llvm::LLVMContext &llvmContext, bool &time)
	    : context(llvmContext), usesTime(time)
	{
	}

	std::unique_ptr<llvm::Module> take()
	{
		return std::move(module);
	}

      protected:
	bool BeginSourceFileAction(clang::CompilerInstance &compiler) override
	{
		compiler.getPreprocessor().addPPCallbacks(std::make_unique<NoteTime>(usesTime));
		return true;
	}

	std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
							      llvm::StringRef) override
	{
		auto made = clang::CreateLLVMCodeGen(compiler, "source.cl", context);
		std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;

		generator = made.get();
		compiler.getPreprocessor().addPPCallbacks(
			std::make_unique<weft::SourceLimits>(compiler.getDiagnostics()));
		consumers.push_back(
			std::make_unique<weft::CheckDeclarations>(compiler.getDiagnostics()));
		consumers.push_back(std::move(made));
		return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
	}

	void EndSourceFileAction() override
	{
		if (llvm::Module *made = generator->GetModule()) {
			weft::notePlaces(*made, *generator,
					 getCompilerInstance().getSourceManager());
			weft::hideBlocks(*made, *generator);
		}
		module = generator->ReleaseModule();
	}

      private:
	llvm::LLVMContext &context;
	bool &usesTime;
	clang::CodeGenerator *generator = nullptr; /* owned by the CompilerInstance */
	std::unique_ptr<llvm::Module> module;
};

/* A CompilerInstance that can be destroyed in the middle of its work. Its parser, which is not destroyed then, has registered
 * some handlers of pragmas in two places, each of which would delete them. */
struct Compiler : clang::CompilerInstance {
	using CompilerInstance::CompilerInstance;

	~Compiler()
	{
		if (!isLeft || !hasPreprocessor())
			return;
		for (auto [space, name] : {std::pair("GCC", "unroll"), std::pair("GCC", "nounroll"),
					   std::pair("OPENCL", "FP_CONTRACT")}) {
			clang::EmptyPragmaHandler handler(name);
			getPreprocessor().RemovePragmaHandler(space, &handler);
		}
	}

	bool isLeft = true; /* until the work is done */
};

bool runAction(clang::CompilerInstance &compiler, MakeModule &action, llvm::MemoryBufferRef source)
{
	clang::FrontendInputFile input(source, clang::InputKind(clang::Language::OpenCL));

	/* CompilerInstance::ExecuteAction would do the same, but also make Clang move to a stack of
	 * a few megabytes, on a thread that is not contained, when a nesting is deep. */
	if (!compiler.createTarget() || !action.BeginSourceFile(compiler, input))
		return false;
	llvm::consumeError(action.Execute());
	action.EndSourceFile();
	return !compiler.getDiagnostics().hasErrorOccurred();
}

constexpr unsigned localSpace = 3; /* of spir64 */

/* Says what local variables begin with, so that reading one that is never written is no undefined value. The zeros are stored by
 * who runs the kernel. */
void zeroLocalVariables(llvm::Module &module)
{
	for (llvm::GlobalVariable &variable : module.globals()) {
		if (variable.getAddressSpace() == localSpace && !variable.isDeclaration())
			variable.setInitializer(
				llvm::Constant::getNullValue(variable.getValueType()));
	}
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

std::unique_ptr<llvm::Module> compileSource(const weft_compile_desc &desc,
					    const BuildOptions &options, bool fastFma,
					    llvm::LLVMContext &context, std::string &log,
					    Surroundings &surroundings)
{
	Arguments arguments;
	BoundedLog stream(log);
	clang::DiagnosticOptions printing = diagnosticOptions();
	clang::TextDiagnosticPrinter printer(stream, printing);
	auto invocation = std::make_shared<clang::CompilerInvocation>();
	auto fileSystem = createSourceFiles(desc, surroundings);
	JobOwned<std::unique_ptr<llvm::MemoryBuffer>> source(
		llvm::MemoryBuffer::getMemBufferCopy({desc.source, desc.source_size}, sourceName));

	for (const char *argument : fixedArguments)
		arguments.add(argument);
	addOptions(arguments, options);
	addTarget(arguments, *desc.target, options);
	if (!mayNameIntelSubgroups(desc, options))
		arguments.add("-D", "WEFT_WITHOUT_INTEL_SUBGROUPS=1");
	addNewerVersion(arguments, *desc.target, options);
	if (desc.zero_private)
		arguments.add("-ftrivial-auto-var-init=zero");
	if (fastFma) { /* OpenCL C 6.13.2.1 */
		arguments.add("-D", "FP_FAST_FMAF=1");
		arguments.add("-D", "FP_FAST_FMA=1");
	}
	auto diagnostics =
		clang::CompilerInstance::createDiagnostics(*fileSystem, printing, &printer, false);
	if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments.get(), *diagnostics))
		return nullptr;
	invocation->getDiagnosticOpts().ShowColors = false;

	JobOwned<Compiler> compiler(invocation);
	JobOwned<MakeModule> action(context, surroundings.usesTime);
	compiler->setVirtualFileSystem(fileSystem);
	compiler->createDiagnostics(&printer, false);
	/* Debug information names the working folder. */
	surroundings.usesFolder |= options.debugInfo;
	bool done = runAction(*compiler, *action, **source);
	compiler->isLeft = false;
	if (!done)
		return nullptr;
	std::unique_ptr<llvm::Module> module = action->take();
	if (options.isCxx)
		passDestroyedObjects(*module);
	if (desc.zero_local)
		zeroLocalVariables(*module);
	return module;
}

} // namespace weft
