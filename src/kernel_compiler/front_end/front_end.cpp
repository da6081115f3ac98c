/* SPDX-License-Identifier: MIT
 *
 * Sets Clang up for one source, and runs it. Invariant: what a source can see of the outside is source_files.h and what
 * clang_arguments.h says of the target.
 */
#include "front_end/front_end.h"

#include "front_end/clang_arguments.h"
#include "front_end/cxx_objects.h"
#include "front_end/declarations.h"
#include "front_end/needed_text.h"
#include "front_end/source_files.h"
#include "front_end/source_limits.h"
#include "front_end/source_parts.h"
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

#include <optional>

namespace
{

using weft::BuildOptions;

/* Functions that a source goes without which has no word that begins so. */
struct Declarations {
	llvm::StringRef part; /* of the names */
	const char *without;  /* what declarations.h asks for */
};

constexpr Declarations manyDeclarations = {"intel_sub", "WEFT_WITHOUT_INTEL_SUBGROUPS=1"};
constexpr Declarations fewDeclarations[] = {
	{"bfloat16", "WEFT_WITHOUT_BFLOAT16=1"},
	{"async_work_group_copy_", "WEFT_WITHOUT_EXTENDED_COPIES=1"},
	{"work_group_", "WEFT_WITHOUT_COLLECTIVES=1"},
	{"work_group_barrier_", "WEFT_WITHOUT_SPLIT_BARRIERS=1"},
};

bool anyText(const weft_compile_desc &desc, const BuildOptions &options,
	     llvm::function_ref<bool(llvm::StringRef)> is)
{
	return is({desc.source, desc.source_size}) ||
	       llvm::any_of(options.macros,
			    [&](const auto &macro) { return is(macro.first) || is(macro.second); });
}

/* What is read before the source, and what of it is left out. */
struct Before {
	std::optional<weft::Words> words; /* that the source has, if the rest is left out */
	std::string base;                 /* then: the base header */
};

/* Past this size it saves little to leave anything out, and to read the source twice for a warning costs much. */
constexpr size_t mostForNeeded = 8192;

Before neededBefore(const weft_compile_desc &desc, const BuildOptions &options, size_t most)
{
	Before before;

	if (options.isCxx || options.debugInfo || desc.source_size > most ||
	    anyText(desc, options, weft::mayHideWords))
		return before;
	before.words.emplace();
	anyText(desc, options, [&](llvm::StringRef text) {
		before.words->addText(text);
		return false;
	});
	before.base = weft::neededHeader(weft::baseHeaderText(), *before.words);
	return before;
}

void leaveOut(weft::Arguments &arguments, const Declarations &which, const weft_compile_desc &desc,
	      const BuildOptions &options)
{
	if (!anyText(desc, options,
		     [&](llvm::StringRef text) { return text.contains(which.part); }))
		arguments.define(which.without);
}

/* Declarations that the source cannot use. */
void addDeclarations(weft::Arguments &arguments, const Before &before,
		     const weft_compile_desc &desc, const BuildOptions &options)
{
	if (!anyText(desc, options, weft::mayHideWords))
		leaveOut(arguments, manyDeclarations, desc, options);
	if (!before.words)
		return;
	for (const Declarations &row : fewDeclarations)
		leaveOut(arguments, row, desc, options);
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
	/* All are borrowed. */
	MakeModule(llvm::LLVMContext &llvmContext, Before &readBefore, weft::Surroundings &seen,
		   weft::SourcePart &thePart)
	    : context(llvmContext), before(readBefore), surroundings(seen), part(thePart)
	{
	}

	std::unique_ptr<llvm::Module> take()
	{
		return std::move(module);
	}

      protected:
	bool BeginSourceFileAction(clang::CompilerInstance &compiler) override
	{
		clang::Preprocessor &preprocessor = compiler.getPreprocessor();

		preprocessor.addPPCallbacks(std::make_unique<NoteTime>(surroundings.usesTime));
		if (before.words)
			preprocessor.setPredefines(
				weft::neededMacros(preprocessor.getPredefines(), *before.words));
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
		consumers.push_back(takePart(std::move(made), compiler));
		return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
	}

	void EndSourceFileAction() override
	{
		llvm::Module *made = generator->GetModule();
		if (made && !part.functions) {
			weft::notePlaces(*made, *generator,
					 getCompilerInstance().getSourceManager());
			weft::hideBlocks(*made, *generator);
		}
		module = generator->ReleaseModule();
	}

      private:
	std::unique_ptr<clang::ASTConsumer> takePart(std::unique_ptr<clang::ASTConsumer> made,
						     clang::CompilerInstance &compiler)
	{
		if (part.functions)
			return std::make_unique<weft::ReadPart>(std::move(made), *part.functions);
		if (!part.mayDivide)
			return made;
		auto divide =
			std::make_unique<weft::DivideSource>(std::move(made), part, surroundings);
		compiler.getPreprocessor().addPPCallbacks(std::make_unique<weft::NoteSource>(
			divide->sourceNotes(), compiler.getSourceManager()));
		return divide;
	}

	llvm::LLVMContext &context;
	Before &before;
	weft::Surroundings &surroundings;
	weft::SourcePart &part;
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

/* Reads the source once. */
static std::unique_ptr<llvm::Module> readOnce(const weft_compile_desc &desc,
					      const BuildOptions &options, Before &before,
					      const SourceOutput &output)
{
	Arguments arguments;
	BoundedLog stream(output.log);
	clang::DiagnosticOptions printing = diagnosticOptions();
	clang::TextDiagnosticPrinter printer(stream, printing);
	auto fileSystem = createSourceFiles(
		desc, before.words ? llvm::StringRef(before.base) : baseHeaderText(),
		output.surroundings);
	JobOwned<std::unique_ptr<llvm::MemoryBuffer>> source(
		llvm::MemoryBuffer::getMemBufferCopy({desc.source, desc.source_size}, sourceName));

	addArguments(arguments, desc, options, output.fastFma);
	addDeclarations(arguments, before, desc, options);
	auto diagnostics =
		clang::CompilerInstance::createDiagnostics(*fileSystem, printing, &printer, false);
	auto invocation = arguments.makeInvocation(*diagnostics, output.log);
	if (!invocation)
		return nullptr;
	invocation->getDiagnosticOpts().ShowColors = false;
	if (output.part.functions) {
		invocation->getDiagnosticOpts().IgnoreWarnings = true;
		invocation->getFrontendOpts().SkipFunctionBodies = true;
	}

	JobOwned<Compiler> compiler(invocation);
	JobOwned<MakeModule> action(output.context, before, output.surroundings, output.part);
	compiler->setVirtualFileSystem(fileSystem);
	compiler->createDiagnostics(&printer, false);
	/* Debug information names the working folder. */
	output.surroundings.usesFolder |= options.debugInfo;
	bool done = runAction(*compiler, *action, **source);
	compiler->isLeft = false;
	return done ? action->take() : nullptr;
}

/* Another module of the context has structures of these names. */
static void freeNames(const llvm::Module &module)
{
	for (llvm::StructType *type : module.getIdentifiedStructTypes())
		type->setName("");
}

/* With the part of the header that the source names, or again with all of it if that one was not read without a message. */
static std::unique_ptr<llvm::Module>
readNeeded(const weft_compile_desc &desc, const BuildOptions &options, const SourceOutput &output)
{
	JobOwned<Before> before(
		neededBefore(desc, options, output.part.functions ? SIZE_MAX : mostForNeeded));
	const size_t logged = output.log.size();
	std::unique_ptr<llvm::Module> module = readOnce(desc, options, *before, output);

	if (!before->words || (module && output.log.size() == logged))
		return module;
	if (module)
		freeNames(*module);
	module.reset();
	output.log.resize(logged);
	*before = {};
	output.part.division = {};
	return readOnce(desc, options, *before, output);
}

std::unique_ptr<llvm::Module> compileSource(const weft_compile_desc &desc,
					    const BuildOptions &options, const SourceOutput &output)
{
	std::unique_ptr<llvm::Module> module = readNeeded(desc, options, output);

	if (!module)
		return nullptr;
	if (options.isCxx)
		passDestroyedObjects(*module);
	if (desc.zero_local)
		zeroLocalVariables(*module);
	return module;
}

} // namespace weft
